/**
 * Footnotes: lines in smaller type below a short rule at the left of their column. LaTeX numbers them itself, so the
 * printed marks go; each note is written where its mark was.
 */
import { around, type Box, contains, heightOf, median, middleOf, widthOf } from '../box.ts';
import type { Bitmap } from '../page.ts';
import { cutSheet } from './formulas/signs/pieces.ts';
import { confidenceOf, type Line, type PrintedPage, type Word } from './printed-page.ts';

export interface Footnote {
  /** Its mark in the text. */
  mark: Box;
  lines: Line[];
}

/** LaTeX's rule above footnotes is 0.4 of its column wide, and starts with it. */
const rule = { least: 0.25, most: 0.55, farthest: 1 };
/** On a page that is turned a little, the box of a rule is high. */
const thickest = 0.6;
/** Footnotes are 0.8 of the text's size or larger by rounding; Tesseract's size of a line varies by a tenth. */
const largestNote = 0.95;
/** A mark, relative to the size of its line: how high it stands above the line, and its height. An apostrophe is lower. */
const raised = 0.17;
const lowestMark = 0.38;
const highestMark = 0.7;
const xHeight = 0.45;
/** It follows its word closely, where an exponent of what comes next does not. */
const nearestMark = 0.25;
/** Least confidence of a line of prose. */
const leastConfidence = 0.6;
/** What Tesseract takes a raised figure for at the end and at the start of a word. */
const misread = { end: /[^\p{L}.,;:)\]]$/u, start: /^[^\p{L}([$]{1,2}/u };

/** @returns the other lines, without marks, and the notes; as many marks must be in the text as there are notes */
export function findFootnotes(
  grey: Bitmap,
  page: PrintedPage,
  lines: readonly Line[],
): { rest: Line[]; footnotes: Footnote[] } {
  const none = { rest: [...lines], footnotes: [] };
  const size = median(lines.flatMap((line) => line.words.map(() => line.size)));
  const small = linesBelowRule(page, lines, size);
  const notes: Line[][] = [];
  for (const line of small) {
    const mark = markOf(inkAt(grey, line, line.words.slice(0, 2)), line);
    if (mark) notes.push([{ ...line, words: withoutFirst(line.words, mark) }]);
    else if (notes.length === 0) return none;
    else notes.at(-1)!.push(line);
  }
  const found = lines
    .filter((line) => !small.includes(line))
    .map((line) => ({ line, marks: marksOf(grey, line) }));
  const marks = found.flatMap((line) => line.marks);
  if (notes.length === 0 || notes.length !== marks.length) return none;
  return {
    rest: found.map(({ line, marks: own }) => own.reduce(withoutMark, line)),
    footnotes: marks.map((mark, at) => ({ mark, lines: notes[at]!.filter(({ words }) => words.length > 0) })),
  };
}

/** The lines with the notes behind the words that their marks followed; at the end, if those are gone. */
export function placeFootnotes(lines: readonly Line[], footnotes: readonly Footnote[]): Line[] {
  const out = [...lines];
  for (const { mark, lines: note } of footnotes) {
    const at = out.findIndex((line) => contains({ ...line, right: line.right + line.size }, middleOf(mark)));
    const before = out[at]?.words.findLastIndex((word) => middleOf(word).x < mark.left) ?? -1;
    if (before < 0) out.push(...note);
    else out[at] = { ...out[at]!, words: out[at]!.words.with(before, { ...out[at]!.words[before]!, note }) };
  }
  return out;
}

function linesBelowRule(page: PrintedPage, lines: readonly Line[], size: number): Line[] {
  for (const { left, top, right, bottom } of page.rules) {
    if (bottom - top > thickest * size) continue;
    const above = lines.filter(
      (line) => line.bottom < top && Math.abs(line.left - left) < rule.farthest * size,
    );
    const end = Math.max(...above.map((line) => line.right));
    const share = (right - left) / (end - left);
    if (above.length < 2 || share < rule.least || share > rule.most) continue;
    const isOf = (line: Line) =>
      line.top > top - 0.3 * size && line.left > left - size && line.right < end + size;
    // the page's number is lower, in the middle
    const below = lines.filter(
      (line) => isOf(line) && /\p{L}/u.test(line.words.map(({ text }) => text).join('')),
    );
    if (below.length > 0 && below.every((line) => line.size < largestNote * size)) return below;
  }
  return [];
}

/** Ink at some words of a line, from left to right, and whether it stands above the line. */
function inkAt(grey: Bitmap, line: Line, words: readonly Word[]): { ink: Box; isHigh: boolean }[] {
  const { size } = line;
  const box = around(words);
  const sheet = cutSheet(
    grey,
    {
      left: box.left - size,
      right: box.right + nearestMark * size,
      top: line.top - 0.15 * size,
      bottom: line.bottom,
    },
    xHeight * size,
  );
  const onPage = (piece: Box): Box => ({
    left: sheet.left + piece.left / sheet.scale,
    right: sheet.left + piece.right / sheet.scale,
    top: sheet.top + piece.top / sheet.scale,
    bottom: sheet.top + piece.bottom / sheet.scale,
  });
  const all = joined(sheet.pieces.map(onPage));
  // letters stand on the line, except those with a descender
  const baseline = median(all.filter((ink) => heightOf(ink) > lowestMark * size).map((ink) => ink.bottom));
  return all.map((ink) => ({ ink, isHigh: baseline - ink.bottom > raised * size }));
}

/** The first of these pieces that are high and, together, as large as a mark. */
function markOf(pieces: readonly { ink: Box; isHigh: boolean }[], { size }: Line): Box | null {
  for (const [at, { isHigh }] of pieces.entries()) {
    if (!isHigh) return null;
    const mark = around(pieces.slice(0, at + 1).map(({ ink }) => ink));
    if (Math.max(heightOf(mark), widthOf(mark)) > highestMark * size) return null;
    if (heightOf(mark) > lowestMark * size) return mark;
  }
  return null;
}

/** Broken letters as one, and an i with its dot: pieces above each other, from left to right. */
function joined(pieces: readonly Box[]): Box[] {
  const out: Box[] = [];
  for (const piece of [...pieces].sort((a, b) => a.left - b.left)) {
    const last = out.at(-1);
    if (last && last.right - piece.left > 0.3 * Math.min(widthOf(last), widthOf(piece)))
      out[out.length - 1] = around([last, piece]);
    else out.push(piece);
  }
  return out;
}

/** Marks behind the words of a line: behind a formula such as R², a raised figure is an exponent. */
function marksOf(grey: Bitmap, line: Line): Box[] {
  if (confidenceOf(line.words) < leastConfidence) return [];
  return line.words.flatMap((word) => {
    if (!/\p{L}{3}\P{L}+$/u.test(word.text)) return [];
    return markOf(inkAt(grey, line, [word]).reverse(), line) ?? [];
  });
}

function withoutMark(line: Line, mark: Box): Line {
  const words = line.words.map((word) => {
    const isAtEnd = mark.left > word.left && mark.left < word.right && misread.end.test(word.text);
    return isAtEnd
      ? { ...sure(word, line.words), text: word.text.replace(misread.end, ''), right: mark.left }
      : word;
  });
  return { ...line, words };
}

function withoutFirst([first, ...others]: readonly Word[], mark: Box): Word[] {
  const text = first!.text.replace(misread.start, '');
  return mark.left < first!.right && /\p{L}/u.test(text)
    ? [{ ...sure(first!, others), text, left: mark.right }, ...others]
    : others;
}

/** What Tesseract doubted was the mark. */
const sure = (word: Word, line: readonly Word[]): Word => ({
  ...word,
  confidence: Math.max(word.confidence, Math.round(100 * confidenceOf(line))),
});
