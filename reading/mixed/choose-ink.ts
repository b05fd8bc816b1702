/** Decides which ink on a printed page is handwriting, by comparing what both readers make of the same place. */

import type { ShareBox } from '#latex/assemble/page-body.ts';
import { median } from '../box.ts';
import type { ReadToken } from '../ink/line/decode-line.ts';
import type { InkPage } from '../ink/read-ink.ts';
import type { InkLine } from '../ink/read-lines.ts';
import { isOfWords } from '../ink/stacked-lines.ts';
import { shareRight } from '../ink/write-ink-body.ts';
import { addSigns, looksPrinted, mayBePrinted, type PrintSigns } from '../print/formulas/look-printed.ts';
import { printConfidence, type ReadWord } from '../print/read-print.ts';
import type { DrawnMarks } from '../text-layer/glyphs/find-strokes.ts';
import type { CroppedFigure } from '../transcriber.ts';

/**
 * Printed formulas and signs are as high as printed words; handwriting is at least this many times higher, except in a
 * neat hand.
 */
const higherThanPrint = 1.6;
/**
 * Ink that is no higher is mostly print that could not be read, such as formulas: it counts as handwriting only if it
 * consists of words, with this confidence.
 */
const sureOfLow = 0.75;
const sureOfHigh = 0.4;
/** For a formula that is the only writing on the page: a printed one that could not be read reaches 0.6. */
const sureOfLone = 0.65;
/** On a page that is not mostly print, everything that is not certainly print is handwriting, unless it is noise. */
const sureOfPage = 0.2;
/** The print reader's confidence is too high for what it cannot read: neat handwriting reaches 0.6. */
const overrated = 0.15;
/** Fewer signs than these are specks, points and quotation marks. */
const minSigns = 2;

/** Ink that is higher than this is no print, as a share of the page's height. */
const highFrom = (sure: readonly ReadWord[]) =>
  higherThanPrint * (median(sure.map(({ box }) => box[3])) || 0);

const isMostlyPrint = (words: readonly ReadWord[]) => sureness(words) >= printConfidence;

/** Lower ink counts only if it consists of words. @param sure the words that are certainly print */
export const formulasFrom = (words: readonly ReadWord[], sure: readonly ReadWord[]): number =>
  isMostlyPrint(words) ? highFrom(sure) : 0;

/**
 * Returns the lines that are handwriting, and the boxes that the print reader has to leave out.
 * @param lines what the ink reader found on the page without the words that are certainly print
 * @param sure the words that are certainly print; at least one
 * @param look tells of each box how many of its signs look printed; empty if that cannot be told
 * @param seen the same of the places where `words` are not certain, as far as they were looked at
 */
export async function chooseInk(
  lines: readonly InkLine[],
  words: readonly ReadWord[],
  sure: readonly ReadWord[],
  look: (boxes: ShareBox[]) => Promise<PrintSigns[]>,
  seen: readonly PrintSigns[],
): Promise<{ lines: InkLine[]; claimed: ShareBox[] }> {
  const known = new Set(sure);
  const unsure = words.filter((word) => !known.has(word));
  const high = highFrom(sure);
  const isPrintedPage = isMostlyPrint(words);
  const likely = lines.filter((line) => {
    const isHigh = line.box[3] > high;
    const asInk = shareRight(line);
    if (line.tokens.filter(isSign).length < minSigns && !(isHigh && asInk >= sureOfLow)) return false;
    if (!isPrintedPage) return asInk >= sureOfPage;
    const printed = unsure.filter(({ box }) => isMiddleIn(box, line.box));
    // if both read the same, print is preferred, because its reader recognizes headings
    if (lettersOf(printed) === lettersOf(line.tokens.map(({ token: text }) => ({ text })))) return false;
    const asPrint = sureness(printed);
    return isHigh
      ? asInk >= sureOfHigh && asInk >= asPrint - overrated
      : asInk >= sureOfLow && asInk > asPrint && isOfWords(line);
  });
  const isLone = isPrintedPage && likely.length === 1 && !isOfWords(likely[0]!);
  const sureEnough = isLone ? likely.filter((line) => shareRight(line) >= sureOfLone) : likely;
  const signs = isPrintedPage ? await look(sureEnough.map(({ box }) => box)) : [];
  // a fraction or a sum has too few signs: it is what the doubtful places of the page are
  const isAmongPrint = looksPrinted(addSigns([...seen, ...signs]));
  const isPrinted = signs.map((one) => looksPrinted(one) || (isAmongPrint && mayBePrinted(one)));
  const isMostlyPrinted = isPrinted.filter(Boolean).length > isPrinted.length / 2;
  // if the signs of most lines look printed, formulas among them are print too
  const chosen = sureEnough.filter((line, at) => !isPrinted[at] && (!isMostlyPrinted || isOfWords(line)));
  const claimed = chosen.map(({ box }) => box);
  // the page is mostly handwriting: so are the other words that the print reader found
  return { lines: chosen, claimed: isPrintedPage ? claimed : [...claimed, ...unsure.map(({ box }) => box)] };
}

/** Arrows and labels of drawings are read as a sign or two; notes are longer, with a higher confidence. */
const sureOfNote = 0.4;
const minOfNote = 3;
/**
 * A drawing with a lower share of strokes covered by writing is a drawing with handwritten labels, and stays a picture.
 */
const writtenShare = 0.7;

/**
 * Lines of ink on a typed page that are notes.
 * @param figures the page's pictures; one that consists of writing becomes notes
 */
export function chooseNotes(
  written: Pick<InkPage, 'lines'> | null,
  { strokes }: DrawnMarks,
  figures: readonly Pick<CroppedFigure, 'box'>[],
): InkLine[] {
  const notes = (written?.lines ?? []).filter(
    (line) => line.tokens.filter(isSign).length >= minOfNote && shareRight(line) >= sureOfNote,
  );
  const drawn = figures.filter(({ box: { left, top, width, height } }) => {
    const own = strokes.filter((stroke) => isMiddleIn(stroke, [left, top, width, height]));
    const covered = own.filter((stroke) => notes.some(({ box }) => isMiddleIn(stroke, box)));
    return covered.length < writtenShare * own.length;
  });
  return notes.filter(
    ({ box }) =>
      !drawn.some((figure) =>
        isMiddleIn(box, [figure.box.left, figure.box.top, figure.box.width, figure.box.height]),
      ),
  );
}

function isMiddleIn(inner: ShareBox, [left, top, width, height]: ShareBox): boolean {
  const [x, y] = [inner[0] + inner[2] / 2, inner[1] + inner[3] / 2];
  return x > left && x < left + width && y > top && y < top + height;
}

/** The whole text, without spaces and apostrophes, which are easily missed. */
const lettersOf = (parts: readonly { text: string }[]) =>
  parts.map(({ text }) => text.replaceAll(/[\s'’‘]/g, '')).join('');

const isSign = ({ token }: ReadToken) => /[\p{L}\p{N}]/u.test(token);

/** Mean confidence, longer words counting for more; 0 without words. */
function sureness(words: readonly ReadWord[]): number {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(1, length);
}
