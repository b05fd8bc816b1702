/** Which lines of ink beside print are handwriting, told by what both readers make of the same place. */
import type { ReadToken } from '../ink/decode-line.ts';
import type { InkLine } from '../ink/read-lines.ts';
import { shareRight } from '../ink/write-ink-body.ts';
import type { ReadWord } from '../print/read-print.ts';
import { shareOfPrint } from './find-print.ts';

/** Print's formulas and signs are as high as its words; handwriting is higher by this at least, but for a neat hand. */
const higherThanPrint = 1.6;
/** What is as low as print is mostly print that could not be read: here the ink reader has to be sure. */
const sureOfLow = 0.75;
const sureOfHigh = 0.4;
/** On a page that hardly any print is on, all else is handwriting that is no noise. */
const mostlyPrint = 0.5;
const sureOfPage = 0.2;
/** The print reader overrates what it cannot read: handwriting in a good hand comes to 0.6. */
const overrated = 0.15;
/** Fewer signs than these are specks, points and quotation marks. */
const leastSigns = 2;

/**
 * @param lines what the ink reader found on the page without its sure print
 * @param sure print beyond doubt, at least one word
 */
export function chooseInk(
  lines: readonly InkLine[],
  words: readonly ReadWord[],
  sure: readonly ReadWord[],
): InkLine[] {
  const known = new Set(sure);
  const unsure = words.filter((word) => !known.has(word));
  const heights = sure.map(({ box }) => box[3]).sort((a, b) => a - b);
  const height = heights[heights.length >> 1] ?? 0;
  const isMostlyPrint = shareOfPrint(words, sure) >= mostlyPrint;
  return lines.filter((line) => {
    const isHigh = line.box[3] > higherThanPrint * height;
    const asInk = shareRight(line);
    if (line.tokens.filter(isSign).length < leastSigns && !(isHigh && asInk >= sureOfLow)) return false;
    if (!isMostlyPrint) return asInk >= sureOfPage;
    const asPrint = sureness(unsure.filter((word) => isIn(word, line)));
    return isHigh
      ? asInk >= sureOfHigh && asInk >= asPrint - overrated
      : asInk >= sureOfLow && asInk > asPrint;
  });
}

const isSign = ({ token }: ReadToken) => /[\p{L}\p{N}]/u.test(token);

/** Mean confidence, longer words counting for more; 0 without words. */
function sureness(words: readonly ReadWord[]): number {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(1, length);
}

function isIn({ box }: ReadWord, { box: [left, top, width, height] }: InkLine): boolean {
  const [x, y] = [box[0] + box[2] / 2, box[1] + box[3] / 2];
  return x > left && x < left + width && y > top && y < top + height;
}
