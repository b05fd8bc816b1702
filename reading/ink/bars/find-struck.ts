/** Finds words that are crossed out: a horizontal stroke runs through the middle of their letters. */
import type { Box } from '../../box.ts';

/** Sizes below are in heights of most letters. A stroke is followed in windows of this width, at this step. */
const windowWidth = 1.1;
const step = 0.35;
/** In a window it is straight, no steeper than this, with gaps of at most a pixel or two. */
const steepest = 0.3;
const slopes = 11;
const leastCovered = 0.93;
/** Between windows its slope changes by less than this. */
const mostBend = 0.12;
/** Shorter ones are bars of letters and minus signs. */
const shortest = 1.6;
/** Letters extend beyond the stroke: share of its length with ink above, and below, within `near`. */
const leastBeside = 0.28;
const near = 0.55;
/** It crosses at least this many letter strokes, and the outermost are this far apart (share of its length). */
const leastCuts = 3;
const leastSpread = 0.5;
/** Crossed strokes, times the share of ink above plus that below: bars of letters reach 4, lines through words more. */
const leastEvidence = 4.5;
/** Pixels from the middle of the stroke to where a crossed letter continues, and how far. */
const halfStroke = 3;
const cutReach = 3;
/** How far the word extends beyond the first and last of its crossed strokes. */
const wordReach = 0.35;

/**
 * @param row a row of writing
 * @param ink of the page, 1 for writing
 * @param size height of most letters
 * @returns the crossed-out parts of the row, from left to right
 */
export function findStruck(row: Box, ink: Uint8Array, width: number, size: number): Box[] {
  const wide = Math.max(6, Math.round(windowWidth * size));
  const by = Math.max(2, Math.round(step * size));
  const isInk = (x: number, y: number) => ink[y * width + x] === 1;
  const [top, bottom] = [row.top + 1, row.bottom - 1];
  let chains: Chain[] = [];
  const whole: Chain[] = [];
  for (let left = row.left; left + wide <= row.right; left += by) {
    const next: Chain[] = [];
    const followed = new Set<Chain>();
    for (let y = top; y < bottom; y++) {
      const level = levelThrough(left, y, wide, isInk, top, bottom);
      if (!level) continue;
      const { slope, darkness } = level;
      const before = chains
        .filter(
          ({ last }) =>
            Math.abs(last.y + ((last.slope + slope) / 2) * by - y) <= Math.max(1.5, mostBend * size),
        )
        .sort((a, b) => b.darkness - a.darkness)[0];
      if (before) followed.add(before);
      const last = { x: left + wide / 2, y, slope };
      next.push({
        last,
        windows: [...(before?.windows ?? []), last],
        darkness: (before?.darkness ?? 0) + darkness,
      });
    }
    whole.push(...chains.filter((chain) => !followed.has(chain)));
    chains = next;
  }
  whole.push(...chains);
  const struck = whole
    .filter(({ windows, last }) => last.x - windows[0]!.x + wide >= shortest * size)
    .flatMap((chain) => cutWord(chain, wide, size, isInk, row) ?? []);
  return joined(struck);
}

interface Window {
  /** Its middle, and the stroke's height there. */
  x: number;
  y: number;
  slope: number;
}

interface Chain {
  windows: Window[];
  last: Window;
  /** Its share of ink, summed over its windows: the middle of a stroke is darkest. */
  darkness: number;
}

/** The horizontal stroke through a window whose middle is at `y`; null if there is none. */
function levelThrough(
  left: number,
  y: number,
  wide: number,
  isInk: (x: number, y: number) => boolean,
  top: number,
  bottom: number,
): { slope: number; darkness: number } | null {
  let best: { slope: number; darkness: number } | null = null;
  for (let at = 0; at < slopes; at++) {
    const slope = (at / (slopes - 1) - 0.5) * 2 * steepest;
    let [missed, darkness] = [0, 0];
    for (let x = 0; x < wide && missed <= (1 - leastCovered) * wide; x++) {
      const line = Math.round(y + slope * (x - wide / 2));
      const over = isInk(left + x, line - 1);
      const on = isInk(left + x, line);
      const under = isInk(left + x, line + 1);
      if (line <= top || line >= bottom || !(over || on || under)) missed++;
      darkness += (2 * Number(on) + Number(over) + Number(under)) / 4;
    }
    if (missed <= (1 - leastCovered) * wide && (!best || darkness > best.darkness))
      best = { slope, darkness };
  }
  return best;
}

/** The word that a stroke crosses out; null if it crosses out none. */
function cutWord(
  chain: Chain,
  wide: number,
  size: number,
  isInk: (x: number, y: number) => boolean,
  row: Box,
): Box | null {
  const from = Math.round(chain.windows[0]!.x - wide / 2);
  const to = Math.round(chain.last.x + wide / 2);
  const hasInk = (x: number, y: number, end: number) => {
    for (let at = y; at < end; at++) if (isInk(x, at)) return true;
    return false;
  };
  const cuts: number[] = [];
  let wasCut = false;
  for (let x = from; x < to; x++) {
    const y = Math.round(heightAt(chain, x));
    let isCut = true;
    for (let away = halfStroke; away < halfStroke + cutReach && isCut; away++)
      isCut = hasSide(isInk, x, y - away) && hasSide(isInk, x, y + away);
    if (isCut && !wasCut) cuts.push(x);
    wasCut = isCut;
  }
  const [first, last] = [cuts[0], cuts.at(-1)];
  if (first === undefined || last === undefined || cuts.length < leastCuts) return null;
  if (last - first < leastSpread * (to - from)) return null;
  let [above, below] = [0, 0];
  for (let x = first; x <= last; x++) {
    const y = Math.round(heightAt(chain, x));
    if (hasInk(x, Math.round(y - near * size), y - halfStroke)) above++;
    if (hasInk(x, y + halfStroke + 1, Math.round(y + near * size))) below++;
  }
  const length = last - first + 1;
  if (Math.min(above, below) < leastBeside * length) return null;
  if (cuts.length * (above + below) < leastEvidence * length) return null;
  return {
    left: Math.max(row.left, Math.min(from, first - Math.round(wordReach * size))),
    right: Math.min(row.right, Math.max(to, last + Math.round(wordReach * size))),
    top: row.top,
    bottom: row.bottom,
  };
}

function hasSide(isInk: (x: number, y: number) => boolean, x: number, y: number): boolean {
  // letters slant
  return isInk(x, y) || isInk(x - 1, y) || isInk(x + 1, y) || isInk(x - 2, y) || isInk(x + 2, y);
}

function heightAt({ windows }: Chain, x: number): number {
  const near = windows.reduce((a, b) => (Math.abs(b.x - x) < Math.abs(a.x - x) ? b : a));
  return near.y + near.slope * (x - near.x);
}

/** Merges overlapping boxes: a word may be crossed out twice. */
function joined(boxes: readonly Box[]): Box[] {
  const out: Box[] = [];
  for (const box of [...boxes].sort((a, b) => a.left - b.left)) {
    const last = out.at(-1);
    if (last && box.left <= last.right) last.right = Math.max(last.right, box.right);
    else out.push({ ...box });
  }
  return out;
}
