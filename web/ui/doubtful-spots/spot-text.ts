/** What checking doubtful spots needs from the source, without loading the editor's code with the check. */
import type { EditorView } from '@codemirror/view';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';
import { findFormula } from '#web/ui/source-editor/lines/tokens.ts';
import { decideSpot, findDecided, readSpots } from './spot-marks.ts';

export interface SpotText {
  /** The spot at its current position; undefined if its text was removed. */
  locate: (id: number) => DoubtfulSpot | undefined;
  read: (from?: number, to?: number) => string;
  /** All of it is within a formula. */
  isMaths: (spot: DoubtfulSpot) => boolean;
  isReadOnly: () => boolean;
  /** Replaces its text, as one undo step. */
  decide: (spot: DoubtfulSpot, text: string) => void;
  /** The position of a decided spot now; undefined if its text was removed. */
  findDecided: (id: number) => { start: number; end: number } | undefined;
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
    decide: (spot, text) => decideSpot(view, spot, text),
    findDecided: (id) => findDecided(view, id),
    focus: () => view.focus(),
  };
}
