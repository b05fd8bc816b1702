/** The picture of one sign as the models of signs take it: printed (`print/formulas/signs`) and handwritten (`ink/signs`). */
import { resample } from '../line/line-picture.ts';

/** Side of the pictures, and the largest factor by which a sign's shorter side is widened. */
export const side = 32;
export const stretch = 2.5;

export interface SignInk {
  /** 0 paper … 1 ink, `width` × `height`. */
  ink: Float32Array;
  width: number;
  height: number;
}

/**
 * Scales the longer side to the picture and widens the shorter, centred, as does `frame` in
 * `training/sign-models/framing.py`.
 */
export function signPicture({ ink, width, height }: SignInk): Float32Array {
  const longest = Math.max(width, height);
  const fitted = (length: number) =>
    Math.max(1, Math.min(side, Math.round(((length * side) / longest) * stretch)));
  const [wide, tall] = [fitted(width), fitted(height)];
  const small = resample(
    ink,
    { width, height },
    { width: wide, height: tall },
    wide <= width && tall <= height,
  );
  const out = new Float32Array(side * side);
  const [x, y] = [Math.floor((side - wide) / 2), Math.floor((side - tall) / 2)];
  for (let row = 0; row < tall; row++)
    out.set(small.subarray(row * wide, (row + 1) * wide), (y + row) * side + x);
  return out;
}
