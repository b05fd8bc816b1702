/** Formulas in a hand of our own, as drawn on a screen. */
import sharp from 'sharp';
import type { LineCrop } from '../line/cut-line.ts';
import { decodeLine } from '../line/decode-line.ts';
import type { LineModel } from '../line/line-model.ts';
import { toLinePicture } from '../line/line-picture.ts';

/** Strokes of a sign, and its width, px. */
const hand: Record<string, [string, number]> = {
  x: ['M0 30L34 72M36 28L2 72', 40],
  y: ['M2 30C4 56 20 60 32 34M34 30C32 80 22 100 4 92', 38],
  a: ['M30 38C18 26 0 34 0 54C2 74 22 72 30 52L33 32C30 55 32 68 40 72', 42],
  c: ['M32 36C14 22 0 40 2 54C4 74 24 76 34 64', 36],
  1: ['M8 12L14 4L12 72', 20],
  2: ['M4 20C8 0 38 0 34 22C32 40 10 58 2 72L40 70', 44],
  3: ['M4 8C20 -4 36 10 16 32C44 34 34 76 4 68', 40],
  '=': ['M0 44L40 42M0 58L40 56', 46],
  '+': ['M0 48L40 47M20 28L19 70', 46],
  '-': ['M0 50L34 49', 40],
};

/** A sign's strokes, moved and scaled. */
const strokesOf = (sign: string, left: number, top: number, scale: number) =>
  hand[sign]![0].replaceAll(
    /(-?\d+) (-?\d+)/g,
    (_, x, y) => `${left + Number(x) * scale} ${top + Number(y) * scale}`,
  );

/** A sum over x from 1 to 3, of what follows on its line. */
export function writeSum(said: string): { width: number; strokes: string } {
  const { width, strokes } = writeFormula(said, 110);
  const limits = [...'x=1'].map((sign, at) => strokesOf(sign, 8 + 26 * at, 130, 0.5)).join('');
  const sum = 'M86 52L30 54L62 86L28 122L90 120';
  return { width, strokes: `${sum}${strokesOf('3', 44, 2, 0.6)}${limits}${strokes}` };
}

/**
 * A formula on one line, 180 px high.
 * @param said signs, and after `_` or `^` those of half their size in a script
 * @param from where it begins, px
 * @returns an SVG path
 */
export function writeFormula(said: string, from = 30): { width: number; strokes: string } {
  let [left, strokes] = [from, ''];
  for (const [, script, sign] of said.matchAll(/([_^]?)(.)/g)) {
    const scale = script ? 0.5 : 1;
    const top = { '': 50, _: 90, '^': 22 }[script!]!;
    strokes += strokesOf(sign!, left, top, scale);
    left += hand[sign!]![1] * scale + 10;
  }
  return { width: left + 20, strokes };
}

/** The crop of a drawn formula, 180 px high, and what the line model makes of it. */
export async function readDrawn({ width, strokes }: ReturnType<typeof writeFormula>, model: LineModel) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="180"><rect width="${width}" height="180" fill="white"/><path fill="none" stroke="black" stroke-width="3.5" d="${strokes}"/></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const crop: LineCrop = { width: info.width, height: info.height, channels: 1, data: new Uint8Array(data) };
  const scores = await model.score(toLinePicture(crop));
  const { tokens, language } = model;
  return { crop, scores, plain: decodeLine(scores, tokens, { from: 'maths', others: 'all', language }) };
}
