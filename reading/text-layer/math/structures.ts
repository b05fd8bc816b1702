/** Structures found by shape: radicals, fractions, bars, limits, accents, braces, labelled arrows. */
import { type Box, boundsOf, centreX, overlapX, type Rule } from '../model.ts';
import {
  axisRatio,
  built,
  type Item,
  isIntegral,
  type MathContext,
  parseItems,
  smallerStyle,
} from './items.ts';
import { isNearest } from './rival-operators.ts';
import { findOperator, limitNames } from './symbols.ts';

export function without(items: Item[], taken: ReadonlySet<Item>): Item[] {
  return items.filter((i) => !taken.has(i));
}

export function insert(items: Item[], item: Item): Item[] {
  const at = items.findIndex((i) => i.start > item.start);
  if (at < 0) items.push(item);
  else items.splice(at, 0, item);
  return items;
}

export function largest(items: readonly Item[]): number {
  return Math.max(...items.map((i) => i.size));
}

/** Where in `rules` the bar is that begins at a √'s top; −1 without one. */
export function findRadicalBar(radical: Item, rules: readonly Rule[]): number {
  return rules.findIndex(
    (r) =>
      r.horizontal &&
      Math.abs(r.x0 - radical.x1) < 0.25 * radical.size &&
      Math.abs(r.y0 - radical.y0) < 0.3 * radical.size,
  );
}

/** √ with its bar and, if any, a small index in front. Innermost first. */
export function absorbRadicals(items: Item[], rules: Rule[], context: MathContext): Item[] {
  const radicals = items
    .filter((i) => i.text === '√' && i.kind === 'glyph')
    .sort((a, b) => b.start - a.start);
  let rest = items;
  for (const radical of radicals) {
    const at = findRadicalBar(radical, rules);
    if (at < 0) continue;
    const [bar] = rules.splice(at, 1) as [Rule];
    const taken = new Set<Item>([radical]);
    const inside = rest.filter(
      (i) =>
        i !== radical &&
        centreX(i) > bar.x0 - 0.5 &&
        centreX(i) < bar.x1 + 0.5 &&
        i.y0 >= bar.y0 - 1 &&
        i.y1 <= radical.y1 + 0.35 * radical.size,
    );
    for (const i of inside) taken.add(i);
    const innerRules = takeRules(rules, {
      x0: bar.x0 - 1,
      x1: bar.x1 + 1,
      y0: bar.y0 + 0.3,
      y1: radical.y1 + 2,
    });
    const index = rest.filter(
      (i) =>
        !taken.has(i) &&
        i.size < 0.8 * radical.size &&
        i.x1 < radical.x1 &&
        i.x0 > radical.x0 - 0.5 * radical.size &&
        i.y1 < radical.y1 - 0.3 * (radical.y1 - radical.y0) &&
        i.y1 > radical.y0 - 0.4 * radical.size &&
        centreX(i) < radical.x0 + 0.6 * (radical.x1 - radical.x0),
    );
    for (const i of index) taken.add(i);
    const parsed = parseItems(inside, innerRules, context);
    const degree =
      index.length > 0
        ? `[${protectBracket(parseItems(index, [], { ...context, style: 'scriptscript', size: 0 }).latex)}]`
        : '';
    const box = boundsOf([radical, bar, ...inside]);
    const node = built(
      [...taken],
      box,
      `\\sqrt${degree}{${parsed.latex}}`,
      'ord',
      parsed.baseline,
      parsed.size,
    );
    rest = insert(without(rest, taken), node);
  }
  return rest;
}

export function protectBracket(latex: string): string {
  return /[[\]]/.test(latex) ? `{${latex}}` : latex;
}

/** Removes from `rules` those inside `box`, and returns them. */
export function takeRules(rules: Rule[], box: Box): Rule[] {
  const taken: Rule[] = [];
  for (let i = rules.length - 1; i >= 0; i--) {
    const r = rules[i] as Rule;
    if (r.x0 >= box.x0 - 0.6 && r.x1 <= box.x1 + 0.6 && r.y0 >= box.y0 && r.y1 <= box.y1)
      taken.unshift(...rules.splice(i, 1));
  }
  return taken;
}

/** Fraction bars, overlines, underlines; narrow ones first, so that inner fractions are ready for the outer. */
export function absorbBars(items: Item[], rules: Rule[], context: MathContext): Item[] {
  let rest = items;
  const found = rules
    .filter((r) => r.horizontal && r.x1 - r.x0 > 1)
    .sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0));
  // of two as wide as each other, the one over a letter comes before the fraction's
  const isOver = (bar: Rule) => stackedOn(bar, items, found, 'above').length === 0;
  const bars = found
    .map((bar) => ({ bar, width: Math.round(bar.x1 - bar.x0), isOver: isOver(bar) }))
    .sort((a, b) => a.width - b.width || Number(b.isOver) - Number(a.isOver))
    .map(({ bar }) => bar);
  for (const [index, bar] of bars.entries()) {
    const others = bars.slice(index + 1);
    const above = stackedOn(bar, rest, others, 'above');
    const below = stackedOn(bar, rest, others, 'below');
    const at = rules.indexOf(bar);
    if (at >= 0) rules.splice(at, 1);
    const y = (bar.y0 + bar.y1) / 2;
    if (above.length > 0 && below.length > 0) {
      const size = largest([...above, ...below]);
      // \dfrac in text: its parts are set as in a display
      const isFull = (context.style === 'display' || context.style === 'text') && size > 0.87 * context.size;
      // smaller than its row: in text style, regardless of what is around it
      const inner = isFull ? 'text' : smallerStyle(context.style);
      if (context.style === 'display')
        for (const i of [...above, ...below]) i.latex = i.latex.replace(/^\\binom(?=\{)/, '\\dbinom');
      const upper = parseItems(above, [], {
        ...context,
        style: inner,
        size: size > 0.87 * context.size ? context.size : 0,
      });
      const lower = parseItems(below, [], {
        ...context,
        style: inner,
        size: size > 0.87 * context.size ? context.size : 0,
      });
      const node = built(
        [...above, ...below],
        boundsOf([bar, ...above, ...below]),
        '',
        'ord',
        y + axisRatio * size,
        size,
      );
      node.start = bar.x0 - 1.2;
      node.end = bar.x1 + 1.2;
      node.isCentred = true;
      node.text = 'fraction';
      // the command depends on the row's size, which is known only when the row is written
      node.latex = `{${upper.latex}}{${lower.latex}}`;
      rest = insert(without(rest, new Set([...above, ...below])), node);
    } else if (below.length > 0) {
      const parsed = parseItems(below, [], context);
      const node = built(
        below,
        boundsOf([bar, ...below]),
        `\\overline{${parsed.latex}}`,
        'ord',
        parsed.baseline,
        parsed.size,
      );
      rest = insert(without(rest, new Set(below)), node);
    } else if (above.length > 0) {
      const parsed = parseItems(above, [], context);
      const node = built(
        above,
        boundsOf([bar, ...above]),
        `\\underline{${parsed.latex}}`,
        'ord',
        parsed.baseline,
        parsed.size,
      );
      rest = insert(without(rest, new Set(above)), node);
    }
  }
  return rest;
}

/** What is directly above (or below) a bar: items within its span, near it, with no other bar between. */
function stackedOn(
  bar: Rule,
  items: readonly Item[],
  bars: readonly Rule[],
  side: 'above' | 'below',
): Item[] {
  const sign = side === 'above' ? 1 : -1;
  const distance = (i: Box) => (side === 'above' ? bar.y0 - i.y1 : i.y0 - bar.y1);
  const far = (i: Box) => (side === 'above' ? bar.y0 - i.y0 : i.y1 - bar.y1);
  const span = items
    .filter(
      (i) =>
        centreX(i) > bar.x0 - 0.6 &&
        centreX(i) < bar.x1 + 0.6 &&
        distance(i) > -0.25 * i.size &&
        ((i.y0 + i.y1) / 2) * sign < ((bar.y0 + bar.y1) / 2) * sign,
    )
    .filter((i) => i.x0 > bar.x0 - 0.5 * i.size && i.x1 < bar.x1 + 0.5 * i.size)
    // an integral above the line below its limit
    .filter((i) => i.x1 - i.x0 < bar.x1 - bar.x0 + 0.4 * i.size)
    .sort((a, b) => distance(a) - distance(b));
  const taken: Item[] = [];
  let reach = 0;
  for (const item of span) {
    const d = distance(item);
    const blocked = bars.some((other) => {
      if (other === bar || overlapX(other, item) <= 0 || other.x1 - other.x0 < bar.x1 - bar.x0 - 0.5)
        return false;
      const at = side === 'above' ? bar.y0 - other.y1 : other.y0 - bar.y1;
      return at > 0 && at < d + 0.5;
    });
    if (blocked) continue;
    if (taken.length === 0 ? d > 0.75 * item.size : d > reach + 0.28 * item.size) continue;
    // beyond it, a fraction, or what is above or below a wider bar: the next row of a matrix
    const isFurther = taken.length > 0 && d > reach - 0.1 * item.size;
    if (isFurther && (item.text === 'fraction' || bars.some((other) => isNextTo(other, item, side))))
      continue;
    // larger and beyond it: the next row of a matrix; beside it, a letter whose script is nearer to the bar
    const isBeyond = item.size > 1.25 * largest(taken) && d > reach - 0.1 * item.size;
    if (taken.length > 0 && isBeyond && taken.some((t) => overlapX(t, item) > 0.3 * (t.x1 - t.x0))) continue;
    taken.push(item);
    reach = Math.max(reach, far(item));
  }
  return items.filter((i) => taken.includes(i));
}

/** Right next to another bar, on its far side: a letter without an ascender is two fifths of an em below one. */
function isNextTo(other: Rule, item: Item, side: 'above' | 'below'): boolean {
  const distance = side === 'above' ? item.y0 - other.y1 : other.y0 - item.y1;
  return overlapX(other, item) > 0 && distance > -1 && distance < 0.45 * item.size;
}

/** Limits above and below large operators and names such as lim. */
export function absorbLimits(items: Item[], context: MathContext): Item[] {
  let rest = items;
  const operators = items.filter(takesLimits);
  for (const operator of operators) {
    if (!rest.includes(operator)) continue;
    const rivals = operators.filter((o) => o === operator || hasLimit(o, items));
    const own = rest.filter((i) => isNearest(i, operator, rivals, rest));
    const below = centred(limitGroup(operator, own, 'below'), operator);
    const above = centred(limitGroup(operator, own, 'above'), operator);
    if (below.length === 0 && above.length === 0) continue;
    const inner: MathContext = { ...context, style: smallerStyle(context.style), size: 0 };
    const lower = below.length > 0 ? `_{${parseItems(below, [], inner).latex}}` : '';
    const upper = above.length > 0 ? `^{${parseItems(above, [], inner).latex}}` : '';
    const prefix = argOf(operator, [...below, ...above], rest);
    const name =
      operator.kind === 'word'
        ? nameOf(`${prefix ? 'arg\\,' : ''}${operator.text}`)
        : (findOperator(operator.text) ?? '\\sum');
    const natural = context.style === 'display' && !isIntegral(operator.text);
    const all = [...(prefix ? [prefix] : []), operator, ...below, ...above];
    const node = built(
      all,
      boundsOf(all),
      `${name}${natural ? '' : '\\limits'}${lower}${upper}`,
      'op',
      operator.baseline,
      operator.size,
    );
    node.hasLimits = true;
    node.isLarge = operator.isLarge;
    rest = insert(without(rest, new Set(all)), node);
  }
  return rest;
}

/** Something small is right below or above the operator, within its width. */
function hasLimit(operator: Item, items: readonly Item[]): boolean {
  return items.some(
    (i) =>
      i.size < 0.87 * operator.size &&
      overlapX(i, operator) > 0 &&
      Math.min(Math.abs(i.y0 - operator.y1), Math.abs(operator.y0 - i.y1)) < 0.55 * operator.size,
  );
}

/** An integral's limits are next to it unless they are right below and above its centre. */
function centred(group: Item[], operator: Item): Item[] {
  if (group.length === 0 || !isIntegral(operator.text)) return group;
  const box = boundsOf(group);
  const isOutside = box.y0 > operator.y1 - 0.1 * operator.size || box.y1 < operator.y0 + 0.1 * operator.size;
  const isUnder = box.x0 < centreX(operator) - 0.1 * operator.size;
  return isOutside && isUnder && Math.abs(centreX(box) - centreX(operator)) < 0.5 * operator.size
    ? group
    : [];
}

function nameOf(name: string): string {
  return limitNames.has(name) && !name.startsWith('arg') ? `\\${name}` : `\\operatorname*{${name}}`;
}

/** The "arg" of an operator of its own: the limits stand below the middle of both words. */
function argOf(operator: Item, limits: readonly Item[], items: readonly Item[]): Item | undefined {
  const arg = items.find(
    (i) => i.text === 'arg' && operator.start - i.end > 0 && operator.start - i.end < 0.25 * operator.size,
  );
  const middle = arg && (arg.start + operator.end) / 2;
  return middle !== undefined && Math.abs(centreX(boundsOf(limits)) - middle) < 0.2 * operator.size
    ? arg
    : undefined;
}

function takesLimits(item: Item): boolean {
  if (item.kind === 'word') return limitNames.has(item.text);
  return item.kind === 'glyph' && item.atom === 'op';
}

/** Small items right above or below `anchor`, with their neighbours in the same band. */
export function limitGroup(
  anchor: Item,
  items: readonly Item[],
  side: 'above' | 'below',
  reach = 0.55,
): Item[] {
  const distance = (i: Box) => (side === 'above' ? anchor.y0 - i.y1 : i.y0 - anchor.y1);
  const small = items.filter(
    (i) =>
      i !== anchor && i.size < 0.87 * anchor.size && (i.text !== 'fraction' || i.size < 0.7 * anchor.size),
  );
  const seed = small.filter(
    (i) => overlapX(i, anchor) > 0 && distance(i) > -0.12 * anchor.size && distance(i) < reach * anchor.size,
  );
  if (seed.length === 0) return [];
  const group = new Set(seed);
  for (let grown = true; grown; ) {
    grown = false;
    const box = boundsOf([...group]);
    for (const i of small) {
      if (group.has(i)) continue;
      const sameBand = Math.min(i.y1, box.y1) - Math.max(i.y0, box.y0) > -0.12 * i.size;
      // a second line of limits (\substack) is below the first
      const isNextRow =
        overlapX(i, box) > 0 && Math.max(i.y0 - box.y1, box.y0 - i.y1) < 0.35 * i.size && distance(i) > 0;
      if (isNextRow) {
        group.add(i);
        grown = true;
        continue;
      }
      const gap = Math.max(
        i.start - Math.max(...[...group].map((g) => g.end)),
        Math.min(...[...group].map((g) => g.start)) - i.end,
      );
      if (sameBand && gap < 0.45 * i.size && distance(i) > -0.35 * anchor.size) {
        group.add(i);
        grown = true;
      }
    }
  }
  return items.filter((i) => group.has(i));
}
