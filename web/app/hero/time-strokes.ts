/** Turns strokes' points into curves, each with its time within the whole drawing. */

export type Point = readonly [x: number, y: number];

export interface InkStroke {
  path: string;
  /** When the pen reaches the stroke and how long it takes, as shares of the whole drawing. */
  begin: number;
  share: number;
}

/** Strokes in the order of writing, each a list of points; the curve through them is a Catmull-Rom spline. */
export function timeStrokes(strokes: readonly (readonly Point[])[]): InkStroke[] {
  const lengths = strokes.map(lengthOf);
  // the pen also travels between strokes
  const gap = 9;
  const total = lengths.reduce((sum, length) => sum + length + gap, 0);
  let at = 0;
  return strokes.map((stroke, index) => {
    const length = lengths[index] ?? 0;
    const timed = { path: curveThrough(stroke), begin: at / total, share: length / total };
    at += length + gap;
    return timed;
  });
}

function lengthOf(stroke: readonly Point[]): number {
  return stroke.slice(1).reduce((sum, [x, y], index) => {
    const [fromX, fromY] = stroke[index] ?? [x, y];
    return sum + Math.hypot(x - fromX, y - fromY);
  }, 0);
}

/** Catmull-Rom through the points, written as cubic Béziers (control points a sixth of the neighbours' span away). */
function curveThrough(points: readonly Point[]): string {
  const at = (index: number) => points[Math.max(0, Math.min(points.length - 1, index))] ?? [0, 0];
  const [startX, startY] = at(0);
  let path = `M${startX} ${startY}`;
  for (let index = 0; index < points.length - 1; index++) {
    const [p0, p1, p2, p3] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const round = (value: number) => Number(value.toFixed(1));
    path += `C${round(p1[0] + (p2[0] - p0[0]) / 6)} ${round(p1[1] + (p2[1] - p0[1]) / 6)} ${round(p2[0] - (p3[0] - p1[0]) / 6)} ${round(p2[1] - (p3[1] - p1[1]) / 6)} ${p2[0]} ${p2[1]}`;
  }
  return path;
}
