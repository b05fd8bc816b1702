/** Erases the ring around a number, whether or not the number touches it. */
import { median } from '../../box.ts';

interface Ring {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Marks pixels of a ring in `foreign`. */
export const ringMark = 2;

/** Directions in which a ring is followed, by its size: dense enough to skip none of its pixels. */
const directions = 8;
/** Distance of the ring from its centre, relative to its box (1 is the box). */
const farthest = 1.1;
const nearest = 0.68;
/** Where the ring is thicker than this many usual strokes, something touches it. */
const thickest = 1.6;

/**
 * Moves a ring's pixels from the writing to `foreign`, including adjacent pixels.
 * @param leastSeen the share of all directions in which it must be visible to count as a ring
 * @returns whether a ring was found
 */
export function eraseRing(
  ring: Ring,
  leastSeen: number,
  ink: Uint8Array,
  foreign: Uint8Array,
  width: number,
): boolean {
  const [wide, tall] = [(ring.right - ring.left) / 2, (ring.bottom - ring.top) / 2];
  const [x0, y0] = [ring.left + wide - 0.5, ring.top + tall - 0.5];
  const count = Math.ceil(directions * Math.max(wide, tall));
  const step = 0.5 / Math.max(wide, tall);
  const strokes: number[][] = [];
  for (let n = 0; n < count; n++) {
    const [x, y] = [wide * Math.cos((2 * Math.PI * n) / count), tall * Math.sin((2 * Math.PI * n) / count)];
    const stroke: number[] = [];
    for (let far = farthest; far > 0; far -= step) {
      const at = Math.round(y0 + far * y) * width + Math.round(x0 + far * x);
      if (ink[at]) stroke.push(at);
      else if (stroke.length > 0) break;
      else if (far < nearest) break;
    }
    strokes.push(stroke);
  }
  const seen = strokes.filter((stroke) => stroke.length > 0);
  if (seen.length < leastSeen * count) return false;
  const usual = median(seen.map(({ length }) => length));
  for (const at of seen.flatMap((stroke) => stroke.slice(0, Math.ceil(thickest * usual)))) {
    ink[at] = 0;
    for (const near of [-width - 1, -width, 1 - width, -1, 0, 1, width - 1, width, width + 1])
      foreign[at + near] = ringMark;
  }
  for (let at = 0; at < foreign.length; at++) if (ink[at]) foreign[at] = 0;
  return true;
}
