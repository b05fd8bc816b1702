/** Doubtful spots as underlines in the editor, which moves them with the text. */
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';

const setSpots = StateEffect.define<readonly DoubtfulSpot[]>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(setSpots)) next = markAll(effect.value, transaction.newDoc.length);
    return next;
  },
  provide: (marks) => EditorView.decorations.from(marks),
});

const look = EditorView.baseTheme({
  // no background: it would hide the selection, which shows the selected spot
  '.cm-doubt': { borderBottom: '2px dotted var(--red)' },
});

export const spotMarks: Extension = [field, look];

/** Shows these spots from the start. */
export function spotMarksAt(spots: readonly DoubtfulSpot[]): Extension {
  return [field.init(({ doc }) => markAll(spots, doc.length)), look];
}

/** Shows exactly these spots; those outside the text are left out. */
export function showSpots(editor: EditorView, spots: readonly DoubtfulSpot[]): void {
  const shown = readSpots(editor);
  const isSame =
    shown.length === spots.length &&
    shown.every(({ id, start, end }, index) => {
      const spot = spots[index];
      return spot?.id === id && spot.start === start && spot.end === end;
    });
  if (!isSame) editor.dispatch({ effects: setSpots.of(spots) });
}

/** The spots at their current positions, in document order. */
export function readSpots(editor: EditorView): DoubtfulSpot[] {
  const spots: DoubtfulSpot[] = [];
  const { doc } = editor.state;
  editor.state.field(field).between(0, doc.length, (start, end, mark) => {
    if (end > start) spots.push({ ...(mark.spec.spot as DoubtfulSpot), start, end });
  });
  return spots;
}

function markAll(spots: readonly DoubtfulSpot[], length: number): DecorationSet {
  return Decoration.set(
    spots
      .filter(({ start, end }) => start < end && end <= length)
      .map((spot) => {
        const title = spot.reason ?? 'The reader was unsure of this.';
        return Decoration.mark({ class: 'cm-doubt', attributes: { title }, spot }).range(
          spot.start,
          spot.end,
        );
      }),
    true,
  );
}
