/** Removes shadows, lamp light and the paper's tint from a picture by dividing every pixel by the paper around it. */
import type { Bitmap } from '../../page.ts';
import { boxBlur, type Plane, percentile, shrink } from '../../raster.ts';

/** Long side of the grid on which the paper's brightness is estimated. */
const gridSide = 220;
/** Blocks of this many pixels of a smoothed picture give one grid point: their brightest pixel is paper, not ink. */
const blockSide = 4;
/** Dark areas up to twice this width (grid points: 5 % of the page) are ink, not shadow. */
const closingRadius = 6;
const smoothingRadius = 2;
/** Paper at this share of its estimate already counts as white, so that its grain does not show. */
const whiteShare = 0.93;
/** The same where faint pencil matters more than white paper. */
const gentleWhiteShare = 1;
/** A pixel below this brightness is noise and is not amplified further. */
const darkestPaper = 28;
/** Paper this even and this white is left as it is. */
const evenWhite = 244;

export interface EvenedLight {
  bitmap: Bitmap;
  /** False if the picture was already even and white, and is returned unchanged. */
  hasChanged: boolean;
}

/** @param isGentle grain of the paper stays, and faint strokes with it */
export function evenLight(picture: Bitmap, isGentle = false): EvenedLight {
  const papers = estimatePaper(picture);
  if (papers.every((paper) => percentile(paper.data, 0.02) >= evenWhite))
    return { bitmap: picture, hasChanged: false };
  const { width, height, channels, data } = picture;
  const [{ width: gridWidth, height: gridHeight }] = papers as [Plane];
  const gains = papers.map((paper) =>
    Float32Array.from(
      paper.data,
      (value) => 255 / (Math.max(darkestPaper, value) * (isGentle ? gentleWhiteShare : whiteShare)),
    ),
  );
  const across = stepsOf(width, gridWidth);
  const down = stepsOf(height, gridHeight);
  const out = new Uint8Array(data.length);
  const row = new Float32Array(gridWidth);
  for (let y = 0; y < height; y++) {
    const [top, bottom, shareY] = [down.first[y]! * gridWidth, down.second[y]! * gridWidth, down.share[y]!];
    for (let channel = 0; channel < channels; channel++) {
      const gain = gains[channel]!;
      for (let x = 0; x < gridWidth; x++) row[x] = gain[top + x]! * (1 - shareY) + gain[bottom + x]! * shareY;
      const { first, second, share } = across;
      for (let x = 0, at = y * width * channels + channel; x < width; x++, at += channels) {
        const left = row[first[x]!]!;
        const value = data[at]! * (left + (row[second[x]!]! - left) * share[x]!) + 0.5;
        out[at] = Math.min(value, 255);
      }
    }
  }
  return { bitmap: { width, height, channels, data: out }, hasChanged: true };
}

/** For every pixel along one side: the two grid points around it, and its position between them. */
function stepsOf(
  length: number,
  gridLength: number,
): { first: Uint16Array; second: Uint16Array; share: Float32Array } {
  const steps = {
    first: new Uint16Array(length),
    second: new Uint16Array(length),
    share: new Float32Array(length),
  };
  for (let at = 0; at < length; at++) {
    const place = Math.min(gridLength - 1, Math.max(0, ((at + 0.5) * gridLength) / length - 0.5));
    steps.first[at] = Math.floor(place);
    steps.second[at] = Math.min(gridLength - 1, Math.floor(place) + 1);
    steps.share[at] = place - Math.floor(place);
  }
  return steps;
}

/** One plane per channel. */
function estimatePaper(picture: Bitmap): Plane[] {
  const smooth = shrink(picture, gridSide * blockSide);
  const width = Math.ceil(smooth.width / blockSide);
  const height = Math.ceil(smooth.height / blockSide);
  return Array.from({ length: smooth.channels }, (_, channel) => {
    const data = new Float32Array(width * height);
    for (let y = 0; y < smooth.height; y++) {
      const row = Math.floor(y / blockSide) * width;
      for (let x = 0; x < smooth.width; x++) {
        const at = row + ((x / blockSide) | 0);
        const value = smooth.data[(y * smooth.width + x) * smooth.channels + channel]!;
        if (value > data[at]!) data[at] = value;
      }
    }
    const block = { width, height, data };
    const closed = extreme(extreme(block, closingRadius, 1), closingRadius, -1);
    return boxBlur(boxBlur(closed, smoothingRadius), smoothingRadius);
  });
}

/** The largest (`sign` 1) or smallest (-1) value in a square around each point. */
function extreme(plane: Plane, radius: number, sign: 1 | -1): Plane {
  const { width, height } = plane;
  const pass = (
    from: Float32Array,
    step: number,
    length: number,
    lineStep: number,
    lines: number,
  ): Float32Array => {
    const out = new Float32Array(from.length);
    for (let line = 0; line < lines; line++)
      for (let at = 0; at < length; at++) {
        let value = from[line * lineStep + at * step]!;
        const last = Math.min(length - 1, at + radius);
        for (let near = Math.max(0, at - radius); near <= last; near++) {
          const other = from[line * lineStep + near * step]!;
          if (sign * other > sign * value) value = other;
        }
        out[line * lineStep + at * step] = value;
      }
    return out;
  };
  return { width, height, data: pass(pass(plane.data, 1, width, width, height), width, height, 1, width) };
}
