/**
 * Tells print from handwriting by its signs: the sign model recognizes most printed signs with confidence, few
 * handwritten ones.
 */
import { around, type Box, heightOf, median, widthOf } from '../../box.ts';
import type { Bitmap } from '../../page.ts';
import { cutInk, cutSheet } from './signs/pieces.ts';
import type { SignModel } from './signs/sign-model.ts';

/** Messages sent to a formula process. */
export interface PrintLook {
  /** The page, one channel. */
  grey: Bitmap;
  /** Lines, in its pixels. */
  boxes: Box[];
}

/**
 * The median probability of a printed line's signs is at least this. In the data used to choose it: 0.98 or more for
 * 27 of 29 formulas and lines on printed pages; 0.95 at most for 169 handwritten lines on photographs, except one
 * (0.98).
 */
const sureMedian = 0.965;
/** Fewer signs are no evidence. */
const leastSigns = 5;
/** X-height used for segmentation, before the line's own is known (pixels). */
const anySize = 12;
const smallest = 6;
/** Pieces lower than this (in x-heights) or flatter are points and bars, which look the same by hand. */
const lowest = 0.4;
const flattest = 3;

/** One answer per box. */
export async function lookPrinted({ grey, boxes }: PrintLook, model: SignModel): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const box of boxes) {
    const rough = cutSheet(grey, box, anySize);
    const heights = rough.pieces.map((piece) => heightOf(piece) / rough.scale).filter((height) => height > 5);
    const sheet = cutSheet(grey, box, Math.max(smallest, median(heights) || 0));
    const pieces = sheet.pieces.filter(
      (piece) => widthOf(piece) < flattest * heightOf(piece) && heightOf(piece) > lowest * sheet.xHeight,
    );
    const guesses = await model.name(
      pieces.map((piece) => ({
        ...cutInk(sheet, new Set([piece.label]), around([piece])),
        xHeight: sheet.xHeight,
      })),
    );
    // parts of broken signs are no evidence
    const whole = guesses.map(([best]) => best!).filter(({ sign }) => sign.face !== 'part');
    const isPrint =
      whole.length >= leastSigns && median(whole.map(({ probability }) => probability)) >= sureMedian;
    answers.push(isPrint);
  }
  return answers;
}
