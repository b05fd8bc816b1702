/** The runs of a line, text and formulas in turn, and which brackets between them belong to the formulas. */
import { findSymbol } from '../math/symbols.ts';
import type { Glyph } from '../model.ts';
import type { Line } from './lines.ts';
import { balance, unclosed } from './words.ts';
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
  joinNeighbours(runs);
  return runs;
}

/** Formulas side by side are one if a sign stands between them. */
function joinNeighbours(runs: Run[]): void {
  for (let i = 0; i + 1 < runs.length; i++) {
    const [before, after] = runs.slice(i, i + 2) as [Run, Run];
    if (before.kind !== 'math' || after.kind !== 'math') continue;
    if (!endsInSign(before.glyphs) && !operatorStart.test(textOf(after.glyphs))) continue;
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

/** An upright sign between two formulas, or between one and a number. */
function takeOperators(runs: Run[]): void {
  for (let i = 1; i + 1 < runs.length; i++) {
    const [before, sign, after] = runs.slice(i - 1, i + 2) as [Run, Run, Run];
    if (sign.kind !== 'text' || before.kind !== 'math') continue;
    if (!/^[=+<>]$/.test(textOf(sign.glyphs)) || sign.glyphs[0]?.font.italic) continue;
    const number = /^\d+(?:[.,]\d+)*(?![.,]?[\d\p{L}])/u.exec(textOf(after.glyphs))?.[0] ?? '';
    const count = after.kind === 'math' ? after.glyphs.length : number.length;
    if (count === 0) continue;
    before.glyphs.push(...sign.glyphs, ...after.glyphs.splice(0, count));
    runs.splice(i, after.glyphs.length === 0 ? 2 : 1);
    after.spaceBefore = false;
    i -= 1;
  }
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
