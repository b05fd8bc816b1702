/** The parser's working units: glyphs, and the items they are joined into. */
import { type Box, boundsOf, type Glyph, type Rule } from '../model.ts';
import type { Muskips } from './spaces.ts';
import type { AtomClass } from './symbols.ts';
import { findOperator, findSymbol, functionNames } from './symbols.ts';

/** TeX's styles: fractions, limits and spacing depend on them. */
export type MathStyle = 'display' | 'text' | 'script' | 'scriptscript';

export interface Item extends Box {
  kind: 'glyph' | 'word' | 'delimiter' | 'arrow' | 'brace' | 'built';
  /** Baseline of the row it belongs to. */
  baseline: number;
  size: number;
  /** Origin and end of advance, between which gaps are measured. */
  start: number;
  end: number;
  /** Finished LaTeX; for glyphs and words it is created when the row is written. */
  latex: string;
  /** Of a pair of \bigl and \bigr: the same with \left and \right, which differs only in the spaces around it. */
  alternative?: string;
  /** Plain character or word. */
  text: string;
  atom: AtomClass;
  glyph?: Glyph;
  /** A matrix or the like: centred on the axis, so its baseline is not that of its rows. */
  isCentred?: boolean;
  /** Limits already set next to `latex`; scripts come after. */
  hasLimits?: boolean;
  /** Drawn at display size. */
  isLarge?: boolean;
}

export interface MathContext {
  parser: Parser;
  style: MathStyle;
  /** Packages that the formula needs. */
  packages: Set<string>;
  /** Em size of a row at this level, to distinguish \frac from \dfrac and \tfrac; 0 if only the row itself shows it. */
  size: number;
  /** Set in a paragraph: TeX stretches the spaces around relations and operators to justify the line. */
  isInline: boolean;
  muskips: Muskips;
  /** Upright symbols of elements: arrows are those of chemistry. */
  isChemistry: boolean;
  /** Limits recursion: hostile pages nest without end. */
  depth: number;
}

/** What the structures call for their contents; passed in by parse.ts, so that its parts need not import it. */
interface Parser {
  items(items: Item[], rules: Rule[], context: MathContext): Parsed;
  absorb(items: Item[], rules: Rule[], context: MathContext): Item[];
}

export interface Parsed {
  latex: string;
  baseline: number;
  size: number;
}

/** Parses what is inside a structure: items sorted by start, and the rules among them. */
export function parseItems(items: Item[], rules: Rule[], context: MathContext): Parsed {
  return context.parser.items(items, rules, context);
}

/** Absorbs radicals, bars, limits, accents … of the items, without writing them. */
export function absorbStructures(items: Item[], rules: Rule[], context: MathContext): Item[] {
  return context.parser.absorb(items, rules, context);
}

export const axisRatio = 0.25;

export function smallerStyle(style: MathStyle): MathStyle {
  return style === 'display' || style === 'text' ? 'script' : 'scriptscript';
}

export function axisOf(item: Item): number {
  return item.baseline - axisRatio * item.size;
}

export function built(
  items: readonly Item[],
  box: Box,
  latex: string,
  atom: AtomClass,
  baseline: number,
  size: number,
): Item {
  return {
    ...box,
    kind: 'built',
    baseline,
    size,
    start: Math.min(box.x0, ...items.map((i) => i.start)),
    end: Math.max(box.x1, ...items.map((i) => i.end)),
    latex,
    text: '',
    atom,
  };
}

const delimiterCharacters = new Set([...'()[]{}⟨⟩〈〉⌊⌋⌈⌉|∣‖∥/\\↑↓↕⟦⟧']);

function isDelimiterText(text: string): boolean {
  return delimiterCharacters.has(text);
}

function isMathFace(glyph: Glyph): boolean {
  return glyph.font.family !== 'none';
}

/** Turns glyphs into items; joins pieces of one delimiter, letters of one word and parts of one arrow. */
export function toItems(glyphs: readonly Glyph[], rules: Rule[]): Item[] {
  const pieces: Glyph[] = [];
  const braces: Glyph[] = [];
  const rest: Glyph[] = [];
  for (const glyph of glyphs) {
    if (glyph.role === 'brace-over' || glyph.role === 'brace-under') braces.push(glyph);
    else if (glyph.role === 'piece' || isTallBar(glyph)) pieces.push(glyph);
    else rest.push(glyph);
  }
  const items = nameSetDifferences(rest).map(glyphItem);
  items.push(...joinPieces(pieces), ...joinBraces(braces, rules));
  // a mark without width (\\mapstochar) comes before the arrow that begins at the same x
  return items.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The backslash of the symbols, with the space of an operator on both sides, is \setminus. */
function nameSetDifferences(glyphs: readonly Glyph[]): Glyph[] {
  return glyphs.map((glyph) => {
    if (glyph.text !== '\\' || glyph.font.family !== 'symbols') return glyph;
    const least = 0.1 * glyph.size;
    const isLevel = (g: Glyph) => g !== glyph && Math.abs(g.baseline - glyph.baseline) < 0.5 * glyph.size;
    const isApart = !glyphs.some(
      (g) => isLevel(g) && g.x < glyph.x + glyph.width + least && g.x + g.width > glyph.x - least,
    );
    return isApart ? { ...glyph, text: '∖' } : glyph;
  });
}

function isTallBar(glyph: Glyph): boolean {
  return glyph.font.family === 'unicode' && isDelimiterText(glyph.text) && glyph.text !== '/';
}

function glyphItem(glyph: Glyph): Item {
  const isOperator =
    isMathFace(glyph) && findOperator(glyph.text) !== null && glyph.font.family !== 'letters';
  const isOperatorGlyph =
    glyph.role === 'operator-text' || glyph.role === 'operator-display' || (isOperator && glyph.text !== '⊔');
  const height = glyph.ink.y1 - glyph.ink.y0;
  const sized = glyph.font.family === 'extension' || height > 1.12 * glyph.size;
  const isDelimiter = isDelimiterText(glyph.text) && sized && height > 1.05 * glyph.size;
  const centre = (glyph.ink.y0 + glyph.ink.y1) / 2;
  return {
    ...glyph.ink,
    kind: isDelimiter ? 'delimiter' : 'glyph',
    // extension glyphs hang from their origin: their axis is their centre
    baseline:
      isOperatorGlyph || isDelimiter || glyph.font.family === 'extension'
        ? centre + axisRatio * glyph.size
        : glyph.baseline,
    size: glyph.size,
    start: glyph.x,
    // TeX adds the italic correction, which the advance in the PDF does not include
    end: isMathFace(glyph) ? Math.max(glyph.x + glyph.width, glyph.ink.x1) : glyph.x + glyph.width,
    latex: '',
    text: glyph.text,
    atom: isOperatorGlyph ? 'op' : (findSymbol(glyph.text)?.atom ?? 'ord'),
    glyph,
    isLarge:
      isOperatorGlyph &&
      (glyph.role === 'operator-display' ||
        (glyph.role === 'plain' && height > (isIntegral(glyph.text) ? 1.6 : 1.25) * glyph.size)),
  };
}

export function isIntegral(text: string): boolean {
  return '∫∬∭⨌∮∯'.includes(text);
}

function joinPieces(pieces: Glyph[]): Item[] {
  const columns: Glyph[][] = [];
  for (const piece of [...pieces].sort((a, b) => a.ink.y0 - b.ink.y0)) {
    const middle = (g: Glyph) => g.x + g.width / 2;
    const column = columns.find((c) => {
      const last = c[c.length - 1] as Glyph;
      return (
        last.text === piece.text &&
        Math.abs(middle(last) - middle(piece)) < 0.12 * piece.size &&
        piece.ink.y0 - Math.max(...c.map((g) => g.ink.y1)) < 0.12 * piece.size
      );
    });
    if (column) column.push(piece);
    else columns.push([piece]);
  }
  return columns.map((column) => {
    const box = boundsOf(column.map((g) => g.ink));
    const first = column[0] as Glyph;
    if (column.length === 1 && first.role === 'plain') return glyphItem(first);
    return {
      ...box,
      kind: first.text === '√' ? 'glyph' : 'delimiter',
      baseline: (box.y0 + box.y1) / 2 + axisRatio * first.size,
      size: first.size,
      start: Math.min(...column.map((g) => g.x)),
      end: Math.max(...column.map((g) => g.x + g.width)),
      latex: '',
      text: first.text,
      atom: findSymbol(first.text)?.atom ?? 'ord',
      glyph: first,
    };
  });
}

/**
 * Horizontal braces are four tips joined by rules; the rules are removed from `rules`. Both kinds consist of the same
 * tips in another order: an overbrace begins with the tip that curves down.
 */
function joinBraces(tips: Glyph[], rules: Rule[]): Item[] {
  const open: Glyph[][] = [];
  for (const tip of [...tips].sort((a, b) => a.x - b.x)) {
    const brace = open.find(
      (b) =>
        (b.length < 4 || tip.font.family === 'unicode') &&
        Math.abs((b[0] as Glyph).baseline - tip.baseline) < 0.5 * tip.size &&
        isJoined(b, tip, rules),
    );
    if (brace) brace.push(tip);
    else open.push([tip]);
  }
  return open.map((group) => {
    const box = boundsOf(group.map((g) => g.ink));
    for (let i = rules.length - 1; i >= 0; i--) {
      const rule = rules[i] as Rule;
      const isInside =
        rule.x0 >= box.x0 - 1 && rule.x1 <= box.x1 + 1 && rule.y0 >= box.y0 - 1.5 && rule.y1 <= box.y1 + 1.5;
      if (isInside) rules.splice(i, 1);
    }
    const first = group[0] as Glyph;
    return {
      ...box,
      kind: 'brace',
      baseline: box.y1,
      size: first.size,
      start: box.x0,
      end: box.x1,
      latex: '',
      text: first.role === 'brace-over' ? '⏞' : '⏟',
      atom: 'ord',
      glyph: first,
    };
  });
}

function isJoined(group: Glyph[], tip: Glyph, rules: Rule[]): boolean {
  const end = Math.max(...group.map((g) => g.ink.x1));
  if (Math.abs(tip.ink.x0 - end) < 0.15 * tip.size) return true;
  // OpenType fonts overlap the pieces
  if (tip.font.family === 'unicode' && tip.ink.x0 < end) return true;
  return rules.some(
    (r) =>
      r.horizontal &&
      Math.abs(r.x0 - end) < 1.5 &&
      Math.abs(r.x1 - tip.ink.x0) < 1.5 &&
      Math.abs(r.y0 - tip.ink.y0) < tip.size,
  );
}

/** Joins adjacent upright letters into words (function names, text); `items` is sorted by start. */
export function joinWords(items: Item[]): Item[] {
  const out: Item[] = [];
  for (const item of items) {
    const at = isWordPart(item) ? wordBefore(out, item) : -1;
    const last = out[at];
    if (!last) {
      out.push(item);
      continue;
    }
    out[at] = {
      ...last,
      ...boundsOf([last, item]),
      kind: 'word',
      end: item.end,
      text: last.text + item.text,
      atom: functionNames.has(last.text + item.text) ? 'op' : 'ord',
    };
  }
  return joinLimitNames(out);
}

/** Index of the word that `item` continues; what is below or above it (limits) may be between them in x. */
function wordBefore(out: readonly Item[], item: Item): number {
  for (let k = out.length - 1; k >= Math.max(0, out.length - 12); k--) {
    const last = out[k] as Item;
    if (
      Math.abs(last.baseline - item.baseline) > 0.05 * item.size ||
      Math.abs(last.size - item.size) > 0.05 * item.size
    )
      continue;
    const gap = item.start - last.end;
    const fits =
      isWordPart(last) &&
      last.glyph?.font.name === item.glyph?.font.name &&
      gap < 0.12 * item.size &&
      gap > -0.2 * item.size;
    return fits ? k : -1;
  }
  return -1;
}

/** lim sup and lim inf are one operator to TeX. */
function joinLimitNames(items: Item[]): Item[] {
  const out: Item[] = [];
  for (const item of items) {
    const last = [...out]
      .reverse()
      .find((i) => Math.abs(i.baseline - item.baseline) < 0.05 * item.size && i.size === item.size);
    const isPair =
      last?.kind === 'word' &&
      item.kind === 'word' &&
      last.text === 'lim' &&
      (item.text === 'sup' || item.text === 'inf');
    if (last && isPair && item.start - last.end < 0.3 * item.size) {
      Object.assign(last, boundsOf([last, item]), { end: item.end, text: `lim${item.text}` });
      continue;
    }
    out.push(item);
  }
  return out;
}

function isWordPart(item: Item): boolean {
  if (item.kind === 'word') return true;
  const glyph = item.glyph;
  if (item.kind !== 'glyph' || !glyph) return false;
  const isUprightFace =
    glyph.font.family === 'none' || (glyph.font.family === 'unicode' && /^[A-Za-z]$/.test(glyph.text));
  return isUprightFace && /^\p{L}+$/u.test(glyph.text) && !/\p{Script=Greek}/u.test(glyph.text);
}
