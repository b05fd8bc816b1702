/** Fixes for formulas: dollars, scripts, delimiters, empty lines. */

import { displayEnvironments, mathOnlyCommands } from '../../source/commands.ts';
import { readGroup, type Token } from '../../source/scan.ts';
import type { SourceText } from '../../source/source-text.ts';
import { commandRange, cut, insertAt, paragraphText, tokenAt } from './edits.ts';
import type { Clue, Proposal } from './proposal.ts';

export const emptyLineTitle = 'Remove the empty line';

export const wrapInMaths = (source: SourceText, from: number, to: number): Proposal => ({
  title: `Write $${source.text.slice(from, to)}$`,
  edits: [insertAt(from, '$'), insertAt(to, '$')],
});

export function fixMissingDollar(clue: Clue, source: SourceText): Proposal | null {
  const after = source.offsetAfter(clue.line, clue.before);
  const { tokens, spots } = source.annotated;
  if (after !== null) {
    const index = tokenAt(tokens, after - 1);
    const token = tokens[index]!;
    if (spots[index]!.mode === 'text') {
      if (token.kind === 'superscript' || token.kind === 'subscript') return fixScript(source, tokens, index);
      if (token.kind === 'command' && mathOnlyCommands.has(token.name)) {
        const { from, to } = commandRange(tokens, index);
        return wrapInMaths(source, from, to);
      }
      // TeX stops behind the command's arguments
      for (let at = index; at >= 0 && at > index - 16 && tokens[at]!.kind !== 'break'; at--)
        if (
          tokens[at]!.kind === 'command' &&
          mathOnlyCommands.has(tokens[at]!.name) &&
          spots[at]!.mode === 'text'
        ) {
          const { from, to } = commandRange(tokens, at);
          return wrapInMaths(source, from, to);
        }
    }
  }
  return removeBlankLine(clue, source) ?? closeFormula(clue, source);
}

function fixScript(source: SourceText, tokens: readonly Token[], index: number): Proposal | null {
  const token = tokens[index]!;
  const before = /[A-Za-z0-9]*$/.exec(source.text.slice(Math.max(0, token.start - 60), token.start))![0];
  const group = tokens[index + 1]?.kind === 'open' ? readGroup(tokens, index + 1) : null;
  const word = /^[A-Za-z0-9]*/.exec(source.text.slice(token.end, token.end + 60))![0];
  // letters on both sides: the name of a file, not an index
  if (token.kind === 'subscript' && !group && before.length > 1 && word.length > 1)
    return { title: 'Write \\_', edits: [insertAt(token.start, '\\')] };
  const number = /^\d+/.exec(word)?.[0] ?? '';
  const to = group
    ? tokens[group.close]!.end
    : token.end + Math.max(1, token.kind === 'superscript' ? number.length : 1);
  if (before === '' || to <= token.end)
    return {
      title: `Write \\${source.text[token.start]}{}`,
      edits: [{ from: token.start, to: token.end, insert: `\\${source.text[token.start]}{}` }],
    };
  const from = token.start - before.length;
  // 10^12 means twelve, TeX would raise the 1 alone
  if (!group && number.length > 1 && token.kind === 'superscript')
    return {
      title: `Write $${before}^{${number}}$`,
      edits: [{ from, to, insert: `$${before}^{${number}}$` }],
    };
  return wrapInMaths(source, from, to);
}

/** An empty line inside a formula that goes on after it and ends in the next paragraph, near the line TeX names. */
export function removeBlankLine({ line, shownLine }: Clue, source: SourceText): Proposal | null {
  const near = shownLine ?? line;
  if (near === null) return null;
  for (let blank = Math.max(2, near - 1); blank <= Math.min(source.lineCount - 1, near + 1); blank++) {
    if (source.lineText(blank).trim() !== '') continue;
    let first = blank;
    while (first > 1 && source.lineText(first - 1).trim() === '') first--;
    let last = blank;
    while (last < source.lineCount && source.lineText(last + 1).trim() === '') last++;
    const closer = openFormula(paragraphText(source, first - 1, -1));
    if (closer === null || !closesFirst(paragraphText(source, last + 1, 1), closer)) continue;
    const from = source.startOf(first);
    return { title: emptyLineTitle, edits: [cut(from, source.startOf(last + 1))] };
  }
  return null;
}

/** What would close the formula that a paragraph leaves open; null when it leaves none. */
function openFormula(text: string): string | null {
  let closer: string | null = null;
  for (const [mark, begun, ended] of text.matchAll(
    /\\\\|\\\$|\\\[|\\\]|\\\(|\\\)|\$\$?|\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}/g,
  )) {
    if (closer === null) {
      if (mark === '\\[' || mark === '\\(') closer = mark === '\\[' ? '\\]' : '\\)';
      else if (mark === '$' || mark === '$$') closer = mark;
      else if (begun && displayEnvironments.has(begun)) closer = `\\end{${begun}}`;
    } else if (mark === closer || (ended && closer === `\\end{${ended}}`)) closer = null;
  }
  return closer;
}

/** Whether a paragraph begins inside a formula: it closes one before it opens another. */
function closesFirst(text: string, closer: string): boolean {
  if (closer === '$' || closer === '$$')
    return (text.match(/(?<!\\)\$/g)?.length ?? 0) % (2 * closer.length) === closer.length;
  const at = text.indexOf(closer);
  if (at < 0) return false;
  const opener = closer === '\\]' ? '\\[' : closer === '\\)' ? '\\(' : closer.replace('\\end', '\\begin');
  const other = text.indexOf(opener);
  return other < 0 || at < other;
}

/** A formula that its paragraph leaves open: closed where the paragraph, or for `$` the line it opens on, ends. */
function closeFormula({ line, shownLine }: Clue, source: SourceText): Proposal | null {
  let last = shownLine ?? line;
  if (last === null) return null;
  while (last > 1 && source.lineText(last).trim() === '') last--;
  const paragraph = paragraphText(source, last, -1);
  const closer = openFormula(paragraph);
  if (closer === null) return null;
  if (closer.startsWith('\\end'))
    return { title: `Add ${closer}`, edits: [insertAt(source.endOf(last), `\n${closer}`)] };
  let opener = last;
  const first = last - paragraph.split('\n').length + 1;
  while (opener > first && openFormula(paragraphText(source, opener - 1, -1)) === closer) opener--;
  const text = source.lineText(opener).trimEnd();
  const end = source.startOf(opener) + text.replace(/[.,;:]$/, '').length;
  return {
    title: `Close the formula with ${closer}`,
    edits: [insertAt(end, closer.startsWith('$') ? closer : ` ${closer}`)],
  };
}

/** `x^2^3` → `{x^2}^3`. */
export function fixDoubleScript(clue: Clue, source: SourceText): Proposal | null {
  if (clue.line === null) return null;
  const text = source.lineText(clue.line);
  const script =
    /(\\[A-Za-z]+|[A-Za-z0-9)\]]|\{[^{}]*\})(([_^])(?:\{[^{}]*\}|\\[A-Za-z]+|[^\s\\{}]))(?=\3)/.exec(text);
  if (!script) return null;
  const from = source.startOf(clue.line) + script.index;
  const [whole] = script;
  return { title: `Write {${whole}}`, edits: [insertAt(from, '{'), insertAt(from + whole.length, '}')] };
}

/** `\left`/`\right` without its partner: an invisible one at the formula's other end. */
export function fixDelimiter(clue: Clue, source: SourceText): Proposal | null {
  if (clue.line === null) return null;
  const text = source.lineText(clue.line);
  const start = source.startOf(clue.line);
  const formula = [...text.matchAll(/\$([^$]+)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)/g)].find(
    ([inside]) =>
      inside.split('\\left').length - inside.split('\\leftarrow').length !==
      inside.split('\\right').length - inside.split('\\rightarrow').length,
  );
  if (!formula) return null;
  const open = formula[0].startsWith('$') ? 1 : 2;
  const count = (name: string) => formula[0].match(new RegExp(`\\\\${name}(?![A-Za-z])`, 'g'))?.length ?? 0;
  const lefts = count('left');
  const rights = count('right');
  if (Math.abs(lefts - rights) !== 1) return null;
  return lefts > rights
    ? {
        title: 'Add \\right.',
        edits: [insertAt(start + formula.index + formula[0].length - open, ' \\right.')],
      }
    : { title: 'Add \\left.', edits: [insertAt(start + formula.index + open, '\\left. ')] };
}

export function fixBareDelimiter(clue: Clue, source: SourceText): Proposal | null {
  if (clue.line === null) return null;
  const text = source.lineText(clue.line);
  const start = source.startOf(clue.line);
  const edits = [...text.matchAll(/\\(?:left|right)(?=([{}])|\s*[A-Za-z0-9])(?![A-Za-z])/g)].map((found) =>
    insertAt(start + found.index + found[0].length, found[1] ? '\\' : '.'),
  );
  return edits.length > 0 ? { title: 'Write the bracket TeX needs', edits } : null;
}
