/**
 * Measures the tilt of writing from ink alone: sums of ink along rows vary most when the rows are parallel to the
 * lines of writing (and to ruled lines).
 */
import type { Bitmap } from '../../page.ts';
import { inkLevel } from '../../raster.ts';

/** Ink points of a page, in pixels of a picture of the given size. */
interface Ink {
  width: number;
  height: number;
  x: Int16Array;
  y: Int16Array;
}

/** Share of the page ignored at each edge, where shadows and the sheet's edges are. */
const edgeShare = 0.025;
/** Fewer points are no evidence. */
const minInk = 300;
/** A smaller rotation is not worth resampling the picture, degrees. */
const minSkew = 0.15;
/** The profile at the rotated angle must be this much sharper than unrotated; for a large rotation more. */
const minGain = 1.08;
const minGainForLargeTurn = 1.5;
const largeTurn = 4;

function collectInk({ width, height, data }: Bitmap): Ink {
  const [left, top] = [Math.round(width * edgeShare), Math.round(height * edgeShare)];
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = top; y < height - top; y++)
    for (let x = left; x < width - left; x++)
      if (data[y * width + x]! < inkLevel) {
        xs.push(x);
        ys.push(y);
      }
  return { width, height, x: Int16Array.from(xs), y: Int16Array.from(ys) };
}

/** Squared steps between neighbouring row sums, when rows run at an angle (degrees, clockwise positive). */
function sharpness(ink: Ink, degrees: number, along: 'rows' | 'columns'): number {
  const tangent = Math.tan((degrees * Math.PI) / 180);
  const [main, cross] = along === 'rows' ? [ink.y, ink.x] : [ink.x, ink.y];
  const sign = along === 'rows' ? -1 : 1;
  const [length, breadth] = along === 'rows' ? [ink.height, ink.width] : [ink.width, ink.height];
  const margin = Math.ceil(Math.abs(tangent) * breadth) + 1;
  const sums = new Float64Array(length + 2 * margin + 1);
  for (let index = 0; index < main.length; index++)
    sums[Math.round(main[index]! + sign * tangent * cross[index]!) + margin]! += 1;
  let total = 0;
  for (let index = 1; index < sums.length; index++) total += (sums[index]! - sums[index - 1]!) ** 2;
  return total;
}

/**
 * @param grey an evenly lit grey picture of at most 1000 pixels' long side
 * @param along whether the lines of writing run across (`rows`) or up and down (`columns`)
 * @returns the tilt in degrees, clockwise positive; 0 if there is none or it is uncertain.
 */
export function measureSkew(
  grey: Bitmap,
  { along, maxDegrees }: { along: 'rows' | 'columns'; maxDegrees: number },
): number {
  const ink = collectInk(grey);
  if (ink.x.length < minInk) return 0;
  const asItLies = sharpness(ink, 0, along);
  let best = { degrees: 0, sharpness: asItLies };
  const search = (from: number, to: number, step: number) => {
    for (let degrees = from; degrees <= to + 1e-9; degrees += step) {
      const value = sharpness(ink, degrees, along);
      if (value > best.sharpness) best = { degrees, sharpness: value };
    }
  };
  search(-maxDegrees, maxDegrees, 0.5);
  search(best.degrees - 0.4, best.degrees + 0.4, 0.05);
  const needed = Math.abs(best.degrees) > largeTurn ? minGainForLargeTurn : minGain;
  return Math.abs(best.degrees) >= minSkew && best.sharpness > asItLies * needed ? best.degrees : 0;
}
