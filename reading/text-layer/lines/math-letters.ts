/**
 * Letters of formulas in documents whose mathematics borrows the text's italic (mathptmx, mathpazo): only the
 * position of a letter distinguishes it from an emphasised word.
 */
import { findOperator } from '../math/symbols.ts';
import type { Glyph } from '../model.ts';

/** Whether the document's formulas use no letters of a mathematics font. */
export function borrowsItalic(glyphs: readonly Glyph[]): boolean {
  let signs = 0;
  for (const { font, text } of glyphs) {
    if (font.family === 'none') continue;
    const isLetter = /^[A-Za-z]$|^[\u{1d434}-\u{1d467}]$/u.test(text);
    const isAlphabet = /blackboard|fraktur|script|cal/i.test(font.name);
    if (isLetter && (font.family === 'letters' || (font.family === 'unicode' && !isAlphabet))) return false;
    if (!/[•§¶†‡©]/.test(text)) signs += 1;
  }
  return signs > 1;
}

/** The page's glyphs with such letters marked as mathematics, and operators that a font draws at another scale at the text's size. */
export function claimMathLetters(glyphs: readonly Glyph[], bodySize: number): Glyph[] {
  const rows = new Map<number, Glyph[]>();
  for (const g of glyphs) {
    const key = Math.round(g.baseline * 2);
    const row = rows.get(key);
    if (row) row.push(g);
    else rows.set(key, [g]);
  }
  const claimed = new Set<Glyph>();
  for (const row of rows.values()) {
    row.sort((a, b) => a.x - b.x);
    const isProse = longestWord(row) > 3;
    for (let i = 0; i < row.length; ) {
      if (!isItalicLetter(row[i] as Glyph)) {
        i += 1;
        continue;
      }
      let end = i + 1;
      while (end < row.length && isItalicLetter(row[end] as Glyph) && gapBefore(row, end) < 0.14) end += 1;
      const run = row.slice(i, end);
      const before = i > 0 && gapBefore(row, i) < 0.35 ? (row[i - 1] as Glyph) : null;
      const after = end < row.length && gapBefore(row, end) < 0.35 ? (row[end] as Glyph) : null;
      if (isFormula(run, before, after, bodySize, isProse) || hasScript(run, glyphs))
        for (const g of run) claimed.add(g);
      i = end;
    }
  }
  return glyphs.map((g) => {
    if (claimed.has(g)) return { ...g, font: { ...g.font, family: 'letters' as const } };
    const isOversized =
      g.font.family === 'unicode' &&
      findOperator(g.text) !== null &&
      g.size > 1.3 * bodySize &&
      g.ink.y1 - g.ink.y0 < g.size;
    return isOversized ? { ...g, size: bodySize } : g;
  });
}

function isItalicLetter(g: Glyph): boolean {
  return (
    g.font.family === 'none' && g.font.italic && !g.font.bold && !g.font.mono && /^[A-Za-z]$/.test(g.text)
  );
}

function gapBefore(row: readonly Glyph[], at: number): number {
  const last = row[at - 1] as Glyph;
  const next = row[at] as Glyph;
  return (next.x - last.x - last.width) / next.size;
}

/** Most letters of a text face in one formula. */
function longestWord(row: readonly Glyph[]): number {
  let longest = 0;
  let length = 0;
  row.forEach((g, i) => {
    const isLetter = g.font.family === 'none' && /^\p{L}$/u.test(g.text);
    length = !isLetter ? 0 : i > 0 && gapBefore(row, i) < 0.14 ? length + 1 : 1;
    longest = Math.max(longest, length);
  });
  return longest;
}

/** Something smaller right after the last letter, off its baseline. */
function hasScript(run: readonly Glyph[], glyphs: readonly Glyph[]): boolean {
  if (run.length > 2) return false;
  const last = run[run.length - 1] as Glyph;
  const end = last.x + last.width;
  return glyphs.some(
    (g) =>
      g.size < 0.85 * last.size &&
      g.x > end - 0.25 * g.size &&
      g.x < end + 0.2 * last.size &&
      Math.abs(g.baseline - last.baseline) > 0.08 * last.size &&
      Math.abs(g.baseline - last.baseline) < 0.8 * last.size,
  );
}

function isFormula(
  run: readonly Glyph[],
  before: Glyph | null,
  after: Glyph | null,
  bodySize: number,
  isProse: boolean,
): boolean {
  const [first] = run as [Glyph];
  if (run.length > 3) return false;
  if (first.size < 0.85 * bodySize || !isProse) return true;
  const isSign = (g: Glyph | null) =>
    g !== null && (g.font.family !== 'none' || /^[=+()[\]<>/|\d]$/.test(g.text)) && !g.font.italic;
  // one-letter words of the most common languages
  const isWord = run.length > 1 || /^[aAyYoOeEI]$/.test(first.text);
  return !isWord || isSign(before) || isSign(after);
}
