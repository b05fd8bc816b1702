/** Pictures of a line, cut out of its page. */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { Bitmap } from '../../page.ts';
import { percentile } from '../../raster.ts';
import { ringMark } from '../layout/erase-ring.ts';

/** Paper left and right of the line, as a share of its height. */
const margin = 0.25;
const paperShare = 0.75;

/**
 * A line's crop as it is and, where there is something else than writing in it, with that as white as the paper: a bar on
 * the ruling goes with it, and dark ruling is taken for bars. A ring round the line's number is in neither.
 * @param foreign where, on the page made smaller, something else than writing is
 * @param overhang ink reaches over its line: what is cut out is taller than the box by this share, above and below
 */
export function cutOut(
  page: Bitmap,
  [left, top, width, height]: ShareBox,
  foreign: Bitmap,
  overhang: number,
): Bitmap[] {
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
  let hasForeign = false;
  for (let y = 0; y < size.height; y++) {
    const row = Math.floor(((from.y + y) * foreign.height) / page.height) * foreign.width;
    for (let x = 0; x < size.width; x++) {
      const mark = foreign.data[row + Math.floor(((from.x + x) * foreign.width) / page.width)];
      if (!mark) continue;
      clean[y * size.width + x] = paper;
      if (mark === ringMark) data[y * size.width + x] = paper;
      else hasForeign = true;
    }
  }
  const asItIs: Bitmap = { ...size, channels: 1, data };
  return hasForeign ? [asItIs, { ...asItIs, data: clean }] : [asItIs];
}
