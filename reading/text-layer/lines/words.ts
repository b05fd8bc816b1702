/** Words of a line, and which parts of them are formulas. */

import { median } from '../../box.ts';
import { functionNames } from '../math/symbols.ts';
import type { Glyph } from '../model.ts';
import type { Line } from './lines.ts';

export interface Word {
  glyphs: Glyph[];
  x0: number;
  x1: number;
  /** Gap to the previous word, in ems. */
  gap: number;
}

const neutralText = /^[\d.,()[\]+=<>/!:;*\-–−|{}'′]+$/;

/** Gap that ends a word: TeX shrinks an interword space (a third of an em) to two ninths at most; a thin space is a sixth. */
const widestWordGap = 0.17;
/** Typewriter letters do not fill their cells; a space is a whole cell, about half an em. */
const monoGap = 0.32;

/** A narrow face (a quarter of an em between words) shrinks them to a thin space on a full line. */
function wordGapOf(glyphs: readonly Glyph[]): number {
  const gaps: number[] = [];
  glyphs.forEach((g, i) => {
    const last = glyphs[i - 1];
    if (last?.font.family !== 'none' || g.font.family !== 'none' || last.font.mono) return;
    const gap = (g.x - last.x - last.width) / g.size;
    if (gap > 0.13 && gap < 0.6 && Math.abs(g.baseline - last.baseline) < 0.1) gaps.push(gap);
  });
  return gaps.length >= 3 ? Math.min(widestWordGap, 0.85 * median(gaps)) : widestWordGap;
}

/** Space that TeX adds after a slanted letter of Computer Modern's mathematics, in ems. */
const corrections: Record<string, number> = {
  B: 0.05, C: 0.07, E: 0.06, F: 0.14, H: 0.08, I: 0.08, J: 0.1, K: 0.07, M: 0.11, N: 0.11, P: 0.14, S: 0.06, T: 0.14, U: 0.11,
  V: 0.22, W: 0.14, X: 0.08, Y: 0.22, Z: 0.07, f: 0.11, j: 0.06, l: 0.02, q: 0.04, r: 0.03, s: 0, v: 0.04, w: 0.03, y: 0.04, z: 0.04,
  Γ: 0.14, Ψ: 0.11, Υ: 0.14, γ: 0.06, σ: 0.04, τ: 0.11, ν: 0.06, δ: 0.04, ζ: 0.07, ψ: 0.04,
}; // biome-ignore format: a table

/** How much of the gap between two glyphs on one baseline is what the first one's slant needs. */
function slantOf(last: Glyph, next: Glyph): number {
  const gap = next.x - last.x - last.width;
  const isLevel = Math.abs(next.baseline - last.baseline) < 0.1 * last.size;
  if (last.font.family !== 'letters' || !isLevel || gap <= 0) return 0;
  return Math.min(gap, (corrections[last.text] ?? 0) * last.size);
}

function spaceBefore(last: Glyph, next: Glyph): number {
  return next.x - last.x - last.width - slantOf(last, next);
}

/** Words of a line by the gaps between them. */
export function splitWords(glyphs: readonly Glyph[], size: number): Word[] {
  const words: Word[] = [];
  const wordGap = wordGapOf(glyphs);
  for (const g of glyphs) {
    const last = words[words.length - 1];
    const em = Math.min(size, Math.max(g.size, 0.7 * size));
    const gap = last ? (g.x - last.x1 - slantOf(last.glyphs.at(-1) as Glyph, g)) / em : 0;
    const isMono = g.font.mono && last?.glyphs[last.glyphs.length - 1]?.font.mono === true;
    if (last && gap < (isMono ? monoGap : wordGap)) {
      last.glyphs.push(g);
      last.x1 = Math.max(last.x1, g.x + g.width);
    } else words.push({ glyphs: [g], x0: g.x, x1: g.x + g.width, gap });
  }
  return words;
}

/** A word, or a part of one, and what it is read as. */
export interface Marked {
  kind: 'text' | 'math' | 'neutral' | 'function';
  glyphs: Glyph[];
  gap: number;
  text: string;
  /** Attached to what comes before (a word cut at the edge of its formula). */
  isGlued: boolean;
  x0: number;
  x1: number;
}

/** One word may hold text, a formula and text again: "($x$-axis)". */
export function markWord(word: Word, isMath: (g: Glyph) => boolean, line: Line): Marked[] {
  const flags = word.glyphs.map(isMath);
  const text = word.glyphs.map((g) => g.text).join('');
  const whole = (kind: Marked['kind']): Marked[] => [
    { kind, glyphs: word.glyphs, gap: word.gap, text, isGlued: false, x0: word.x0, x1: word.x1 },
  ];
  if (!flags.includes(true)) {
    // in an italic sentence the punctuation after a number is italic
    const end = word.glyphs.findLastIndex((g) => !/^[.,;:]$/.test(g.text)) + 1;
    const upright = word.glyphs.slice(0, end).every((g) => !g.font.italic && !g.font.mono);
    if (upright && functionNames.has(text)) return whole('function');
    // a vector: one bold letter; mathematics only next to mathematics
    if (upright && /^[A-Za-z][,.;]?$/.test(text) && word.glyphs[0]?.font.bold) return whole('function');
    if (upright && neutralText.test(text)) return whole('neutral');
    return whole('text');
  }
  word.glyphs.forEach((g, i) => {
    const isBoldLetter = (o: Glyph | undefined) => o?.font.bold && /^\p{L}$/u.test(o.text);
    if (
      isBoldLetter(g) &&
      !g.font.italic &&
      !isBoldLetter(word.glyphs[i - 1]) &&
      !isBoldLetter(word.glyphs[i + 1])
    )
      flags[i] = true;
  });
  let from = flags.indexOf(true);
  let to = flags.lastIndexOf(true);
  const isNeutral = (g: Glyph) => neutralText.test(g.text) && !g.font.italic;
  // digits, signs and a function's name right before it belong to the formula
  while (from > 0 && isNeutral(word.glyphs[from - 1] as Glyph)) from--;
  const before = word.glyphs
    .slice(0, from)
    .map((g) => g.text)
    .join('');
  const name = /([A-Za-z]+)$/.exec(before)?.[1] ?? '';
  if (name !== '' && (functionNames.has(name) || isOperatorName(word.glyphs, from, name.length)))
    from -= name.length;
  while (to < word.glyphs.length - 1 && isNeutral(word.glyphs[to + 1] as Glyph)) to++;
  // a function's name in the middle is followed by its argument
  const after = word.glyphs
    .slice(to + 1)
    .map((g) => g.text)
    .join('');
  const nameAfter = /^([A-Za-z]+)[\d()]*$/.exec(after)?.[1] ?? '';
  if (functionNames.has(nameAfter)) to = word.glyphs.length - 1;
  // f\colon X: a thin space before the colon, where text has none
  const colonFrom = word.glyphs[to - 1];
  if (colonFrom && word.glyphs[to]?.text === ':')
    flags[to] ||= spaceBefore(colonFrom, word.glyphs[to] as Glyph) > 0.07 * line.size;
  // punctuation and brackets that are not part of it
  const core = () => word.glyphs.slice(from, to + 1);
  for (let guard = 0; guard < 20 && from <= to; guard++) {
    const last = word.glyphs[to] as Glyph;
    const first = word.glyphs[from] as Glyph;
    if (
      !flags[to] &&
      /^[.,;:!?'’]$/.test(last.text) &&
      (last.text !== '!' || (line.glyphs.length > 0 && !/[\w)]/.test(word.glyphs[to - 1]?.text ?? '')))
    )
      to--;
    else if (!flags[to] && /^[)\]]$/.test(last.text) && balance(core(), '([', ')]') < 0) to--;
    else if (!flags[from] && /^[([]$/.test(first.text) && balance(core(), '([', ')]') > 0) from++;
    else if (!flags[from] && /^[-–.,;:)\]]$/.test(first.text) && from < to && first.text !== '-') from++;
    else if (!flags[from] && first.text === '-' && from > 0) from++;
    else if (!flags[to] && /^[-–]$/.test(last.text)) to--;
    else break;
  }
  const parts: Marked[] = [];
  const part = (kind: Marked['kind'], list: Glyph[]) => {
    if (list.length === 0) return;
    parts.push({
      kind,
      glyphs: list,
      gap: parts.length === 0 ? word.gap : 0,
      text: list.map((g) => g.text).join(''),
      isGlued: parts.length > 0,
      x0: Math.min(...list.map((g) => g.x)),
      x1: Math.max(...list.map((g) => g.x + g.width)),
    });
  };
  part('text', word.glyphs.slice(0, from));
  part('math', core());
  part('text', word.glyphs.slice(to + 1));
  return parts;
}

/** An upright word followed by its argument after a thin space (rank A): text has a wider space there, or none. */
function isOperatorName(glyphs: readonly Glyph[], from: number, length: number): boolean {
  const last = glyphs[from - 1] as Glyph;
  const next = glyphs[from] as Glyph;
  const isUpright = glyphs.slice(from - length, from).every((g) => !g.font.italic && !g.font.mono);
  const gap = (next.x - last.x - last.width) / last.size;
  return length >= 2 && from === length && isUpright && gap > 0.12 && next.font.family !== 'none';
}

/** How many more `open` brackets than `close` brackets the glyphs contain. */
export function balance(glyphs: readonly Glyph[], open: string, close: string): number {
  let depth = 0;
  for (const g of glyphs) {
    if (g.font.family === 'extension' || g.ink.y1 - g.ink.y0 > 1.15 * g.size) continue;
    if (open.includes(g.text)) depth += 1;
    if (close.includes(g.text)) depth -= 1;
  }
  return depth;
}
