/** Pen strokes as the picture of a line: what `plain` in training/drawing/render.py does for evaluation. */
import sharp from 'sharp';
import type { Bitmap } from '../../page.ts';
import { lineHeight, maxWidth } from '../line/line-picture.ts';

/** x and y in turn, y downwards, in any unit; one point is a dot. */
export type Stroke = readonly number[];

export interface Pen {
  /** Width, px of a picture `lineHeight` px high. */
  width: number;
  /** Room above and below the ink, px. */
  margin: number;
}

/** Ink wider than this many of its heights is drawn as if it were higher: a dash does not fill the line. */
const mostHeights = 40;
/** Ink narrower than the model's picture is drawn at its scale; wider ink is squeezed by the model's own rule. */
const widest = 4 * maxWidth;

/** @throws RangeError if there is no point */
export async function drawStrokes(strokes: readonly Stroke[], { width: pen, margin }: Pen): Promise<Bitmap> {
  const xs = strokes.flatMap((stroke) => stroke.filter((_, at) => at % 2 === 0));
  const ys = strokes.flatMap((stroke) => stroke.filter((_, at) => at % 2 === 1));
  if (xs.length === 0) throw new RangeError('there is no ink');
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const tall = Math.max(bottom - top, (right - left) / mostHeights, 1e-3);
  const scale = (lineHeight - 2 * margin) / tall;
  const width = Math.min(widest, Math.max(1, Math.round((right - left) * scale)) + 2 * margin);
  // ink lower than the line stands in its middle
  const above = (lineHeight - (bottom - top) * scale) / 2;
  const path = strokes
    .filter((stroke) => stroke.length > 1)
    .map((stroke) => {
      const points = Array.from(
        { length: Math.floor(stroke.length / 2) },
        (_, at) =>
          `${(margin + (stroke[2 * at]! - left) * scale).toFixed(2)} ${(above + (stroke[2 * at + 1]! - top) * scale).toFixed(2)}`,
      );
      return `M${(points.length === 1 ? [points[0], points[0]] : points).join('L')}`;
    })
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${lineHeight}"><rect width="100%" height="100%" fill="#fff"/><path d="${path}" fill="none" stroke="#000" stroke-width="${pen}" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 1, data };
}
