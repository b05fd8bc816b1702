/** \boxed: a frame of four rules around a formula. */
import { findFrames } from '../frames.ts';
import { centreX, centreY, type Rule } from '../model.ts';
import { built, type Item, type MathContext, parseItems } from './items.ts';
import { takeRules } from './structures.ts';

/** Each frame and its content become one item; its rules are removed from `rules`. Inner frames first. */
export function absorbBoxes(items: Item[], rules: Rule[], context: MathContext): Item[] {
  let rest = items;
  for (const { box, sides } of findFrames([...rules])) {
    const inside = rest.filter(
      (i) => centreX(i) > box.x0 && centreX(i) < box.x1 && centreY(i) > box.y0 && centreY(i) < box.y1,
    );
    if (inside.length === 0) continue;
    for (const r of sides) rules.splice(rules.indexOf(r), 1);
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
