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

/** The tip's direction; null if the item is not an arrow (a long arrow was joined from its parts before). */
function tipOf(item: Item): '→' | '←' | null {
  if (item.text === '→' || /^\\(long|x)rightarrow$/.test(item.latex)) return '→';
  if (item.text === '←' || /^\\(long|x)leftarrow$/.test(item.latex)) return '←';
  return null;
}

/** An arrow is an em wide or more: over a narrow letter it reaches beyond the bars around that: |\overrightarrow{v}|. */
function withoutBars(items: Item[]): Item[] {
  const inner = items.filter((i, k) => !(/^[|∣‖∥]$/.test(i.text) && (k === 0 || k === items.length - 1)));
  return inner.length > 0 ? inner : items;
}

export function absorbOverArrows(items: Item[], context: MathContext): Item[] {
  let rest = items;
  for (const arrow of items) {
    const tip = tipOf(arrow);
    if (tip === null || !rest.includes(arrow)) continue;
    const marks = [arrow, ...rest.filter((i) => isShaft(i, arrow))];
    const box = boundsOf(marks);
    const under = rest.filter(
      (i) =>
        !marks.includes(i) &&
        i.size > 0.6 * arrow.size &&
        centreX(i) > box.x0 - 0.2 * i.size &&
        centreX(i) < box.x1 + 0.1 * i.size &&
        i.baseline > arrow.baseline + 0.4 * arrow.size &&
        i.y0 > box.y1 - 0.35 * arrow.size,
    );
    const main = under.filter((i) => i.size > 0.87 * arrow.size && i.kind !== 'brace');
    // labels of a brace below do not belong to the arrow
    const top = main.reduce<Item | null>((a, b) => (a && a.y0 <= b.y0 ? a : b), null);
    const covered = withoutBars(
      under.filter((i) => top && i.kind !== 'brace' && i.baseline < top.baseline + 0.45 * top.size),
    );
    // an arrow on a row of its own, such as a numerator's, has a gap below it
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
    // the box is as wide as the wider of the two
    node.start = Math.min(...[...marks, ...covered].map((i) => i.start));
    node.end = Math.max(...[...marks, ...covered].map((i) => i.end));
    const taken = new Set([...marks, ...covered]);
    rest = [...rest.filter((i) => !taken.has(i)), node].sort((a, b) => a.start - b.start);
  }
  return rest;
}
