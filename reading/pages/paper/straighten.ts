/**
 * Makes a photo or scan readable: finds and straightens the sheet, evens out the light, removes tilt, turns it
 * upright. All measurements use a small copy; the picture itself is resampled at most once.
 */

import { collectGlyphs, flushness, measureSide, shareBeside } from '../../ink/layout/glyphs.ts';
import type { Bitmap, PreparedPage, Quarters } from '../../page.ts';
import { invertLight, isDarkPage, shrink, toGrey } from '../../raster.ts';
import { detectOrientation } from './detect-orientation.ts';
import { evenLight } from './even-light.ts';
import { fillsPicture, findPaper, type Paper } from './find-paper.ts';
import { combine, type Projection, rectangleToQuad, rotation, turnQuarters, warp } from './geometry.ts';
import { measureLetters } from './lay-on-paper.ts';
import { measureSkew } from './text-direction.ts';

type Warning = PreparedPage['warnings'][number];

export interface Straightened {
  bitmap: Bitmap;
  /** The same with its faintest strokes and the paper's grain, if requested and if there is a difference. */
  gentle?: Bitmap;
  origin: 'photo' | 'scan';
  /** See PreparedPage. */
  turned?: 1 | 2 | 3;
  letters?: number;
  warnings: Warning[];
}

/** A sheet visible on all sides is already straight except for its print; otherwise a hand-held tilt is possible. */
const maxSkewOnSheet = 4;
const maxSkewFree = 12;
/** Visible edges of the sheet are trimmed by this share, so that no dark seam remains. */
const sheetInset = 0.006;
/** Below this share of horizontal neighbours the lines run up or down (upright samples: 0.58 and more). */
const sidewaysBelow = 0.35;
/** Flushness (glyphs.ts) from which lines clearly start at the left. */
const surelyFlush = 0.1;
/** Tesseract's confidence from which it is trusted. */
const orientationAlone = 4;
/** With fewer, neither the look of the lines nor a reading of them is evidence. */
const leastGlyphs = 60;
/** By how much the confidence in one orientation must exceed that in the other (readOrientations). */
const surelyRead = 0.05;

const turnedWarning: Warning = {
  code: 'PAGE_TURNED',
  message:
    'The page lay on its side or upside down and was turned. If it is the wrong way round now, turn it before sending.',
};
const unsureWarning: Warning = {
  code: 'ORIENTATION_UNSURE',
  message:
    'It is not clear which way up this page is. If it is the wrong way round, turn it and send it again.',
};

export interface StraightenOptions {
  /** The result's long side is at most this, px. */
  maxSide: number;
  wantsGentle?: boolean;
  /** Whether the height of its letters is measured. */
  wantsLetters?: boolean;
  /** Rotation chosen by somebody who saw the page; there is then no warning about its orientation. */
  turn?: Quarters | undefined;
}

export async function straighten(
  original: Bitmap,
  { maxSide, wantsGentle, wantsLetters, turn }: StraightenOptions,
): Promise<Straightened> {
  const picture = isDarkPage(original) ? invertLight(original) : original;
  const found = findPaper(picture);
  const paper = found && !fillsPicture(found, picture) ? found : null;
  const sheet = paper
    ? sheetOf(paper, picture)
    : { width: picture.width, height: picture.height, back: null };

  const small = toGrey(evenLight(drawSmall(picture, sheet)).bitmap);
  const lies = shareBeside(collectGlyphs(small));
  const skew = measureSkew(small, {
    along: lies < sidewaysBelow ? 'columns' : 'rows',
    maxDegrees: paper?.sidesSeen === 4 ? maxSkewOnSheet : maxSkewFree,
  });

  const straight = drawStraight(picture, sheet, skew, maxSide);
  const { bitmap, hasChanged } = evenLight(straight);
  const measured = shrink(toGrey(bitmap), measureSide);
  const decided = await decideTurn(bitmap, measured, lies);
  const quarters = ((decided.quarters + (turn ?? 0)) % 4) as Quarters;
  return {
    bitmap: turnQuarters(bitmap, quarters),
    ...(wantsGentle && hasChanged
      ? { gentle: turnQuarters(evenLight(straight, true).bitmap, quarters) }
      : {}),
    origin: paper ? 'photo' : 'scan',
    ...(quarters === 0 ? {} : { turned: quarters }),
    ...(wantsLetters ? { letters: measureLetters(measured) } : {}),
    warnings: turn === undefined ? decided.warnings : [],
  };
}

interface Sheet {
  width: number;
  height: number;
  /** From the sheet to the picture; null if the picture is the sheet. */
  back: Projection | null;
}

function sheetOf({ quad, sidesSeen }: Paper, picture: Bitmap): Sheet {
  const [a, b, c, d] = quad;
  const length = (from: typeof a, to: typeof a) => Math.hypot(from.x - to.x, from.y - to.y);
  const width = Math.round(Math.max(length(a, b), length(d, c)));
  const height = Math.round(Math.max(length(a, d), length(b, c)));
  const back = rectangleToQuad(width, height, quad);
  if (sidesSeen < 4) {
    // invisible sides may be far outside the picture; dropping the empty part loses nothing of it
    return { width: Math.min(width, picture.width * 2), height: Math.min(height, picture.height * 2), back };
  }
  const [insetX, insetY] = [width * sheetInset, height * sheetInset];
  return {
    width: Math.round(width - 2 * insetX),
    height: Math.round(height - 2 * insetY),
    back: combine(back, [1, 0, insetX, 0, 1, insetY, 0, 0, 1]),
  };
}

function drawSmall(picture: Bitmap, sheet: Sheet): Bitmap {
  if (!sheet.back) return shrink(picture, measureSide);
  const source = shrink(picture, measureSide * 1.4);
  const toSmall = source.width / picture.width;
  const scale = Math.min(1, measureSide / Math.max(sheet.width, sheet.height));
  const back = combine(
    [toSmall, 0, 0, 0, toSmall, 0, 0, 0, 1],
    combine(sheet.back, [1 / scale, 0, 0, 0, 1 / scale, 0, 0, 0, 1]),
  );
  return warp(source, back, Math.round(sheet.width * scale), Math.round(sheet.height * scale));
}

function drawStraight(picture: Bitmap, sheet: Sheet, skew: number, maxSide: number): Bitmap {
  const turned = skew === 0 ? null : rotation(sheet.width, sheet.height, -skew);
  const size = turned?.size ?? { x: sheet.width, y: sheet.height };
  const scale = Math.min(1, maxSide / Math.max(size.x, size.y));
  if (!turned && !sheet.back) return shrink(picture, maxSide);
  const enlarge: Projection = [1 / scale, 0, 0, 0, 1 / scale, 0, 0, 0, 1];
  const inSheet = turned ? combine(turned.back, enlarge) : enlarge;
  const back = sheet.back ? combine(sheet.back, inSheet) : inSheet;
  return warp(picture, back, Math.round(size.x * scale), Math.round(size.y * scale));
}

/**
 * Decides the number of quarter turns. Without strong evidence, the page is taken as upright; a page whose lines run
 * up or down must be turned. Tesseract decides for print; handwriting is read both ways.
 */
async function decideTurn(
  page: Bitmap,
  small: Bitmap,
  besideShare: number,
): Promise<{ quarters: Quarters; warnings: Warning[] }> {
  const isSideways = besideShare < sidewaysBelow;
  const measured = isSideways ? turnQuarters(small, 3) : small;
  const glyphs = collectGlyphs(measured);
  const flush = flushness(glyphs, measured.width, measured.height);
  if (!isSideways && (flush >= surelyFlush || besideShare === 0.5)) return { quarters: 0, warnings: [] };
  const told = await detectOrientation(page);
  const toldTurn = told ? (((4 - told.quarters) % 4) as Quarters) : 0;
  const believesTold = told !== null && told.confidence >= orientationAlone;
  if (!believesTold && glyphs.length < leastGlyphs) return { quarters: 0, warnings: [] };
  if (believesTold && toldTurn === 0) return { quarters: 0, warnings: [] };
  const candidates: Quarters[] = isSideways ? [1, 3] : [0, 2];
  if (believesTold && !candidates.includes(toldTurn)) return turnedBy(toldTurn);
  // loaded with the first photo or scan that needs it: most pages come from PDFs
  const { readOrientations } = await import('./read-orientation.ts');
  const beliefs = await readOrientations(toGrey(page), candidates);
  const [first, second] = candidates as [Quarters, Quarters];
  if (beliefs) {
    const gain = beliefs.get(second)! - beliefs.get(first)!;
    const read = gain > 0 ? second : first;
    if (isSideways && Math.abs(gain) >= surelyRead) return turnedBy(read);
    if (isSideways) return believesTold ? turnedBy(toldTurn, toldTurn !== read) : turnedBy(read, true);
    if (believesTold) return gain > -surelyRead ? turnedBy(toldTurn) : turnedBy(0);
    return turnedBy(gain > (flush <= -surelyFlush ? 0 : surelyRead) ? second : first);
  }
  if (believesTold) return turnedBy(toldTurn);
  return isSideways ? turnedBy(flush >= 0 ? 3 : 1, Math.abs(flush) < surelyFlush) : turnedBy(0);
}

function turnedBy(quarters: Quarters, isUnsure = false): { quarters: Quarters; warnings: Warning[] } {
  return { quarters, warnings: isUnsure ? [unsureWarning] : quarters === 0 ? [] : [turnedWarning] };
}
