/** Structures found by shape: radicals, fractions, bars, limits, accents, braces, labelled arrows. */
import { type Box, boundsOf, centreX, overlapX, type Rule } from '../model.ts';
import {
  axisOf,
  axisRatio,
  built,
  type Item,
  isIntegral,
  type MathContext,
  parseItems,
  smallerStyle,
} from './items.ts';
import { accents, findOperator, limitNames } from './symbols.ts';

function without(items: Item[], taken: ReadonlySet<Item>): Item[] {
  return items.filter((i) => !taken.has(i));
}

function insert(items: Item[], item: Item): Item[] {
  const at = items.findIndex((i) => i.start > item.start);
  if (at < 0) items.push(item);
  else items.splice(at, 0, item);
  return items;
}

function largest(items: readonly Item[]): number {
  return Math.max(...items.map((i) => i.size));
}

/** √ with its bar; a small index in front. Innermost first. */
export function absorbRadicals(items: Item[], rules: Rule[], context: MathContext): Item[] {
  const radicals = items
    .filter((i) => i.text === '√' && i.kind === 'glyph')
    .sort((a, b) => b.start - a.start);
  let rest = items;
  for (const radical of radicals) {
    const at = rules.findIndex(
      (r) =>
        r.horizontal &&
        Math.abs(r.x0 - radical.x1) < 0.25 * radical.size &&
        Math.abs(r.y0 - radical.y0) < 0.3 * radical.size,
    );
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

function protectBracket(latex: string): string {
  return /[[\]]/.test(latex) ? `{${latex}}` : latex;
}

/** Takes out of `rules` those inside `box`. */
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
  const bars = rules
    .filter((r) => r.horizontal && r.x1 - r.x0 > 1)
    .sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0));
  for (const bar of bars) {
    const above = stackedOn(bar, rest, bars, 'above');
    const below = stackedOn(bar, rest, bars, 'below');
    const at = rules.indexOf(bar);
    if (at >= 0) rules.splice(at, 1);
    const y = (bar.y0 + bar.y1) / 2;
    if (above.length > 0 && below.length > 0) {
      const size = largest([...above, ...below]);
      // \dfrac in text: its parts are set as display's are.
      const isFull = (context.style === 'display' || context.style === 'text') && size > 0.87 * context.size;
      // Smaller than its row: set in text style, whatever stands around it.
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
      // The command depends on the row's size, known only when the row is written.
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

/** What stands on (or hangs from) a bar: items over its span, near it, with no other bar between. */
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
    .sort((a, b) => distance(a) - distance(b));
  const taken: Item[] = [];
  let reach = 0;
  for (const item of span) {
    const d = distance(item);
    const blocked = bars.some((other) => {
      if (other === bar || overlapX(other, item) <= 0 || other.x1 - other.x0 < bar.x1 - bar.x0) return false;
      const at = side === 'above' ? bar.y0 - other.y1 : other.y0 - bar.y1;
      return at > 0 && at < d + 0.5;
    });
    if (blocked) continue;
    if (taken.length === 0 ? d > 0.75 * item.size : d > reach + 0.28 * item.size) continue;
    taken.push(item);
    reach = Math.max(reach, far(item));
  }
  return items.filter((i) => taken.includes(i));
}

/** Limits above and below large operators and names such as lim. */
export function absorbLimits(items: Item[], context: MathContext): Item[] {
  let rest = items;
  const operators = items.filter(takesLimits);
  for (const operator of operators) {
    if (!rest.includes(operator)) continue;
    const rivals = operators.filter((o) => o === operator || hasLimit(o, items));
    const own = rest.filter((i) => isNearest(i, operator, rivals));
    const below = centred(limitGroup(operator, own, 'below'), operator);
    const above = centred(limitGroup(operator, own, 'above'), operator);
    if (below.length === 0 && above.length === 0) continue;
    const inner: MathContext = { ...context, style: smallerStyle(context.style), size: 0 };
    const lower = below.length > 0 ? `_{${parseItems(below, [], inner).latex}}` : '';
    const upper = above.length > 0 ? `^{${parseItems(above, [], inner).latex}}` : '';
    const name = operator.kind === 'word' ? nameOf(operator.text) : (findOperator(operator.text) ?? '\\sum');
    const natural = context.style === 'display' && !isIntegral(operator.text);
    const node = built(
      [operator, ...below, ...above],
      boundsOf([operator, ...below, ...above]),
      `${name}${natural ? '' : '\\limits'}${lower}${upper}`,
      'op',
      operator.baseline,
      operator.size,
    );
    node.hasLimits = true;
    node.isLarge = operator.isLarge;
    rest = insert(without(rest, new Set([operator, ...below, ...above])), node);
  }
  return rest;
}

/** Something small stands right under or over the operator's own width. */
function hasLimit(operator: Item, items: readonly Item[]): boolean {
  return items.some(
    (i) =>
      i.size < 0.87 * operator.size &&
      overlapX(i, operator) > 0 &&
      Math.min(Math.abs(i.y0 - operator.y1), Math.abs(operator.y0 - i.y1)) < 0.55 * operator.size,
  );
}

/** Of two operators side by side, a limit belongs to the one whose middle is nearer. */
function isNearest(item: Item, operator: Item, operators: readonly Item[]): boolean {
  const distance = (o: Item) => Math.abs(centreX(o) - centreX(item));
  return (
    item.size > 0.87 * operator.size ||
    operators.every(
      (o) =>
        o === operator ||
        Math.abs(o.baseline - operator.baseline) > 0.5 * o.size ||
        distance(operator) <= distance(o),
    )
  );
}

/** An integral's limits stand beside it unless they are right under and over its middle. */
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

function takesLimits(item: Item): boolean {
  if (item.kind === 'word') return limitNames.has(item.text);
  return item.kind === 'glyph' && item.atom === 'op';
}

/** Small items right above or below `anchor`, with whatever stands beside them in the same band. */
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
      // A second line of limits (\substack) hangs under the first.
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

/** Accents over one item or, when wide, over all they span. */
export function absorbAccents(items: Item[], context: MathContext): Item[] {
  let rest = items;
  const marks = items
    .filter(
      (i) =>
        i.kind === 'glyph' && accents.has(i.text) && !(i.text === '~' && i.glyph?.font.family === 'symbols'),
    )
    .sort((a, b) => b.y0 - a.y0);
  for (const mark of marks) {
    const names = accents.get(mark.text) as { narrow: string; wide: string };
    const under = rest.filter(
      (i) =>
        i !== mark &&
        mark.y1 <= i.y0 + 0.3 * i.size &&
        i.y0 - mark.y1 < 0.45 * i.size &&
        i.size > 0.8 * mark.size,
    );
    const centre = centreX(mark);
    const wide = mark.glyph?.font.family === 'extension' || mark.x1 - mark.x0 > 0.62 * mark.size;
    const covered = wide
      ? under.filter(
          (i) => centreX(i) > mark.x0 - 0.15 * mark.size && centreX(i) < mark.x1 + 0.15 * mark.size,
        )
      : [];
    const nearest = under
      .filter((i) => centre > i.x0 - 0.2 * i.size && centre < i.x1 + 0.3 * i.size)
      .sort((a, b) => Math.abs(centreX(a) - centre) - Math.abs(centreX(b) - centre))[0];
    const target = covered.length > 1 ? covered : nearest ? [nearest] : [];
    if (target.length === 0) continue;
    const parsed = parseItems(target, [], context);
    const command = mark.glyph?.font.family === 'extension' || covered.length > 1 ? names.wide : names.narrow;
    const node = built(
      target,
      boundsOf([mark, ...target]),
      `${command}{${parsed.latex}}`,
      'ord',
      parsed.baseline,
      parsed.size,
    );
    node.start = Math.min(...target.map((i) => i.start));
    node.end = Math.max(...target.map((i) => i.end));
    rest = insert(without(rest, new Set([mark, ...target])), node);
  }
  return rest;
}

/** \underbrace and \overbrace with their labels. */
export function absorbBraces(items: Item[], rules: Rule[], context: MathContext): Item[] {
  let rest = items;
  for (const brace of items.filter((i) => i.kind === 'brace').sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0))) {
    const isUnder = brace.text === '⏟';
    const spanned = rest.filter((i) => i !== brace && centreX(i) > brace.x0 - 1 && centreX(i) < brace.x1 + 1);
    const isContent = (i: Item) =>
      isUnder ? i.y0 < brace.y0 && i.y1 < brace.y1 : i.y1 > brace.y1 && i.y0 > brace.y0;
    const near = Math.min(
      ...spanned.filter(isContent).map((i) => (isUnder ? brace.y0 - i.y1 : i.y0 - brace.y1)),
      Infinity,
    );
    if (!Number.isFinite(near) || near > brace.size) continue;
    const content = spanned.filter(isContent);
    const label = limitGroup(
      { ...brace, size: Math.max(largest(content), brace.size) },
      rest,
      isUnder ? 'below' : 'above',
      0.9,
    ).filter((i) => !content.includes(i));
    const parsed = parseItems(content, takeRules(rules, boundsOf(content)), context);
    const tag =
      label.length > 0
        ? parseItems(label, takeRules(rules, boundsOf(label)), {
            ...context,
            style: smallerStyle(context.style),
            size: 0,
          }).latex
        : '';
    const latex = `\\${isUnder ? 'underbrace' : 'overbrace'}{${parsed.latex}}${tag ? `${isUnder ? '_' : '^'}{${tag}}` : ''}`;
    const node = built(
      [brace, ...content, ...label],
      boundsOf([brace, ...content, ...label]),
      latex,
      'op',
      parsed.baseline,
      parsed.size,
    );
    node.hasLimits = true;
    node.start = brace.x0;
    node.end = brace.x1;
    rest = insert(without(rest, new Set([brace, ...content, ...label])), node);
  }
  return rest;
}

/** Labels above and below arrows and relations. */
export function absorbArrowLabels(items: Item[], context: MathContext): Item[] {
  let rest = items;
  for (const arrow of items.filter((i) => i.kind === 'arrow' || (i.kind === 'glyph' && i.atom === 'rel'))) {
    if (!rest.includes(arrow)) continue;
    const reach = 0.6;
    const pseudo = { ...arrow, size: Math.max(arrow.size, 1) };
    if (arrow.kind !== 'arrow') {
      const middle = axisOf(arrow);
      pseudo.y0 = Math.min(arrow.y0, middle);
      pseudo.y1 = Math.max(arrow.y1, middle);
    }
    const within = (i: Item) =>
      centreX(i) > arrow.x0 - 0.3 * arrow.size && centreX(i) < arrow.x1 + 0.3 * arrow.size;
    const above = limitGroup(pseudo, rest, 'above', reach).filter(within);
    const below = limitGroup(pseudo, rest, 'below', reach).filter(within);
    if (above.length === 0 && below.length === 0) {
      if (arrow.kind === 'arrow' && arrow.latex.startsWith('\\x'))
        arrow.latex = labelled(arrow, '', '', context);
      continue;
    }
    const inner: MathContext = { ...context, style: smallerStyle(context.style), size: 0 };
    const over = above.length > 0 ? parseItems(above, [], inner).latex : '';
    const under = below.length > 0 ? parseItems(below, [], inner).latex : '';
    const latex = labelled(arrow, over, under, context);
    const node = built(
      [arrow, ...above, ...below],
      boundsOf([arrow, ...above, ...below]),
      latex,
      'rel',
      arrow.baseline,
      arrow.size,
    );
    node.start = arrow.start;
    node.end = arrow.end;
    rest = insert(without(rest, new Set([arrow, ...above, ...below])), node);
  }
  return rest;
}

const extensible: Record<string, string> = { '→': '\\xrightarrow', '←': '\\xleftarrow' };

const chemical: Record<string, string> = {
  '\\xrightarrow': '->',
  '\\xleftarrow': '<-',
  '\\xrightleftharpoons': '<=>',
};

function labelled(arrow: Item, over: string, under: string, context: MathContext): string {
  const reaction = context.isChemistry ? chemical[arrow.latex] : undefined;
  if (reaction !== undefined) {
    context.packages.add('mhchem');
    return `\\ce{${reaction}${over || under ? `[$${over}$]` : ''}${under ? `[$${under}$]` : ''}}`;
  }
  if (arrow.latex === '\\xrightarrow' && !over && !under) {
    context.packages.add('mhchem');
    return '\\ce{->}';
  }
  if (arrow.latex === '\\xrightleftharpoons') context.packages.add('mathtools');
  const stretch =
    arrow.kind === 'arrow' && arrow.latex.startsWith('\\x') ? arrow.latex : extensible[arrow.text];
  if (stretch) return `${stretch}${under ? `[${protectBracket(under)}]` : ''}{${over}}`;
  const base = arrow.latex || '=';
  const withOver = over ? `\\overset{${over}}{${base}}` : base;
  return under ? `\\underset{${under}}{${withOver}}` : withOver;
}
