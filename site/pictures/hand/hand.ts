/**
 * A synthetic hand of our own, for the notes on the public site: each sign as pen strokes, each stroke as points with
 * a Catmull-Rom spline through them. Small letters are 1 high, the baseline is 0, y goes up.
 */
export type Point = readonly [x: number, y: number];
type Stroke = readonly Point[];

interface Sign {
  /** The pen's distance to the start of the next sign. */
  advance: number;
  strokes: readonly Stroke[];
}

/** Parses a sign from `x,y x,y | x,y …`: points, with a bar between strokes. */
function sign(advance: number, strokes: string): Sign {
  return {
    advance,
    strokes: strokes.split('|').map((stroke) =>
      stroke
        .trim()
        .split(/\s+/)
        .map((point) => {
          const [x = 0, y = 0] = point.split(',').map(Number);
          return [x, y] as const;
        }),
    ),
  };
}

const signs: Record<string, Sign> = {
  a: sign(0.98, '.72,.85 .45,1 .12,.7 .08,.25 .32,0 .6,.25 .74,.85 .72,.3 .82,.02 .96,.1'),
  c: sign(0.74, '.68,.82 .42,1 .12,.7 .1,.25 .38,0 .7,.18'),
  d: sign(0.95, '.68,.8 .4,.98 .1,.65 .1,.2 .36,0 .62,.3 .76,1.9 | .74,1.5 .7,.6 .76,.05 .92,.1'),
  e: sign(0.8, '.08,.48 .4,.55 .66,.72 .5,.98 .22,.9 .06,.5 .2,.08 .5,0 .76,.2'),
  f: sign(0.62, '.62,1.75 .42,1.95 .28,1.6 .24,.8 .2,.02 | .02,.98 .28,1.02 .55,1.04'),
  g: sign(0.86, '.7,.85 .42,1 .12,.72 .12,.3 .38,.08 .62,.35 .73,.92 .7,.1 .62,-.6 .32,-.85 .05,-.6'),
  h: sign(0.93, '.12,1.95 .1,.9 .08,.02 | .1,.5 .3,.93 .55,.95 .66,.6 .66,.15 .78,0 .9,.1'),
  i: sign(0.42, '.1,.92 .1,.35 .2,.02 .38,.12 | .13,1.4 .17,1.44'),
  k: sign(0.86, '.12,1.95 .1,1 .08,.02 | .66,.98 .35,.62 .12,.5 .4,.4 .62,.08 .8,.06'),
  l: sign(0.42, '.12,1.95 .1,1 .12,.3 .26,0 .4,.12'),
  m: sign(
    1.4,
    '.06,.95 .1,.5 .08,.02 | .09,.5 .28,.93 .48,.93 .55,.6 .54,.04 | .55,.5 .74,.93 .98,.95 1.06,.6 1.06,.15 1.16,0 1.3,.1',
  ),
  n: sign(0.94, '.06,.95 .1,.5 .08,.02 | .09,.5 .3,.93 .55,.95 .66,.6 .66,.15 .78,0 .9,.1'),
  o: sign(0.86, '.45,.98 .15,.85 .05,.4 .3,0 .65,.12 .75,.6 .5,.98 .38,.94'),
  p: sign(0.84, '.08,.95 .12,.2 .08,-.85 | .1,.55 .35,.98 .68,.85 .72,.35 .45,0 .14,.18'),
  q: sign(0.92, '.7,.85 .42,1 .12,.72 .12,.28 .38,.05 .62,.35 .73,.94 .7,.1 .67,-.8 .88,-.58'),
  r: sign(0.64, '.06,.95 .12,.5 .1,.02 | .11,.45 .28,.85 .46,.98 .6,.9'),
  s: sign(0.7, '.6,.85 .4,1 .15,.82 .25,.58 .52,.42 .57,.14 .33,-.02 .05,.14'),
  t: sign(0.6, '.28,1.6 .24,.9 .24,.3 .38,0 .58,.1 | 0,1.02 .28,1.06 .56,1.1'),
  u: sign(1, '.05,.95 .08,.4 .25,.03 .5,.1 .7,.5 .76,.95 | .75,.9 .73,.35 .84,.02 .97,.12'),
  w: sign(1.2, '.04,.95 .14,.4 .3,.04 .48,.4 .56,.86 .66,.4 .82,.04 1,.5 1.1,.96'),
  x: sign(0.84, '0,.92 .22,.85 .52,.12 .78,.06 | .78,.98 .4,.5 0,.02'),
  y: sign(0.82, '.05,.95 .1,.45 .35,.25 .6,.5 .7,.97 .66,.2 .55,-.6 .3,-.85 .06,-.62'),
  A: sign(1.25, '.02,0 .35,1 .6,1.88 .85,1 1.1,.02 | .22,.66 .6,.7 .98,.66'),
  E: sign(1.0, '.9,1.86 .5,1.88 .16,1.86 | .14,1.86 .1,1 .08,.06 .45,.02 .88,.08 | .12,.98 .4,.99 .7,1.02'),
  G: sign(1.25, '1.05,1.6 .75,1.9 .3,1.6 .1,.9 .3,.2 .7,0 1.04,.3 1.08,.82 | 1.12,.84 .9,.83 .68,.8'),
  H: sign(1.25, '.14,1.9 .1,1 .08,.02 | 1.02,1.9 .98,1 .97,.02 | .1,.95 .5,.97 1,1'),
  I: sign(0.74, '.36,1.85 .33,1 .3,.03 | .08,1.84 .35,1.87 .64,1.88 | 0,.03 .3,.02 .6,.06'),
  L: sign(0.98, '.16,1.9 .12,1 .12,.1 | .12,.08 .5,.03 .92,.09'),
  R: sign(
    1.15,
    '.14,1.88 .12,1 .1,.02 | .3,1.86 .28,1 .26,.02 | .1,1.86 .6,1.9 .92,1.5 .6,1 .3,.98 | .5,.98 .8,.4 1.05,.02',
  ),
  S: sign(1.08, '.95,1.65 .65,1.92 .25,1.75 .2,1.35 .55,1.05 .9,.7 .85,.2 .45,-.03 .08,.2'),
  T: sign(1.1, '.04,1.84 .5,1.87 1,1.88 | .54,1.86 .52,1 .5,.02'),
  W: sign(1.6, '.06,1.88 .24,1 .42,.04 .62,.9 .8,1.6 .96,.9 1.1,.04 1.34,1 1.52,1.9'),
  '0': sign(0.82, '.4,1.7 .1,1.3 .08,.5 .35,0 .65,.3 .7,1.2 .45,1.7 .34,1.64'),
  '1': sign(0.6, '.08,1.3 .25,1.48 .4,1.72 .38,.9 .36,.02'),
  '2': sign(0.86, '.08,1.35 .3,1.7 .62,1.55 .6,1.1 .3,.55 .05,.08 | .05,.08 .35,.1 .78,.02'),
  '∫': sign(0.95, '.95,2.45 .78,2.8 .58,2.45 .46,1.1 .36,-.5 .18,-1.05 -.06,-.78'),
  '∞': sign(1.25, '.55,.5 .3,.85 .05,.5 .3,.15 .58,.55 .85,.85 1.1,.5 .85,.15 .55,.48'),
  π: sign(1.12, '0,.82 .2,1 .6,.95 1.05,1 | .32,.95 .28,.5 .1,.02 | .74,.95 .68,.3 .8,.02 .98,.1'),
  θ: sign(0.82, '.4,1.75 .12,1.3 .1,.5 .35,0 .62,.4 .68,1.2 .42,1.75 .33,1.7 | .12,.88 .4,.9 .66,.9'),
  φ: sign(0.98, '.26,.88 .08,.6 .14,.15 .45,.02 .8,.3 .8,.8 .58,.98 .46,.6 .4,0 .32,-.75'),
  ω: sign(1.12, '.2,.92 .05,.5 .16,.06 .4,.08 .52,.6 .54,.1 .78,.0 1,.4 .96,.82 .86,.95'),
  '-': sign(0.85, '.04,.52 .38,.5 .72,.53'),
  '+': sign(0.95, '.04,.5 .4,.52 .76,.54 | .41,.92 .39,.12'),
  '=': sign(1.05, '.06,.74 .45,.72 .86,.74 | .06,.36 .45,.34 .86,.35'),
  '>': sign(1, '.08,.92 .45,.72 .8,.54 | .8,.54 .45,.32 .08,.14'),
  '(': sign(0.5, '.4,2 .14,1.4 .1,.5 .34,-.3'),
  ')': sign(0.5, '.06,2 .34,1.4 .34,.5 .06,-.3'),
  ',': sign(0.4, '.14,.08 .18,-.04 .06,-.32'),
  '.': sign(0.4, '.12,.04 .16,.07 .15,.02'),
  '?': sign(0.8, '.08,1.45 .28,1.85 .66,1.7 .62,1.2 .36,.85 .34,.45 | .33,.04 .37,.08 .35,.02'),
  ':': sign(0.45, '.14,.76 .18,.79 .17,.74 | .12,.1 .16,.13 .15,.08'),
};

interface Manner {
  /** How far letters lean: the tangent of the angle. */
  slant?: number;
  /** How far points deviate, as a share of the height of small letters. */
  unevenness?: number;
}

/** Writes on one sheet. Its unevenness is the same at every run. */
export function createHand(seed: number, { slant = 0.1, unevenness: usual = 0.045 }: Manner = {}) {
  const paths: string[] = [];
  let state = seed;
  /** −1 … 1 (a linear congruential generator; the constants are those of Numerical Recipes) */
  const waver = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) * 0.5;
  };
  const place = (stroke: Stroke, x: number, y: number, size: number, unevenness = usual) => {
    paths.push(
      curveThrough(
        stroke.map(([px, py]) => {
          const leaning = px + py * slant;
          return [
            x + (leaning + waver() * unevenness) * size,
            y - (py + waver() * unevenness) * size,
          ] as const;
        }),
      ),
    );
  };
  return {
    paths,
    /** Writes from (x, baseline y), px; small letters are `size` high. @returns the pen's position afterwards */
    write(text: string, x: number, y: number, size: number): number {
      let at = x;
      for (const letter of text) {
        const found = signs[letter];
        if (letter !== ' ' && !found) throw new Error(`This hand cannot write ${letter}`);
        const lift = waver() * 0.08 * size;
        const own = size * (1 + waver() * 0.07);
        for (const stroke of found?.strokes ?? []) place(stroke, at, y + lift, own);
        at += (found?.advance ?? 0.62) * size * (1 + waver() * 0.05) + size * 0.07;
      }
      return at;
    },
    /** Draws one stroke through points in px. */
    draw(points: readonly Point[]): void {
      place(
        points.map(([x, y]) => [x - slant * -y, -y] as const),
        0,
        0,
        1,
        1.2,
      );
    },
  };
}

/** Catmull-Rom through the points, as cubic Béziers (control points a sixth of the neighbours' span away). */
function curveThrough(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.max(0, Math.min(points.length - 1, index))] ?? [0, 0];
  const show = (value: number) => String(Number(value.toFixed(1)));
  const [startX, startY] = at(0);
  let path = `M${show(startX)} ${show(startY)}`;
  for (let index = 0; index < points.length - 1; index++) {
    const [p0, p1, p2, p3] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const numbers = [
      p1[0] + (p2[0] - p0[0]) / 6,
      p1[1] + (p2[1] - p0[1]) / 6,
      p2[0] - (p3[0] - p1[0]) / 6,
      p2[1] - (p3[1] - p1[1]) / 6,
      p2[0],
      p2[1],
    ];
    path += `C${numbers.map(show).join(' ')}`;
  }
  return path;
}
