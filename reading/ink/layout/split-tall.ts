/** A line of ink that is several: steps of a calculation under each other, whose ink touches or whose rows slope. */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { Bitmap } from '../../page.ts';
import { inkLevel } from '../../raster.ts';

/** How far from where equal lines would end a cut may be, as a share of a line. */
const slack = 0.35;
/** Higher than this many lines is a drawing. */
const mostLines = 5;

/**
 * @param grey the prepared page, one channel
 * @param height of the page's other lines, as a share of its height
 * @returns the lines from top to bottom; none if it is no higher than one
 */
export function splitTall(grey: Bitmap, [left, top, wide, tall]: ShareBox, height: number): ShareBox[] {
  const count = Math.round(tall / height);
  if (count < 2 || count > mostLines) return [];
  const { width, data } = grey;
  const [from, to] = [Math.floor(left * width), Math.ceil((left + wide) * width)];
  const inkIn = (y: number) => {
    let ink = 0;
    for (let x = from; x < to; x++) if (data[y * width + x]! < inkLevel) ink++;
    return ink;
  };
  const line = (tall / count) * grey.height;
  const cuts = [top * grey.height];
  for (let at = 1; at < count; at++) {
    const expected = top * grey.height + at * line;
    let best = Math.round(expected);
    let least = Number.POSITIVE_INFINITY;
    for (let y = Math.ceil(expected - slack * line); y <= expected + slack * line && y < grey.height; y++) {
      // of rows with the same ink the one nearest to the middle
      const cost = inkIn(y) + Math.abs(y - expected) / line;
      if (cost < least) [least, best] = [cost, y];
    }
    cuts.push(best);
  }
  cuts.push((top + tall) * grey.height);
  return cuts.slice(1).map((end, at): ShareBox => {
    const begin = cuts[at]!;
    return [left, begin / grey.height, wide, (end - begin) / grey.height];
  });
}
