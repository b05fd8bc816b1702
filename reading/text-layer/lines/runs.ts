/** The runs of a line, text and formulas in turn, and which brackets between them belong to the formulas. */
import { findSymbol } from '../math/symbols.ts';
import type { Glyph } from '../model.ts';
import type { Line } from './lines.ts';
import { commonWords } from './math-letters.ts';
import { balance, unclosed, widestWordGap, wordGapOf } from './words.ts';
import { takeWords } from './words-in-formulas.ts';

export interface Run {
  kind: 'text' | 'math';
  glyphs: Glyph[];
  spaceBefore: boolean;
}

export const operatorEnd = /[=+−<>≤≥≠≡≈∼≅≃∈∉→↦×·⋅∣∤±∓⊂⊆∪∩∘⇒⟹⇔:∗⋆⟶∥∧∨⊕⊗⨿∖\\,(–]$|mod$/u;
export const operatorStart = /^(?:[=+−<>≤≥≠≡≈∼≅≃∈∉→↦×·⋅∣∤±∓⊂⊆∪∩∘⇒⟹⇔∗⋆⟶∥∧∨⊕⊗⨿∖\\)⋯…]|\u0338|:=|mod)/u;

/** Gives formulas the dots and brackets that are theirs; the runs are changed in place. */
export function takeBrackets(runs: Run[], line: Line): Run[] {
  takeDots(runs);
  takeWords(runs);
  dropStrayClosers(runs);
  takeMates(runs);
  takePairs(runs, line);
  takeOperators(runs);
  takeNumbers(runs);
  takeUnits(runs, line);
  joinNeighbours(runs, line);
  return runs;
}

/** Formulas side by side are one if a sign stands between them, or a thin space alone. */
function joinNeighbours(runs: Run[], line: Line): void {
  for (let i = 0; i + 1 < runs.length; i++) {
    const [before, after] = runs.slice(i, i + 2) as [Run, Run];
    if (before.kind !== 'math' || after.kind !== 'math') continue;
    const isOne =
      endsInSign(before.glyphs) || operatorStart.test(textOf(after.glyphs)) || follows(before, after, line);
    if (!isOne) continue;
    before.glyphs.push(...after.glyphs);
    runs.splice(i + 1, 1);
    i -= 1;
  }
}

/** x_1, ..., x_n in a face whose punctuation is the text's. */
function takeDots(runs: Run[]): void {
  for (let i = 0; i + 2 < runs.length; i++) {
    const next = runs.findIndex((run, k) => k > i && run.kind === 'math');
    const [before, after] = [runs[i], runs[next]];
    if (before?.kind !== 'math' || !after) continue;
    const between = runs.slice(i + 1, next).flatMap(({ glyphs }) => glyphs);
    const text = textOf([...before.glyphs.slice(-1), ...between]);
    if (!/^.?,\.{3},?$/.test(text)) continue;
    before.glyphs.push(...between, ...after.glyphs);
    runs.splice(i + 1, next - i);
    i -= 1;
  }
}

/**
 * A bracket right before a formula that closes it, or right after one that opened it; also before one that the line's
 * end breaks after a sign, and between two that it touches.
 */
function takeMates(runs: Run[]): void {
  for (let i = 0; i + 1 < runs.length; i++) {
    const run = runs[i] as Run;
    const next = runs[i + 1] as Run;
    if (next.spaceBefore) continue;
    if (run.kind === 'text' && next.kind === 'math') {
      const isBroken = i + 2 === runs.length && endsInSign(next.glyphs);
      while (/^[([]$/.test(run.glyphs.at(-1)?.text ?? '') && (closesMore(next.glyphs) || isBroken))
        next.glyphs.unshift(run.glyphs.pop() as Glyph);
      next.spaceBefore = run.glyphs.length === 0 && run.spaceBefore;
      if (run.glyphs.length === 0) runs.splice(i--, 1);
      continue;
    }
    if (run.kind !== 'math' || next.kind !== 'text') continue;
    while (/^[)\]]$/.test(next.glyphs[0]?.text ?? '') && balance(run.glyphs, '([', ')]') > 0)
      run.glyphs.push(next.glyphs.shift() as Glyph);
    const after = runs[i + 2];
    const goesOn =
      after?.kind === 'math' &&
      (!after.spaceBefore || (operatorStart.test(textOf(after.glyphs)) && !isOpen(runs.slice(0, i))));
    if (goesOn && /^[)\]]+$/.test(textOf(next.glyphs))) {
      run.glyphs.push(...next.glyphs, ...after.glyphs);
      runs.splice(i + 1, 2);
      i -= 1;
    } else if (next.glyphs.length === 0) runs.splice(i + 1, 1);
  }
}

/** A bracket of the text is open. */
function isOpen(runs: readonly Run[]): boolean {
  return unclosed(runs.flatMap(({ kind, glyphs }) => (kind === 'text' ? glyphs : []))) > 0;
}

/** TeX breaks a formula after a relation or a binary operator. */
function endsInSign(glyphs: readonly Glyph[]): boolean {
  const atom = findSymbol(glyphs.at(-1)?.text ?? '')?.atom;
  return atom === 'rel' || atom === 'bin';
}

/** Closes a bracket that was not opened before. */
function closesMore(glyphs: readonly Glyph[]): boolean {
  return glyphs.some((_, i) => balance(glyphs.slice(0, i + 1), '([', ')]') < 0);
}

/** A formula in brackets of the text: (if n = 0). */
function dropStrayClosers(runs: Run[]): void {
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i] as Run;
    const last = run.glyphs.at(-1);
    const opener = runs.slice(0, i).findLastIndex((r) => r.kind === 'text' && /[([]/.test(textOf(r.glyphs)));
    if (run.kind !== 'math' || opener < 0 || run.glyphs.length < 2) continue;
    if (last?.text !== ')' || last.font.family !== 'none' || balance(run.glyphs, '([', ')]') >= 0) continue;
    if (balance(run.glyphs.slice(0, -1), '([', ')]') !== 0) continue;
    // a formula that follows its bracket at once is taken with both, unless it is a statement: (x > 0)
    if (opener === i - 1 && !run.spaceBefore && !/[=<>≤≥∈⊂⊆→≈∼]/.test(textOf(run.glyphs))) continue;
    run.glyphs = run.glyphs.slice(0, -1);
    runs.splice(i + 1, 0, { kind: 'text', glyphs: [last], spaceBefore: false });
  }
}

/**
 * Brackets of the text around a formula belong to it if the formula goes on before or after them, if it lists
 * several things, or if they are upright in an italic sentence.
 */
function takePairs(runs: Run[], line: Line): void {
  for (let i = 0; i + 2 < runs.length; i++) {
    const [open, inner, close] = runs.slice(i, i + 3) as [Run, Run, Run];
    if (open.kind !== 'text' || inner.kind !== 'math' || close.kind !== 'text') continue;
    const left = open.glyphs.at(-1);
    const right = close.glyphs[0];
    if (!left || !right || inner.spaceBefore || close.spaceBefore) continue;
    if (!/^[([]$/.test(left.text) || !/^[)\]]$/.test(right.text)) continue;
    const before = open.glyphs.length === 1 ? runs[i - 1] : undefined;
    const after = close.glyphs.length === 1 ? runs[i + 3] : undefined;
    const goesOnBefore =
      before?.kind === 'math' && (!open.spaceBefore || operatorEnd.test(textOf(before.glyphs)));
    const goesOnAfter =
      after?.kind === 'math' && (!after.spaceBefore || operatorStart.test(textOf(after.glyphs)));
    if (!goesOnBefore && !goesOnAfter && !isList(inner.glyphs) && !isUprightAmidItalic(left, right, line))
      continue;
    inner.glyphs = [left, ...inner.glyphs, right];
    open.glyphs.pop();
    close.glyphs.shift();
    const last = [...(goesOnAfter ? after.glyphs : [])];
    inner.glyphs.push(...last);
    runs.splice(i + 2, goesOnAfter ? 2 : close.glyphs.length === 0 ? 1 : 0);
    if (open.glyphs.length > 0) continue;
    inner.spaceBefore = open.spaceBefore;
    runs.splice(i, 1);
    if (goesOnBefore) {
      before.glyphs.push(...inner.glyphs);
      runs.splice(i, 1);
      i -= 2;
    }
    // what is around it may be another bracket
    i = Math.max(-1, i - 1);
  }
}

/** Space that TeX leaves behind a fraction (\nulldelimiterspace) and behind a script (\scriptspace), in points. */
const fractionSpace = 1.2;
const scriptSpace = 0.5;

/** Widest thin space, in gaps that end a word: less than is between the line's words, and than a fifth of an em. */
const thinSpace = 1.18;

/** Only a thin space, as before \left(. */
function follows(before: Run, after: Run, { rules, size, glyphs }: Line): boolean {
  const [last, next] = [before.glyphs.at(-1), after.glyphs[0]];
  if (!last || !next) return false;
  const end = last.x + last.width;
  const bar = rules.find((r) => r.horizontal && r.x0 < end - 1 && r.x1 > end - 1 && r.x1 < next.x);
  const space = bar ? fractionSpace : last.size < 0.85 * size ? scriptSpace : 0;
  const gap = (next.x - Math.max(end, bar?.x1 ?? end) - space) / size;
  return gap < thinSpace * widestWordGap && gap < thinSpace * wordGapOf(glyphs);
}

/** An upright sign between two formulas, or between one and a number. */
function takeOperators(runs: Run[]): void {
  for (let i = 1; i + 1 < runs.length; i++) {
    const [before, sign, after] = runs.slice(i - 1, i + 2) as [Run, Run, Run];
    if (sign.kind !== 'text' || before.kind !== 'math') continue;
    if (!/^[=+<>]$/.test(textOf(sign.glyphs)) || sign.glyphs[0]?.font.italic) continue;
    const count = after.kind === 'math' ? after.glyphs.length : numberLength(after.glyphs);
    if (count === 0) continue;
    before.glyphs.push(...sign.glyphs, ...after.glyphs.splice(0, count));
    runs.splice(i, after.glyphs.length === 0 ? 2 : 1);
    after.spaceBefore = false;
    i -= 1;
  }
}

/** A number behind the sign that a formula ends in, also where a word goes on with it: n + 1-st, x ≪ 1? */
function takeNumbers(runs: Run[]): void {
  for (let i = 0; i + 1 < runs.length; i++) {
    const [run, next] = runs.slice(i, i + 2) as [Run, Run];
    if (run.kind !== 'math' || next.kind !== 'text' || run.glyphs.length < 2) continue;
    const [first] = next.glyphs;
    if (!first || !/\d/.test(first.text) || first.font.italic || !endsInSign(run.glyphs)) continue;
    const count = numberLength(next.glyphs);
    if (count === 0) continue;
    run.glyphs.push(...next.glyphs.splice(0, count));
    next.spaceBefore = false;
    if (next.glyphs.length === 0) runs.splice(i + 1, 1);
  }
}

/** An upright unit a thin space behind a formula: 10^8 m/s. */
function takeUnits(runs: Run[], line: Line): void {
  for (let i = 0; i + 1 < runs.length; i++) {
    const [run, next] = runs.slice(i, i + 2) as [Run, Run];
    if (run.kind !== 'math' || next.kind !== 'text' || !next.spaceBefore) continue;
    const [unit = ''] = /^\p{L}{1,4}(?:\/\p{L}{1,4})?(?=[).,;:?]*$)/u.exec(textOf(next.glyphs)) ?? [];
    const count = unit.length;
    if (count === 0 || commonWords.has(unit) || next.glyphs[0]?.font.italic) continue;
    if (!follows(run, next, line)) continue;
    run.glyphs.push(...next.glyphs.splice(0, count));
    next.spaceBefore = false;
    if (next.glyphs.length === 0) runs.splice(i + 1, 1);
  }
}

/** Length of the number that the glyphs begin with; 0 if letters are part of it. */
function numberLength(glyphs: readonly Glyph[]): number {
  return /^\d+(?:[.,]\d+)*(?![.,]?[\d\p{L}])/u.exec(textOf(glyphs))?.[0].length ?? 0;
}

/** (a, b), outside of inner brackets. */
function isList(glyphs: readonly Glyph[]): boolean {
  return glyphs.some(
    (g, i) => g.text === ',' && i < glyphs.length - 1 && balance(glyphs.slice(0, i), '([', ')]') === 0,
  );
}

function isUprightAmidItalic(left: Glyph, right: Glyph, line: Line): boolean {
  const letters = line.glyphs.filter((g) => g.font.family === 'none' && /^\p{L}$/u.test(g.text));
  const italic = letters.filter((g) => g.font.italic).length;
  return !left.font.italic && !right.font.italic && italic > 0.7 * letters.length && italic > 6;
}

function textOf(glyphs: readonly Glyph[]): string {
  return glyphs.map((g) => g.text).join('');
}
