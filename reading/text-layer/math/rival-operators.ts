/** Which of several operators side by side a limit belongs to. */
import { type Box, centreX } from '../model.ts';
import { axisOf, type Item } from './items.ts';

/** Limits are smaller than this share of their operator's size. */
const smallShare = 0.87;
/** Items of one limit are this near, relative to the operator's size. */
const withinLimit = 0.12;

/** A limit belongs to the operator whose centre is nearer to the middle of what it is written with. */
export function isNearest(
  item: Item,
  operator: Item,
  operators: readonly Item[],
  items: readonly Item[],
): boolean {
  if (operators.length < 2 || item.size > smallShare * operator.size) return true;
  const own = neighbourhood(item, operator, items);
  const [start, end] = [Math.min(...own.map((i) => i.start)), Math.max(...own.map((i) => i.end))];
  const distance = (o: Item) => Math.abs(centreX(o) - (start + end) / 2);
  return operators.every((o) => {
    if (o === operator || Math.abs(o.baseline - operator.baseline) > 0.5 * o.size) return true;
    const [left, right] = [o, operator].map(centreX).sort((a, b) => a - b) as [number, number];
    // the limits of both, which are close to each other
    if (start < left && end > right) {
      const cut = widestGap(own, left, right);
      return centreX(operator) < centreX(o) ? centreX(item) < cut : centreX(item) > cut;
    }
    return distance(operator) <= distance(o);
  });
}

/** The small items without a space between them that one belongs to, on its side of the operator. */
function neighbourhood(item: Item, operator: Item, items: readonly Item[]): Item[] {
  const isBelow = (i: Box) => i.y0 + i.y1 > 2 * axisOf(operator);
  const small = items.filter((i) => i.size < smallShare * operator.size && isBelow(i) === isBelow(item));
  const own = new Set([item]);
  let [start, end] = [item.start, item.end];
  for (let grown = true; grown; ) {
    grown = false;
    for (const i of small) {
      if (own.has(i) || Math.max(i.start - end, start - i.end) > withinLimit * operator.size) continue;
      own.add(i);
      [start, end] = [Math.min(start, i.start), Math.max(end, i.end)];
      grown = true;
    }
  }
  return [...own];
}

/** The middle of the widest gap between items from `left` to `right`. */
function widestGap(items: readonly Item[], left: number, right: number): number {
  const sorted = items.toSorted((a, b) => a.x0 - b.x0);
  let widest = { gap: Number.NEGATIVE_INFINITY, middle: (left + right) / 2 };
  let end = Number.NEGATIVE_INFINITY;
  for (const { x0, x1 } of sorted) {
    const middle = (end + x0) / 2;
    if (middle > left && middle < right && x0 - end > widest.gap) widest = { gap: x0 - end, middle };
    end = Math.max(end, x1);
  }
  return widest.middle;
}
