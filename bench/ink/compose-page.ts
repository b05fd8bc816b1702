/**
 * Composes pages of held-out lines: a substitute for photographed paper, with more known text than there are
 * photos.
 */
import sharp from 'sharp';
import type { Bitmap } from '#reading/page.ts';

export const papers = ['plain', 'ruled', 'squared'] as const;
export type Paper = (typeof papers)[number];

const [width, height] = [1600, 2200];
const paperLevel = 236;
const ruleLevel = 170;
const lineStep = 170;
export const linesOnPage = 11;

/**
 * Lines below each other on paper in uneven light, as a picture file.
 * @param lines dark ink on white, one line each
 */
export async function composePage(lines: readonly Bitmap[], paper: Paper, seed: number): Promise<Buffer> {
  const page = new Float32Array(width * height).fill(paperLevel);
  const step = paper === 'ruled' ? 85 : 42;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      // slightly tilted, like paper in front of a camera
      const isRule = paper !== 'plain' && Math.round(y + 0.006 * x) % step < 3;
      if (isRule || (paper === 'squared' && Math.round(x - 0.006 * y) % step < 3))
        page[y * width + x] = ruleLevel;
    }
  for (const [row, { width: wide, height: tall, data }] of lines.entries()) {
    const scale = Math.min(1.15, (width - 260) / wide, 110 / tall);
    const left = 110 + ((seed * 37 + row * 53) % 60);
    const top = 140 + row * lineStep + ((seed * 11 + row * 29) % 24);
    for (let y = 0; y < Math.floor(tall * scale); y++)
      for (let x = 0; x < Math.floor(wide * scale); x++) {
        const ink = data[Math.floor(y / scale) * wide + Math.floor(x / scale)]! / 255;
        const at = (top + y) * width + left + x;
        page[at] = Math.min(page[at]!, 30 + ink * (paperLevel - 30));
      }
  }
  const picture = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      // light fades towards one corner; a soft shadow crosses the page
      const light = 1 - 0.3 * ((x / width) * 0.5 + (y / height) * 0.5);
      const shadow = 1 - 0.22 / (1 + Math.exp((x + 0.5 * y - 900 - 60 * (seed % 7)) / 90));
      picture[y * width + x] = page[y * width + x]! * light * shadow;
    }
  return await sharp(picture, { raw: { width, height, channels: 1 } })
    .blur(0.8)
    .jpeg({ quality: 75 })
    .toBuffer();
}
