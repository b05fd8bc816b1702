/** Everything set over or under a base: accents, horizontal braces, labels of arrows and relations. */
import { boundsOf, centreX, overlapY, type Rule } from '../model.ts';
import { axisOf, built, type Item, type MathContext, parseItems, smallerStyle } from './items.ts';
import { insert, largest, limitGroup, protectBracket, takeRules, without } from './structures.ts';
import { accents, findSymbol } from './symbols.ts';

/** Accents over one item or, if wide, over all items they span. */
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
    const isWithin = (i: Item) =>
      centreX(i) > mark.x0 - 0.15 * mark.size && centreX(i) < mark.x1 + 0.15 * mark.size;
    const covered = wide ? between(withoutBracket(under.filter(isWithin)), rest) : [];
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

/** A hat over the f of f( reaches over its bracket. */
function withoutBracket(items: Item[]): Item[] {
  const count = (brackets: string) => items.filter((i) => brackets.includes(i.text || ' ')).length;
  if (/^[([]$/.test(items.at(-1)?.text ?? '') && count('([') > count(')]')) return items.slice(0, -1);
  if (/^[)\]]$/.test(items[0]?.text ?? '') && count(')]') > count('([')) return items.slice(1);
  return items;
}

/** The items from the first to the last: between brackets, what is too low or too small for a mark of its own. */
function between(ends: Item[], items: readonly Item[]): Item[] {
  const [first, last] = [ends[0], ends.at(-1)];
  if (!first || !last || ends.length < 2) return ends;
  return items.filter(
    (i) => ends.includes(i) || (i.start >= first.end - 0.1 && i.end <= last.start + 0.5 && i.y0 >= first.y0),
  );
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
    const [above, below] = (['above', 'below'] as const).map((side) => {
      const label = limitGroup(pseudo, rest, side, reach).filter(within);
      return isScript(label, rest) ? [] : label;
    }) as [Item[], Item[]];
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
    // an arrow is longer than its label, a relation only as wide
    const widest = arrow.kind === 'arrow' ? [arrow] : [arrow, ...above, ...below];
    node.start = Math.min(...widest.map((i) => i.start));
    node.end = Math.max(...widest.map((i) => i.end));
    rest = insert(without(rest, new Set([arrow, ...above, ...below])), node);
  }
  return rest;
}

/** Touches something larger on its left: the index of an exponent above the equals sign of an index, {}_{i=1}^{n_T}. */
function isScript(label: readonly Item[], items: readonly Item[]): boolean {
  if (label.length === 0) return false;
  const box = boundsOf(label);
  const start = Math.min(...label.map((i) => i.start));
  return items.some(
    (i) =>
      i.size > 1.12 * largest(label) &&
      Math.abs(start - i.end) < 0.12 * i.size &&
      overlapY(i, box) > 0 &&
      !label.includes(i),
  );
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
  const isLong = arrow.x1 - arrow.x0 > 1.15 * arrow.size;
  const long = isLong ? extensible[arrow.text] : undefined;
  const stretch = arrow.kind === 'arrow' && arrow.latex.startsWith('\\x') ? arrow.latex : long;
  if (stretch) return `${stretch}${under ? `[${protectBracket(under)}]` : ''}{${over}}`;
  const base = arrow.latex || (findSymbol(arrow.text)?.latex ?? '=');
  const withOver = over ? `\\overset{${over}}{${base}}` : base;
  return under ? `\\underset{${under}}{${withOver}}` : withOver;
}
