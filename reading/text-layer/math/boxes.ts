/** \boxed: a frame of four rules around a formula. */
import { boundsOf, centreX, centreY, type Rule } from '../model.ts';
import { built, type Item, type MathContext, parseItems } from './items.ts';
import { takeRules } from './structures.ts';

/** Each frame and its content become one item; its rules are removed from `rules`. Inner frames first. */
export function absorbBoxes(items: Item[], rules: Rule[], context: MathContext): Item[] {
  let rest = items;
  const horizontals = rules.filter((r) => r.horizontal).sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0));
  for (const top of horizontals) {
    const bottom = horizontals.find(
      (r) => r.y0 > top.y1 + 3 && Math.abs(r.x0 - top.x0) < 1 && Math.abs(r.x1 - top.x1) < 1,
    );
    if (!bottom || !rules.includes(top)) continue;
    const sides = [top.x0, top.x1].map((x) =>
      rules.find(
        (r) =>
          !r.horizontal &&
          Math.abs((r.x0 + r.x1) / 2 - x) < 1.2 &&
          Math.abs(r.y0 - top.y0) < 2 &&
          Math.abs(r.y1 - bottom.y1) < 2,
      ),
    );
    const [left, right] = sides;
    if (!left || !right) continue;
    const box = boundsOf([top, bottom, left, right]);
    const inside = rest.filter(
      (i) => centreX(i) > box.x0 && centreX(i) < box.x1 && centreY(i) > box.y0 && centreY(i) < box.y1,
    );
    if (inside.length === 0) continue;
    for (const r of [top, bottom, left, right]) rules.splice(rules.indexOf(r), 1);
    const parsed = parseItems(inside, takeRules(rules, box), context);
    const node = built(inside, box, `\\boxed{${parsed.latex}}`, 'ord', parsed.baseline, parsed.size);
    node.start = box.x0;
    node.end = box.x1;
    rest = rest.filter((i) => !inside.includes(i));
    const at = rest.findIndex((i) => i.start > node.start);
    if (at < 0) rest.push(node);
    else rest.splice(at, 0, node);
  }
  return rest;
}
