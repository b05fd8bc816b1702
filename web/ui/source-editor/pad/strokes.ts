/** The ink on a pad: strokes as they are drawn, erased and sent. Pure. */
import { maxInkPoints } from '#shared/api/limits.ts';

/** x and y alternating, CSS px of the pad, y downwards. */
export type Stroke = readonly number[];

/** Points closer together than this, px, add nothing. */
const nearest = 1;
/** An eraser removes strokes that it passes this close, px. */
const reach = 12;

/** A stroke with a further point; the same one if the pen has hardly moved. */
export function addPoint(stroke: Stroke, x: number, y: number): Stroke {
  const [lastX = Number.NEGATIVE_INFINITY, lastY = 0] = stroke.slice(-2);
  if (Math.hypot(x - lastX, y - lastY) < nearest) return stroke;
  return [...stroke, Math.round(x * 10) / 10, Math.round(y * 10) / 10];
}

/** Those that the eraser does not touch at this place. */
export function eraseAt(strokes: readonly Stroke[], x: number, y: number): readonly Stroke[] {
  const remaining = strokes.filter((stroke) => {
    for (let at = 0; at < stroke.length; at += 2)
      if (Math.hypot(stroke[at]! - x, stroke[at + 1]! - y) < reach) return false;
    return true;
  });
  return remaining.length === strokes.length ? strokes : remaining;
}

/** For sending: if there are too many points, every second one, and so on. */
export function thin(strokes: readonly Stroke[]): number[][] {
  const total = strokes.reduce((sum, { length }) => sum + length / 2, 0);
  const step = Math.ceil(total / (maxInkPoints - 2 * strokes.length));
  return strokes.map((stroke) => {
    const last = stroke.length - 2;
    return stroke.filter((_, at) => {
      const point = at - (at % 2);
      return point === last || (point / 2) % step === 0;
    });
  });
}
