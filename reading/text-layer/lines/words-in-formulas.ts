/** Words of the text that belong to a formula: what follows its relation (x = true), and what its brackets enclose. */
import { findSymbol } from '../math/symbols.ts';
import type { Glyph } from '../model.ts';
import { commonWords } from './math-letters.ts';
import type { Run } from './runs.ts';

/** Most words between two brackets of one formula: P(even), Pr[S accepts it]. */
const mostWords: Record<string, number> = { '(': 1, '[': 4, '{': Number.POSITIVE_INFINITY };

/** Joins them to the formula; the runs are changed in place. */
export function takeWords(runs: Run[]): void {
  for (let i = 0; i + 1 < runs.length; i++) {
    const run = runs[i] as Run;
    if (run.kind !== 'math') continue;
    const closing = findClosing(runs, i);
    if (closing) {
      const [at, count] = closing;
      const last = runs[at] as Run;
      run.glyphs.push(
        ...runs.slice(i + 1, at).flatMap(({ glyphs }) => glyphs),
        ...last.glyphs.slice(0, count),
      );
      const rest = last.glyphs.slice(count);
      const isText = last.kind === 'text' && rest.length > 0;
      if (last.kind === 'math') run.glyphs.push(...rest);
      runs.splice(i + 1, at - i, ...(isText ? [{ ...last, glyphs: rest, spaceBefore: false }] : []));
      i -= 1;
    } else if (endsInRelation(run.glyphs)) takeName(runs, i);
  }
}

/** Run and number of glyphs up to the bracket that closes the last one which is open; braces are never the text's. */
function findClosing(runs: readonly Run[], from: number): [number, number] | null {
  const { glyphs } = runs[from] as Run;
  const opener = lastOpen(glyphs);
  if (opener < 0) return null;
  const opened = (glyphs[opener] as Glyph).text;
  const isBrace = opened === '{';
  if (!isBrace && (opener === 0 || !touches(glyphs[opener - 1] as Glyph, glyphs[opener] as Glyph)))
    return null;
  let depth = 1;
  let words = 0;
  for (let at = from + 1; at < runs.length; at++) {
    const run = runs[at] as Run;
    words += run.kind === 'text' ? 1 : 0;
    if (words > (mostWords[opened] ?? 0)) return null;
    for (const [k, g] of run.glyphs.entries()) {
      if (isBrace ? g.text === '{' : /^[([]$/.test(g.text)) depth += 1;
      if (isBrace ? g.text === '}' : /^[)\]]$/.test(g.text)) depth -= 1;
      if (depth === 0) return words > 0 ? [at, k + 1] : null;
    }
  }
  return null;
}

/** Where the last bracket begins that is not closed; −1 without one. */
function lastOpen(glyphs: readonly Glyph[]): number {
  const open: number[] = [];
  glyphs.forEach(({ text, role }, i) => {
    if (role === 'piece') return;
    if (/^[([{]$/.test(text)) open.push(i);
    if (/^[)\]}]$/.test(text)) open.pop();
  });
  return open.at(-1) ?? -1;
}

function touches(before: Glyph, after: Glyph): boolean {
  return after.x - before.x - before.width < 0.2 * after.size;
}

/** A formula does not end in a relation, unless it is the sign alone, or an arrow between sentences. */
function endsInRelation(glyphs: readonly Glyph[]): boolean {
  const last = glyphs.at(-1);
  if (glyphs.length < 2 || !last || /^[⇒⇐⇔⟹⟺→:∣]$/.test(last.text)) return false;
  const before = findSymbol(glyphs.at(-2)?.text ?? '')?.atom;
  return findSymbol(last.text)?.atom === 'rel' && before !== 'bin' && before !== 'rel';
}

/** The first word of several in the sentence's own face: "= the rate of". */
function goesOn([first]: readonly Glyph[], after: Run | undefined): boolean {
  const isOwnFace = first && !(first.font.mono || first.font.sans || first.font.smallCaps || first.font.bold);
  return isOwnFace === true && after?.kind === 'text' && !commonWords.has(wordOf(after.glyphs));
}

function wordOf(glyphs: readonly Glyph[]): string {
  return glyphs.map(({ text }) => text).join('');
}

/** The upright word behind a relation, with an opening bracket or the argument that follows it. */
function takeName(runs: Run[], at: number): void {
  const [run, next, after] = runs.slice(at, at + 3) as [Run, Run, Run | undefined];
  if (next.kind !== 'text') return;
  const end = next.glyphs.findIndex((g) => !/^\p{L}+$/u.test(g.text) || g.font.italic);
  const name = end < 0 ? next.glyphs : next.glyphs.slice(0, end);
  const rest = next.glyphs.slice(name.length);
  if (commonWords.has(wordOf(name)) || (rest.length === 0 && goesOn(name, after))) return;
  const isCall =
    rest.length === 1 && /^[([]$/.test(rest[0]?.text ?? '') && after?.kind === 'math' && !after.spaceBefore;
  if (name.length < 2 || !(isCall || rest.every((g) => /^[)\].,;:]$/.test(g.text)))) return;
  run.glyphs.push(...name, ...(isCall ? rest : []));
  const last = run.glyphs.at(-1) as Glyph;
  const [argument] = after?.kind === 'math' && (isCall || rest.length === 0) ? after.glyphs : [];
  const isArgument = argument !== undefined && argument.x - last.x - last.width < 0.25 * last.size;
  if (isArgument) run.glyphs.push(...(after as Run).glyphs);
  const left = isCall || rest.length === 0 ? [] : [{ ...next, glyphs: rest, spaceBefore: false }];
  runs.splice(at + 1, isArgument ? 2 : 1, ...left);
}
