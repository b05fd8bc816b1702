/** What checking doubtful spots needs of the source, without loading the editor's code with the check. */
import { isolateHistory } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';
import { findFormula } from '#web/ui/source-editor/lines/tokens.ts';
import { readSpots } from './spot-marks.ts';

export interface SpotText {
  /** The spot at its current position; undefined if its text is gone. */
  locate: (id: number) => DoubtfulSpot | undefined;
  read: (from?: number, to?: number) => string;
  /** All of it stands within a formula. */
  isMaths: (spot: DoubtfulSpot) => boolean;
  isReadOnly: () => boolean;
  /** As one step of undo. */
  replace: (from: number, to: number, insert: string) => void;
  focus: () => void;
}

export function spotTextOf(view: EditorView): SpotText {
  return {
    locate: (id) => readSpots(view).find((spot) => spot.id === id),
    read: (from, to) => view.state.sliceDoc(from, to),
    isMaths: ({ start, end }) => {
      const formula = findFormula(view.state, start);
      return formula !== null && formula.from < start && formula.to > end;
    },
    isReadOnly: () => view.state.readOnly,
    replace: (from, to, insert) =>
      view.dispatch({
        changes: { from, to, insert },
        annotations: isolateHistory.of('full'),
        userEvent: 'input.complete',
      }),
    focus: () => view.focus(),
  };
}
