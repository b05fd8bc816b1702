/**
 * Letters of formulas in documents whose mathematics borrows the text's italic (mathptmx, mathpazo): only the
 * position of a letter distinguishes it from an emphasised word.
 */
import { findOperator, findSymbol } from '../math/symbols.ts';
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
      if (!isPartOfWord(row, i, end) && (isFormula(row, i, end, bodySize, isProse) || hasScript(run, glyphs)))
        for (const g of run) claimed.add(g);
      i = end;
    }
  }
  return glyphs.map((g) => {
    if (claimed.has(g)) {
      // as mathematics, a letter that reaches far to the left (f, j) begins where its ink does
      const x = g.x - g.ink.x0 > 0.06 * g.size ? g.ink.x0 : g.x;
      return { ...g, x, width: g.x + g.width - x, font: { ...g.font, family: 'letters' as const } };
    }
    const isOversized =
      g.font.family === 'unicode' &&
      findOperator(g.text) !== null &&
      g.size > 1.3 * bodySize &&
      g.ink.y1 - g.ink.y0 < g.size;
    return isOversized ? { ...g, size: bodySize } : g;
  });
}

/** Bold letters that stand right beside a sign of mathematics, apart from other letters. */
export function findVectors(glyphs: readonly Glyph[]): Set<string> {
  const found = new Set<string>();
  const isApart = (g: Glyph, other: Glyph | undefined) =>
    !other || other.font.name !== g.font.name || Math.abs(other.baseline - g.baseline) > 0.1 * g.size;
  glyphs.forEach((g, i) => {
    if (g.font.family !== 'none' || !g.font.bold || g.font.italic || !/^[A-Za-z]$/.test(g.text)) return;
    const [before, after] = [glyphs[i - 1], glyphs[i + 1]];
    const isBeside = (other: Glyph | undefined, gap: number) =>
      other !== undefined && other.font.family !== 'none' && Math.abs(gap) < 0.35 * g.size;
    const touches =
      isBeside(before, g.x - (before?.x ?? 0) - (before?.width ?? 0)) ||
      isBeside(after, (after?.x ?? 0) - g.x - g.width);
    if (touches && isApart(g, before) && isApart(g, after)) found.add(g.text);
  });
  return found;
}

/** Words of two and three letters that stand before and after formulas. */
export const commonWords = new Set(
  (
    'an and are as at be but by can for has if in is it let may no not of on one or set so the to two via we ' +
    'als auf bei das dem den der die ein es für ist mit nun sei so um und von wir zu ' +
    'au aux car des du en est et il la le les on ou par pas que qui sa si son sur un une ' +
    'al con da de del di el es la las los per por se si sea su uma un una'
  ).split(' '),
);

function isItalicLetter(g: Glyph): boolean {
  return (
    g.font.family === 'none' &&
    g.font.italic &&
    !g.font.bold &&
    !g.font.mono &&
    (/^[A-Za-z]$/.test(g.text) || isGreek(g))
  );
}

function isGreek(g: Glyph): boolean {
  return /^\p{Script=Greek}$/u.test(g.text);
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

/** Letters `from` to `to` go on as a word: with an accented letter or a ligature, an elision (d'un), an abbreviation (i.e.). */
function isPartOfWord(row: readonly Glyph[], from: number, to: number): boolean {
  const touching = (at: number, pattern: RegExp) => {
    const g = row[at];
    const isNext = g?.font.family === 'none' && pattern.test(g.text);
    return isNext && (at < from ? gapBefore(row, at + 1) : gapBefore(row, at)) < 0.14;
  };
  const letter = /^\p{L}/u;
  const isOther = (at: number) => touching(at, /^\p{L}+$/u) && !isItalicLetter(row[at] as Glyph);
  const isItalic = (at: number) => row[at]?.font.italic === true;
  if ([from - 1, to].some((at) => isOther(at) && isItalic(at))) return true;
  if (touching(to, /^['’]$/) && touching(to + 1, letter)) return true;
  if (touching(from - 1, /^['’]$/) && from > 1 && letter.test(row[from - 2]?.text ?? '')) return true;
  const isPoint = (at: number) => touching(at, /^\.$/) && isItalic(at);
  const goesOn = to - from === 1 && isPoint(to) && isItalic(to + 1) && letter.test(row[to + 1]?.text ?? '');
  const began =
    to - from === 1 && isPoint(from - 1) && isItalic(from - 2) && letter.test(row[from - 2]?.text ?? '');
  return (goesOn && gapBefore(row, to + 1) < 0.14) || began;
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

/** Letters `from` to `to` of a row. */
function isFormula(
  row: readonly Glyph[],
  from: number,
  to: number,
  bodySize: number,
  isProse: boolean,
): boolean {
  const run = row.slice(from, to);
  const first = run[0] as Glyph;
  if (isDifferential(run) && run.length > 2) return true;
  if (run.length > 3) return false;
  if (first.size < 0.85 * bodySize || run.every((g) => isGreek(g))) return true;
  const [before, after] = [row[from - 1], row[to]];
  const gaps = [before ? gapBefore(row, from) : 0, after ? gapBefore(row, to) : 0] as const;
  // a word, and what has a sign of its own: is −1
  const isUnary = gaps[1] > 0.17 && row[to + 1] !== undefined && gapBefore(row, to + 1) < 0.1;
  const isWord = isProse && commonWords.has(run.map(({ text }) => text).join('')) && Math.min(...gaps) > 0.17;
  const joinsBefore = joinsFormula(before, gaps[0]);
  const joinsAfter = !(isUnary && /^[−+±]$/.test(after?.text ?? '')) && joinsFormula(after, gaps[1]);
  if (joinsBefore && joinsAfter) return true;
  const joins = joinsBefore || joinsAfter || isListed(row, from, to);
  if (joins) return !isWord;
  const isApart = Math.max(before ? 0 : 1, gaps[0]) > 0.2 && Math.max(after ? 0 : 1, gaps[1]) > 0.2;
  const endsInCapital = /^[A-Z]$/.test((run.at(-1) as Glyph).text);
  if (!isProse) return run.length === 1 || !isApart || isDifferential(run) || endsInCapital;
  if (run.length > 1) return false;
  // one-letter words of the most common languages; one in capitals begins a sentence
  if (!/^[aAyYoOeEI]$/.test(first.text)) return true;
  const isAmidUpright = [before, after].every((g) => g && !g.font.italic && /^[\p{L},]$/u.test(g.text));
  const isLaterCapital =
    /^[A-Z]$/.test(first.text) && before !== undefined && /^[\p{L},]$/u.test(before.text);
  return isAmidUpright || isLaterCapital;
}

/** dx, dt, dxdy …; of the words of two letters, only those that begin with d and end with a vowel are not. */
function isDifferential(run: readonly Glyph[]): boolean {
  return /^(?:d[b-df-hj-np-z])+$/.test(run.map(({ text }) => text).join(''));
}

/** One of two letters with a comma between them and the thin space of mathematics after it: a, b. */
function isListed(row: readonly Glyph[], from: number, to: number): boolean {
  const isLetter = (g: Glyph | undefined) => g !== undefined && isItalicLetter(g);
  const isComma = (at: number) =>
    row[at]?.text === ',' &&
    gapBefore(row, at) < 0.1 &&
    row[at + 1] !== undefined &&
    Math.abs(gapBefore(row, at + 1) - 0.165) < 0.025;
  if (to - from > 1) return false;
  return (isComma(to) && isLetter(row[to + 1])) || (from > 1 && isComma(from - 1) && isLetter(row[from - 2]));
}

/** Whether a neighbour draws a letter into its formula: it touches it, or is a sign that stands between two things. */
function joinsFormula(neighbour: Glyph | undefined, gap: number): boolean {
  if (!neighbour || neighbour.font.italic) return false;
  const isMath = neighbour.font.family !== 'none' || /^[=+()[\]<>/|\d]$/.test(neighbour.text);
  const atom = findSymbol(neighbour.text)?.atom;
  // the slash of a negation has no class; a full line stretches the space of relations
  const isSign =
    atom === 'rel' || atom === 'bin' || (atom === undefined && neighbour.font.family === 'symbols');
  return isMath && gap < (isSign ? 0.5 : 0.17);
}
