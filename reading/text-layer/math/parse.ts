/**
 * Mathematics from glyph boxes: delimiters, radicals, bars, limits, accents and arrows are absorbed into single items,
 * inside out; the rest is one row (or several), written with its scripts. Every step writes balanced LaTeX, so the
 * whole is balanced by construction.
 */
import { markDoubt } from '../doubt.ts';
import type { Glyph, Rule } from '../model.ts';
import { absorbBoxes } from './boxes.ts';
import { composeSymbols } from './compose.ts';
import { absorbDelimiters } from './delimiters.ts';
import { splitRows, writeStack } from './grid.ts';
import { type Item, joinWords, type MathContext, type MathStyle, type Parsed, toItems } from './items.ts';
import { absorbOverArrows } from './over-arrows.ts';
import { absorbAccents, absorbArrowLabels, absorbBraces } from './over-under.ts';
import { writeRow } from './row.ts';
import { muskipsOf } from './spaces.ts';
import { absorbBars, absorbLimits, absorbRadicals } from './structures.ts';

export interface Formula {
  latex: string;
  packages: Set<string>;
}

/** Deepest nesting followed; real mathematics stays under ten. */
const maxDepth = 24;

/**
 * Reads a formula from its glyphs and rules. Never throws; returns an empty string for an empty formula. `lineSize`: em size of the
 * line of text around it, for a formula that consists of one small fraction; 0 for a display.
 */
export function readFormula(
  glyphs: readonly Glyph[],
  rules: readonly Rule[],
  style: MathStyle,
  lineSize = 0,
): Formula {
  const context: MathContext = {
    parser: { items: parseAll, absorb: absorbAll },
    style,
    packages: new Set(),
    depth: 0,
    size: Math.max(levelSize(glyphs), lineSize),
    isInline: lineSize > 0,
    muskips: muskipsOf(glyphs),
    isChemistry: looksChemical(glyphs),
  };
  const ownRules = rules.map((r) => ({ ...r }));
  const items = prepare(glyphs, ownRules);
  const absorbed = absorbDelimiters(absorbBoxes(items, ownRules, context), ownRules, context);
  return {
    latex: parseAll(absorbed, ownRules, context).latex,
    packages: context.packages,
  };
}

/** Size of the formula's own row: the largest of its letters. */
function levelSize(glyphs: readonly Glyph[]): number {
  const plain = glyphs.filter((g) => g.font.family !== 'extension' && g.role === 'plain');
  return plain.length > 0 ? Math.max(...plain.map((g) => g.size)) : 0;
}

/** Chemical formulas are upright: capitals, and hardly any italic letter. */
function looksChemical(glyphs: readonly Glyph[]): boolean {
  const capitals = glyphs.filter((g) => g.font.family === 'none' && /^[A-Z]$/.test(g.text)).length;
  const italic = glyphs.filter(
    (g) => (g.font.family === 'letters' || /^[\u{1d434}-\u{1d467}]$/u.test(g.text)) && /\p{L}/u.test(g.text),
  ).length;
  return capitals >= 2 && capitals > italic;
}

/** Items of glyphs, joined where they overlap or touch. */
export function prepare(glyphs: readonly Glyph[], rules: Rule[]): Item[] {
  return joinWords(composeSymbols(toItems(glyphs, rules)));
}

function absorbAll(items: Item[], rules: Rule[], context: MathContext): Item[] {
  let rest = absorbRadicals(items, rules, context);
  rest = absorbOverArrows(rest, context);
  rest = absorbAccents(rest, context);
  rest = absorbBraces(rest, rules, context);
  rest = absorbBars(rest, rules, context);
  rest = absorbLimits(rest, context);
  rest = absorbArrowLabels(rest, context);
  return rest;
}

/** Parses items (sorted by start, delimiters already absorbed) and the rules among them. */
function parseAll(items: Item[], rules: Rule[], context: MathContext): Parsed {
  if (items.length === 0) return { latex: '', baseline: 0, size: 1 };
  if (context.depth > maxDepth) {
    return {
      latex: markDoubt('\\ldots '),
      baseline: (items[0] as Item).baseline,
      size: (items[0] as Item).size,
    };
  }
  const inner = { ...context, depth: context.depth + 1 };
  const absorbed = absorbAll(items, rules, inner);
  const rows = splitRows(absorbed);
  if (rows.length > 1) {
    const first = rows[0]?.[0] as Item;
    const box = { y0: Math.min(...absorbed.map((i) => i.y0)), y1: Math.max(...absorbed.map((i) => i.y1)) };
    return {
      latex: writeStack(rows, inner),
      baseline: (box.y0 + box.y1) / 2 + 0.25 * first.size,
      size: first.size,
    };
  }
  return writeRow(absorbed, inner);
}
