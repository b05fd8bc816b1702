/** Finds mathematics on a printed page: between lines of prose, and in runs of words that are not in the dictionary. */

import { around, type Box, contains, median, middleOf } from '../../box.ts';
import { collectGlyphs, measureSide } from '../../ink/layout/glyphs.ts';
import type { Bitmap } from '../../page.ts';
import { shrink } from '../../raster.ts';
import { functionNames } from '../../text-layer/math/symbols.ts';
import { headingRatio, isMathsLine, longWord, readItemMark } from '../classify-lines.ts';
import { confidenceOf, type Line, type PrintedPage, type Word } from '../printed-page.ts';
import { beginsAt, followsProse, isSetApart, pitchOf } from './line-places.ts';

/** A part of the page that holds displayed formulas and nothing else. */
export interface Display {
  box: Box;
  /** Left and right edge of the text around it. */
  column: { left: number; right: number };
  /** Tesseract's lines in this part. */
  lines: Line[];
}

/** A run of words of a line of prose that may hold formulas. */
export interface Segment {
  line: Line;
  words: Word[];
  box: Box;
}

/** A word that occurs only in prose, and Tesseract's least confidence in it, by its length. */
const proseWord = /^\p{P}*\p{L}{2,}\p{P}*$|^\p{P}*\p{L}+(?:['’-]\p{L}+)+\p{P}*$/u;
const sureOf = (word: Word) => (word.text.length >= 4 ? 40 : word.text.length >= 3 ? 60 : 85);
/** Prose has at least this many such words, or this share of its letters in them. */
const proseWords = 3;
const proseShare = 0.6;
/** Least height of a display, in x-heights, and how far it extends beyond its lines. */
const leastHeight = 0.8;
const overhang = 3;
/** Tesseract's least confidence in the mark of an item. */
const leastMark = 60;
const sideMargin = 4;
/** Least confidence in a line of words that is no prose: a heading. */
const sureHeading = 0.75;
const shortestHeading = 4;
/** Page numbers and running heads. */
const edgeShare = 0.06;

/** Two-letter words of the supported languages; others are products and differentials. */
const shortWords = new Set(
  (
    'am an as at be by do go he if in is it me my no of on or so to up us we ' +
    'au ce de du en et il je la le ma me ne ni on ou où sa se si ta te tu un va ' +
    'ab du er es im ob um wo zu al el es lo mi os su te ya yo ai ci di ed ha ho io li mi né se ti vi'
  ).split(' '),
);

/** In a heading these are a number and a word; in running text they may be mathematics. */
const headingNumber = /^\d{1,2}(?:\.\d{1,2}){0,2}\.?$/;
const oneLetterWord = /^[aàeioy]$/i;
const accented = /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]/u;

export function isProseWord(word: Word): boolean {
  const letters = word.text.replace(/\P{L}/gu, '');
  // formulas have no accented letters, nor quotation marks
  if (accented.test(letters)) return true;
  if (letters.length === 2 && !shortWords.has(letters.toLowerCase())) return false;
  // an operator's name with its letter after a thin space
  if (/^\p{Ll}{2,}\p{Lu}$/u.test(letters)) return false;
  return (
    proseWord.test(word.text) &&
    (word.confidence >= sureOf(word) || letters.length >= longWord) &&
    !functionNames.has(letters)
  );
}

/** An item of a list or a line of an algorithm, even if the rest is a formula; (1) is an equation's number. */
function isItem(line: Line): boolean {
  const [first] = line.words;
  if (line.words.length < 2 || first!.confidence < leastMark) return false;
  if (first!.text === '•' || /^\d{1,2}:$/.test(first!.text)) return true;
  const label = readItemMark(line)?.label ?? null;
  return label !== null && !/^\(\d/.test(label);
}

/** A heading in large type, of one word and a number. */
function isNumberedHeading({ words, size }: Line, bodySize: number): boolean {
  const [number, ...rest] = words;
  return (
    size > headingRatio * bodySize &&
    headingNumber.test(number!.text) &&
    rest.length > 0 &&
    rest.every((word) => isProseWord(word) && word.text.length >= longWord)
  );
}

const bodySizeOf = (lines: readonly Line[]): number => median(lines.map(({ size }) => size));

function isProse(line: Line, bodySize: number): boolean {
  if (isNumberedHeading(line, bodySize) || isItem(line)) return true;
  const prose = line.words.filter(isProseWord);
  const letters = (words: readonly Word[]) =>
    words.reduce((sum, { text }) => sum + text.replace(/[^\p{L}\p{N}]/gu, '').length, 0);
  const share = letters(prose) / Math.max(1, letters(line.words));
  if (prose.length >= proseWords && share > 0.4) return true;
  // a short line of a paragraph: its first word and another
  if (prose.length >= 2 && line.words[0] === prose[0] && share > 0.45) return true;
  const sure = prose.filter(({ confidence }) => confidence >= 80);
  return letters(sure) >= 5 && share >= proseShare && !isMathsLine(line);
}

/** Tesseract's least confidence in a word that makes a line at the left edge prose, and in a line of one short word. */
const sureWord = 85;
const sureShort = 60;
/** Widest space between two words of it, in x-heights. */
const widestSpace = 3;

/**
 * A line that begins where others of its column do, and is directly below one or has a word in it: "and", "So x = 1." or
 * "x > 0. Then y = 0."
 */
function isFlushProse(line: Line, prose: readonly Line[], xHeight: number, pitch: number): boolean {
  const { words, left } = line;
  const beside = prose.filter((other) => beginsAt(other, left, xHeight));
  if (beside.length < 2 || /^[=<>≤≥]/.test(words[0]!.text)) return false;
  // the word before a display, with what stands over its fractions
  if (words.some((word, at) => at > 0 && word.left - words[at - 1]!.right > widestSpace * xHeight))
    return false;
  if (followsProse(line, prose, pitch)) return true;
  const lettersOf = ({ text }: Word) => text.replace(/\P{L}/gu, '');
  const [first] = words;
  if (words.length === 1 && first!.confidence >= sureShort && shortWords.has(lettersOf(first!).toLowerCase()))
    return true;
  return words.some((word, at) => {
    const letters = lettersOf(word);
    const isLong = letters.length > 2 || (at === 0 && /^\p{Lu}/u.test(letters));
    return isLong && isProseWord(word) && word.confidence >= sureWord;
  });
}

/** Bands of ink between lines of prose (of the same column) whose content looks like formulas. */
export function findDisplays(
  grey: Bitmap,
  page: PrintedPage,
  lines: readonly Line[],
  taken: readonly Box[],
  xHeight: number,
): Display[] {
  const bodySize = bodySizeOf(lines);
  const worded = lines.filter((line) => isProse(line, bodySize));
  const certain = worded.filter(
    (line) => isItem(line) || !isSetApart(line, columnOf(line, worded, page, xHeight), worded, xHeight),
  );
  const pitch = pitchOf(certain);
  const prose = lines.filter((line) => certain.includes(line) || isFlushProse(line, certain, xHeight, pitch));
  const others = lines.filter(
    (line) =>
      !prose.includes(line) && !isAtEdge(line, page) && (worded.includes(line) || isFormulaLike(line)),
  );
  const known = [...lines, ...taken];
  const loose = looseInk(grey, page).filter(
    (ink) => !known.some((box) => contains(grown(box, 0.4 * xHeight), middleOf(ink))),
  );
  const seeds: Box[] = [...others, ...loose];
  const displays: Display[] = [];
  const used = new Set<Box>();
  for (const seed of [...seeds].sort((a, b) => a.top - b.top)) {
    if (used.has(seed)) continue;
    const column = columnOf(seed, prose, page, xHeight);
    const within = prose.filter((line) => line.left < column.right && line.right > column.left);
    const fixed = [...within, ...taken.filter((box) => box.left < column.right && box.right > column.left)];
    const y = middleOf(seed).y;
    const above = Math.max(0, ...fixed.filter((box) => middleOf(box).y < y).map((box) => box.bottom));
    const below = Math.min(page.height, ...fixed.filter((box) => middleOf(box).y >= y).map((box) => box.top));
    const own = seeds.filter((other) => {
      if (used.has(other)) return false;
      const middle = middleOf(other);
      return (
        middle.y > above - xHeight &&
        middle.y < below + xHeight &&
        middle.x > column.left - 1 &&
        middle.x < column.right + 1
      );
    });
    for (const other of own) used.add(other);
    if (own.length === 0) continue;
    const ink = around(own);
    const box = {
      left: Math.max(0, ink.left - sideMargin * xHeight),
      right: Math.min(page.width, ink.right + sideMargin * xHeight),
      top: Math.max(above, ink.top - overhang * xHeight),
      bottom: Math.min(below, ink.bottom + overhang * xHeight),
    };
    if (box.bottom - box.top < leastHeight * xHeight) continue;
    const inside = others.filter((line) => own.includes(line));
    // loose ink alone is a formula only if it is as large as one
    if (inside.length === 0 && (own.length < 4 || ink.bottom - ink.top < 1.5 * xHeight)) continue;
    displays.push({ box, column, lines: inside });
  }
  return merge(displays);
}

/** Merges regions that share a band of the page. */
function merge(displays: readonly Display[]): Display[] {
  const out: Display[] = [];
  for (const display of displays) {
    const at = out.findIndex(({ box }) => {
      const shared = Math.min(box.bottom, display.box.bottom) - Math.max(box.top, display.box.top);
      const least = Math.min(box.bottom - box.top, display.box.bottom - display.box.top);
      return shared > 0.4 * least && box.left < display.box.right && box.right > display.box.left;
    });
    const other = out[at];
    if (!other) out.push(display);
    else
      out[at] = {
        box: around([other.box, display.box]),
        column: {
          left: Math.min(other.column.left, display.column.left),
          right: Math.max(other.column.right, display.column.right),
        },
        lines: [...other.lines, ...display.lines],
      };
  }
  return out;
}

function isAtEdge(line: Line, page: PrintedPage): boolean {
  return line.bottom < edgeShare * page.height || line.top > (1 - edgeShare) * page.height;
}

/** Contains signs or digits, is uncertain for Tesseract or hardly a word ("of" for ∂f); a lone bold word is a heading. */
function isFormulaLike(line: Line): boolean {
  const { words } = line;
  return (
    isMathsLine(line) ||
    confidenceOf(words) < sureHeading ||
    (words.length === 1 && words[0]!.text.length < shortestHeading) ||
    words.some((word) => !isProseWord(word))
  );
}

const grown = (box: Box, by: number): Box => ({
  left: box.left - by,
  right: box.right + by,
  top: box.top - by,
  bottom: box.bottom + by,
});

/** Sign-sized pieces of ink, in the page's pixels. */
function looseInk(grey: Bitmap, page: PrintedPage): Box[] {
  const small = shrink(grey, measureSide);
  const scale = page.width / small.width;
  return collectGlyphs(small).map(({ left, top, right, bottom }) => ({
    left: left * scale,
    top: top * scale,
    right: right * scale,
    bottom: bottom * scale,
  }));
}

/** Edges of the text around a box: those shared by two lines of prose above or below it, or those of one. */
function columnOf(
  box: Box,
  prose: readonly Line[],
  page: PrintedPage,
  xHeight: number,
): { left: number; right: number } {
  const wide = prose.filter(
    (line) => line.left < box.right && line.right > box.left && line.right - line.left > 0.2 * page.width,
  );
  if (wide.length === 0) return { left: box.left, right: box.right };
  const shared = (edges: number[]) =>
    edges.find((edge) => edges.filter((other) => Math.abs(other - edge) < xHeight).length >= 2) ?? edges[0]!;
  return {
    left: Math.min(box.left, shared(wide.map((line) => line.left).sort((a, b) => a - b))),
    right: Math.max(box.right, shared(wide.map((line) => line.right).sort((a, b) => b - a))),
  };
}

/**
 * Runs of words that are not prose, including numbers and marks between them.
 * @param formulas words that are none, whatever they look like
 */
export function findSegments(
  line: Line,
  all: readonly Line[],
  xHeight: number,
  formulas: readonly Word[] = [],
): Segment[] {
  const segments: Segment[] = [];
  const { words } = line;
  const isPlain = (word: Word) => /^[\d.,;:()%–—"“”'’-]+$/u.test(word.text) && word.confidence > 80;
  // languages with accents may have their own quotation marks, and spaces before punctuation
  const isAccented =
    all.flatMap((other) => other.words).filter(({ text }) => accented.test(text)).length >= 3;
  const isMarkOnly = (word: Word) => isAccented && /^[\p{P}«»<>‹›]+$/u.test(word.text);
  const isShort = (word: Word) =>
    isAccented && /^\p{L}{1,2}$/u.test(word.text) && shortWords.has(word.text.toLowerCase());
  const isHeading = line.size > headingRatio * bodySizeOf(all);
  const mayBe = words.map(
    (word, at) =>
      formulas.includes(word) ||
      (!isProseWord(word) &&
        !isMarkOnly(word) &&
        !isShort(word) &&
        !(isHeading && ((at === 0 && headingNumber.test(word.text)) || isLoneWord(words, at)))),
  );
  let from = 0;
  while (from < words.length) {
    if (!mayBe[from]) {
      from++;
      continue;
    }
    let to = from;
    while (to < words.length && mayBe[to]) to++;
    const run = words.slice(from, to);
    if (!run.every(isPlain) && !isMark(line, from, to)) {
      const [before, after] = [words[from - 1], words[to]];
      const box = around(run);
      const reach = 0.7 * xHeight;
      const nearest = (side: 'top' | 'bottom') =>
        all
          .filter((other) => other !== line && other.left < box.right && other.right > box.left)
          .map((other) => (side === 'top' ? other.bottom : other.top));
      const above = Math.max(0, ...nearest('top').filter((y) => y <= middleOf(line).y));
      const below = Math.min(
        Number.POSITIVE_INFINITY,
        ...nearest('bottom').filter((y) => y >= middleOf(line).y),
      );
      segments.push({
        line,
        words: run,
        box: {
          left: Math.max(box.left - reach, before ? (before.right + box.left) / 2 : 0),
          right: Math.min(box.right + reach, after ? (after.left + box.right) / 2 : Number.POSITIVE_INFINITY),
          top: Math.max(Math.min(line.top, box.top) - reach, (above + line.top) / 2),
          bottom: Math.min(Math.max(line.bottom, box.bottom) + reach, (below + line.bottom) / 2),
        },
      });
    }
    from = to;
  }
  return segments;
}

/** A one-letter word with words before and after it. */
function isLoneWord(words: readonly Word[], at: number): boolean {
  const [before, after] = [words[at - 1], words[at + 1]];
  const isBehindWord = !before || isProseWord(before) || (at === 1 && headingNumber.test(before.text));
  return oneLetterWord.test(words[at]!.text) && isBehindWord && after !== undefined && isProseWord(after);
}

/** A list item's mark or a heading's number at the start of a line. */
function isMark(line: Line, from: number, to: number): boolean {
  return (
    from === 0 &&
    to === 1 &&
    line.words.length > 1 &&
    /^\(?[\p{L}\d]{1,3}[.)]$|^[^\p{L}\d]$/u.test(line.words[0]!.text)
  );
}
