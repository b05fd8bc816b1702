/** Fixes for lists, verbatim text and lines. */
import { listEnvironments, rawEnvironments, verbatimEnvironments } from '../../source/commands.ts';
import { escapeLatex } from '../../source/escape.ts';
import { closerOf, readOptional } from '../../source/matches.ts';
import type { Token } from '../../source/scan.ts';
import type { Fixer, Proposal } from '../rule.ts';
import { cut, insertAt, isLoaded, loadPackage } from './edits.ts';

export const fixVerb: Fixer = ({ shownLine, line: reported }, source) => {
  const near = shownLine ?? reported;
  if (near === null) return null;
  for (let line = near; line >= Math.max(1, near - 2); line--) {
    const found = /\\verb\*?([^A-Za-z\s*])(.*?)\1/.exec(source.lineText(line));
    if (!found) continue;
    const from = source.startOf(line) + found.index;
    return {
      title: 'Write \\texttt',
      edits: [{ from, to: from + found[0].length, insert: `\\texttt{${escapeLatex(found[2]!)}}` }],
    };
  }
  return null;
};

export const fixItem: Fixer = ({ line }, source) => {
  const { tokens } = source.annotated;
  if (line === null) return null;
  const limit = source.endOf(line);
  const at = tokens.findLastIndex(
    (token) => token.kind === 'begin' && listEnvironments.has(token.name) && token.start <= limit,
  );
  if (at < 0) return null;
  const optional = readOptional(tokens, at + 1);
  // after \begin{description} the first item's name would be taken for options
  const isName = optional !== null && source.text.slice(tokens[at]!.end, optional.start).includes('\n');
  if (isName) return { title: 'Add \\item', edits: [insertAt(optional.start - 1, '\\item ')] };
  let next = optional ? optional.close + 1 : at + 1;
  while (tokens[next] && /^(?:space|break|comment)$/.test(tokens[next]!.kind)) next++;
  const token = tokens[next];
  if (!token) return null;
  if (token.kind === 'end' && token.name === tokens[at]!.name)
    return { title: `Remove the empty ${token.name}`, edits: [cut(tokens[at]!.start, token.end)] };
  return token.kind === 'command' && token.name === 'item'
    ? null
    : { title: 'Add \\item', edits: [insertAt(token.start, '\\item ')] };
};

/** Options such as `[label=(\alph*)]` are an item's name in plain LaTeX, and a number in some classes. */
export const loadListOptions: Fixer = ({ line }, source) => {
  if (line === null || isLoaded(source, 'enumitem')) return null;
  const before = source.text.slice(0, source.endOf(line));
  const list = before.lastIndexOf('\\begin{');
  const hasOptions =
    /^\\begin\{(?:enumerate|itemize|description)\}\s*\[(?:[^\]]{0,300}=|(?:nosep|wide)\b)/.test(
      before.slice(list),
    );
  return hasOptions ? loadPackage(source, 'enumitem') : null;
};

export const makeList: Fixer = ({ line }, source) => {
  const at = line === null ? -1 : source.lineText(line).indexOf('\\item');
  if (line === null || at < 0) return null;
  let last = line;
  const continues = (text: string) => /\S/.test(text) && !/\\(?:end|begin|(?:sub)*section)\b/.test(text);
  while (last < source.lineCount && continues(source.lineText(last + 1))) last++;
  return {
    title: 'Make it a list',
    edits: [
      insertAt(source.startOf(line) + at, '\\begin{itemize}\n'),
      insertAt(source.endOf(last), '\n\\end{itemize}'),
    ],
  };
};

export const removeLineBreak: Fixer = ({ line }, source) => {
  if (line === null) return null;
  for (const place of [line, line - 1, line - 2]) {
    const found = place > 0 ? /\\\\(?:\[[^\]]{0,300}\])?|\\newline\b/.exec(source.lineText(place)) : null;
    if (!found) continue;
    const from = source.startOf(place) + found.index;
    return { title: `Remove ${found[0]}`, edits: [cut(from, from + found[0].length)] };
  }
  return null;
};

/** Verbatim text, or a drawing, that swallows the rest of the document: ended at an empty line, a heading, or the last line. */
export const endVerbatim: Fixer = (_, source) => {
  const { tokens } = source.annotated;
  const isVerbatim = ({ name }: Token) => verbatimEnvironments.has(name);
  const isUnclosed = (token: Token, index: number) =>
    token.kind === 'begin' &&
    (isVerbatim(token) || rawEnvironments.has(token.name)) &&
    closerOf(tokens, index) < 0;
  const swallows = ({ name, start, end }: Token) =>
    source.text.slice(start + 1, end).includes(`\\begin{${name}}`);
  const open =
    tokens.find(isUnclosed) ??
    tokens.findLast((token) => token.kind === 'verbatim' && isVerbatim(token) && swallows(token));
  if (!open) return null;
  const { name } = open;
  const proposals: Proposal[] = [];
  for (let next = source.positionOf(open.start).line + 1; next <= source.lineCount; next++) {
    const text = source.lineText(next);
    const isPlace =
      /^\s*$/.test(text) || /^\s*\\(?:end|begin|(?:sub)*section|chapter|item|caption|paragraph)\b/.test(text);
    if (!isPlace) continue;
    proposals.push({
      title: `Add \\end{${name}}`,
      edits: [insertAt(source.startOf(next), `\\end{${name}}\n`)],
    });
    if (proposals.length > 3 || /\\end\{document\}/.test(text)) break;
  }
  return proposals;
};
