/** How large each typeface draws each sign, and which typeface a page is printed in. */
import type { Box } from '../../../box.ts';
import type { ReadSign } from '../signs/read-signs.ts';
import type { Guess, SignMeasures, Typeface } from '../signs/sign-model.ts';

/** Sizes of text, scripts and nested scripts, and the log probability of each relative to text. */
export const levels = [1, 0.7, 0.5] as const;
export const levelPriors = [0, -0.3, -1.2];
/** Error of a sign's size: a share of it, and some of the scan's pixels. */
const sizeSpread = 0.07;
const pixelSpread = 0.9;
/** A side narrower than this, in x-heights, says more about blur than about the typeface. */
const leastSide = 0.6;
/** A delimiter this many times as tall as the text's is a large one. */
const tallDelimiter = 1.13;

export interface Print {
  xHeight: number;
  typeface: Typeface;
}

export function isOfAnySize({ sign }: Guess, box: Box, xHeight: number, typeface: Typeface): boolean {
  if (sign.face === 'large' || sign.face === 'radical' || sign.face === 'brace') return true;
  const height = typeface.text[sign.index]?.height ?? 2;
  return sign.face === 'delimiter' && box.bottom - box.top > tallDelimiter * height * xHeight;
}

/** The stem of an i or j, whose dot may be lost or touch another letter. */
export function withoutDot(text: string, measures: SignMeasures): SignMeasures[] {
  const { top, height } = measures;
  return /^[ij]$/.test(text) && top < -1.2
    ? [{ ...measures, top: -1, height: height + top + 1, ink: 0, mostInk: 0 }]
    : [];
}

/** Deviation of a sign's size from the expected one, in standard deviations. */
export function misfit(sign: Box, { width, height }: SignMeasures, unit: number): number {
  const isWide = width > height;
  const seen = isWide ? sign.right - sign.left : sign.bottom - sign.top;
  return Math.log(seen / ((isWide ? width : height) * unit)) / (sizeSpread + pixelSpread / seen);
}

/** The same for both of its sides: signs of one height tell typefaces apart by their widths. */
function misfitOfBoth(sign: Box, measures: SignMeasures, unit: number): number {
  const { width, height } = measures;
  if (Math.min(width, height) < leastSide) return misfit(sign, measures, unit);
  const off = (seen: number, expected: number) =>
    Math.log(seen / (expected * unit)) / (sizeSpread + pixelSpread / seen);
  return Math.hypot(off(sign.right - sign.left, width), off(sign.bottom - sign.top, height)) / Math.SQRT2;
}

/** Error of the measured x-height. */
const corrections = [1, 0.96, 1.04, 0.92, 1.08, 0.88, 1.12];
const leastSure = 0.8;

/**
 * The typeface whose metrics fit the observed sizes best, with the corrected x-height. With few signs, the most
 * common one.
 */
export function findTypeface(
  signs: readonly ReadSign[],
  xHeight: number,
  typefaces: readonly Typeface[],
): Print {
  const sure = signs.filter(
    ({ guesses: [first], ...box }) =>
      first!.probability > leastSure &&
      !isOfAnySize(first!, box, xHeight, typefaces[0]!) &&
      first!.sign.face !== 'several',
  );
  let found: Print & { cost: number } = {
    xHeight,
    typeface: typefaces[0]!,
    cost: Number.POSITIVE_INFINITY,
  };
  for (const [rank, typeface] of typefaces.entries())
    for (const correction of corrections) {
      // a rarer typeface, or an x-height farther from the measured one, is penalized
      let cost = (rank < 2 ? 0 : 3) + 200 * (correction - 1) ** 2;
      for (const sign of sure) {
        const { index } = sign.guesses[0]!.sign;
        const offs = levels.map((size, level) => {
          const measures = (level === 0 ? typeface.text : typeface.script)[index];
          if (!measures) return 9;
          return misfitOfBoth(sign, measures, xHeight * correction * size) ** 2 / 2 - levelPriors[level]!;
        });
        cost += Math.min(9, ...offs);
      }
      if (cost < found.cost) found = { xHeight: xHeight * correction, typeface, cost };
    }
  return { xHeight: found.xHeight, typeface: found.typeface };
}
