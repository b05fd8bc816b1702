/**
 * Where the text of a document comes from, carried through whatever changes the text. On the wire and in the table a
 * source map counts in lines and columns (SourceMap); inside, stretches have UTF-16 offsets.
 */
import type { SourceMap } from '#shared/api/conversion.ts';
import type { Splice } from '../source/splice.ts';
import type { ShareBox } from './page-body.ts';

export interface SourceStretch {
  start: number;
  end: number;
  page: number;
  /** The whole page without it. */
  box?: ShareBox;
  isApproximate?: boolean;
}

/** A change as editors tell it, by the offsets of the text before all changes. */
interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** Boxes are kept to a ten-thousandth of the page: a quarter of a pixel of the prepared picture. */
const precision = 10_000;

/** The offset at which each line begins. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the last entry that is not above the offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Stretches as the wire has them, in their order. */
export function toLines(text: string, stretches: readonly SourceStretch[]): SourceMap['lines'] {
  const starts = lineStarts(text);
  return stretches
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

/** The stretches of a text; what does not lie in it is left out. */
export function toStretches(text: string, lines: SourceMap['lines']): SourceStretch[] {
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
 * Where stretches went when parts of their text were replaced. What was inside a replaced part lies in the same share
 * of what came for it, so that a block that was rewritten keeps its boxes; what was removed altogether is left out.
 * @param made in the order of the text, none overlapping another (`Spliced.made`)
 */
export function moveStretches<T extends { start: number; end: number }>(
  stretches: readonly T[],
  made: readonly Splice[],
): T[] {
  if (made.length === 0) return [...stretches];
  // how far everything behind each splice has moved
  const shifts = [0];
  for (const { start, end, text } of made) shifts.push(shifts.at(-1)! + text.length - (end - start));
  const move = (offset: number, side: 'start' | 'end'): number => {
    // the first splice that does not lie wholly before the offset
    let [low, high] = [0, made.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { start, end } = made[middle]!;
      // what is inserted where a stretch begins stands before it, where it ends behind it
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
  return stretches
    .map((stretch) => ({ ...stretch, start: move(stretch.start, 'start'), end: move(stretch.end, 'end') }))
    .filter(({ start, end }) => end > start);
}

/**
 * A document's source map after its text was changed.
 * @param before the text that the map speaks of
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
    lines: toLines(after, moveStretches(toStretches(before, map.lines), made)),
    doubtful: moveStretches(map.doubtful, made),
  };
}
