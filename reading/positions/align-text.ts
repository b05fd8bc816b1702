/**
 * Finds the lines of a page whose words are known (from a PDF's glyphs, or from Tesseract) in the LaTeX made from them.
 * Formulas, accents and commands look different there, but letters, digits and signs are in nearly the same order. What
 * was moved (footnotes, captions, floats) is then searched in the rest.
 */
import type { PagePlace, ShareBox, TitleBlock } from '#latex/assemble/page-body.ts';
import { matchSequences } from './common-subsequence.ts';
import { plainCharacters, type VisibleCharacter, visibleCharacters } from './visible-characters.ts';

export interface KnownLine {
  text: string;
  box: ShareBox;
}

/** A line counts as found if this share of its characters is. */
const minShare = 0.4;
/** Matched characters of a line that are farther apart than this were matched by chance. */
const maxGap = 24;
/** Number of searches for moved text. */
const rounds = 4;

/**
 * The lines' places in the body, in the body's order. Lines that are not in it (page numbers, running heads) have none.
 */
export function alignText(body: string, lines: readonly KnownLine[]): PagePlace[] {
  const visible = visibleCharacters(body);
  const found = fillGaps(body, findLines(visible, lines));
  return addBetween(body, visible, found, lines).map(({ start, end, box }) => ({ start, end, box }));
}

/** The box around the lines of the title block; null if none is known. */
export function findTitleBox(title: TitleBlock, lines: readonly KnownLine[]): ShareBox | null {
  const text = [title.title, title.author, title.date].filter(Boolean).join('\n');
  const found = findLines(visibleCharacters(text), lines);
  return found.length > 0 ? boxAround(found.map(({ box }) => box)) : null;
}

export function boxAround(boxes: readonly ShareBox[]): ShareBox {
  const left = Math.min(...boxes.map((box) => box[0]));
  const top = Math.min(...boxes.map((box) => box[1]));
  const right = Math.max(...boxes.map((box) => box[0] + box[2]));
  const bottom = Math.max(...boxes.map((box) => box[1] + box[3]));
  return [left, top, right - left, bottom - top];
}

/** Adds the places of figures, at the commands that include them. */
export function addFigures(
  body: string,
  places: readonly PagePlace[],
  figures: readonly { name: string; box: { left: number; top: number; width: number; height: number } }[],
): PagePlace[] {
  const added = figures.flatMap(({ name, box }) => {
    const at = body.indexOf(`{${name}}`);
    if (at < 0) return [];
    const start = Math.max(body.lastIndexOf('\\includegraphics', at), 0);
    const end = at + name.length + 2;
    if (places.some((place) => place.start < end && start < place.end)) return [];
    return [{ start, end, box: [box.left, box.top, box.width, box.height] satisfies ShareBox as ShareBox }];
  });
  return [...places, ...added].sort((a, b) => a.start - b.start);
}

interface FoundLine extends PagePlace {
  /** The first and last known line in it. */
  first: number;
  last: number;
}

interface Sign {
  code: number;
  line: number;
}

function findLines(visible: readonly VisibleCharacter[], lines: readonly KnownLine[]): FoundLine[] {
  const places: FoundLine[] = [];
  let rest = lines
    .map((line, index) => ({ index, signs: signsOf(line, index) }))
    .filter(({ signs }) => signs.length > 0);
  let free = visible.map((character, index) => ({ ...character, index }));
  for (let round = 0; round < rounds && rest.length > 0 && free.length > 0; round++) {
    const signs = rest.flatMap((line) => line.signs);
    const pairs = matchSequences(
      signs.map(({ code }) => code),
      free.map(({ character }) => character.codePointAt(0)!),
    );
    const hits = new Map<number, number[]>();
    for (const [from, to] of pairs) {
      const { line } = signs[from]!;
      const own = hits.get(line);
      if (own) own.push(to);
      else hits.set(line, [to]);
    }
    const taken = new Set<number>();
    const foundLines = new Set<number>();
    for (const { index, signs: own } of rest) {
      const run = longestRun(hits.get(index) ?? []);
      if (run.length < Math.max(1, minShare * own.length)) continue;
      const [first, last] = [run[0]!, run.at(-1)!];
      foundLines.add(index);
      for (let at = first; at <= last; at++) taken.add(at);
      places.push({
        start: free[first]!.start,
        end: free[last]!.end,
        box: lines[index]!.box,
        first: index,
        last: index,
      });
    }
    if (foundLines.size === 0) break;
    rest = rest.filter(({ index }) => !foundLines.has(index));
    free = free.filter((_, at) => !taken.has(at));
  }
  return withoutCrossings(places);
}

function signsOf({ text }: KnownLine, line: number): Sign[] {
  return plainCharacters(text).map((character) => ({ code: character.codePointAt(0)!, line }));
}

/** The largest group of rising numbers without a wide gap. */
function longestRun(hits: readonly number[]): number[] {
  let best: number[] = [];
  let run: number[] = [];
  for (const hit of hits) {
    if (run.length > 0 && hit - run.at(-1)! > maxGap) run = [];
    run.push(hit);
    if (run.length > best.length) best = run;
  }
  return [...best];
}

/** Sorts places; two that overlap (a line of a matrix between those of its neighbours) both cover the whole. */
function withoutCrossings(places: FoundLine[]): FoundLine[] {
  const sorted = places.sort((a, b) => a.start - b.start || a.end - b.end);
  const merged: FoundLine[] = [];
  for (const place of sorted) {
    const last = merged.at(-1);
    if (last && place.start < last.end) {
      last.end = Math.max(last.end, place.end);
      last.box = boxAround([last.box, place.box]);
      last.first = Math.min(last.first, place.first);
      last.last = Math.max(last.last, place.last);
    } else merged.push({ ...place });
  }
  return merged;
}

/**
 * Extends places to the commands before their first letter and the closing tokens after their last one, within the
 * source line.
 */
function fillGaps(body: string, places: FoundLine[]): FoundLine[] {
  for (let index = 0; index <= places.length; index++) {
    const before = places[index - 1];
    const after = places[index];
    const from = before?.end ?? 0;
    const to = after?.start ?? body.length;
    const gap = body.slice(from, to);
    const cut = from + cutOf(gap, before !== undefined, after !== undefined);
    if (before) before.end = Math.max(before.end, from + body.slice(from, cut).trimEnd().length);
    if (after) {
      // other text in between (a figure, a matrix whose lines were not found) stays out
      const own = body.slice(cut, to);
      const others = [...own.matchAll(/\n\n|\n\s*(?:\\\]|\\end\{[^}]*\})/g)].at(-1);
      const start = cut + (others ? others.index + others[0].length : 0);
      after.start = Math.min(after.start, start + /^\s*/.exec(body.slice(start, to))![0].length);
    }
  }
  return places;
}

/**
 * Text between two places that follow each other both in the body and on the page comes from the lines in between: for
 * example a matrix, whose numbers are in another order in LaTeX.
 */
function addBetween(
  body: string,
  visible: readonly VisibleCharacter[],
  places: readonly FoundLine[],
  lines: readonly KnownLine[],
): FoundLine[] {
  const known = new Set(places.flatMap(({ first, last }) => rangeOf(first, last)));
  const between: FoundLine[] = [];
  for (let index = 0; index <= places.length; index++) {
    const from = places[index - 1]?.end ?? 0;
    const to = places[index]?.start ?? body.length;
    const text = body.slice(from, to);
    const start = from + /^\s*/.exec(text)![0].length;
    const end = from + text.trimEnd().length;
    const isSeen = visible.some((character) => character.start >= start && character.end <= end);
    if (!isSeen) continue;
    const first = (places[index - 1]?.last ?? -1) + 1;
    const last = (places[index]?.first ?? lines.length) - 1;
    const free = rangeOf(first, last).filter((line) => !known.has(line));
    if (free.length === 0 || free.length !== last - first + 1) continue;
    between.push({ start, end, box: boxAround(free.map((line) => lines[line]!.box)), first, last });
  }
  return [...places, ...between].sort((a, b) => a.start - b.start);
}

function rangeOf(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Where the first of two places ends in the text between them. */
function cutOf(gap: string, hasBefore: boolean, hasAfter: boolean): number {
  if (!hasBefore) return 0;
  for (let feed = gap.indexOf('\n'); feed >= 0; feed = gap.indexOf('\n', feed + 1)) {
    // the closing token of a formula or an environment belongs to the first
    if (!/^\s*(\\\]|\\end\{|\\\)|[})$])/.test(gap.slice(feed))) return feed;
  }
  if (!hasAfter) return gap.length;
  const space = gap.search(/\s(?=\S*$)/);
  if (space >= 0) return space;
  // without a space, an opening token belongs to the second
  return /[}\])$.,;:!?–—-]*/.exec(gap)![0].length;
}
