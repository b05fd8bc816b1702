/**
 * Finds the sheet in a photo. Paper is brighter than its background along its whole edge, in shadow too, so the
 * search uses the logarithm of light: straight edges with the bright side inwards are collected per side (a Hough
 * transform each), and the best four are those whose bands inside and outside differ along their whole length. A side
 * that is not clearly visible stays at the picture's edge: in doubt, nothing is cut away.
 */
import type { Bitmap } from '../../page.ts';
import { boxBlur, type Plane, shrink, toGrey } from '../../raster.ts';
import type { Point, Quad } from './geometry.ts';

export interface Paper {
  /** Corners in the picture's pixels; may be outside it where the sheet extends beyond the picture. */
  quad: Quad;
  /** Number of sides actually visible, of four. */
  sidesSeen: number;
}

type SideName = 'left' | 'right' | 'top' | 'bottom';
const sideNames: SideName[] = ['left', 'right', 'top', 'bottom'];

/** A vertical side runs x = offset + slope·(y − height/2), a horizontal one y = offset + slope·(x − width/2). */
interface Line {
  offset: number;
  slope: number;
}

interface Side extends Line {
  isSeen: boolean;
}

/** Long side of the picture used for the search: text and rules vanish, edges remain. */
const searchSide = 400;
const maxSlope = 0.6;
const slopeStep = 0.02;
const candidatesPerSide = 8;
/** Weakest change of log light per pixel that counts as a vote. */
const minGradient = 0.03;
/** Bands measured next to an edge, in pixels of the small picture. */
const bandNear = 2;
const bandFar = 7;
/** Distance at which the outside is measured: a row of text is dark too, but the paper continues behind it. */
const farBand = 32;
const minFarShare = 0.85;
/** Log light must rise by this much across the edge (13 %) … */
const minContrast = 0.12;
/** … along this share of the side. */
const minSupport = 0.8;
const minAreaShare = 0.25;
/** A side closer to the picture's edge than this share is taken as that edge. */
const edgeMargin = 0.012;

/** @returns null if no side of a sheet is visible: a scan, a screenshot, a picture that is all paper. */
export function findPaper(picture: Bitmap): Paper | null {
  const small = shrink(picture, searchSide);
  const scale = picture.width / small.width;
  const light = logLight(small);
  const candidates = {
    left: collectLines(light, 'left'),
    right: collectLines(light, 'right'),
    top: collectLines(light, 'top'),
    bottom: collectLines(light, 'bottom'),
  };
  let best: { sides: Record<SideName, Side>; score: number } | null = null;
  for (const left of candidates.left)
    for (const right of candidates.right)
      for (const top of candidates.top)
        for (const bottom of candidates.bottom) {
          const sides = { left, right, top, bottom };
          const score = scoreSides(light, sides);
          if (score !== null && (best === null || score > best.score)) best = { sides, score };
        }
  if (!best) return null;
  const sidesSeen = sideNames.filter((name) => best.sides[name].isSeen).length;
  if (sidesSeen === 0) return null;
  const open = extendUnseen(best.sides, light.width, light.height);
  const quad = cornersOf(open, light.width, light.height).map(({ x, y }) => ({
    x: x * scale,
    y: y * scale,
  })) as Quad;
  return { quad, sidesSeen };
}

function logLight(small: Bitmap): Plane {
  const grey = toGrey(small);
  const data = Float32Array.from(grey.data, (value) => Math.log(value + 10));
  return boxBlur({ width: small.width, height: small.height, data }, 1);
}

const isUpright = (name: SideName): boolean => name === 'left' || name === 'right';
/** +1 where entering the sheet from outside means growing coordinates. */
const direction = (name: SideName): number => (name === 'left' || name === 'top' ? 1 : -1);

function edgeLine(name: SideName, { width, height }: { width: number; height: number }): Side {
  const offset = name === 'left' || name === 'top' ? 0 : name === 'right' ? width - 1 : height - 1;
  return { offset, slope: 0, isSeen: false };
}

function collectLines(light: Plane, name: SideName): Side[] {
  const { width, height, data } = light;
  const upright = isUpright(name);
  const [across, along] = upright ? [width, height] : [height, width];
  const slopes = Math.round((2 * maxSlope) / slopeStep) + 1;
  const margin = Math.round(across * 0.2);
  const offsets = across + 2 * margin;
  const votes = new Float32Array(slopes * offsets);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const gradientX = (data[at + 1]! - data[at - 1]!) / 2;
      const gradientY = (data[at + width]! - data[at - width]!) / 2;
      const main = (upright ? gradientX : gradientY) * direction(name);
      if (main < minGradient) continue;
      const slope = -(upright ? gradientY : gradientX) / (upright ? gradientX : gradientY);
      if (Math.abs(slope) > maxSlope + 0.2) continue;
      const [position, distance] = upright ? [x, y - height / 2] : [y, x - width / 2];
      const weight = Math.min(main, 0.2);
      const middle = Math.round((slope + maxSlope) / slopeStep);
      for (let index = Math.max(0, middle - 8); index <= Math.min(slopes - 1, middle + 8); index++) {
        const offset = Math.round(position - (index * slopeStep - maxSlope) * distance) + margin;
        if (offset >= 0 && offset < offsets) votes[index * offsets + offset]! += weight;
      }
    }
  const found: Side[] = [];
  const floor = along * 0.25 * minGradient;
  while (found.length < candidatesPerSide) {
    let peak = 0;
    for (let index = 1; index < votes.length; index++) if (votes[index]! > votes[peak]!) peak = index;
    if (votes[peak]! < floor) break;
    const [index, offset] = [Math.floor(peak / offsets), peak % offsets];
    found.push({
      ...refineLine(light, name, { offset: offset - margin, slope: index * slopeStep - maxSlope }),
      isSeen: true,
    });
    for (let near = Math.max(0, index - 4); near <= Math.min(slopes - 1, index + 4); near++)
      votes.fill(0, near * offsets + Math.max(0, offset - 5), near * offsets + Math.min(offsets, offset + 6));
  }
  return [...found, edgeLine(name, light)];
}

/** Moves a line onto the steepest change of light near it: the grid of votes is too coarse for a straight cut. */
function refineLine({ width, height, data }: Plane, name: SideName, line: Line): Line {
  const upright = isUpright(name);
  const [across, along] = upright ? [width, height] : [height, width];
  let fitted = line;
  for (const reach of [6, 3]) {
    const points: { distance: number; position: number; weight: number }[] = [];
    for (let at = 0; at < along; at += 2) {
      const distance = at - along / 2;
      const middle = Math.round(fitted.offset + fitted.slope * distance);
      let best = { position: 0, weight: 0 };
      for (
        let position = Math.max(1, middle - reach);
        position <= Math.min(across - 2, middle + reach);
        position++
      ) {
        const place = upright ? at * width + position : position * width + at;
        const step = upright ? 1 : width;
        const weight = (data[place + step]! - data[place - step]!) * direction(name);
        if (weight > best.weight) best = { position, weight };
      }
      if (best.weight > 2 * minGradient)
        points.push({ distance, ...best, weight: Math.min(best.weight, 0.4) });
    }
    if (points.length < along / 10) return fitted;
    fitted = fitLine(points);
  }
  return fitted;
}

function fitLine(points: { distance: number; position: number; weight: number }[]): Line {
  let [sum, sumX, sumY, sumXX, sumXY] = [0, 0, 0, 0, 0];
  for (const { distance, position, weight } of points) {
    sum += weight;
    sumX += weight * distance;
    sumY += weight * position;
    sumXX += weight * distance * distance;
    sumXY += weight * distance * position;
  }
  const spread = sum * sumXX - sumX * sumX;
  const slope = spread > 0 ? (sum * sumXY - sumX * sumY) / spread : 0;
  return { slope, offset: (sumY - slope * sumX) / sum };
}

function cornersOf(sides: Record<SideName, Line>, width: number, height: number): Quad {
  const meet = (upright: Line, level: Line): Point => {
    // x = a + s(y − H/2), y = b + t(x − W/2)
    const y =
      (level.offset + level.slope * (upright.offset - (upright.slope * height) / 2 - width / 2)) /
      (1 - level.slope * upright.slope);
    return { x: upright.offset + upright.slope * (y - height / 2), y };
  };
  return [
    meet(sides.left, sides.top),
    meet(sides.right, sides.top),
    meet(sides.right, sides.bottom),
    meet(sides.left, sides.bottom),
  ];
}

/** How well four sides fit, or null if they cannot be a sheet's. */
function scoreSides(light: Plane, sides: Record<SideName, Side>): number | null {
  const { width, height } = light;
  const quad = cornersOf(sides, width, height);
  const [a, b, c, d] = quad;
  const area = Math.abs((c.x - a.x) * (d.y - b.y) - (d.x - b.x) * (c.y - a.y)) / 2 / (width * height);
  if (area < minAreaShare || b.x - a.x < 20 || c.x - d.x < 20 || d.y - a.y < 20 || c.y - b.y < 20)
    return null;
  for (let index = 0; index < 4; index++) {
    const [before, corner, after] = [quad[(index + 3) % 4]!, quad[index]!, quad[(index + 1) % 4]!];
    const cosine =
      ((before.x - corner.x) * (after.x - corner.x) + (before.y - corner.y) * (after.y - corner.y)) /
      (Math.hypot(before.x - corner.x, before.y - corner.y) *
        Math.hypot(after.x - corner.x, after.y - corner.y));
    if (Math.abs(cosine) > 0.45) return null; // sharper than 63°
  }
  const ends: Record<SideName, [Point, Point]> = { left: [a, d], right: [b, c], top: [a, b], bottom: [d, c] };
  let score = area * 1.2;
  for (const name of sideNames) {
    if (!sides[name].isSeen) continue;
    const support = sideSupport(light, ends[name], name);
    if (support === null || support < minSupport) return null;
    score += support - 0.4;
  }
  return score;
}

/** Share of a side along which the sheet is brighter than its surroundings; null if too little of it is visible. */
function sideSupport(light: Plane, [from, to]: [Point, Point], name: SideName): number | null {
  const { width, height, data } = light;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const samples = 48;
  // the normal that points into the sheet
  const tangent = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const inward = isUpright(name)
    ? { x: direction(name) * tangent.y, y: -direction(name) * tangent.x }
    : { x: -direction(name) * tangent.y, y: direction(name) * tangent.x };
  const band = (x: number, y: number, sign: number): number | null => {
    let sum = 0;
    for (let distance = bandNear; distance <= bandFar; distance++) {
      const px = Math.round(x + sign * inward.x * distance);
      const py = Math.round(y + sign * inward.y * distance);
      if (px < 0 || py < 0 || px >= width || py >= height) return null;
      sum += data[py * width + px]!;
    }
    return sum / (bandFar - bandNear + 1);
  };
  const isDarkBeyond = (x: number, y: number, limit: number): boolean => {
    let inSight = 0;
    let dark = 0;
    for (let distance = bandNear; distance <= farBand; distance++) {
      const px = Math.round(x - inward.x * distance);
      const py = Math.round(y - inward.y * distance);
      if (px < 0 || py < 0 || px >= width || py >= height) break;
      inSight++;
      if (data[py * width + px]! < limit) dark++;
    }
    return dark >= inSight * minFarShare;
  };
  let seen = 0;
  let good = 0;
  for (let index = 0; index < samples; index++) {
    const share = (index + 0.5) / samples;
    const [x, y] = [from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share];
    const [inside, outside] = [band(x, y, 1), band(x, y, -1)];
    if (inside === null || outside === null) continue;
    seen++;
    if (inside - outside > minContrast && isDarkBeyond(x, y, inside - minContrast)) good++;
  }
  return seen < samples * 0.4 ? null : good / seen;
}

/**
 * Assumes that an invisible side is parallel to the opposite one, far enough out that nothing in the picture is lost;
 * without an opposite side, it is the picture's own edge.
 */
function extendUnseen(sides: Record<SideName, Side>, width: number, height: number): Record<SideName, Side> {
  const opposite: Record<SideName, SideName> = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' };
  const out = { ...sides };
  for (const name of sideNames) {
    const across = sides[opposite[name]];
    if (sides[name].isSeen || !across.isSeen) continue;
    const reach = (Math.abs(across.slope) * (isUpright(name) ? height : width)) / 2;
    const edge = sides[name].offset;
    out[name] = { offset: edge - direction(name) * reach, slope: across.slope, isSeen: false };
  }
  return out;
}

/** Whether the sheet's sides are so close to the picture's that cutting gains nothing. */
export function fillsPicture({ quad }: Paper, { width, height }: Bitmap): boolean {
  const [a, b, c, d] = quad;
  const margin = edgeMargin * Math.max(width, height);
  return Math.max(a.x, a.y, width - b.x, b.y, width - c.x, height - c.y, d.x, height - d.y) < margin;
}
