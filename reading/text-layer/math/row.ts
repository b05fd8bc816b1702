/** One row of mathematics: the baseline, scripts, names, alphabets and visible spaces. */

import { median } from '../../box.ts';
import { loneDelimiter } from './delimiters.ts';
import {
  axisOf,
  axisRatio,
  type Item,
  isIntegral,
  type MathContext,
  type Parsed,
  parseItems,
  smallerStyle,
} from './items.ts';
import { naturalGap, visibleSpace } from './spaces.ts';
import { type AtomClass, functionNames, limitNames } from './symbols.ts';
import { type Nucleus, textRun } from './text-runs.ts';
import { namedWord, writeGlyph } from './write-glyph.ts';

/** Writes items that are side by side. */
export function writeRow(items: Item[], context: MathContext): Parsed {
  const size = mainSize(items);
  const baseline = mainBaseline(items, size, isScriptStyle(context));
  const isMain = (i: Item) => standsOnRow(i, baseline, size);
  const nuclei: Nucleus[] = [];
  for (const item of items) {
    if (isMain(item)) nuclei.push({ item, sup: [], sub: [] });
    else attach(nuclei, item, baseline, size, items, isMain);
  }
  return { latex: writeNuclei(nuclei, size, context), baseline, size };
}

function isScriptStyle({ style }: MathContext): boolean {
  return style === 'script' || style === 'scriptscript';
}

function mainSize(items: readonly Item[]): number {
  const plain = items.filter(
    (i) =>
      (i.kind === 'glyph' || i.kind === 'word') && (i.glyph?.font.family !== 'extension' || i.atom === 'op'),
  );
  const built = items.filter((i) => i.kind === 'built' && i.text !== 'fraction');
  const pool = [...plain, ...built];
  return Math.max(...(pool.length > 0 ? pool : items).map((i) => i.size));
}

function mainBaseline(items: readonly Item[], size: number, isScript: boolean): number {
  const plain = items.filter(
    (i) =>
      i.size > 0.87 * size &&
      !i.isCentred &&
      i.atom !== 'op' &&
      i.kind !== 'delimiter' &&
      i.glyph?.font.family !== 'extension',
  );
  const solid = plain.filter((i) => i.kind !== 'built');
  const pool = solid.length > 0 ? solid : plain;
  // a script begins on its baseline: what is lower or higher behind, and was taken for as large, is its own script
  if (pool.length > 0) return isScript ? pool[0]!.baseline : median(pool.map((i) => i.baseline));
  const large = items.filter((i) => i.size > 0.87 * size || i.isCentred);
  return median((large.length > 0 ? large : items).map((i) => axisOf(i) + axisRatio * size));
}

function standsOnRow(item: Item, baseline: number, size: number): boolean {
  const axis = baseline - axisRatio * size;
  if (item.isCentred || item.kind === 'delimiter' || item.atom === 'op') {
    return (
      Math.abs(axisOf(item) - axis) < 0.16 * size && (item.size > 0.6 * size || item.text === 'fraction')
    );
  }
  if (item.size < 0.87 * size) {
    // small items exactly on the baseline are intended (a small formula in text)
    return Math.abs(item.baseline - baseline) < 0.03 * size && item.kind !== 'word' && item.y1 - item.y0 < 0;
  }
  return Math.abs(item.baseline - baseline) < 0.19 * size;
}

/** Attaches a script to the nucleus on its left (or, before the first one, to an empty one). */
function attach(
  nuclei: Nucleus[],
  item: Item,
  baseline: number,
  size: number,
  items: readonly Item[],
  isMain: (i: Item) => boolean,
): void {
  let nucleus = nuclei[nuclei.length - 1];
  const next = items.find((i) => i.start > item.start && isMain(i));
  if (
    nucleus?.item &&
    next &&
    item.start - nucleus.item.end > 0.35 * size &&
    nucleus.sup.length + nucleus.sub.length === 0 &&
    next.start - item.end < 0.12 * size
  ) {
    // far from the previous item and close to the next: a prescript
    nucleus = { item: null, sup: [], sub: [] };
    nuclei.push(nucleus);
  }
  if (!nucleus) {
    nucleus = { item: null, sup: [], sub: [] };
    nuclei.push(nucleus);
  }
  const group = chooseGroup(nucleus, item, baseline, size);
  group.push(item);
}

function chooseGroup(nucleus: Nucleus, item: Item, baseline: number, size: number): Item[] {
  const { sup, sub } = nucleus;
  const lastOf = (group: Item[]) => group[group.length - 1];
  // a script's own script follows the larger item that it belongs to
  const candidates = [sup, sub]
    .map((group) => ({ group, last: [...group].reverse().find((i) => i.size > 1.12 * item.size) ?? null }))
    .filter((c): c is { group: Item[]; last: Item } => c.last !== null && c.last !== undefined)
    // a superscript's own script is never lower than the row
    .filter((c) => c.group === sub || item.isCentred || item.baseline < baseline + 0.1 * size);
  // a small fraction has the size of its parts, which does not show its level
  if (candidates.length > 0 && item.text !== 'fraction') {
    const distance = (c: { group: Item[]; last: Item }) => {
      const end = Math.max(...c.group.map((i) => i.end));
      const gap = Math.max(0, item.start - end - 0.1 * size);
      const centre = (item.y0 + item.y1) / 2;
      const off = Math.abs(centre - (c.last.baseline - axisRatio * c.last.size));
      return gap + off;
    };
    return candidates.reduce((a, b) => (distance(b) < distance(a) ? b : a)).group;
  }
  const same = [sup, sub].find((group) => {
    const last = lastOf(group);
    return last && Math.abs(last.baseline - item.baseline) < 0.06 * size && !item.isCentred;
  });
  if (same) return same;
  const middle = (item.isCentred ? axisOf(item) : item.baseline - 0.32 * item.size) as number;
  const anchor = nucleus.item;
  if (anchor && anchor.y1 - anchor.y0 > 1.6 * size) return middle < (anchor.y0 + anchor.y1) / 2 ? sup : sub;
  return middle < baseline - 0.26 * size ? sup : sub;
}

function writeNuclei(nuclei: Nucleus[], size: number, context: MathContext): string {
  let out = '';
  let previous: { atom: AtomClass; end: number } | null = null;
  /** Brackets and bars that are not closed yet, and where they begin in `out`; only the last can be closed. */
  const open: { text: string; at: number }[] = [];
  const isShrunk = hasShrunkSpaces(nuclei, size);
  const isScript = isScriptStyle(context);
  for (let k = 0; k < nuclei.length; k++) {
    const nucleus = nuclei[k] as Nucleus;
    const run = nucleus.item ? textRun(nuclei, k, size) : null;
    const first =
      nucleus.item ?? ([...nucleus.sup, ...nucleus.sub].sort((a, b) => a.start - b.start)[0] as Item);
    if (!isScript) stretchPair(nucleus, previous, nuclei[k + 1], size, context);
    const isBroken = context.isInline && endsLine(nuclei, k, size);
    const atom = classOf(nucleus.item, previous?.atom ?? null, nuclei[k + 1]?.item ?? null, isBroken);
    if (previous) {
      const left = nucleus.item && isSizedPair(nucleus.item) ? 'open' : atom;
      const gap = naturalGap(previous.atom, left, isScript, context.muskips) * size;
      const extra = first.start - previous.end - gap;
      const atomsStretch = [previous.atom, atom].some((c) => c === 'rel' || c === 'bin');
      // tight spaces do not distinguish a thin one around a relation from a letter's slant
      const isSlant = context.muskips.thin < 3 && atomsStretch && extra < 0.16 * size;
      const isTight = ((isScript || (isShrunk && atomsStretch)) && extra < 0) || (isSlant && extra > 0);
      if (!(context.isInline && atomsStretch && extra < 0.5 * size) && !isTight)
        out += out === '' ? '' : visibleSpace(extra / size, context.muskips, context.isInline);
    }
    if (run) {
      out = join(out, run.latex);
      const last = nuclei[run.last] as Nucleus;
      out += scripts(last, context);
      previous = { atom: 'ord', end: endOf(last) };
      k = run.last;
      continue;
    }
    const slash = nuclei[k + 1];
    if (slash && isSlashFraction(nucleus, slash, size)) {
      context.packages.add('nicefrac');
      const inner: MathContext = { ...context, style: 'script', size: 0 };
      const [above, below] = [nucleus.sup, slash.sub].map((part) => parseItems(part, [], inner).latex);
      if (nucleus.item) out = join(out, writeItem(nucleus.item, size, context));
      out = join(out, `\\nicefrac{${above}}{${below}}`);
      previous = { atom: 'ord', end: endOf(slash) };
      k++;
      continue;
    }
    const text = nucleus.item?.text ?? '';
    const isBar = nucleus.item?.kind === 'glyph' && /^[|∣‖∥]$/.test(text);
    const begin = closeLast(open, text, isBar);
    const isGroup = begin !== undefined && isScriptOfGroup(nucleus);
    if (begin !== undefined && (isScriptOfPair(nucleus) || (isGroup && (isBar || nucleus.sub.length > 0))))
      out = `${out.slice(0, begin)}\\left${out.slice(begin)}\\right`;
    if (openers.test(text) || (isBar && begin === undefined)) open.push({ text, at: out.length });
    out = join(out, nucleus.item ? writeItem(nucleus.item, size, context) : '{}');
    if (isGroup && !isBar && nucleus.sub.length === 0 && !/\\[a-z]+$/i.test(out.slice(0, begin)))
      out = `${out.slice(0, begin)}{${out.slice(begin)}}`;
    if (nucleus.item && needsNoLimits(nucleus, context)) out += '\\nolimits';
    out += scripts(nucleus, context);
    previous = { atom, end: endOf(nucleus) };
  }
  return out;
}

/** An operator after which the end of a line breaks its formula: it has its space before it. */
function endsLine(nuclei: readonly Nucleus[], k: number, size: number): boolean {
  const [before, last] = [nuclei[k - 1], nuclei[k]];
  if (k + 1 < nuclei.length || !before || !last?.item) return false;
  return last.item.start - endOf(before) > 0.1 * size;
}

const openers = /^[([{⟨⌊⌈]$/;

/** Where what `text` closes begins; undefined if it closes nothing. A bracket also closes the bars inside it. */
function closeLast(open: { text: string; at: number }[], text: string, isBar: boolean): number | undefined {
  if (isBar) return open.at(-1)?.text === text ? open.pop()?.at : undefined;
  if (!/^[)\]}⟩⌋⌉]$/.test(text)) return undefined;
  const last = open.findLastIndex((one) => openers.test(one.text));
  return last < 0 ? undefined : open.splice(last)[0]?.at;
}

/** TeX takes up to all of the space around the binary operators of a row that is too wide. */
function hasShrunkSpaces(nuclei: readonly Nucleus[], size: number): boolean {
  const gaps = nuclei.flatMap((nucleus, k) => {
    const [before, after] = [nuclei[k - 1], nuclei[k + 1]];
    const { item } = nucleus;
    if (!item || !before?.item || !after?.item || classOf(item, before.item.atom, after.item) !== 'bin')
      return [];
    return [item.start - endOf(before), after.item.start - endOf(nucleus)];
  });
  // inside braces it leaves them
  return gaps.length > 2 && median(gaps) < 0.15 * size;
}

/** A small number raised right in front of a slash that has one below it on its right: \nicefrac. */
function isSlashFraction({ sup, sub }: Nucleus, slash: Nucleus, size: number): boolean {
  const { item } = slash;
  const [above, below] = [sup[0], slash.sub[0]];
  if (item?.text !== '/' || !above || !below || sub.length + slash.sup.length > 0) return false;
  // raised by half an ex, lowered by a quarter or not at all, and drawn together by a tenth of an em
  const raised = (item.baseline - above.baseline) / size;
  const lowered = (below.baseline - item.baseline) / size;
  return (
    raised > 0.15 &&
    raised < 0.3 &&
    lowered > -0.03 &&
    lowered < 0.14 &&
    item.start - Math.max(...sup.map((i) => i.end)) < -0.04 * size
  );
}

/**
 * The script of a group in braces stands higher than that of its closing bracket alone: by the bracket's height less
 * \fontdimen18 of the script's font (0.50 em in Computer Modern), not by \fontdimen13 (0.41 em).
 */
function isScriptOfGroup({ item, sup, sub }: Nucleus): boolean {
  if (item?.kind !== 'glyph' || sup.length === 0) return false;
  if (sub.length > 0 && !isScriptOfPair({ item, sup: [], sub })) return false;
  const raised = (item.baseline - Math.max(...sup.map((i) => i.baseline))) / item.size;
  return raised > 0.45 && raised < 1 && sup.every((i) => i.kind !== 'built');
}

/**
 * The subscript of \left…\right stands lower than that of a bracket alone: by the bracket's depth and \fontdimen19 of
 * the script's font (0.30 em in Computer Modern), not by \fontdimen16 (0.15 em). OpenType fonts put it lower.
 */
function isScriptOfPair({ item, sup, sub }: Nucleus): boolean {
  if (item?.kind !== 'glyph' || item.glyph?.font.family === 'unicode' || sup.length > 0 || sub.length === 0)
    return false;
  const lowered = (Math.min(...sub.map((i) => i.baseline)) - item.baseline) / item.size;
  return lowered > 0.24 && lowered < 0.42 && sub.every((i) => i.kind !== 'built');
}

/** \left…\right, if the space before or after it is that of an inner atom. */
function stretchPair(
  nucleus: Nucleus,
  previous: { atom: AtomClass; end: number } | null,
  next: Nucleus | undefined,
  size: number,
  { muskips }: MathContext,
): void {
  const { item } = nucleus;
  if (!item?.alternative) return;
  const isThin = (gap: number) => Math.abs(gap / size - muskips.thin / 18) < 0.04;
  const following = next?.item ? (isSizedPair(next.item) ? 'open' : next.item.atom) : null;
  const before =
    previous && item.start - previous.end - naturalGap(previous.atom, 'open', false, muskips) * size;
  const after =
    following && next!.item!.start - endOf(nucleus) - naturalGap('close', following, false, muskips) * size;
  if (!(before && isThin(before)) && !(after && isThin(after))) return;
  item.latex = item.alternative;
  item.atom = 'inner';
}

/** \bigl and \bigr are an opening and a closing atom; \left…\right is one inner atom. */
function isSizedPair(item: Item): boolean {
  return /^\\[bB]ig/.test(item.latex);
}

function needsNoLimits(nucleus: Nucleus, context: MathContext): boolean {
  const item = nucleus.item as Item;
  if (context.style !== 'display' || item.hasLimits || nucleus.sub.length + nucleus.sup.length === 0)
    return false;
  return (
    (item.kind === 'glyph' && item.atom === 'op' && !isIntegral(item.text)) ||
    (item.kind === 'word' && limitNames.has(item.text) && nucleus.sub.length > 0)
  );
}

function endOf(nucleus: Nucleus): number {
  const items = [...(nucleus.item ? [nucleus.item] : []), ...nucleus.sup, ...nucleus.sub];
  const scriptEnd = Math.max(-Infinity, ...[...nucleus.sup, ...nucleus.sub].map((i) => i.end));
  // TeX adds scriptspace (0.5 pt) after scripts.
  return Math.max(...items.map((i) => i.end), scriptEnd + 0.5);
}

/** A command followed by a letter needs a space between. */
function join(before: string, after: string): string {
  return /\\[A-Za-z]+$/.test(before) && /^[A-Za-z]/.test(after) ? `${before} ${after}` : before + after;
}

function scripts(nucleus: Nucleus, context: MathContext): string {
  const inner: MathContext = { ...context, style: smallerStyle(context.style), size: 0 };
  let out = '';
  if (nucleus.sub.length > 0) out += `_{${parseItems(nucleus.sub, [], inner).latex}}`;
  if (nucleus.sup.length > 0) {
    const count = leadingPrimes(nucleus.sup);
    const primes = nucleus.sup.slice(0, count).reduce((n, i) => n + (primeCounts[i.text] ?? 0), 0);
    const { item } = nucleus;
    // f^{'}: the prime is a script of the script
    const isSmall = item !== null && nucleus.sup.every((i) => i.size < 0.62 * item.size);
    if (count === nucleus.sup.length)
      return isSmall ? `^{${"'".repeat(primes)}}${out}` : "'".repeat(primes) + out;
    if (count > 0)
      return `^{${'\\prime'.repeat(primes)} ${parseItems(nucleus.sup.slice(count), [], inner).latex}}${out}`;
    out += `^{${parseItems(nucleus.sup, [], inner).latex}}`;
  }
  return out;
}

const primeCounts: Record<string, number> = { '′': 1, '″': 2, '‴': 3, '⁗': 4 };

function leadingPrimes(items: readonly Item[]): number {
  let count = 0;
  while (primeCounts[items[count]?.text ?? ''] !== undefined) count++;
  return count;
}

function classOf(
  item: Item | null,
  before: AtomClass | null,
  next: Item | null,
  isBroken = false,
): AtomClass {
  if (!item) return 'ord';
  const atom = item.kind === 'word' ? (functionNames.has(item.text) ? 'op' : 'ord') : item.atom;
  if (atom === 'bin' && !isBroken) {
    const cannot =
      before === null ||
      before === 'bin' ||
      before === 'rel' ||
      before === 'open' ||
      before === 'punct' ||
      before === 'op';
    // a sized pair opens on its left
    const nextAtom = next && isSizedPair(next) ? 'open' : next?.atom;
    if (cannot || next === null || nextAtom === 'rel' || nextAtom === 'close' || nextAtom === 'punct')
      return 'ord';
  }
  return atom;
}

function writeItem(item: Item, size: number, context: MathContext): string {
  if (item.kind === 'delimiter') return loneDelimiter(item, context.size);
  if (item.kind === 'arrow')
    return item.latex.startsWith('\\x') && !item.latex.endsWith('}') ? `${item.latex}{}` : item.latex;
  if (item.text === 'fraction') return fractionName(item, size, context) + item.latex;
  if (item.latex) return item.latex;
  if (item.kind === 'word') {
    if (functionNames.has(item.text)) return `\\${item.text}`;
    return item.glyph ? namedWord(item.text, item.glyph) : `\\mathrm{${item.text}}`;
  }
  return item.glyph ? writeGlyph(item.glyph, item, context) : '';
}

/** \frac if its style gives the seen size, otherwise \dfrac or \tfrac. */
function fractionName(item: Item, size: number, context: MathContext): string {
  const isFull = item.size > 0.87 * Math.max(size, context.size);
  if (context.style === 'display') return isFull ? '\\frac' : '\\tfrac';
  if (context.style === 'text') return isFull ? '\\dfrac' : '\\frac';
  return '\\frac';
}
