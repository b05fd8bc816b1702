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

const neutralText = /^[\d.,()[\]+=<>/!:;*\-–−|{}'′$%]+$/;

/** Gap that ends a word: TeX shrinks an interword space (a third of an em) to two ninths at most; a thin space is a sixth. */
export const widestWordGap = 0.17;
/** Typewriter letters do not fill their cells; a space is a whole cell, about half an em. */
const monoGap = 0.32;

/** A narrow face (a quarter of an em between words) shrinks them to a thin space on a full line. */
export function wordGapOf(glyphs: readonly Glyph[]): number {
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

/** A comma between two things of one formula: TeX sets a thin space of the mathematics' em, which may be the wider one. */
const widestThinSpace = 0.19;

function isListed(before: readonly Glyph[], next: Glyph): boolean {
  const [item, comma] = before.slice(-2);
  if (!item || !comma || !/^[,;]$/.test(comma.text)) return false;
  const isMath = (g: Glyph) => g.font.family !== 'none';
  const mayBe = (g: Glyph) => isMath(g) || /^[\d()[\]]$/.test(g.text);
  return mayBe(item) && mayBe(next) && (isMath(item) || isMath(next));
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
    if (last && (gap < (isMono ? monoGap : wordGap) || (gap < widestThinSpace && isListed(last.glyphs, g)))) {
      last.glyphs.push(g);
      last.x1 = Math.max(last.x1, g.x + g.width);
    } else words.push({ glyphs: [g], x0: g.x, x1: g.x + g.width, gap });
  }
  return words;
}

/** A number and its unit, a thin space apart: 12 GHz. */
function isMeasure({ glyphs }: Word): boolean {
  if (!/^\d/.test(glyphs[0]?.text ?? '')) return false;
  const at = glyphs.findIndex(({ text }) => !/^[\d.,]$/.test(text));
  const [number, unit] = [glyphs[at - 1], glyphs[at]];
  if (!number || !unit || !glyphs.slice(at).every(({ text }) => /^[\p{L}°%.,/]$/u.test(text))) return false;
  const gap = (unit.x - number.x - number.width) / unit.size;
  const isFunction = functionNames.has(textOf(glyphs.slice(at)));
  return gap > 0.12 && gap < widestThinSpace && glyphs.length - at <= 5 && !isFunction;
}

function textOf(glyphs: readonly Glyph[]): string {
  return glyphs.map(({ text }) => text).join('');
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
  const text = textOf(word.glyphs);
  const whole = (kind: Marked['kind']): Marked[] => [
    { kind, glyphs: word.glyphs, gap: word.gap, text, isGlued: false, x0: word.x0, x1: word.x1 },
  ];
  const isUnit = isMeasure(word) && word.glyphs.every((g, i) => !flags[i] || /^[/.,]$/.test(g.text));
  // the decimal point of mathematics is of another face
  const isDecimal = word.glyphs.some((g, i) => flags[i] && /^[.,]$/.test(g.text));
  if (isUnit) return whole(isDecimal ? 'math' : 'neutral');
  if (!flags.includes(true)) {
    // in an italic sentence the punctuation after a number is italic
    const end = word.glyphs.findLastIndex((g) => !/^[.,;:]$/.test(g.text)) + 1;
    const upright = word.glyphs.slice(0, end).every((g) => !g.font.italic && !g.font.mono);
    if (upright && functionNames.has(/^\d*([A-Za-z]+)(?:\(\d*)?$/.exec(text)?.[1] ?? ''))
      return whole('function');
    // a vector: one bold letter; mathematics only next to mathematics
    if (upright && /^[A-Za-z][,.;]?$/.test(text) && word.glyphs[0]?.font.bold) return whole('function');
    if (upright && (neutralText.test(text) || /^\p{L}{1,8}\([\d,]+\)[.,;]?$/u.test(text)))
      return whole('neutral');
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
  const textFrom = (at: number) => textOf(word.glyphs.slice(at));
  let from = flags.indexOf(true);
  let to = flags.lastIndexOf(true);
  // a raised number that is no part of a formula is a note's mark
  const isNeutral = (g: Glyph) =>
    neutralText.test(g.text) && !g.font.italic && Math.abs(g.baseline - line.baseline) < 0.1 * line.size;
  // digits, signs and a function's name right before it belong to the formula
  const takeNeutral = () => {
    while (from > 0 && isNeutral(word.glyphs[from - 1] as Glyph)) from--;
  };
  takeNeutral();
  const before = textOf(word.glyphs.slice(0, from));
  const name = /([A-Za-z]+)$/.exec(before)?.[1] ?? '';
  const others = name === '' ? [] : lettersOnRow(word.glyphs.slice(from), line);
  if (others.length > 0 && functionNames.has(name + textOf(others))) {
    from -= name.length;
    to = Math.max(to, word.glyphs.indexOf(others.at(-1) as Glyph));
  } else if (name !== '' && (functionNames.has(name) || isOperatorName(word.glyphs, from, name.length, line)))
    from -= name.length;
  // 2 sin x
  takeNeutral();
  while (to < word.glyphs.length - 1 && isNeutral(word.glyphs[to + 1] as Glyph)) to++;
  // 20 °C
  const isDegree = word.glyphs[to]?.text === '◦' && (word.glyphs[to] as Glyph).size < 0.87 * line.size;
  if (isDegree && /^[CFK](?!\p{L})/u.test(textFrom(to + 1))) to++;
  // a function's name in the middle is followed by its argument
  const nameAfter = /^([A-Za-z]+)[\d()]*$/.exec(textFrom(to + 1))?.[1] ?? '';
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
    else if (!flags[to] && /^[)\]]$/.test(last.text) && closesOutside(core())) to--;
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
      text: textOf(list),
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

/** The rest of a name that has its limits below: lim with x → c. */
function lettersOnRow(glyphs: readonly Glyph[], line: Line): Glyph[] {
  const row = glyphs.filter((g) => Math.abs(g.baseline - line.baseline) < 0.1 * line.size);
  const end = row.findIndex((g) => g.font.family !== 'none' || g.font.italic || !/^[a-z]$/.test(g.text));
  return end < 0 ? row : row.slice(0, end);
}

/**
 * An upright word followed by its argument after a thin space (rank A), where text has a wider space or none; or
 * by its argument in brackets, or a script, without one (Spec(R), Hom_R). The d of an integral is one, too.
 */
function isOperatorName(glyphs: readonly Glyph[], from: number, length: number, line: Line): boolean {
  const name = glyphs.slice(from - length, from);
  const last = glyphs[from - 1] as Glyph;
  const next = glyphs[from] as Glyph;
  const isUpright = name.every((g) => !g.font.italic && !g.font.mono && g.size > 0.85 * line.size);
  const isOneFace = name.every((g) => g.font === last.font && !g.font.mono && g.size > 0.85 * line.size);
  const isWhole = glyphs.slice(0, from - length).every((g) => /^[([{|]$/.test(g.text));
  if (!(isUpright || isOneFace) || !isWhole) return false;
  const gap = (next.x - last.x - last.width) / last.size;
  if (length === 1 && last.text === 'd' && isUpright)
    return from === 1 && next.font.family === 'letters' && gap < 0.2;
  if (gap > 0.12) return length > 1 && isUpright && from === length && next.font.family !== 'none';
  const isScript = next.size < 0.85 * line.size && Math.abs(next.baseline - last.baseline) > 0.1 * line.size;
  const isNote = isScript && next.baseline < last.baseline && /^[\d∗†‡]$/.test(next.text);
  const isCapital = /^\p{Lu}/u.test(name[0]?.text ?? '');
  if (length === 1 && !(isCapital && isUpright)) return false;
  if (isScript) return length <= 8 && (isUpright || length > 1) && (!isNote || (isCapital && isUpright));
  // a longer one is a word: Normal(μ, σ²)
  return length <= 5 && isUpright && next.text === '(';
}

/** The last bracket closes one that was not opened; in g(a))f(x), after a line's end, it is another. */
function closesOutside(glyphs: readonly Glyph[]): boolean {
  if (balance(glyphs, '([', ')]') >= 0) return false;
  return glyphs.every((_, i) => balance(glyphs.slice(i), '([', ')]') < 0);
}

/** Brackets that are open at the end; one that closes what a line before opened changes nothing. */
export function unclosed(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((open, g) => Math.max(0, open + balance([g], '([', ')]')), 0);
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
