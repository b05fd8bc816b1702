/**
 * Where the source is shown: at the ends of each selection. While the mouse button is down nothing moves under
 * it.
 */
import { type EditorState, Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Piece, Span } from './pieces.ts';

interface Reveal {
  /** Offsets. */
  points: readonly number[];
  isHeld: boolean;
}

const hold = StateEffect.define<boolean>();

const pointsOf = ({ selection }: EditorState): number[] => [
  ...new Set(selection.ranges.flatMap(({ anchor, head }) => [anchor, head])),
];

export const revealed = StateField.define<Reveal>({
  create: (state) => {
    const points = pointsOf(state);
    // a document that was just opened has its cursor at the start, where nobody put it
    return { points: points.length === 1 && points[0] === 0 ? [] : points, isHeld: false };
  },
  update(value, transaction) {
    let { isHeld } = value;
    for (const effect of transaction.effects) if (effect.is(hold)) isHeld = effect.value;
    if (isHeld) {
      if (!transaction.docChanged) return isHeld === value.isHeld ? value : { ...value, isHeld };
      return { points: value.points.map((at) => transaction.changes.mapPos(at)), isHeld };
    }
    const isMoved = transaction.selection !== undefined || value.isHeld;
    if (!isMoved && (!transaction.docChanged || value.points.length === 0))
      return isHeld === value.isHeld ? value : { ...value, isHeld };
    return { points: pointsOf(transaction.state), isHeld };
  },
});

/** How often the button was pressed. */
let presses = 0;

/** Keeps the shown source until the button is released, so that a drag selects what it started on. */
export const holdWhilePressed = Prec.highest(
  EditorView.domEventHandlers({
    mousedown(event, view) {
      if (event.button !== 0) return false;
      const own = ++presses;
      view.dispatch({ effects: hold.of(true) });
      const release = () => {
        window.removeEventListener('mouseup', release, true);
        window.removeEventListener('dragend', release, true);
        // after CodeMirror has finished the selection; not under the second press of a double click
        setTimeout(() => {
          if (own === presses && view.dom.isConnected) view.dispatch({ effects: hold.of(false) });
        });
      };
      window.addEventListener('mouseup', release, true);
      window.addEventListener('dragend', release, true);
      return false;
    },
  }),
);

export const touches = ({ from, to }: Span, points: readonly number[]): boolean =>
  points.some((at) => at >= from && at <= to);

/**
 * The spans whose source is shown: for each point the smallest around it, and those with something hidden next
 * to the point, so that an arrow key never jumps over hidden text.
 */
export function findOpenSpans(pieces: readonly Piece[], points: readonly number[]): ReadonlySet<string> {
  const open = new Set<string>();
  for (const at of points) {
    let smallest = Number.POSITIVE_INFINITY;
    for (const piece of pieces)
      if ('span' in piece && piece.span && touches(piece.span, [at]))
        smallest = Math.min(smallest, piece.span.to - piece.span.from);
    for (const piece of pieces) {
      if (!('span' in piece) || !piece.span || !touches(piece.span, [at])) continue;
      const isNext = piece.kind !== 'line' && touches(piece, [at]);
      if (isNext || piece.span.to - piece.span.from === smallest) open.add(nameSpan(piece.span));
    }
  }
  return open;
}

export const nameSpan = ({ from, to }: Span): string => `${from}:${to}`;
