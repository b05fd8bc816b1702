/** Takes the ring round a number away, whether or not the number touches it. */
import { median } from '../../box.ts';

interface Ring {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What stands in `foreign` where a ring was. */
export const ringMark = 2;

/** Directions that a ring is followed in, by its size: no pixel of it lies between two. */
const directions = 8;
/** The ring lies this far from its middle, in its own measures (1 is its box). */
const farthest = 1.1;
const nearest = 0.68;
/** Where it is thicker than this many usual strokes, something touches it. */
const thickest = 1.6;

/**
 * Moves a ring's pixels from what is written to what is not (`foreign`, with those beside them).
 * @param leastSeen it is one where it is seen in this share of all directions
 * @returns whether there was one
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
