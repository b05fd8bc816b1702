/** Pages drawn for tests, 1000 by 1400 px. */
import sharp from 'sharp';
import type { Bitmap } from '../../page.ts';

export const [width, height] = [1000, 1400];

export async function draw(svg: string): Promise<Bitmap> {
  const picture = sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${svg}</svg>`,
    ),
  );
  const { data, info } = await picture.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 1, data };
}

/** With the grain of a camera. */
export const photographed = (page: Bitmap): Bitmap => ({
  ...page,
  data: page.data.map((level, at) => (level > 128 ? 245 + ((at * 7919) % 11) : level)),
});

export const line = (text: string, y: number, x = 120, size = 30) =>
  `<text x="${x}" y="${y}" font-family="Liberation Serif" font-size="${size}">${text}</text>`;
export const stroke = (path: string, pen = 2) =>
  `<path d="${path}" stroke="#000" stroke-width="${pen}" fill="none"/>`;
