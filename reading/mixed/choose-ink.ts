/** Decides which ink on a printed page is handwriting, by comparing what both readers make of the same place. */

import type { ShareBox } from '#latex/assemble/page-body.ts';
import { median } from '../box.ts';
import type { ReadToken } from '../ink/line/decode-line.ts';
import type { InkPage } from '../ink/read-ink.ts';
import type { InkLine } from '../ink/read-lines.ts';
import { shareRight } from '../ink/write-ink-body.ts';
import { printConfidence, type ReadWord } from '../print/read-print.ts';
import type { DrawnMarks } from '../text-layer/glyphs/find-strokes.ts';
import type { CroppedFigure } from '../transcriber.ts';

/** Print's formulas and signs are as high as its words; handwriting is higher by this at least, but for a neat hand. */
const higherThanPrint = 1.6;
/** What is as low as print is mostly print that could not be read, formulas above all: here it has to be words, and sure. */
const sureOfLow = 0.75;
const sureOfHigh = 0.4;
/** One formula, and no other writing on the page: a printed one that could not be read comes to 0.6. */
const sureOfLone = 0.65;
/** On a page that is no print on the whole, all that is not sure print is handwriting, unless it is noise. */
const sureOfPage = 0.2;
/** The print reader overrates what it cannot read: handwriting in a good hand comes to 0.6. */
const overrated = 0.15;
/** Fewer signs than these are specks, points and quotation marks. */
const minSigns = 2;

/**
 * The lines that are, and the boxes of what is not the print reader's then.
 * @param lines what the ink reader found on the page without its sure print
 * @param sure print beyond doubt, at least one word
 * @param looksPrinted whether the ink in each box is print by its signs
 */
export async function chooseInk(
  lines: readonly InkLine[],
  words: readonly ReadWord[],
  sure: readonly ReadWord[],
  looksPrinted: (boxes: ShareBox[]) => Promise<boolean[]>,
): Promise<{ lines: InkLine[]; claimed: ShareBox[] }> {
  const known = new Set(sure);
  const unsure = words.filter((word) => !known.has(word));
  const height = median(sure.map(({ box }) => box[3])) || 0;
  const isMostlyPrint = sureness(words) >= printConfidence;
  const likely = lines.filter((line) => {
    const isHigh = line.box[3] > higherThanPrint * height;
    const asInk = shareRight(line);
    if (line.tokens.filter(isSign).length < minSigns && !(isHigh && asInk >= sureOfLow)) return false;
    if (!isMostlyPrint) return asInk >= sureOfPage;
    const printed = unsure.filter(({ box }) => isMiddleIn(box, line.box));
    // where both say the same the print reader's is as right, and knows headings
    if (lettersOf(printed) === lettersOf(line.tokens.map(({ token: text }) => ({ text })))) return false;
    const asPrint = sureness(printed);
    return isHigh
      ? asInk >= sureOfHigh && asInk >= asPrint - overrated
      : asInk >= sureOfLow && asInk > asPrint && isOfWords(line);
  });
  const isLone = isMostlyPrint && likely.length === 1 && !isOfWords(likely[0]!);
  const sureEnough = isLone ? likely.filter((line) => shareRight(line) >= sureOfLone) : likely;
  const isPrinted = isMostlyPrint ? await looksPrinted(sureEnough.map(({ box }) => box)) : [];
  const isMostlyPrinted = isPrinted.filter(Boolean).length > isPrinted.length / 2;
  // where most of it is print by its signs, so is a formula among it
  const chosen = sureEnough.filter((line, at) => !isPrinted[at] && (!isMostlyPrinted || isOfWords(line)));
  const claimed = chosen.map(({ box }) => box);
  // what print there is stands among handwriting: what else looked like words to the print reader is that
  return { lines: chosen, claimed: isMostlyPrint ? claimed : [...claimed, ...unsure.map(({ box }) => box)] };
}

/** Arrows and labels of drawings read like writing of a sign or two; notes are longer and surer. */
const sureOfNote = 0.4;
const minOfNote = 3;
/** Strokes of a drawing that writing covers, at least: else its labels are by hand, and it stays a picture. */
const writtenShare = 0.7;

/**
 * Lines of ink on a typed page that are notes.
 * @param figures pictures that the page shows: those that are nothing but writing go into the notes whole
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

const isOfWords = ({ tokens }: InkLine) =>
  tokens.every(({ token }) => token !== '\\(') &&
  tokens.filter(({ token }) => /\p{L}/u.test(token)).length > 2;

/** The whole text, without spaces. */
const lettersOf = (parts: readonly { text: string }[]) =>
  parts.map(({ text }) => text.replaceAll(/\s/g, '')).join('');

const isSign = ({ token }: ReadToken) => /[\p{L}\p{N}]/u.test(token);

/** Mean confidence, longer words counting for more; 0 without words. */
function sureness(words: readonly ReadWord[]): number {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(1, length);
}
