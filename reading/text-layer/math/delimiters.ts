/** Pairs of tall delimiters and their contents. */
import { type Box, boundsOf, centreX, contains, type Rule } from '../model.ts';
import { classifyGrid, splitRows, writeGrid } from './grid.ts';
import { absorbStructures, built, type Item, isIntegral, type MathContext, parseItems } from './items.ts';
import { findRadicalBar, limitGroup, takeRules } from './structures.ts';
import { findSymbol } from './symbols.ts';

const openers = '([{⟨〈⌊⌈⟦';
const closers = ')]}⟩〉⌋⌉⟧';
const neutrals = '|∣‖∥';

/** LaTeX of a delimiter character after \left, \right or \big. */
function delimiterLatex(text: string): string {
  if (text === '∣' || text === '|') return '|';
  if (text === '‖' || text === '∥') return '\\|';
  return findSymbol(text)?.latex ?? '.';
}

function sameExtent(a: Box, b: Box, size: number): boolean {
  return Math.abs(a.y0 - b.y0) < 0.3 * size && Math.abs(a.y1 - b.y1) < 0.3 * size;
}

/** Joins each pair and its content into one item; a single delimiter stays, or opens a system of cases. */
export function absorbDelimiters(items: Item[], rules: Rule[], context: MathContext): Item[] {
  let rest = items;
  for (let guard = 0; guard < 400; guard++) {
    const pair = innermostPair(rest);
    if (!pair) break;
    rest = joinPair(rest, rules, pair[0], pair[1], context);
  }
  for (const item of [...rest].reverse()) {
    if (item.kind === 'delimiter' && item.text === '{' && rest.includes(item))
      rest = joinCases(rest, rules, item, context);
  }
  return rest;
}

function innermostPair(items: readonly Item[]): [Item, Item] | null {
  const stack: Item[] = [];
  for (const item of items) {
    if (item.kind !== 'delimiter') continue;
    if (openers.includes(item.text)) {
      stack.push(item);
      continue;
    }
    const isNeutral = neutrals.includes(item.text);
    if (!closers.includes(item.text) && !isNeutral) continue;
    let at = -1;
    for (let k = stack.length - 1; k >= 0; k--) {
      const candidate = stack[k] as Item;
      if (!sameExtent(candidate, item, item.size)) continue;
      const fits = isNeutral ? candidate.text === item.text : !neutrals.includes(candidate.text);
      if (fits) {
        at = k;
        break;
      }
    }
    if (at >= 0) return [stack[at] as Item, item];
    if (isNeutral && !isEvaluated(item, items)) stack.push(item);
  }
  return null;
}

/** u|_{x=0}: a bar with nothing but a subscript behind it opens nothing. */
function isEvaluated(bar: Item, items: readonly Item[]): boolean {
  const next = items.filter(
    (i) =>
      i !== bar &&
      i.start > bar.end - 0.2 * bar.size &&
      i.start < bar.end + 0.2 * bar.size &&
      i.y1 > bar.y0 &&
      i.y0 < bar.y1 + 0.1 * bar.size,
  );
  const isLow = (i: Item) => i.size < 0.87 * bar.size && i.baseline > bar.y1 - 0.25 * bar.size;
  return next.length > 0 && next.every(isLow);
}

function joinPair(items: Item[], rules: Rule[], left: Item, right: Item, context: MathContext): Item[] {
  const box = boundsOf([left, right]);
  const middle = (item: Box) => (item.y0 + item.y1) / 2;
  // the bar of a fraction that the pair is in
  const bars = rules.filter((r) => r.horizontal && r.x0 < left.x0 + 0.5 && r.x1 > right.x1 - 0.5);
  const isCutOff = (item: Item) =>
    bars.some((bar) => middle(bar) > middle(box) !== middle(bar) > middle(item));
  const between = items.filter(
    (i) =>
      i !== left &&
      i !== right &&
      !isCutOff(i) &&
      i.x0 > left.x0 &&
      i.x1 < right.x1 + 0.5 &&
      i.start >= left.start &&
      i.end <= right.end,
  );
  const limits = limitsOf(between, rules, box);
  const inside = between.filter((i) => isWithin(i, box) || juts(i, box, left.size) || limits.has(i));
  const taken = new Set<Item>([left, right, ...inside]);
  const innerRules = takeRules(rules, { x0: left.x0, x1: right.x1, y0: box.y0 - 1, y1: box.y1 + 1 });
  // a root inside \bigl and \bigr is taller than they are
  for (const item of inside) {
    const bar = item.text === '√' ? findRadicalBar(item, rules) : -1;
    if (bar >= 0) innerRules.push(...rules.splice(bar, 1));
  }
  const { latex, alternative, baseline, size, isGrid, isInner } = writePair(
    inside,
    innerRules,
    left,
    right,
    context,
  );
  const atom = /^\\[bB]ig/.test(latex) ? 'close' : isInner ? 'inner' : 'ord';
  const node = built([...taken], boundsOf([...taken]), latex, atom, baseline, size);
  node.start = left.start;
  node.end = right.end;
  node.isCentred = isGrid;
  node.text = 'fence';
  if (alternative) node.alternative = alternative;
  const out = items.filter((i) => !taken.has(i));
  const at = out.findIndex((i) => i.start > node.start);
  if (at < 0) out.push(node);
  else out.splice(at, 0, node);
  return out;
}

function isWithin(item: Item, box: Box): boolean {
  const middle = (item.y0 + item.y1) / 2;
  return (
    item.y1 > box.y0 - 0.1 * item.size &&
    item.y0 < box.y1 + 0.1 * item.size &&
    middle > box.y0 - 0.15 * item.size &&
    middle < box.y1 + 0.15 * item.size
  );
}

/** Scripts and limits inside \bigl and \bigr may reach beyond them. */
function juts(item: Item, box: Box, size: number): boolean {
  const beyond = Math.max(box.y0 - item.y1, item.y0 - box.y1);
  return item.size < 0.87 * size && beyond < 0.4 * size;
}

/** Limits stand further from \bigl and \bigr than scripts do, and fractions may be taller than these. */
function limitsOf(items: readonly Item[], rules: readonly Rule[], box: Box): Set<Item> {
  const bars = rules.filter((r) => r.horizontal && contains(box, r));
  const parts = items.filter((i) =>
    bars.some(
      (r) =>
        centreX(i) > r.x0 - 0.6 &&
        centreX(i) < r.x1 + 0.6 &&
        Math.max(r.y0 - i.y1, i.y0 - r.y1) < 0.5 * i.size,
    ),
  );
  const operators = items.filter((i) => i.kind === 'glyph' && i.atom === 'op' && !isIntegral(i.text));
  const limits = operators.flatMap((operator) =>
    (['below', 'above'] as const).flatMap((side) => limitGroup(operator, items, side)),
  );
  return new Set([...parts, ...limits]);
}

interface Pair {
  latex: string;
  alternative?: string;
  baseline: number;
  size: number;
  isGrid: boolean;
  isInner: boolean;
}

function paddingOf(inside: readonly Item[], left: Item, right: Item): number {
  const starts = Math.min(...inside.map((i) => i.start));
  const ends = Math.max(...inside.map((i) => i.end));
  return Math.min(starts - left.end, right.start - ends);
}

function writePair(inside: Item[], rules: Rule[], left: Item, right: Item, context: MathContext): Pair {
  const columnRules = rules.filter((r) => !r.horizontal);
  const centre = (left.y0 + left.y1) / 2;
  if (inside.length === 0) {
    return {
      ...fence(left, right, '', context.size),
      baseline: centre + 0.25 * left.size,
      size: left.size,
      isGrid: false,
      isInner: true,
    };
  }
  const barless = rules.filter((r) => r.horizontal);
  const absorbed = absorbStructures(inside, barless, context);
  const rows = splitRows(absorbed);
  if (rows.length < 2 && !isMatrixRow(absorbed, left, right)) {
    const parsed = parseItems(absorbed, barless, context);
    return {
      ...fence(left, right, parsed.latex, context.size, absorbed),
      baseline: centre + 0.25 * left.size,
      size: left.size,
      isGrid: true,
      isInner: true,
    };
  }
  const size = Math.max(...absorbed.map((i) => i.size));
  const latex = writeGrid(
    classifyGrid(rows, columnRules),
    { left: left.text, right: right.text, size, outer: left.size, padding: paddingOf(absorbed, left, right) },
    context,
  );
  return {
    latex,
    baseline: centre + 0.25 * left.size,
    size: left.size,
    isGrid: true,
    isInner: !/^\\[dt]?binom/.test(latex),
  };
}

/** \arraycolsep twice, in points: between two columns of a matrix, in every class. */
const betweenColumns = 10;

/** A matrix of one row: all of its wide spaces are those between columns, and it has none at its ends. */
function isMatrixRow(row: readonly Item[], left: Item, right: Item): boolean {
  let end = Number.NaN;
  const gaps = row.map((item) => {
    const gap = item.start - end;
    end = Number.isNaN(end) ? item.end : Math.max(end, item.end);
    return gap;
  });
  const wide = gaps.filter((gap) => gap > 0.55 * left.size);
  return (
    wide.length > 0 &&
    // TeX adds half a point behind scripts
    wide.every((gap) => gap > betweenColumns - 0.3 && gap < betweenColumns + 0.8) &&
    paddingOf(row, left, right) < 0.2 * left.size
  );
}

/** A single brace with rows to its right. */
function joinCases(items: Item[], rules: Rule[], brace: Item, context: MathContext): Item[] {
  const right = items.filter(
    (i) =>
      i !== brace &&
      i.start >= brace.end - 1 &&
      i.y0 > brace.y0 - 0.6 * i.size &&
      i.y1 < brace.y1 + 0.6 * i.size,
  );
  if (right.length === 0) return items;
  const innerRules = takeRules(rules, {
    x0: brace.x1,
    x1: Number.POSITIVE_INFINITY,
    y0: brace.y0 - 4,
    y1: brace.y1 + 4,
  }).filter((r) => r.horizontal);
  const absorbed = absorbStructures(right, innerRules, { ...context, style: 'text' });
  let rows = splitRows(absorbed);
  if (rows.length < 2) {
    for (const r of innerRules) rules.push(r);
    return items;
  }
  // what follows the system is on the axis, beyond the end of every row
  const trailing: Item[] = [];
  const middle = (brace.y0 + brace.y1) / 2;
  if (rows.length % 2 === 1) {
    const central = rows.find((row) =>
      row.some((i) => Math.abs(i.baseline - 0.25 * i.size - middle) < 0.2 * i.size),
    );
    const others = rows.filter((row) => row !== central).flat();
    const end = others.length > 0 ? Math.max(...others.map((i) => i.end)) : 0;
    if (central?.every((i) => i.start >= end - 1)) {
      trailing.push(...central);
      rows = rows.filter((row) => row !== central);
    }
  }
  const body = rows.flat();
  const size = Math.max(...body.map((i) => i.size));
  const latex = writeGrid(
    classifyGrid(rows, []),
    {
      left: '{',
      right: '',
      size,
      outer: brace.size,
      padding: Math.min(...body.map((i) => i.start)) - brace.end,
    },
    context,
  );
  const node = built(
    [brace, ...body],
    boundsOf([brace, ...body]),
    latex,
    'inner',
    middle + 0.25 * brace.size,
    brace.size,
  );
  node.start = brace.start;
  node.isCentred = true;
  node.text = 'fence';
  const left = items.filter((i) => i !== brace && !right.includes(i));
  return [...left, node, ...trailing].sort((a, b) => a.start - b.start);
}

/**
 * \left…\right if TeX would choose the same size, otherwise the sized pair that was seen.
 * Size by height in ems of the delimiter's font: cmex10 has 1.2, 1.8, 2.4 and 3.0.
 */
function fence(
  left: Item,
  right: Item,
  inner: string,
  textSize: number,
  content: readonly Item[] = [],
): { latex: string; alternative?: string } {
  const size = sizeClass(left, textSize);
  const natural = content.length > 0 ? naturalClass(content, left) : 0;
  const stretched = `\\left${delimiterLatex(left.text)}${padded(inner)}\\right${delimiterLatex(right.text)}`;
  const isNatural = natural === seenStep(left);
  if (size === null || (isNatural && content.some((i) => i.text === 'fraction' || i.isCentred)))
    return { latex: stretched };
  const name = ['big', 'Big', 'bigg', 'Bigg'][size - 1] as string;
  const sized = `\\${name}l${delimiterLatex(left.text)}${padded(inner)}\\${name}r${delimiterLatex(right.text)}`;
  // near the limit between two sizes, \left may choose the other
  const isCertain = isNatural && naturalClass(content, left, 0.08) === natural;
  return isCertain ? { latex: sized, alternative: stretched } : { latex: sized };
}

/** Which of the font's sizes a delimiter has; 0 for the plain one. */
function seenStep(item: Item): number {
  const height = (item.y1 - item.y0) / item.size;
  return heights.findIndex((h) => height < h + 0.3) + 1;
}

function padded(latex: string): string {
  return /^[A-Za-z]/.test(latex) ? ` ${latex}` : latex;
}

/**
 * 1 big … 4 Bigg, null for one that was assembled. amsmath asks for 1.2, 1.8, 2.4 and 3 times the text's own size, and
 * TeX takes the first of the font's sizes that gives nine tenths of it (or lacks 5 pt); the font's own size may be
 * another than the text's.
 */
function sizeClass(item: Item, textSize: number): number | null {
  const height = (item.y1 - item.y0) / item.size;
  if (height > 3.15) return null;
  const seen = heights.findIndex((h) => height < h + 0.3);
  const size = textSize > 0 ? textSize : item.size;
  const wanted = [1.2, 1.8, 2.4, 3].map((h) => {
    const need = Math.max(0.901 * h * size, h * size - 5);
    const found = heights.findIndex((f) => f * item.size >= need - 0.01);
    return found < 0 ? heights.length - 1 : found;
  });
  const exact = wanted.indexOf(seen);
  return (exact >= 0 ? exact : Math.max(0, seen)) + 1;
}

/** Heights of the larger delimiters of a mathematics font, in its ems (cmex10's, which others follow). */
const heights = [1.2, 1.8, 2.4, 3.0];

/** What \left…\right would choose around `content` (The TeXbook, appendix G, rule 19: 90.1 % and 5 pt). */
function naturalClass(content: readonly Item[], left: Item, margin = 0): number {
  const axis = (left.y0 + left.y1) / 2;
  const reach = Math.max(...content.map((i) => Math.max(axis - i.y0, i.y1 - axis))) - margin * left.size;
  const wanted = Math.max(reach * 2 * 0.901, reach * 2 - 5);
  const em = left.size;
  const sizes = [1.0, 1.2, 1.8, 2.4, 3.0];
  const found = sizes.findIndex((s) => s * em >= wanted - 0.02 * em);
  return found < 0 ? 5 : found;
}

/** A single delimiter, at its size. */
export function loneDelimiter(item: Item, textSize: number): string {
  const size = sizeClass(item, textSize) ?? 4;
  const suffix = openers.includes(item.text) ? 'l' : closers.includes(item.text) ? 'r' : '';
  return `\\${['big', 'Big', 'bigg', 'Bigg'][size - 1]}${suffix}${delimiterLatex(item.text)}`;
}
