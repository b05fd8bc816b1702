/**
 * The formula of the hero as a hand writes it: one list of points a stroke, in the order of writing, on a
 * 396 × 150 sheet. Drawn by us; the curve through the points is a Catmull-Rom spline.
 */
type Point = readonly [x: number, y: number];

const strokes: readonly (readonly Point[])[] = [
  // integral sign
  [
    [66, 22],
    [58, 13],
    [49, 19],
    [44, 40],
    [39, 72],
    [34, 104],
    [27, 125],
    [18, 130],
    [10, 123],
  ],
  // its limits: minus infinity, infinity
  [
    [34, 139],
    [44, 138],
  ],
  [
    [62, 138],
    [57, 133],
    [51, 138],
    [56, 143],
    [64, 137],
    [70, 133],
    [75, 138],
    [69, 143],
    [62, 138],
  ],
  [
    [85, 17],
    [80, 12],
    [74, 17],
    [79, 22],
    [87, 16],
    [93, 12],
    [98, 17],
    [92, 22],
    [85, 17],
  ],
  // e
  [
    [101, 84],
    [114, 80],
    [119, 72],
    [112, 66],
    [102, 72],
    [99, 86],
    [106, 96],
    [118, 92],
    [124, 86],
  ],
  // minus x squared, raised
  [
    [127, 54],
    [138, 52],
  ],
  [
    [145, 45],
    [150, 48],
    [154, 60],
    [161, 63],
  ],
  [
    [162, 45],
    [152, 55],
    [144, 64],
  ],
  [
    [166, 38],
    [170, 32],
    [175, 35],
    [173, 42],
    [166, 49],
    [172, 47],
    [178, 49],
  ],
  // d x
  [
    [216, 70],
    [205, 66],
    [196, 76],
    [197, 91],
    [207, 95],
    [216, 84],
  ],
  [
    [220, 40],
    [218, 66],
    [217, 86],
    [221, 95],
    [228, 92],
  ],
  [
    [234, 70],
    [241, 73],
    [245, 90],
    [254, 94],
  ],
  [
    [255, 69],
    [244, 82],
    [233, 96],
  ],
  // equals
  [
    [277, 74],
    [289, 72],
    [301, 72],
  ],
  [
    [276, 86],
    [289, 85],
    [302, 83],
  ],
  // root of pi
  [
    [319, 80],
    [325, 76],
    [334, 101],
    [346, 41],
    [366, 39],
    [388, 38],
  ],
  [
    [350, 64],
    [355, 57],
    [368, 58],
    [384, 55],
  ],
  [
    [361, 59],
    [359, 76],
    [353, 92],
  ],
  [
    [374, 58],
    [371, 78],
    [375, 92],
    [382, 91],
  ],
];

export interface InkStroke {
  path: string;
  /** When the pen comes to it and how long it takes, as shares of the whole drawing. */
  begin: number;
  share: number;
}

export const inkStrokes: readonly InkStroke[] = timeStrokes();

function timeStrokes(): InkStroke[] {
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
