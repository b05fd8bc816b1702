/** Tracks the conflicts in the editor of a merged text while it is edited. */
import {
  Annotation,
  EditorState,
  type Extension,
  StateField,
  type Text,
  type TransactionSpec,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { MergePart } from '../merge-texts.ts';

export type Side = 'mine' | 'theirs' | 'both';
/** `edited`: the user has typed at the place. */
export type Choice = Side | 'edited';

export interface Place {
  from: number;
  to: number;
  /** Null until chosen. */
  choice: Choice | null;
}

export type Conflict = Extract<MergePart, { kind: 'conflict' }>;

const choosing = Annotation.define<{ at: number; choice: Side }>();

/** The result before any choice: with my version at each conflict. */
export function layOut(parts: readonly MergePart[]): {
  text: string;
  places: Place[];
  conflicts: Conflict[];
} {
  let text = '';
  const places: Place[] = [];
  const conflicts: Conflict[] = [];
  for (const part of parts) {
    const from = text.length;
    text += part.kind === 'agreed' ? part.text : part.mine;
    if (part.kind === 'agreed') continue;
    places.push({ from, to: text.length, choice: null });
    conflicts.push(part);
  }
  return { text, places, conflicts };
}

/** The text of a conflict after a choice. */
function wordsOf({ mine, theirs }: Conflict, side: Side): string {
  if (side !== 'both') return side === 'mine' ? mine : theirs;
  return mine + (mine === '' || mine.endsWith('\n') ? '' : '\n') + theirs;
}

const field = StateField.define<Place[]>({
  create: () => [],
  update(places, transaction) {
    const { changes } = transaction;
    const chosen = transaction.annotation(choosing);
    if (!transaction.docChanged && !chosen) return places;
    return places.map((place, at) => {
      const moved = { from: changes.mapPos(place.from, -1), to: changes.mapPos(place.to, 1) };
      if (chosen) return { ...moved, choice: chosen.at === at ? chosen.choice : place.choice };
      return { ...moved, choice: changes.touchesRange(place.from, place.to) ? 'edited' : place.choice };
    });
  },
  provide: (self) => EditorView.decorations.from(self, (places) => (view) => mark(view.state.doc, places)),
});

const open = Decoration.line({ class: 'cm-conflict' });
const done = Decoration.line({ class: 'cm-conflict cm-conflict-chosen' });

function mark(doc: Text, places: readonly Place[]): DecorationSet {
  return Decoration.set(
    places.flatMap((place) => {
      const lines = [];
      // a place that ends with a line break ends before the next line
      const last = place.to > place.from ? place.to - 1 : place.to;
      for (let at = place.from; at <= last; at = doc.lineAt(at).to + 1)
        lines.push((place.choice ? done : open).range(doc.lineAt(at).from));
      return lines;
    }),
    true,
  );
}

const look = EditorView.theme({
  '.cm-conflict': { boxShadow: 'inset 3px 0 0 var(--red)' },
  '.cm-conflict-chosen': { boxShadow: 'inset 3px 0 0 var(--green)' },
});

/** @param onPlaces called whenever a place has moved or was chosen */
export function conflictPlaces(places: Place[], onPlaces: (places: readonly Place[]) => void): Extension {
  return [
    field.init(() => places),
    EditorView.updateListener.of(({ state, startState }) => {
      if (state.field(field) !== startState.field(field)) onPlaces(state.field(field));
    }),
    // the result, too, has only one kind of line breaks
    EditorState.lineSeparator.of('\n'),
    look,
  ];
}

/** Puts one side's words, or both, at a place. */
export function choose(state: EditorState, at: number, conflict: Conflict, side: Side): TransactionSpec {
  const place = readPlaces(state)[at];
  if (!place) return {};
  return {
    changes: { from: place.from, to: place.to, insert: wordsOf(conflict, side) },
    annotations: choosing.of({ at, choice: side }),
  };
}

export function readPlaces(state: EditorState): readonly Place[] {
  return state.field(field);
}

export function showPlace(view: EditorView, at: number): void {
  const place = readPlaces(view.state)[at];
  if (place) view.dispatch({ effects: EditorView.scrollIntoView(place.from, { y: 'center' }) });
}
