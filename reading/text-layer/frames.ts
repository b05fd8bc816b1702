/** Frames of four rules: \boxed and \fbox. */
import { type Box, boundsOf, type Rule } from './model.ts';

interface Frame {
  box: Box;
  sides: readonly [Rule, Rule, Rule, Rule];
}

const known = new WeakMap<readonly Rule[], Frame[]>();

/** Frames among `rules`, narrow ones first; found once for the same list. */
export function findFrames(rules: readonly Rule[]): readonly Frame[] {
  const before = known.get(rules);
  if (before) return before;
  const horizontals = rules.filter((r) => r.horizontal).sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0));
  const frames: Frame[] = [];
  for (const top of horizontals) {
    const bottom = horizontals.find(
      (r) => r.y0 > top.y1 + 3 && Math.abs(r.x0 - top.x0) < 1 && Math.abs(r.x1 - top.x1) < 1,
    );
    if (!bottom) continue;
    const [left, right] = [top.x0, top.x1].map((x) =>
      rules.find(
        (r) =>
          !r.horizontal &&
          Math.abs((r.x0 + r.x1) / 2 - x) < 1.2 &&
          Math.abs(r.y0 - top.y0) < 2 &&
          Math.abs(r.y1 - bottom.y1) < 2,
      ),
    );
    if (left && right)
      frames.push({ box: boundsOf([top, bottom, left, right]), sides: [top, bottom, left, right] });
  }
  known.set(rules, frames);
  return frames;
}

/** Whether a rule is a side of a frame; frames are 3.4 pt from what they hold. */
export function isSide(rule: Rule, rules: readonly Rule[]): boolean {
  return findFrames(rules).some(({ sides }) => sides.includes(rule));
}
