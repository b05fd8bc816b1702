/** Writes what was found on a page as pictures with some of their surroundings, for training. */
import path from 'node:path';
import sharp from 'sharp';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { cutOut } from '#reading/ink/line/cut-line.ts';
import type { Bitmap } from '#reading/page.ts';

/** Surroundings above and below, as a share of the height; left and right it is what `cutOut` leaves. */
const overhang = 0.5;
const margin = 0.25;

export interface WrittenCrop {
  files: string[];
  /** Where the line or part is in its pictures: left, top, width, height, px. */
  box: [number, number, number, number];
}

/**
 * @param foreign as `InkRows.foreign`
 * @param name of the pictures, without number and ending
 * @returns one picture as it is and, if it contains anything but writing, one with that painted over
 */
export async function writeCrop(
  page: Bitmap,
  [left, top, wide, tall]: ShareBox,
  foreign: Bitmap,
  folder: string,
  name: string,
): Promise<WrittenCrop> {
  const high = tall * page.height;
  const from = {
    x: Math.max(0, Math.floor(left * page.width - margin * high)),
    y: Math.max(0, Math.floor(top * page.height - overhang * high)),
  };
  const files: string[] = [];
  for (const [at, { width, height, data }] of cutOut(
    page,
    [left, top, wide, tall],
    foreign,
    overhang,
  ).entries()) {
    files.push(`${name}-${at}.png`);
    await sharp(data, { raw: { width, height, channels: 1 } })
      .png()
      .toFile(path.join(folder, files.at(-1)!));
  }
  const box: WrittenCrop['box'] = [
    left * page.width - from.x,
    top * page.height - from.y,
    wide * page.width,
    high,
  ];
  return { files, box };
}
