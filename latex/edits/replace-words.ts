/** Replaces words in LaTeX: in text only, never in a command's name, a key or a label; in formulas only on request. */
import { escapeLatex } from '../source/escape.ts';
import { scanLatex } from '../source/scan.ts';
import { applySplices, type Splice } from '../source/splice.ts';
import { annotate } from '../source/syntax.ts';
import type { ExactEdit } from './exact-edit.ts';

type Replace = Extract<ExactEdit, { type: 'replace' }>;

export type Replaced =
  | { kind: 'replaced'; latex: string; count: number }
  | { kind: 'refusal'; message: string };

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** True if a replacement can be inserted into LaTeX source without escaping. */
function isBalanced(source: string): boolean {
  let depth = 0;
  let dollars = 0;
  for (const token of scanLatex(source)) {
    if (token.kind === 'open') depth++;
    if (token.kind === 'close' && --depth < 0) return false;
    if (token.kind === 'dollar') dollars++;
    if (token.kind === 'comment' || token.kind === 'begin' || token.kind === 'end' || token.kind === 'break')
      return false;
    if (token.kind === 'command' && /^(input|include|write|catcode|def|let|begin|end)$/.test(token.name))
      return false;
  }
  return depth === 0 && dollars % 2 === 0;
}

/** Replaces the words that `edit` names within `[bodyStart, bodyEnd)` and in title, author and date before it. */
export function replaceWords(latex: string, edit: Replace, bodyStart: number, bodyEnd: number): Replaced {
  const isSource = /[\\$^{}]/.test(edit.from);
  const { from } = edit;
  const to = isSource || edit.where === 'maths' ? edit.to : escapeLatex(edit.to);
  if ((isSource || edit.where !== 'text') && !isBalanced(to)) {
    return { kind: 'refusal', message: 'The replacement is not balanced LaTeX. Nothing was changed.' };
  }
  if (isSource && !isBalanced(from)) {
    return { kind: 'refusal', message: 'What is to be replaced is not balanced LaTeX. Nothing was changed.' };
  }
  const splices = isSource
    ? findSource(latex, from, to, bodyStart, bodyEnd)
    : findWords(latex, edit, to, bodyStart, bodyEnd);
  const used = edit.isFirstOnly ? splices.slice(0, 1) : splices;
  if (used.length === 0) {
    const place =
      edit.where === 'maths'
        ? 'in the formulas'
        : edit.where === 'everywhere'
          ? 'in the document'
          : 'in the text';
    return {
      kind: 'refusal',
      message: `“${from}” does not occur ${isSource ? 'in the document' : place}. Nothing was changed.`,
    };
  }
  return { kind: 'replaced', latex: applySplices(latex, tidyRemovals(latex, used)).text, count: used.length };
}

/** Finds exact LaTeX source, matching whole tokens: `\phi` never matches the head of `\phibar`. */
function findSource(latex: string, from: string, to: string, start: number, end: number): Splice[] {
  const wanted = scanLatex(from);
  const tokens = scanLatex(latex);
  const splices: Splice[] = [];
  for (let i = 0; i + wanted.length <= tokens.length; i++) {
    const first = tokens[i]!;
    const last = tokens[i + wanted.length - 1]!;
    if (first.start < start || last.end > end) continue;
    const fits = wanted.every((token, k) => {
      const other = tokens[i + k]!;
      return (
        other.kind === token.kind &&
        latex.slice(other.start, other.end) === from.slice(token.start, token.end)
      );
    });
    if (!fits) continue;
    const glue = /\\[A-Za-z]+$/.test(to) && /^[A-Za-z]/.test(latex.slice(last.end)) ? ' ' : '';
    splices.push({ start: first.start, end: last.end, text: to + glue });
    i += wanted.length - 1;
  }
  return splices;
}

const printedInPreamble = /\\(title|author|date)\s*\{/g;

function findWords(latex: string, edit: Replace, to: string, bodyStart: number, bodyEnd: number): Splice[] {
  const { tokens, spots } = annotate(latex);
  const zones: { start: number; end: number }[] = [];
  for (const match of latex.slice(0, bodyStart).matchAll(printedInPreamble)) {
    let depth = 0;
    for (let at = match.index + match[0].length - 1; at < bodyStart; at++) {
      if (latex[at] === '{') depth++;
      if (latex[at] === '}' && --depth === 0) {
        zones.push({ start: match.index + match[0].length, end: at });
        break;
      }
    }
  }
  zones.push({ start: bodyStart, end: bodyEnd });
  // One string per run of tokens of the same mode, so that phrases of several words are found.
  const splices: Splice[] = [];
  const wantsText = edit.where !== 'maths';
  const wantsMaths = edit.where !== 'text';
  let run: { start: number; end: number; mode: 'text' | 'math' } | null = null;
  const flush = () => {
    if (run) {
      const rules =
        run.mode === 'text'
          ? { from: escapeLatex(edit.from), to: escapeLatex(edit.to) }
          : { from: edit.from, to };
      splices.push(
        ...findInRun(
          latex,
          run.start,
          run.end,
          edit,
          rules.from,
          edit.where === 'maths' || run.mode === 'math' ? to : rules.to,
        ),
      );
    }
    run = null;
  };
  tokens.forEach((token, index) => {
    const mode = spots[index]!.mode;
    const isEscape = token.kind === 'command' && /^[&%#_${}]$/.test(token.name);
    const isPlain =
      token.kind === 'text' ||
      token.kind === 'space' ||
      token.kind === 'tilde' ||
      isEscape ||
      ((token.kind === 'bracket-open' || token.kind === 'bracket-close') && mode !== 'raw');
    const isIn = zones.some((zone) => token.start >= zone.start && token.end <= zone.end);
    const isWanted = (mode === 'text' && wantsText) || (mode === 'math' && wantsMaths);
    if (!isPlain || !isIn || !isWanted) {
      flush();
      return;
    }
    if (run && run.mode === mode) run.end = token.end;
    else {
      flush();
      run = { start: token.start, end: token.end, mode: mode as 'text' | 'math' };
    }
  });
  flush();
  return splices;
}

function findInRun(
  latex: string,
  start: number,
  end: number,
  edit: Replace,
  from: string,
  to: string,
): Splice[] {
  const pattern = from
    .trim()
    .split(/\s+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(?:\\s+|~)');
  const splices: Splice[] = [];
  for (const match of latex
    .slice(start, end)
    .matchAll(new RegExp(pattern, edit.ignoresCase ? 'giu' : 'gu'))) {
    const at = start + match.index;
    const after = at + match[0].length;
    // Whole words only if they begin and end with letters: the `e` in another word does not match.
    const isMaths = edit.where === 'maths';
    const touchesWord =
      (isWord(from[0]) && isWord(latex[at - 1])) || (isWord(from[from.length - 1]) && isWord(latex[after]));
    // In formulas letters are adjacent: `xy` is x times y. Only a single letter matches inside a run there.
    if (touchesWord && !(isMaths && [...from].length === 1 && /\p{L}/u.test(from) && !/\d/.test(from)))
      continue;
    if (latex[at - 1] === '\\' && /^[A-Za-z]/.test(from)) continue;
    splices.push({ start: at, end: after, text: to });
  }
  return splices;
}

/** Extends each removal by one of the blanks around the word. */
function tidyRemovals(latex: string, splices: readonly Splice[]): Splice[] {
  return splices.map((splice) => {
    if (splice.text !== '') return splice;
    const before = latex[splice.start - 1];
    const after = latex[splice.end];
    if (before === ' ' && (after === undefined || /[\s.,;:!?)]/.test(after)))
      return { ...splice, start: splice.start - 1 };
    if ((before === undefined || /[\n({]/.test(before)) && after === ' ')
      return { ...splice, end: splice.end + 1 };
    return splice;
  });
}
