/** Splits a line of prose into spans: words, their style, and the formulas among them. */

import { isSide } from '../frames.ts';
import { composeAccents, composeLogos, looseAccents } from '../glyphs/accents.ts';
import { readFormula } from '../math/parse.ts';
import { functionNames } from '../math/symbols.ts';
import { type Box, boundsOf, centreX, type Glyph, type Rule } from '../model.ts';
import type { Line } from './lines.ts';
import { operatorEnd, operatorStart, type Run, takeBrackets } from './runs.ts';
import { plainStyle, pushText, type Span, type TextStyle } from './spans.ts';
import { type Marked, markWord, splitWords } from './words.ts';

export interface InlineOptions {
  /** Font ids whose digits and signs belong to mathematics (text uses another font object of the same face). */
  mathFonts: ReadonlySet<string>;
  packages: Set<string>;
  /** Bold letters that stand in the page's formulas. */
  vectors?: ReadonlySet<string>;
  /** The page's notes by mark. */
  footnotes?: Map<string, string>;
  /** Marks found so far: a line may be read more than once before it is written. */
  metFootnotes?: Set<string>;
  /** The face of the whole surroundings, e.g. an italic theorem; only to recognise emphasis. */
}

/** What was read of a line, by the options it was read with: a caption, a heading, an item and prose each ask for it. */
const known = new WeakMap<Line, { options: InlineOptions; spans: Span[] }>();

/** Callers share the spans and leave them as they are. */
export function readLine(line: Line, options: InlineOptions): Span[] {
  const before = known.get(line);
  if (before?.options === options) return before.spans;
  const spans = readSpans(line, options);
  known.set(line, { options, spans });
  return spans;
}

function readSpans(line: Line, options: InlineOptions): Span[] {
  const glyphs = composeLogos(composeAccents(line.glyphs)).map((g) => raiseQuote(g, line));
  const bars = formulaBars(line, glyphs);
  const accented = looseAccents(glyphs);
  const isMath = (g: Glyph) => accented.has(g) || isMathGlyph(g, line, bars, options);
  const words = splitWords(glyphs, line.size);
  for (const { glyphs: own } of words) {
    const [letter, mark, ...more] = own;
    const isAlone = more.length === 0 && (!mark || /^[,.;:]$/.test(mark.text));
    if (letter && isAlone && isVector(letter, options)) accented.add(letter);
  }
  const marked = words.map((w) => markWord(w, isMath, line));
  const runs = joinRuns(marked, line);
  const spans: Span[] = [];
  const underlines = line.rules.filter(
    (r) =>
      r.horizontal && !bars.includes(r) && r.y0 > line.baseline && r.y0 < line.baseline + 0.35 * line.size,
  );
  for (const [index, run] of runs.entries()) {
    if (index > 0 && run.spaceBefore)
      pushText(
        spans,
        ' ',
        runs[index - 1]?.kind === 'text' && run.kind === 'text' ? lastStyle(spans) : plainStyle,
      );
    if (run.kind === 'math') spans.push(readMath(run.glyphs, bars, line, options));
    else for (const g of run.glyphs) pushGlyph(spans, g, line, underlines, options);
  }
  return spans;
}

/** A bold letter by itself that a formula of the page has, too. */
function isVector({ font, text }: Glyph, { vectors }: InlineOptions): boolean {
  return font.family === 'none' && font.bold && !font.italic && vectors?.has(text) === true;
}

/** OT1 has no quotation marks below the line: babel's \glqq lowers those above it. */
function raiseQuote(g: Glyph, { baseline, size }: Line): Glyph {
  const isLowered = g.font.family === 'none' && g.baseline > baseline + 0.2 * size && /^[”’]$/.test(g.text);
  return isLowered ? { ...g, text: g.text === '”' ? '„' : '‚', baseline } : g;
}

function lastStyle(spans: readonly Span[]): TextStyle {
  const last = spans[spans.length - 1];
  return last?.kind === 'text' ? last.style : plainStyle;
}

function pushGlyph(
  spans: Span[],
  glyph: Glyph,
  line: Line,
  underlines: readonly Rule[],
  options: InlineOptions,
): void {
  const { font } = glyph;
  const c = centreX(glyph.ink);
  const style: TextStyle = {
    bold: font.bold,
    italic: font.italic,
    mono: font.mono,
    sans: font.sans,
    smallCaps: font.smallCaps,
    underline: underlines.some((r) => c > r.x0 && c < r.x1),
  };
  if (glyph.size < 0.8 * line.size && glyph.baseline < line.baseline - 0.15 * line.size) {
    const note = options.footnotes?.get(glyph.text);
    if (note !== undefined) {
      spans.push({ kind: 'raw', latex: `\\footnote{${note}}` });
      options.metFootnotes?.add(glyph.text);
      return;
    }
    const last = spans[spans.length - 1];
    if (last?.kind === 'raw' && last.latex.startsWith('\\textsuperscript{'))
      last.latex = `${last.latex.slice(0, -1)}${glyph.text}}`;
    else spans.push({ kind: 'raw', latex: `\\textsuperscript{${glyph.text}}` });
    return;
  }
  pushText(spans, glyph.text, style);
}

/** Rules of the line that belong to formulas: with something close above and below, or a radical in front. */
function formulaBars(line: Line, glyphs: readonly Glyph[]): Rule[] {
  return line.rules.filter((r) => {
    if (!r.horizontal || isSide(r, line.rules)) return true;
    const inside = glyphs.filter((g) => centreX(g.ink) > r.x0 - 1 && centreX(g.ink) < r.x1 + 1);
    const above = inside.some((g) => g.ink.y1 <= r.y0 + 1 && r.y0 - g.ink.y1 < 0.8 * line.size);
    const below = inside.some((g) => g.ink.y0 >= r.y1 - 1 && g.ink.y0 - r.y1 < 0.8 * line.size);
    const radical = glyphs.some((g) => g.text === '√' && Math.abs(g.ink.x1 - r.x0) < 0.3 * g.size);
    // a rule over prose separates it from what is above; an overline covers something short, or mathematics
    const isShort = r.x1 - r.x0 < 4 * line.size || inside.some((g) => g.font.family !== 'none');
    // an overline is three of its own widths away; what is further below the line above underlines that one
    const touches = inside.some((g) => g.ink.y0 >= r.y1 - 1 && g.ink.y0 - r.y1 < 0.25 * line.size);
    const over = touches && !above && isShort && r.y1 < line.baseline - 0.2 * line.size;
    const under = inside.some(
      (g) => g.font.family !== 'none' && g.ink.y1 <= r.y0 + 1 && r.y0 - g.ink.y1 < 0.25 * line.size,
    );
    return radical || (above && below) || over || under || inside.some((g) => g.role.startsWith('brace'));
  });
}

function isMathGlyph(g: Glyph, line: Line, bars: readonly Rule[], options: InlineOptions): boolean {
  // a raised point is the degree of a complex, not an item's mark
  if (g.font.family !== 'none') return !isTextSymbol(g) || (g.text === '•' && g.size < 0.85 * line.size);
  // OT1's upright Greek capitals come from the text face
  if (/^[ΓΔ∆ΘΛΞΠΣΥΦΨΩ]$/.test(g.text)) return true;
  // a numerator may be as high as a note's mark
  if (isAtBar(g, line, bars)) return true;
  if (isFootnoteMark(g, line, options) || isRaisedLetter(g, line)) return false;
  if (options.mathFonts.has(g.font.id)) return true;
  if (Math.abs(g.baseline - line.baseline) > 0.1 * line.size) return true;
  return g.size < 0.78 * line.size && /^\d$/.test(g.text) && !g.font.smallCaps;
}

/** Above or below a fraction's bar, or under a radical's. */
function isAtBar(g: Glyph, line: Line, bars: readonly Rule[]): boolean {
  const c = centreX(g.ink);
  return bars.some(
    (r) =>
      r.horizontal &&
      c > r.x0 - 0.5 &&
      c < r.x1 + 0.5 &&
      (g.ink.y1 <= r.y0 + 0.5 || g.ink.y0 >= r.y1 - 0.5) &&
      Math.abs(r.y0 - line.baseline) < 2.2 * line.size &&
      r.y0 < line.baseline - 0.05 * line.size,
  );
}

/** A raised number that is the mark of a note on this page. */
function isFootnoteMark(g: Glyph, line: Line, options: InlineOptions): boolean {
  const isRaised = g.size < 0.85 * line.size && g.baseline < line.baseline - 0.15 * line.size;
  return isRaised && options.footnotes?.has(g.text) === true;
}

/** Letters raised behind a number or a word of text: 2nd, 1er, M. le D. */
function isRaisedLetter(g: Glyph, line: Line): boolean {
  const isRaised = g.size < 0.85 * line.size && g.baseline < line.baseline - 0.2 * line.size;
  if (!isRaised || g.font.italic || !/^[\p{Ll}ªº]+$/u.test(g.text)) return false;
  const level = line.glyphs.filter(
    (o) => Math.abs(o.baseline - g.baseline) < 0.5 && o.size < 0.85 * line.size,
  );
  let start = g.x;
  for (const o of [...level].sort((a, b) => b.x - a.x))
    if (o.x < start && start - o.x - o.width < 0.1 * o.size && /^\p{Ll}+$/u.test(o.text) && !o.font.italic)
      start = o.x;
  const before = line.glyphs.find(
    (o) => Math.abs(o.baseline - line.baseline) < 0.5 && Math.abs(o.x + o.width - start) < 0.12 * line.size,
  );
  return (
    before !== undefined &&
    before.font.family === 'none' &&
    !before.font.italic &&
    /^[\d\p{L}]$/u.test(before.text)
  );
}

/** Text symbols that live in mathematics fonts. */
function isTextSymbol(g: Glyph): boolean {
  return (
    g.text === '•' || g.text === '§' || g.text === '¶' || g.text === '†' || g.text === '‡' || g.text === '©'
  );
}

function joinRuns(parts: readonly Marked[][], line: Line): Run[] {
  const flat = parts.flat();
  const kinds = flat.map((p) => p.kind);
  const mathWords = new Set<number>();
  flat.forEach((p, i) => {
    if (p.kind === 'math') mathWords.add(i);
  });
  const isMathy = (i: number) => mathWords.has(i);
  // formulas absorb neighbouring neutral words and function names until nothing changes
  for (let changed = true, guard = 0; changed && guard < 60; guard++) {
    changed = false;
    flat.forEach((p, i) => {
      if (isMathy(i) || (kinds[i] !== 'neutral' && kinds[i] !== 'function' && !isModulus(p))) return;
      const before = flat[i - 1];
      const after = flat[i + 1];
      const wide = (part: Marked) => part.gap > 0.75;
      const joinsBefore =
        before &&
        isMathy(i - 1) &&
        !wide(p) &&
        (operatorEnd.test(before.text) ||
          operatorStart.test(p.text) ||
          isModulus(p) ||
          (/^\d+$/.test(p.text) && before.text === '-') ||
          functionNames.has(before.text));
      const joinsAfter =
        after &&
        isMathy(i + 1) &&
        !wide(after) &&
        !/[.;]$/.test(p.text) &&
        (operatorEnd.test(p.text) ||
          operatorStart.test(after.text) ||
          // 7 | n
          after.text === '|' ||
          // 25 °C, a thin space apart
          (/^[\d.,]+$/.test(p.text) && after.x0 - p.x1 < 0.2 * line.size) ||
          // "its inf M": between words there is more than a thin space
          (kinds[i] === 'function' && after.gap < 0.22) ||
          isModulus(p));
      if (joinsBefore || joinsAfter) {
        mathWords.add(i);
        changed = true;
      }
    });
    // arithmetic without any mathematics glyph: 1 + 2 = 3
    flat.forEach((p, i) => {
      if (isMathy(i) || kinds[i] !== 'neutral' || !/^[=+<>]$/.test(p.text)) return;
      if (kinds[i - 1] === 'neutral' && kinds[i + 1] === 'neutral') {
        for (const k of [i - 1, i, i + 1]) mathWords.add(k);
        changed = true;
      }
    });
  }
  const runs: Run[] = [];
  flat.forEach((p, i) => {
    const last = runs[runs.length - 1];
    const space = !p.isGlued && i > 0;
    if (!isMathy(i)) {
      if (last?.kind === 'text' && !space) last.glyphs.push(...p.glyphs);
      else runs.push({ kind: 'text', glyphs: p.glyphs, spaceBefore: space });
      return;
    }
    const [core, tail] = kinds[i] === 'math' ? [p.glyphs, []] : cutPunctuation(p.glyphs);
    const before = flat[i - 1];
    const breaks =
      before &&
      /[.;:]$/.test(before.text) &&
      before.glyphs[before.glyphs.length - 1]?.font.family === 'none' &&
      // a colon with space before it is a relation: f : X → Y
      !(before.text.endsWith(':') && (before.kind === 'math' || (!before.isGlued && before.gap > 0.2))) &&
      p.gap > 0.25;
    if (last?.kind === 'math' && isMathy(i - 1) && p.gap < 1.2 && !breaks) last.glyphs.push(...core);
    else runs.push({ kind: 'math', glyphs: [...core], spaceBefore: space });
    if (tail.length > 0) runs.push({ kind: 'text', glyphs: tail, spaceBefore: false });
  });
  return takeBrackets(giveColons(runs), line);
}

/** A colon at either end of a formula belongs to the text around it, but for one before a relation: :=. */
function giveColons(runs: readonly Run[]): Run[] {
  return runs.flatMap((run, i) => {
    if (run.kind === 'text' || run.glyphs.length < 2) return [run];
    const { glyphs } = run;
    const isColon = (g: Glyph | undefined) => g?.text === ':' && g.font.family === 'none';
    const [first, second, last, next] = [glyphs[0], glyphs[1], glyphs.at(-1), runs[i + 1]];
    const opens = isColon(first) && runs[i - 1]?.kind !== 'math' && second?.text !== '=';
    const closes = isColon(last) && (next ? next.kind === 'text' && next.spaceBefore : !isSpaced(glyphs));
    const core = glyphs.slice(opens ? 1 : 0, closes ? -1 : undefined);
    if (core.length === 0) return [run];
    const parts: Run[] = [{ ...run, glyphs: core, spaceBefore: opens || run.spaceBefore }];
    if (opens) parts.unshift({ kind: 'text', glyphs: [first as Glyph], spaceBefore: run.spaceBefore });
    if (closes) parts.push({ kind: 'text', glyphs: [last as Glyph], spaceBefore: isSpaced(glyphs) });
    return parts;
  });
}

/** Whether a wide space stands before the last sign. */
function isSpaced(glyphs: readonly Glyph[]): boolean {
  const [before, last] = glyphs.slice(-2) as [Glyph, Glyph];
  return last.x - before.x - before.width > 0.2 * last.size;
}

function isModulus(part: Marked): boolean {
  return part.text === 'mod' || part.text === '(mod';
}

function cutPunctuation(glyphs: readonly Glyph[]): [Glyph[], Glyph[]] {
  let to = glyphs.length;
  while (to > 1 && /^[.,;:-]$/.test(glyphs[to - 1]?.text ?? '') && glyphs[to - 1]?.font.family === 'none')
    to--;
  return [glyphs.slice(0, to), glyphs.slice(to)];
}

/** Of a frame beyond the ink in it, in points: \fboxsep and \fboxrule are 3.4, \nulldelimiterspace beside a fraction 1.2. */
const frameReach = 6;

function readMath(glyphs: Glyph[], bars: readonly Rule[], line: Line, options: InlineOptions): Span {
  const box = boundsOf(glyphs.map((g) => g.ink));
  const rules = bars.filter(
    (r) => isBeside(r, box, 2, 3) || (isSide(r, line.rules) && isBeside(r, box, frameReach, frameReach)),
  );
  const isDisplay =
    glyphs.some(
      (g) =>
        g.role === 'operator-display' ||
        ('∑∏∐⋃⋂'.includes(g.text) && g.ink.y1 - g.ink.y0 > 1.25 * g.size) ||
        (/[∫∮∬]/.test(g.text) && g.ink.y1 - g.ink.y0 > 1.6 * g.size),
    ) || hasLimitBelow(glyphs, line);
  const formula = readFormula(glyphs, rules, isDisplay ? 'display' : 'text', line.size);
  for (const p of formula.packages) options.packages.add(p);
  const latex = tidyMath(formula.latex);
  return {
    kind: 'math',
    latex: isDisplay ? `\\displaystyle ${latex}` : latex,
  };
}

function isBeside(rule: Rule, box: Box, dx: number, dy: number): boolean {
  const isNear = rule.x0 > box.x0 - dx && rule.x1 < box.x1 + dx;
  return isNear && rule.y0 > box.y0 - dy && rule.y1 < box.y1 + dy;
}

/** lim with its condition below it. */
function hasLimitBelow(glyphs: readonly Glyph[], line: Line): boolean {
  const name = glyphs.filter(
    (g) => g.font.family === 'none' && Math.abs(g.baseline - line.baseline) < 0.5 && /^[a-z]$/i.test(g.text),
  );
  const text = name.map((g) => g.text).join('');
  const at = text.search(/lim|max|min|sup|inf/);
  if (at < 0) return false;
  const first = name[at] as Glyph;
  const last = name[Math.min(at + 2, name.length - 1)] as Glyph;
  return glyphs.some(
    (g) =>
      g.size < 0.87 * line.size &&
      centreX(g.ink) > first.x &&
      centreX(g.ink) < last.x + last.width &&
      g.ink.y0 >= line.baseline,
  );
}

/** Shorthands that are recognised only in the finished formula. */
export function tidyMath(latex: string): string {
  return (
    latex
      .replace(
        /(?:\\q?quad ?|\\[;,!]|\\ )*\(\\mathrm\{mod\}(?:\\[;,! ])*\s*([^()]*)\)/g,
        (_, n: string) => `\\pmod{${n.trim()}}`,
      )
      .replace(/(?:\\[;,! ])*\\mathrm\{mod\}(?:\\[;,! ])*/g, '\\bmod ')
      // a word a thin space before its argument is an operator's name; after a number it is a unit
      .replace(/(?<![\d,}])\\mathrm\{([A-Za-z]{2,8})\}\\,(?=[A-Za-z]|\\(?!mathrm|,))/g, '\\operatorname{$1}')
      // three full stops without TeX's spaces stay as they are
      .replace(/\.(?:\\[,;:]\.(?:\\[,;:])?|\.\\[,;:])\./g, '\\ldots ')
      .replace(/\\cdot(?:\\,)?\\cdot(?:\\,)?\\cdot(?![a-z])/g, '\\cdots ')
      // TeX sets a thin space on either side of them
      .replace(/(?:\\,)?(\\[lc]dots )(?:\\,)?/g, '$1')
      .replace(/(\\[lc]dots) (?![A-Za-z])/g, '$1')
      .replace(/\\[,;]\|\\[,;]/g, '\\mid ')
      .replace(/\\;\\Longleftrightarrow\\;/g, '\\iff ')
      .replace(/\\quad\\;\\Longrightarrow\\quad\\;/g, '\\quad\\implies\\quad ')
      .replace(/\\;\\Longrightarrow\\;/g, '\\implies ')
      .replace(/\\;\\\|\\;/g, '\\parallel ')
      .replace(/ +/g, ' ')
      .trim()
  );
}
