/** Doubtful spots as underlines in the editor, which moves them with the text. */
import { isolateHistory } from '@codemirror/commands';
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';

interface Stretch {
  id: number;
  start: number;
  end: number;
}

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

const setDecided = StateEffect.define<Stretch>();

/** Positions of decided spots, so that a decision can be undone after further edits. */
const decided = StateField.define<readonly Stretch[]>({
  create: () => [],
  update(known, { changes, docChanged, effects }) {
    let next = docChanged
      ? known.map(({ id, start, end }) => ({
          id,
          start: changes.mapPos(start, -1),
          end: changes.mapPos(end, 1),
        }))
      : known;
    for (const effect of effects)
      if (effect.is(setDecided)) next = [...next.filter(({ id }) => id !== effect.value.id), effect.value];
    return next;
  },
});

const look = EditorView.baseTheme({
  // no background: it would hide the selection, which shows the selected spot
  '.cm-doubt': { borderBottom: '2px dotted var(--red)' },
});

export const spotMarks: Extension = [field, decided, look];

/** Shows these spots from the start. */
export function spotMarksAt(spots: readonly DoubtfulSpot[]): Extension {
  return [field.init(({ doc }) => markAll(spots, doc.length)), decided, look];
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

/** Replaces a spot's text, as one undo step, and remembers its position. */
export function decideSpot(editor: EditorView, { id, start, end }: Stretch, text: string): void {
  const isSame = editor.state.sliceDoc(start, end) === text;
  editor.dispatch({
    ...(isSame ? {} : { changes: { from: start, to: end, insert: text } }),
    effects: setDecided.of({ id, start, end: start + text.length }),
    annotations: isolateHistory.of('full'),
    userEvent: 'input.complete',
  });
}

/** The position of a decided spot now; undefined if its text was removed. */
export function findDecided(editor: EditorView, id: number): Stretch | undefined {
  return editor.state.field(decided).find((one) => one.id === id && one.end > one.start);
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
