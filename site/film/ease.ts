import type { Point } from './camera.ts';

/** Slow at both ends. @param share 0 … 1 of the time */
export function ease(share: number): number {
  const clamped = Math.max(0, Math.min(1, share));
  return clamped * clamped * (3 - 2 * clamped);
}

export function easeBetween(from: Point, to: Point, share: number): Point {
  const eased = ease(share);
  return { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased };
}
