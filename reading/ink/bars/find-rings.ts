/** Finds rings that people draw around the number of an exercise. */
import type { Box } from '../../box.ts';

interface Piece extends Box {
  pixels: number;
}

const widthOf = (piece: Piece) => piece.right - piece.left;
const heightOf = (piece: Piece) => piece.bottom - piece.top;

/**
 * A ring touching its number: at least this many letters high, this closed, with this share of ink; large round
 * letters fall short.
 */
const leastRing = 2;
const withinRing = 0.6;
const leastWithin = 0.06;
const leastSeenTouched = 0.95;
/** A ring that does not touch its number. */
const leastSeenAround = 0.8;

/** The possible ring around the number at the start of a line, and how closed it must be; the number may touch it. */
export function ringsBefore(
  row: Piece,
  pieces: readonly Piece[],
  ink: Uint8Array,
  width: number,
  size: number,
): { ring: Piece; leastSeen: number }[] {
  return pieces.flatMap((ring) => {
    const isFirst =
      ring.left < row.left + 0.5 * size && ring.top >= row.top - size && ring.bottom <= row.bottom + size;
    const isRound = widthOf(ring) < 1.8 * heightOf(ring) && heightOf(ring) < 1.8 * widthOf(ring);
    const isThin = ring.pixels < 0.4 * widthOf(ring) * heightOf(ring);
    if (!isFirst || !isRound || !isThin || widthOf(row) < 2 * widthOf(ring)) return [];
    const hasNumber = pieces.some(
      (sign) =>
        sign !== ring &&
        sign.left > ring.left &&
        sign.right < ring.right &&
        sign.top > ring.top &&
        sign.bottom < ring.bottom &&
        heightOf(sign) > 0.3 * heightOf(ring),
    );
    if (hasNumber) return [{ ring, leastSeen: leastSeenAround }];
    const isTouched = heightOf(ring) > leastRing * size && inkWithin(ring, ink, width) > leastWithin;
    return isTouched ? [{ ring, leastSeen: leastSeenTouched }] : [];
  });
}

/** Share of a ring's interior that is ink. */
function inkWithin(ring: Piece, ink: Uint8Array, width: number): number {
  let [all, dark] = [0, 0];
  for (let y = ring.top; y < ring.bottom; y++)
    for (let x = ring.left; x < ring.right; x++) {
      const across = (2 * x + 1 - ring.left - ring.right) / widthOf(ring);
      const down = (2 * y + 1 - ring.top - ring.bottom) / heightOf(ring);
      if (across ** 2 + down ** 2 > withinRing ** 2) continue;
      all++;
      dark += ink[y * width + x]!;
    }
  return dark / Math.max(1, all);
}
