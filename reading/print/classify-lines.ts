/** Classifies a printed line: prose, a heading, a list item, or mathematics that Tesseract cannot read. */
import { heightOf, widthOf } from '../box.ts';
import { confidenceOf, type Line, type Word } from './printed-page.ts';

/** Below this mean confidence a line is not prose (prose on our scans: 0.85 and more). */
const proseConfidence = 0.5;
const signs = /[=+<>|\\/^_{}[\]()~×·∑∏∫√∞≤≥≠±→⇒∈∀∃]/;
/** A word that occurs only in prose. */
const proseWord = /^\p{P}*\p{L}{3,}(?:['’-]\p{L}+)*\p{P}*$/u;
const minWordConfidence = 70;
/** So many letters are a word, in any typeface. */
export const longWord = 6;

/** True for displayed formulas and fragments of them: few words, many signs, or unreadable. */
export function isMathsLine({ words: all, size }: Line): boolean {
  // dots and drawn blanks are no evidence, however Tesseract read them
  const words = all.filter(
    (word) => heightOf(word) > size * 0.36 && /[\p{L}\p{N}]|[=+<>∑∏∫√]/u.test(word.text),
  );
  if (words.length === 0) return false;
  const prose = words.filter(
    ({ text, confidence }) =>
      proseWord.test(text) && (confidence >= minWordConfidence || text.length >= longWord),
  );
  const letters = (list: readonly Word[]) => list.reduce((sum, word) => sum + word.text.length, 0);
  const proseShare = letters(prose) / Math.max(1, letters(words));
  if (proseShare >= 0.5) return false;
  if (confidenceOf(words) < proseConfidence) return true;
  const withSigns = words.filter((word) => signs.test(word.text) || /^\d+([.,]\d+)?$/.test(word.text));
  return proseShare < 0.35 && withSigns.length / words.length >= 0.3;
}

/** True for a word that is likely a misread inline formula. */
export function isMathsWord(word: Word): boolean {
  return /[=<>∑∏∫√∞≤≥≠±→⇒∈^{}\\]|^[a-zA-Z]\(.*\)/.test(word.text) && !/^\W*\p{L}{4,}/u.test(word.text);
}

export interface ItemMark {
  /** Number of words in the mark. */
  wordCount: number;
  /** The mark as printed, or null for a bullet. */
  label: string | null;
}

const bulletTexts = new Set([
  '•',
  '·',
  '*',
  '-',
  '–',
  '—',
  '+',
  'e',
  'o',
  '°',
  '©',
  '®',
  '¢',
  '»',
  '>',
  '=',
  '«',
  '“',
  '"',
  '«',
]);
const labelPattern = /^(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})\)|(?:\d{1,2}|[a-z])\.)$/;

/**
 * The mark at the start of a list item, or null. A bullet is a small sign separated from the words after it;
 * Tesseract reads it as various characters.
 */
export function readItemMark({ words, size }: Line): ItemMark | null {
  const [first, second] = words;
  if (!first || !second) return null;
  const gap = second.left - first.right;
  if (labelPattern.test(first.text)) return { wordCount: 1, label: first.text };
  const isSmall = heightOf(first) < size * 0.62 && widthOf(first) < size * 0.8;
  const isBulletLike = bulletTexts.has(first.text) && (first.confidence < 90 || !/\p{L}/u.test(first.text));
  return isSmall && isBulletLike && gap > size * 0.25 ? { wordCount: 1, label: null } : null;
}

/**
 * A separate line that is larger than body text by this factor is a heading (\large is 1.1, \Large 1.3 of the text) …
 */
export const headingRatio = 1.17;
const sectionRatio = 1.22;

export interface Heading {
  level: 1 | 2;
  /** Its printed number, e.g. `2` or `2.1`. */
  number: string | null;
  words: Word[];
}

/**
 * … and bold type may be smaller: size counts three times as much as stroke width. On our samples, moved, scaled and
 * blurred, bold headings score 1.71 and more, bold rows of tables and contents 1.53 at most.
 */
const leastEmphasis = headingRatio ** 3;

/** @param body size and stroke width of the running text */
export function readHeading(line: Line, body: { size: number; stroke: number }): Heading | null {
  const { words, size, stroke = body.stroke } = line;
  const [first] = words;
  const text = words.map((word) => word.text).join(' ');
  const number =
    first && words.length > 1 && /^\d{1,2}(\.\d{1,2}){0,2}\.?$/.test(first.text)
      ? first.text.replace(/\.$/, '')
      : null;
  const ratio = size / body.size;
  const weight = body.stroke > 0 ? stroke / body.stroke : 1;
  if (
    ratio ** 3 * weight < leastEmphasis ||
    !/\p{L}{3,}/u.test(text) ||
    text.length > 90 ||
    /[.,;]$/.test(text)
  )
    return null;
  if (confidenceOf(words) < 0.6 && number === null) return null;
  const isDeep = number?.includes('.') ?? ratio < sectionRatio;
  return { level: isDeep ? 2 : 1, number, words: number === null ? words : words.slice(1) };
}
