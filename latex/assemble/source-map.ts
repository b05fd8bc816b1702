/**
 * Tracks where the text of a document came from through every change of the text. On the wire and in the table a source
 * map counts in lines and columns (SourceMap); internally, ranges have UTF-16 offsets.
 */
import type { SourceMap } from '#shared/api/conversion.ts';
import { type Splice, withoutLostAlternatives } from '../source/splice.ts';
import type { ShareBox } from './page-body.ts';

export interface SourceRange {
  start: number;
  end: number;
  page: number;
  /** Absent: the whole page. */
  box?: ShareBox;
  isApproximate?: boolean;
}

/** A change as editors report it, by offsets into the text before all changes. */
interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** Boxes are rounded to a ten-thousandth of the page: a quarter of a pixel of the prepared picture. */
const precision = 10_000;

/** Returns the offset at which each line begins. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the index of the last entry not above the offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Converts ranges to the wire format, in order. */
export function toLines(text: string, ranges: readonly SourceRange[]): SourceMap['lines'] {
  const starts = lineStarts(text);
  return ranges
    .filter(({ start, end }) => end > start && start >= 0 && end <= text.length)
    .map(({ start, end, page, box, isApproximate }) => {
      const first = lineAt(starts, start);
      const last = lineAt(starts, end - 1);
      const lineEnd = (starts[last + 1] ?? text.length + 1) - 1;
      const column = start - starts[first]!;
      return {
        first_line: first + 1,
        last_line: last + 1,
        ...(column > 0 ? { first_column: column } : {}),
        ...(end < lineEnd ? { last_column: end - starts[last]! } : {}),
        page,
        ...(box ? { box: box.map((value) => Math.round(value * precision) / precision) as ShareBox } : {}),
        ...(isApproximate ? { is_approximate: true } : {}),
      };
    });
}

/** Converts lines to ranges of a text; those outside it are left out. */
export function toRanges(text: string, lines: SourceMap['lines']): SourceRange[] {
  const starts = lineStarts(text);
  return lines.flatMap((entry) => {
    const from = starts[entry.first_line - 1];
    const last = starts[entry.last_line - 1];
    if (from === undefined || last === undefined) return [];
    const lineEnd = (starts[entry.last_line] ?? text.length + 1) - 1;
    const start = Math.min(from + (entry.first_column ?? 0), text.length);
    const end = entry.last_column === undefined ? lineEnd : Math.min(last + entry.last_column, lineEnd);
    if (end <= start) return [];
    const { page, box, is_approximate } = entry;
    return [
      { start, end, page, ...(box ? { box } : {}), ...(is_approximate ? { isApproximate: true } : {}) },
    ];
  });
}

/**
 * Moves ranges when parts of their text are replaced. A range inside a replaced part takes the same fraction of the
 * replacement, so that a rewritten block keeps its boxes; a range removed altogether is left out.
 * @param made in the order of the text, none overlapping another (`Spliced.made`)
 */
export function moveRanges<T extends { start: number; end: number }>(
  ranges: readonly T[],
  made: readonly Splice[],
): T[] {
  if (made.length === 0) return [...ranges];
  // how far everything after each splice has moved
  const shifts = [0];
  for (const { start, end, text } of made) shifts.push(shifts.at(-1)! + text.length - (end - start));
  const move = (offset: number, side: 'start' | 'end'): number => {
    // the first splice that is not wholly before the offset
    let [low, high] = [0, made.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { start, end } = made[middle]!;
      // text inserted at a range's start comes before the range, at its end after it
      const isBefore = end < offset || (end === offset && (start < end || side === 'start'));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    const splice = made[low];
    const shift = shifts[low]!;
    if (!splice || splice.start >= offset) return offset + shift;
    const share = ((offset - splice.start) / (splice.end - splice.start)) * splice.text.length;
    return splice.start + shift + (side === 'start' ? Math.floor(share) : Math.ceil(share));
  };
  return ranges
    .map((range) => ({ ...range, start: move(range.start, 'start'), end: move(range.end, 'end') }))
    .filter(({ start, end }) => end > start);
}

/**
 * Moves a document's source map after a change of its text.
 * @param before the text that the map refers to
 * @param changes by the offsets of `before`, in its order, none overlapping another (those of a CodeMirror ChangeSet)
 */
export function moveSourceMap(map: SourceMap, before: string, changes: readonly TextChange[]): SourceMap {
  if (changes.length === 0) return map;
  const made = changes.map(({ from, to, insert }) => ({ start: from, end: to, text: insert }));
  let after = '';
  let at = 0;
  for (const { start, end, text } of made) {
    after += before.slice(at, start) + text;
    at = end;
  }
  after += before.slice(at);
  return {
    lines: toLines(after, moveRanges(toRanges(before, map.lines), made)),
    doubtful: moveRanges(
      map.doubtful.map((doubt) => withoutLostAlternatives(doubt, made)),
      made,
    ),
    ...(map.checked === undefined ? {} : { checked: map.checked }),
  };
}
