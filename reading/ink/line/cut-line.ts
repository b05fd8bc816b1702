/** Cuts a line's pictures out of its page. */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { Bitmap } from '../../page.ts';
import { percentile } from '../../raster.ts';
import { ringMark } from '../bars/erase-ring.ts';

/** Paper left and right of the line, as a share of its height. */
const margin = 0.25;
const paperShare = 0.75;

/** By how much a line's crop extends its box, as a share of its height. */
export const usualOverhang = 0.18;

export interface LineCrop extends Bitmap {
  /** 1 for what was painted over. */
  painted?: Uint8Array;
  /** Where it begins on the page, px. */
  from?: { x: number; y: number };
}

/**
 * A line's crop as it is and, if it contains anything but writing, a second one with that painted over. Both are needed:
 * painting over the ruling also removes a fraction bar drawn on it, and dark ruling left in place is read as bars. The
 * ring around a line's number is in neither.
 * @param foreign mask of what is not writing, on the reduced page
 * @param overhang by which share of its height the crop extends the box above and below, since ink overhangs its line
 */
export function cutOut(
  page: Bitmap,
  [left, top, width, height]: ShareBox,
  foreign: Bitmap,
  overhang: number,
): LineCrop[] {
  const tall = height * page.height;
  const from = {
    x: Math.max(0, Math.floor(left * page.width - tall * margin)),
    y: Math.max(0, Math.floor(top * page.height - tall * overhang)),
  };
  const to = {
    x: Math.min(page.width, Math.ceil((left + width) * page.width + tall * margin)),
    y: Math.min(page.height, Math.ceil(top * page.height + tall * (1 + overhang))),
  };
  const size = { width: Math.max(1, to.x - from.x), height: Math.max(1, to.y - from.y) };
  const data = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const row = (from.y + y) * page.width + from.x;
    data.set(page.data.subarray(row, row + size.width), y * size.width);
  }
  const paper = percentile(data, paperShare);
  const clean = Uint8Array.from(data);
  const painted = new Uint8Array(data.length);
  let hasForeign = false;
  for (let y = 0; y < size.height; y++) {
    const row = Math.floor(((from.y + y) * foreign.height) / page.height) * foreign.width;
    for (let x = 0; x < size.width; x++) {
      const mark = foreign.data[row + Math.floor(((from.x + x) * foreign.width) / page.width)];
      if (!mark) continue;
      clean[y * size.width + x] = paper;
      painted[y * size.width + x] = 1;
      if (mark === ringMark) data[y * size.width + x] = paper;
      else hasForeign = true;
    }
  }
  const asItIs: LineCrop = { ...size, channels: 1, data, from };
  if (!hasForeign) return [{ ...asItIs, painted }];
  return [asItIs, { ...asItIs, data: clean, painted }];
}
