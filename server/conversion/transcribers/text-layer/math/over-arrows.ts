/** \overrightarrow: a minus and an arrow, overlapping, laid over what they span. */
import { boundsOf, centreX } from '../model.ts';
import { built, type Item, type MathContext, parseItems } from './items.ts';

const commands: Record<string, string> = { '→': '\\overrightarrow', '←': '\\overleftarrow' };

function isShaft(item: Item, arrow: Item): boolean {
  return (
    item !== arrow &&
    item.text === '−' &&
    Math.abs(item.baseline - arrow.baseline) < 0.05 * arrow.size &&
    item.x1 > arrow.x0 - 0.15 * arrow.size &&
    item.x0 < arrow.x1 + 0.15 * arrow.size
  );
}

/** The tip's direction; null for an item that is no arrow (a long arrow was joined of its parts before). */
function tipOf(item: Item): '→' | '←' | null {
  if (item.text === '→' || item.latex === '\\longrightarrow') return '→';
  if (item.text === '←' || item.latex === '\\longleftarrow') return '←';
  return null;
}

export function absorbOverArrows(items: Item[], context: MathContext): Item[] {
  let rest = items;
  for (const arrow of items) {
    const tip = tipOf(arrow);
    if (tip === null || !rest.includes(arrow)) continue;
    const marks = [arrow, ...rest.filter((i) => isShaft(i, arrow))];
    const box = boundsOf(marks);
    const covered = rest.filter(
      (i) =>
        !marks.includes(i) &&
        i.size > 0.6 * arrow.size &&
        centreX(i) > box.x0 - 0.2 * i.size &&
        centreX(i) < box.x1 + 0.1 * i.size &&
        i.baseline > arrow.baseline + 0.4 * arrow.size &&
        i.y0 > box.y1 - 0.35 * arrow.size,
    );
    const main = covered.filter((i) => i.size > 0.87 * arrow.size);
    // An arrow on a row of its own, a numerator's say, stands clear of what is under it.
    if (main.length === 0 || Math.min(...main.map((i) => i.y0)) - box.y1 > 0.2 * arrow.size) continue;
    const parsed = parseItems(covered, [], context);
    const node = built(
      covered,
      boundsOf([...marks, ...covered]),
      `${commands[tip]}{${parsed.latex}}`,
      'ord',
      parsed.baseline,
      parsed.size,
    );
    node.start = Math.min(...covered.map((i) => i.start));
    node.end = Math.max(...covered.map((i) => i.end));
    const taken = new Set([...marks, ...covered]);
    rest = [...rest.filter((i) => !taken.has(i)), node].sort((a, b) => a.start - b.start);
  }
  return rest;
}
