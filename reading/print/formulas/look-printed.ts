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

/** How many of a place's signs the model names, and how many of them with confidence. */
export interface PrintSigns {
  whole: number;
  sure: number;
}

/**
 * A sign is named with confidence from this probability on. In lines of five signs and more, most are for 0.88 of the
 * lines of worsened scans, and for 0.03 of the lines of 39 photographs of handwriting; among three signs, at least two
 * are for 0.92 and 0.14. (Scans that were used to choose this.)
 */
const sureSign = 0.965;
/** Fewer signs are no evidence by themselves. */
const leastSigns = 5;
/** On a page of print, one sign in so many is enough. */
const leastShare = 3;
/** X-height used for segmentation, before the line's own is known (pixels). */
const anySize = 12;
const smallest = 6;
/** Pieces lower than this (in x-heights) or flatter are points and bars, which look the same by hand. */
const lowest = 0.4;
const flattest = 3;

/** One answer per box. */
export async function lookPrinted({ grey, boxes }: PrintLook, model: SignModel): Promise<PrintSigns[]> {
  const answers: PrintSigns[] = [];
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
    answers.push({
      whole: whole.length,
      sure: whole.filter(({ probability }) => probability >= sureSign).length,
    });
  }
  return answers;
}

/** Whether most of its signs are named with confidence, and there are enough of them. */
export function looksPrinted({ whole, sure }: PrintSigns): boolean {
  return whole >= leastSigns && 2 * sure > whole;
}

/**
 * The same of a place with few signs, of broken ones alone, or of blurred ones, on a page whose other doubtful places look
 * printed.
 */
export function mayBePrinted({ whole, sure }: PrintSigns): boolean {
  return whole < 2 || (whole < leastSigns ? 2 : leastShare) * sure >= whole;
}

export function addSigns(places: readonly PrintSigns[]): PrintSigns {
  const sumOf = (of: (place: PrintSigns) => number) => places.reduce((sum, place) => sum + of(place), 0);
  return { whole: sumOf(({ whole }) => whole), sure: sumOf(({ sure }) => sure) };
}
