/** Inserts handwriting into the LaTeX of a page at its place on the paper. */
import type { PagePlace, ShareBox } from '#latex/assemble/page-body.ts';
import { applySplices, type Splice } from '#latex/source/splice.ts';
import type { InkLine } from '../ink/read-lines.ts';
import { type WrittenInk, writeInkBody, writeInkInline, writeInkNote } from '../ink/write-ink-body.ts';
import type { TranscribedPage } from '../transcriber.ts';

/** Ink belongs to a line of print if they overlap vertically by this share of the smaller height. */
const inLine = 0.5;
/** Ink further from a line's end than this share of the page's width becomes a note next to the line. */
const noteDistance = 0.25;

interface Insertion {
  at: number;
  before: string;
  written: WrittenInk;
  after: string;
}

/**
 * @param page with its places, which determine where ink is inserted
 * @param lines of handwriting in reading order, none of them in the page's body yet
 */
export function mergeInk<Page extends TranscribedPage>(page: Page, lines: readonly InkLine[]): Page {
  const places = page.places ?? [];
  const ends = paragraphEnds(page.body);
  const insertions: Insertion[] = [];
  const blocks: { at: number; lines: InkLine[] }[] = [];
  for (const line of lines) {
    const own = placeInLine(line.box, places);
    if (own && isInLine(line.box, places)) {
      insertions.push({ at: own.end, before: '', written: writeInkNote(line), after: '' });
    } else if (own) {
      const written = writeInkInline(line);
      insertions.push({ at: offsetInPlace(page.body, own, line.box), before: ' ', written, after: '' });
    }
    if (own) continue;
    const at = offsetBelow(line.box, places, ends);
    const last = blocks.at(-1);
    if (last?.at === at) last.lines.push(line);
    else blocks.push({ at, lines: [line] });
  }
  for (const { at, lines: own } of blocks)
    insertions.push({ at, before: at === 0 ? '' : '\n\n', written: writeInkBody(own), after: '\n\n' });
  return insertions.length === 0 ? page : withInsertions(page, insertions);
}

function withInsertions<Page extends TranscribedPage>(page: Page, insertions: readonly Insertion[]): Page {
  const splices = insertions.map(({ at, before, written, after }): Splice => {
    // does not repeat a paragraph break that is already there
    const follows = /^\n{0,2}/.exec(page.body.slice(at, at + 2))![0].length;
    const tail = after.slice(follows);
    return { start: at, end: at, text: before + written.body + tail };
  });
  const spliced = applySplices(page.body, splices);
  // where each begins in the new text; those at the same offset keep their order
  let grown = 0;
  const starts = new Map<Insertion, number>();
  for (const { insertion, splice } of insertions
    .map((insertion, at) => ({ insertion, splice: splices[at]!, order: at }))
    .sort((a, b) => a.splice.start - b.splice.start || a.order - b.order)) {
    starts.set(insertion, splice.start + grown + insertion.before.length);
    grown += splice.text.length;
  }
  const shiftOf = (offset: number, isEnd: boolean) =>
    splices.reduce(
      (sum, { start, text }) => sum + (start < offset || (start === offset && !isEnd) ? text.length : 0),
      0,
    );
  const move = <T extends { start: number; end: number }>(one: T): T => ({
    ...one,
    start: one.start + shiftOf(one.start, false),
    end: one.end + shiftOf(one.end, true),
  });
  const added = <T extends { start: number; end: number }>(of: (written: WrittenInk) => readonly T[]): T[] =>
    insertions.flatMap((insertion) =>
      of(insertion.written).map((one) => ({
        ...one,
        start: one.start + starts.get(insertion)!,
        end: one.end + starts.get(insertion)!,
      })),
    );
  const byPlace = (a: { start: number; end: number }, b: { start: number; end: number }) =>
    a.start - b.start || a.end - b.end;
  const names = new Set(page.packages.map(({ name }) => name));
  return {
    ...page,
    body: spliced.text,
    packages: [
      ...page.packages,
      ...insertions
        .flatMap(({ written }) => written.packages)
        .filter(({ name }) => !names.has(name) && names.add(name)),
    ],
    doubtful: [...page.doubtful.map(move), ...added(({ doubtful }) => doubtful)].sort(byPlace),
    places: [
      ...(page.places ?? []).flatMap((place) => cutAt(place, splices).map(move)),
      ...added(({ places }) => places),
    ].sort(byPlace),
  };
}

/** Splits a place at each insertion inside it. */
function cutAt(place: PagePlace, splices: readonly Splice[]): PagePlace[] {
  const cuts = [...new Set(splices.map(({ start }) => start))]
    .filter((at) => at > place.start && at < place.end)
    .sort((a, b) => a - b);
  const bounds = [place.start, ...cuts, place.end];
  return bounds.slice(1).map((end, at) => ({ ...place, start: bounds[at]!, end }));
}

const middle = ([, top, , height]: ShareBox) => top + height / 2;

/** The print on the same line as the ink, if any. */
function placeInLine(box: ShareBox, places: readonly PagePlace[]): PagePlace | null {
  const [left, top, width, height] = box;
  const near = places
    .map((place) => {
      const [otherLeft, otherTop, otherWidth, otherHeight] = place.box;
      const shared = Math.min(top + height, otherTop + otherHeight) - Math.max(top, otherTop);
      const gap = Math.max(left - otherLeft - otherWidth, otherLeft - left - width);
      return { place, shared: shared / Math.min(height, otherHeight), gap };
    })
    .filter(({ place, shared, gap }) => shared > inLine && gap < noteDistance && place.box[3] < 2 * height)
    // a line that overlaps it horizontally comes first
    .sort((a, b) => Math.max(0, a.gap) - Math.max(0, b.gap) || b.shared - a.shared);
  return near[0]?.place ?? null;
}

/** In the margin: right or left of all print. */
function isInLine([left, , width]: ShareBox, places: readonly PagePlace[]): boolean {
  return (
    left >= Math.max(...places.map(({ box }) => box[0] + box[2])) ||
    left + width <= Math.min(...places.map(({ box }) => box[0]))
  );
}

/** Where ink belongs in a line's text, estimated from the share of the line to its left; between words. */
function offsetInPlace(body: string, { start, end, box }: PagePlace, [left]: ShareBox): number {
  const share = (left - box[0]) / box[2];
  if (share >= 1) return end;
  const text = body.slice(start, end);
  const wanted = Math.max(0, share) * text.length;
  const gaps = [...text.matchAll(/\s+(?![^{]*\})/g)].map(({ index }) => index);
  const nearest = [...gaps, text.length].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0]!;
  return start + nearest;
}

/** The end of the paragraph above the ink, in the same column if there are several. */
function offsetBelow(box: ShareBox, places: readonly PagePlace[], ends: readonly number[]): number {
  const isAbove = (place: PagePlace) => middle(place.box) < middle(box);
  const isOver = ({ box: [left, , width] }: PagePlace) => left < box[0] + box[2] && left + width > box[0];
  const above = places.filter(isAbove);
  const own = above.some(isOver) ? above.filter(isOver) : above;
  if (own.length === 0) return 0;
  const lowest = own.reduce((a, b) => (middle(b.box) >= middle(a.box) ? b : a));
  return ends.find((end) => end >= lowest.end) ?? ends.at(-1)!;
}

const lists = new Set(['itemize', 'enumerate', 'description']);

/**
 * Offsets at which a paragraph may be inserted: between paragraphs and items, outside of groups and other environments.
 */
function paragraphEnds(body: string): number[] {
  const ends: number[] = [];
  const open: string[] = [];
  let depth = 0;
  const parts =
    /\\begin\{([^}]*)\}|\\end\{([^}]*)\}|\\\[|\\\]|\\.|[{}]|\n(?:\n|(?=\\item|\\end\{(?:itemize|enumerate|description)\}))/gs;
  for (const { 0: part, 1: begun, 2: ended, index } of body.matchAll(parts)) {
    if (begun !== undefined) open.push(begun);
    else if (ended !== undefined) open.pop();
    else if (part === '\\[') open.push(part);
    else if (part === '\\]') open.pop();
    else if (part === '{') depth++;
    else if (part === '}') depth = Math.max(0, depth - 1);
    else if (part.startsWith('\n') && depth === 0 && open.every((name) => lists.has(name))) ends.push(index);
  }
  return [...ends, body.length];
}
