/** What a line's place on the page says of it: a paragraph's last line, or a line that is set apart as a display. */
import { around, median, middleOf } from '../../box.ts';
import type { Line, Word } from '../printed-page.ts';

/** A line begins where another does if its left edge is within this, in x-heights. */
const sameEdge = 0.7;
/** A line of a paragraph is at most this many usual distances below the one before it; a display is farther. */
const farthestBelow = 1.4;
/** Least distance from the left edge, in x-heights, of a display in the middle of its column, and of any other. */
const leastIndent = { centred: 2.5, other: 7 };
/** How far, in x-heights and as a share of the column, a display is from the middle. */
const besideMiddle = { most: 1.5, share: 0.03 };
/** A sign of a statement, and brackets of a set. */
const relation = /[=<>≤≥≠∈→{}]/;
/** A formula has spaces between its words that are wider than those of a line of prose, in x-heights. */
const wideSpace = 2;
/** Tesseract's confidence in what is no word. */
const unreadable = 40;
const number = /^\(\d[\d.]*[a-z]?\)$/;

/** What is apart from the other words of its line by this, in x-heights, and off it, belongs to a formula beside it. */
const apart = 3;

/** A line of prose without what Tesseract took into it from the formula below or above, such as an accent. */
export function withoutStray(line: Line, xHeight: number): Line {
  const { words } = line;
  const last = words.at(-1);
  const before = words.at(-2);
  if (!last || !before || last.left - before.right < apart * xHeight) return line;
  const { y } = middleOf(last);
  const others = words.slice(0, -1);
  if (others.some(({ top, bottom }) => y > top && y < bottom)) return line;
  return { ...line, ...around(others), words: others };
}

export const beginsAt = (line: Line, left: number, xHeight: number) =>
  Math.abs(line.left - left) < sameEdge * xHeight;

/** Usual distance from line to line of a paragraph; infinite if there is none. */
export function pitchOf(prose: readonly Line[]): number {
  const below = prose.flatMap((line) => {
    const next = prose
      .filter((other) => overlaps(line, other) && middleOf(other).y > line.bottom)
      .map((other) => middleOf(other).y - middleOf(line).y);
    return next.length > 0 ? [Math.min(...next)] : [];
  });
  return below.length > 2 ? median(below) : 0;
}

/** Whether it is directly below a line of prose, as the lines of a paragraph are. */
export function followsProse(line: Line, prose: readonly Line[], pitch: number): boolean {
  const { y } = middleOf(line);
  return prose.some((above) => {
    const distance = y - middleOf(above).y;
    return above !== line && overlaps(line, above) && distance > 0 && distance < farthestBelow * pitch;
  });
}

/** Whether a line that states something, or cannot be read, is in the middle of its column, or where no other begins. */
export function isSetApart(
  line: Line,
  column: { left: number; right: number },
  prose: readonly Line[],
  xHeight: number,
): boolean {
  const words = withoutNumber(line.words);
  const isOdd = ({ text, confidence }: Word) => relation.test(text) || confidence < unreadable;
  const isWide = words.some((word, at) => at > 0 && word.left - words[at - 1]!.right > wideSpace * xHeight);
  if (!isWide && !words.some(isOdd)) return false;
  const indent = (words[0]!.left - column.left) / xHeight;
  const room = (column.right - words.at(-1)!.right) / xHeight;
  if (prose.some((other) => other !== line && beginsAt(other, line.left, xHeight))) return false;
  const most = besideMiddle.most + (besideMiddle.share * (column.right - column.left)) / xHeight;
  const isCentred = indent > leastIndent.centred && Math.abs(indent - room) < most;
  return isCentred || indent > leastIndent.other;
}

/** Without an equation's number. */
function withoutNumber(words: readonly Word[]): readonly Word[] {
  return words.length > 1 && number.test(words.at(-1)!.text) ? words.slice(0, -1) : words;
}

const overlaps = (one: Line, other: Line) => one.left < other.right && one.right > other.left;
