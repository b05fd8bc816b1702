/** Plane geometry for straightening pages: points in pixels, x to the right, y down. */
import type { Bitmap, Quarters } from '../../page.ts';

export interface Point {
  x: number;
  y: number;
}

/** Corners in the order top left, top right, bottom right, bottom left. */
export type Quad = [Point, Point, Point, Point];

/** A projective map as nine numbers in rows; maps (x, y, 1). */
export type Projection = readonly number[];

/** Composition: first `second`, then `first`. */
export function combine(first: Projection, second: Projection): Projection {
  return Array.from({ length: 9 }, (_, index) => {
    const [row, column] = [Math.floor(index / 3) * 3, index % 3];
    return (
      first[row]! * second[column]! +
      first[row + 1]! * second[column + 3]! +
      first[row + 2]! * second[column + 6]!
    );
  });
}

/** The map from the rectangle (0, 0) … (width, height) to the quad. */
export function rectangleToQuad(width: number, height: number, quad: Quad): Projection {
  // the classic closed form for the unit square, with the rectangle scaled to it
  const [a, b, c, d] = quad;
  const sum = { x: a.x - b.x + c.x - d.x, y: a.y - b.y + c.y - d.y };
  const [d1, d2] = [
    { x: b.x - c.x, y: b.y - c.y },
    { x: d.x - c.x, y: d.y - c.y },
  ];
  const determinant = d1.x * d2.y - d2.x * d1.y;
  const g = (sum.x * d2.y - d2.x * sum.y) / determinant;
  const h = (d1.x * sum.y - sum.x * d1.y) / determinant;
  const unit = [
    b.x - a.x + g * b.x,
    d.x - a.x + h * d.x,
    a.x,
    b.y - a.y + g * b.y,
    d.y - a.y + h * d.y,
    a.y,
    g,
    h,
    1,
  ];
  return combine(unit, [1 / width, 0, 0, 0, 1 / height, 0, 0, 0, 1]);
}

/** Rotates about a picture's middle and shifts so that the rotated picture fits; `size` is its new size. */
export function rotation(width: number, height: number, degrees: number): { back: Projection; size: Point } {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const size = {
    x: Math.round(Math.abs(width * cos) + Math.abs(height * sin)),
    y: Math.round(Math.abs(width * sin) + Math.abs(height * cos)),
  };
  // from the turned picture back into the original
  const back = [
    cos,
    sin,
    width / 2 - (cos * size.x) / 2 - (sin * size.y) / 2,
    -sin,
    cos,
    height / 2 + (sin * size.x) / 2 - (cos * size.y) / 2,
    0,
    0,
    1,
  ];
  return { back, size };
}

/**
 * Resamples a picture: pixel (x, y) of the result is the bilinearly interpolated pixel at `back(x, y)` in `from`, and
 * white outside it.
 */
export function warp(from: Bitmap, back: Projection, width: number, height: number): Bitmap {
  const { channels, data, width: fromWidth, height: fromHeight } = from;
  const out = new Uint8Array(width * height * channels).fill(255);
  const stride = fromWidth * channels;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 1] = back;
  const isAffine = g === 0 && h === 0 && i === 1;
  let to = 0;
  for (let y = 0; y < height; y++) {
    const [inX, inY, inW] = [b * (y + 0.5), e * (y + 0.5), h * (y + 0.5)];
    for (let x = 0; x < width; x++, to += channels) {
      const w = isAffine ? 1 : g * (x + 0.5) + inW + i;
      const sourceX = (a * (x + 0.5) + inX + c) / w - 0.5;
      const sourceY = (d * (x + 0.5) + inY + f) / w - 0.5;
      if (!(sourceX > -1 && sourceY > -1 && sourceX < fromWidth && sourceY < fromHeight)) continue;
      const left = sourceX < 0 ? 0 : sourceX | 0;
      const top = sourceY < 0 ? 0 : sourceY | 0;
      const toRight = left + 1 < fromWidth ? channels : 0;
      const toBelow = top + 1 < fromHeight ? stride : 0;
      const shareX = sourceX < left ? 0 : sourceX - left;
      const shareY = sourceY < top ? 0 : sourceY - top;
      const at = top * stride + left * channels;
      for (let channel = 0; channel < channels; channel++) {
        const place = at + channel;
        const upper = data[place]! * (1 - shareX) + data[place + toRight]! * shareX;
        const lower = data[place + toBelow]! * (1 - shareX) + data[place + toBelow + toRight]! * shareX;
        out[to + channel] = upper * (1 - shareY) + lower * shareY + 0.5;
      }
    }
  }
  return { width, height, channels, data: out };
}

/** Turns by quarter turns clockwise, without loss. */
export function turnQuarters(from: Bitmap, quarters: Quarters): Bitmap {
  if (quarters === 0) return from;
  const { width, height, channels, data } = from;
  const [newWidth, newHeight] = quarters === 2 ? [width, height] : [height, width];
  const out = new Uint8Array(data.length);
  for (let y = 0; y < newHeight; y++)
    for (let x = 0; x < newWidth; x++) {
      const [fromX, fromY] =
        quarters === 1
          ? [y, height - 1 - x]
          : quarters === 2
            ? [width - 1 - x, height - 1 - y]
            : [width - 1 - y, x];
      const [source, target] = [(fromY * width + fromX) * channels, (y * newWidth + x) * channels];
      for (let channel = 0; channel < channels; channel++) out[target + channel] = data[source + channel]!;
    }
  return { width: newWidth, height: newHeight, channels, data: out };
}
