/**
 * The source map of the text, kept in the editor so that edits move it along; and the range highlighted for a click
 * in another view.
 */
import { invertedEffects } from '@codemirror/commands';
import {
  type EditorState,
  type Extension,
  type Range,
  RangeSet,
  RangeValue,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { type SourceRange, toLines, toRanges } from '#latex/assemble/source-map.ts';
import type { SourceMap } from '#shared/api/library.ts';

class Place extends RangeValue {
  /** What the range was read from. */
  readonly ink: Omit<SourceRange, 'start' | 'end'>;
  // text typed at its edges, or replacing all of it, counts as read from the same ink
  override startSide = -1;
  override endSide = 1;

  constructor({ page, box, isApproximate }: SourceRange) {
    super();
    this.ink = { page, ...(box ? { box } : {}), ...(isApproximate ? { isApproximate } : {}) };
  }

  override eq(other: Place): boolean {
    return other.ink === this.ink;
  }
}

/** Restores the places of before a change: what was deleted leaves nothing that Undo could extend. */
const restorePlaces = StateEffect.define<RangeSet<Place>>({
  map: (known, changes) => known.map(changes),
});

const places = StateField.define<RangeSet<Place>>({
  create: () => RangeSet.empty,
  update(known, { docChanged, changes, effects }) {
    let next = docChanged ? known.map(changes) : known;
    for (const effect of effects) if (effect.is(restorePlaces)) next = effect.value;
    return next;
  },
});

const remembersPlaces = invertedEffects.of(({ changes, startState }) => {
  let deletesText = false;
  changes.iterChangedRanges((from, to) => {
    if (to > from) deletesText = true;
  });
  return deletesText ? [restorePlaces.of(startState.field(places))] : [];
});

const setHighlight = StateEffect.define<{ from: number; to: number } | null>();

const highlight = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, changes, effects, newDoc }) {
    let next = docChanged ? marks.map(changes) : marks;
    for (const effect of effects) {
      if (!effect.is(setHighlight)) continue;
      const { from, to } = effect.value ?? { from: 0, to: 0 };
      next =
        to > from && to <= newDoc.length ? Decoration.set(highlightMark.range(from, to)) : Decoration.none;
    }
    return next;
  },
  provide: (marks) => EditorView.decorations.from(marks),
});

const highlightMark = Decoration.mark({ class: 'cm-linked' });

const look = EditorView.baseTheme({
  '.cm-linked': {
    backgroundColor: 'light-dark(oklch(0.86 0.07 255 / 0.5), oklch(0.45 0.09 255 / 0.5))',
    borderRadius: '2px',
  },
});

/** @param map the source map of `latex`; null if unknown */
export function sourcePlaces(latex: string, map: SourceMap | null): Extension {
  const ranges: Range<Place>[] = toRanges(latex, map?.lines ?? []).map((range) =>
    new Place(range).range(range.start, range.end),
  );
  return [places.init(() => RangeSet.of(ranges, true)), remembersPlaces, highlight, look];
}

/** All places at their current positions, in document order. */
export function listPlaces(state: EditorState): SourceRange[] {
  const found: SourceRange[] = [];
  state.field(places).between(0, state.doc.length, (start, end, { ink }) => {
    // a deleted place is still there, as an empty range
    if (end > start) found.push({ start, end, ...ink });
  });
  return found;
}

export function describePlaces(state: EditorState): SourceMap['lines'] {
  return toLines(state.doc.toString(), listPlaces(state));
}

/** What a range of the text was read from; if it has no place of its own, what its lines were read from. */
export function findPlaces(state: EditorState, from: number, to: number): SourceRange[] {
  const within = (start: number, end: number) => {
    const found: SourceRange[] = [];
    state.field(places).between(start, end, (placeStart, placeEnd, { ink }) => {
      if (placeEnd > placeStart) found.push({ start: placeStart, end: placeEnd, ...ink });
    });
    return found;
  };
  const own = within(from, to);
  return own.length > 0 ? own : within(state.doc.lineAt(from).from, state.doc.lineAt(to).to);
}

/** The ink of ranges of the text, each place once. */
export function placeDoubts(
  state: EditorState,
  spots: readonly { start: number; end: number }[],
): SourceRange[] {
  const found = new Map<number, SourceRange>();
  for (const { start, end } of spots) {
    if (end > state.doc.length) continue;
    for (const place of findPlaces(state, start, end)) if (place.box) found.set(place.start, place);
  }
  return [...found.values()];
}

/** The farthest that a point may be from a line to select it, as a share of the page's height. */
const reach = 0.03;

/**
 * What was read at a point of a page (in shares of its picture): the smallest box that contains it, or else the
 * nearest.
 */
export function findPlaceAt(state: EditorState, page: number, x: number, y: number): SourceRange | null {
  let best: { range: SourceRange; distance: number; area: number } | null = null;
  for (const range of listPlaces(state)) {
    if (range.page !== page || !range.box) continue;
    const [left, top, width, height] = range.box;
    const away = (value: number, start: number, size: number) =>
      Math.max(0, start - value, value - start - size);
    // next to its end a point still selects a line; above or below it soon does not
    const distance = away(y, top, height) + 0.03 * away(x, left, width);
    const area = width * height;
    if (!best || distance < best.distance || (distance === best.distance && area < best.area))
      best = { range, distance, area };
  }
  return best && best.distance <= reach ? best.range : null;
}

export function highlightRange(view: EditorView, range: { from: number; to: number } | null): void {
  const shown = view.state.field(highlight, false);
  if (!range && (!shown || shown.size === 0)) return;
  view.dispatch({ effects: setHighlight.of(range) });
}

/** Highlights the range and scrolls to it, without taking the focus or the selection. */
export function revealRange(view: EditorView, range: { from: number; to: number }): void {
  view.dispatch({
    effects: [setHighlight.of(range), EditorView.scrollIntoView(range.from, { y: 'center' })],
  });
}
