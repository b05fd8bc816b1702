/** Boxes on a picture, in its pixels, and what is measured of them. (Those of a PDF's own text are in points: text-layer/model.ts.) */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const widthOf = (box: Box): number => box.right - box.left;
export const heightOf = (box: Box): number => box.bottom - box.top;
export const middleOf = (box: Box): { x: number; y: number } => ({
  x: (box.left + box.right) / 2,
  y: (box.top + box.bottom) / 2,
});

/** The smallest box that contains all of them. */
export function around(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    top: Math.min(...boxes.map((box) => box.top)),
    right: Math.max(...boxes.map((box) => box.right)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

export function contains(outer: Box, { x, y }: { x: number; y: number }): boolean {
  return x >= outer.left && x <= outer.right && y >= outer.top && y <= outer.bottom;
}

/** The median; the upper middle value for an even count, NaN for an empty list. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Height of most letters: the median, wider boxes counting for more; null for an empty list. */
export function mostHeight(boxes: readonly Box[]): number | null {
  const sorted = boxes.toSorted((a, b) => heightOf(a) - heightOf(b));
  const half = sorted.reduce((sum, box) => sum + widthOf(box), 0) / 2;
  let sum = 0;
  for (const box of sorted) {
    sum += widthOf(box);
    if (sum >= half) return heightOf(box);
  }
  return null;
}
