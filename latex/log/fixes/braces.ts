/** Fixes for unpaired braces. */
import { commandArguments, mathArity, structuralCommands } from '../../source/commands.ts';
import type { Token } from '../../source/scan.ts';
import type { SourceText } from '../../source/source-text.ts';
import type { Complaint, Fixer, Proposal } from '../rule.ts';
import { cut, insertAt } from './edits.ts';

/** Indexes of unpaired braces: those never closed, and those that close nothing. */
function findUnpaired(tokens: readonly Token[]): { open: number[]; close: number[] } {
  const open: number[] = [];
  const close: number[] = [];
  tokens.forEach(({ kind }, index) => {
    if (kind === 'open') open.push(index);
    else if (kind === 'close' && open.pop() === undefined) close.push(index);
  });
  return { open, close };
}

/**
 * Unpaired braces revealed by what they contain: an environment that ends inside a group it does not begin in,
 * or the end of a formula. The first such place is nearer to the fault than the braces left over at the end.
 */
function findTorn(tokens: readonly Token[]): number[] {
  const stack: number[] = [];
  const torn: number[] = [];
  /** How many of each environment are on the stack. */
  const begun = new Map<string, number>();
  const count = (name: string, change: number) => begun.set(name, (begun.get(name) ?? 0) + change);
  for (const [index, { kind, name }] of tokens.entries()) {
    if (kind === 'open' || kind === 'begin') stack.push(index);
    if (kind === 'begin') count(name, 1);
    else if (kind === 'close') {
      if (tokens[stack.at(-1) ?? -1]?.kind === 'open') stack.pop();
    } else if (kind === 'end') {
      if (!begun.get(name)) continue;
      const within: number[] = [];
      for (let isFound = false; !isFound; ) {
        const top = stack.pop()!;
        const token = tokens[top]!;
        if (token.kind === 'open') within.push(top);
        else count(token.name, -1);
        isFound = token.kind === 'begin' && token.name === name;
      }
      for (const one of within.reverse()) torn.push(one);
    }
  }
  return [...torn, ...stack.filter((one) => tokens[one]!.kind === 'open')];
}

const isFormulaEnd = ({ kind, name }: Token) =>
  kind === 'dollar' || kind === 'double-dollar' || (kind === 'command' && (name === ']' || name === ')'));

/** A brace never closed: closed where its command's argument most likely ends. */
export const closeBrace: Fixer = (complaint, source) => {
  const { tokens } = source.annotated;
  const suspects = nearest(
    [...new Set([...findTorn(tokens), ...findUnpaired(tokens).open])],
    complaint,
    source,
  );
  return suspects.slice(0, 3).flatMap((index, rank) => listEnds(index, source).slice(0, rank === 0 ? 7 : 4));
};

/** The line of the unclosed brace: TeX notices only where the paragraph or the document ends. */
export function findOpenBrace(complaint: Complaint, source: SourceText): number | null {
  const { tokens } = source.annotated;
  const [index] = nearest(
    [...new Set([...findTorn(tokens), ...findUnpaired(tokens).open])],
    complaint,
    source,
  );
  return index === undefined ? null : source.positionOf(tokens[index]!.start).line;
}

function nearest(found: readonly number[], { line, shownLine }: Complaint, source: SourceText): number[] {
  const near = line ?? shownLine;
  if (near === null) return [...found];
  // nothing after the place TeX names can be the cause
  const limit = source.endOf(Math.max(near, shownLine ?? near));
  const { tokens } = source.annotated;
  const before = found.filter((index) => tokens[index]!.start <= limit);
  return before.toSorted((a, b) => tokens[b]!.start - tokens[a]!.start);
}

/** Where the group opened by a brace may end, the likeliest first. */
function listEnds(open: number, source: SourceText): Proposal[] {
  const { tokens, spots } = source.annotated;
  const { text } = source;
  const places: number[] = [];
  const late: number[] = [];
  const isMaths = spots[open]!.mode === 'math' || spots[open + 1]?.mode === 'math';
  let depth = 0;
  let words = 0;
  for (let index = open + 1; index < tokens.length; index++) {
    const token = tokens[index]!;
    const before = tokens[index - 1]!;
    if (depth === 0) {
      // \frac{a{b}: the second argument begins
      const opensNext =
        token.kind === 'open' && index > open + 1 && (before.kind === 'text' || before.kind === 'close');
      const isHard =
        token.kind === 'break' ||
        token.kind === 'end' ||
        token.kind === 'begin' ||
        token.kind === 'ampersand' ||
        (token.kind === 'command' &&
          (token.name === '\\' || structuralCommands.has(token.name) || token.name === 'item')) ||
        (isFormulaEnd(token) && isMaths);
      // \newcommand{\name{text}: the name ends, the text begins
      const isName = index === open + 1 && token.kind === 'command' && tokens[index + 1]?.kind === 'open';
      if (opensNext) places.push(token.start);
      if (isName) late.push(token.end);
      if (isHard || token.kind === 'close') {
        places.push(
          text
            .slice(0, token.start)
            .trimEnd()
            .replace(/(?<=\w)[.,;:]$/, '').length,
        );
        break;
      }
      if (token.kind === 'comment') late.push(token.start);
      const endsLine = token.kind === 'space' && text.slice(token.start, token.end).includes('\n');
      if (endsLine) places.push(text.slice(0, token.start).replace(/[.,;:]$/, '').length);
      else if (token.kind === 'space' || (isFormulaEnd(token) && !isMaths)) {
        if (words++ < 3) late.push(token.start - (/[.,;:]$/.test(text.slice(0, token.start)) ? 1 : 0));
      } else if (isMaths && index > open + 1 && words++ < 2) late.push(token.start);
    }
    if (token.kind === 'open') depth++;
    else if (token.kind === 'close') {
      if (depth === 0) break;
      depth--;
    }
    if (places.length > 4) break;
  }
  const from = tokens[open]!.end;
  const line = source.endOf(source.positionOf(from).line);
  const atLineEnd = text.slice(0, line).trimEnd().length;
  return [
    ...new Set([...places.slice(0, 2), ...late.slice(0, 3), atLineEnd, ...late.slice(3), ...places.slice(2)]),
  ]
    .filter((at) => at >= from)
    .map((at) => ({ title: 'Add the missing }', edits: [insertAt(at, '}')] }));
}

/** A closing brace with no opening one: opened after the command that lost it, or removed. */
export const fixLonelyBrace: Fixer = (complaint, source) => {
  const { tokens } = source.annotated;
  const proposals: Proposal[] = [];
  const lonely = findUnpaired(tokens).close;
  for (const close of lonely.slice(0, 2)) {
    let depth = 0;
    for (let index = close - 1; index >= 0 && proposals.length < 6; index--) {
      const token = tokens[index]!;
      const next = tokens[index + 1];
      // \begin{tabular}lcc}, {0.9\textwidth}lXX}: another argument
      const continues = next?.kind === 'text' || next?.kind === 'command';
      if (
        depth === 0 &&
        continues &&
        (token.kind === 'begin' || token.kind === 'close' || token.kind === 'bracket-close')
      )
        proposals.push({ title: 'Add the missing {', edits: [insertAt(token.end, '{')] });
      if (token.kind === 'break' || token.kind === 'begin' || token.kind === 'end') break;
      if (token.kind === 'close') depth++;
      else if (token.kind === 'open') depth--;
      if (depth < 0) break;
      if (depth > 0 || tokens[index + 1]?.kind === 'open' || !opensGroup(token)) continue;
      proposals.push({ title: 'Add the missing {', edits: [insertAt(token.end, '{')] });
    }
    const { start, end } = tokens[close]!;
    proposals.push({ title: 'Remove this }', edits: [cut(start, end)] });
  }
  return [...proposals, ...openArgument(complaint, source)];
};

const opensGroup = ({ kind, name }: Token) =>
  kind === 'superscript' ||
  kind === 'subscript' ||
  (kind === 'command' &&
    (commandArguments(name).length > 0 ||
      mathArity.has(name) ||
      structuralCommands.has(name) ||
      /^(?:text|math|emph|caption|label|ref|eqref|cite|title|author|date|footnote|usepackage|includegraphics|href|newcommand|begin|end|item)/.test(
        name,
      )));

/** For `\frac a}{b}` in a group that then closes too early: a brace for the command on the line TeX names. */
function openArgument({ line }: Complaint, source: SourceText): Proposal[] {
  if (line === null) return [];
  const { tokens } = source.annotated;
  const proposals: Proposal[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.start < source.startOf(Math.max(1, line - 1)) || token.start > source.endOf(line)) continue;
    const next = tokens[index + 1];
    if (
      !next ||
      next.kind === 'open' ||
      next.kind === 'bracket-open' ||
      token.kind !== 'command' ||
      !opensGroup(token)
    )
      continue;
    proposals.push({ title: 'Add the missing {', edits: [insertAt(token.end, '{')] });
  }
  return proposals.slice(0, 3);
}

/** `\begin document}`, `\enditemize}`: the brace before an environment's name. */
export const fixBeginBrace: Fixer = (_, source) =>
  [
    ...source.text.matchAll(
      /\\(begin|end)(?![A-Za-z@]*\{)([A-Za-z]+\*?)(?:\}|(?=[\n\s]))|\\(begin|end)\{([A-Za-z]+\*?)(?=[\n\s[\\])/g,
    ),
  ]
    .slice(0, 3)
    .map(({ index, 0: whole, 1: what, 2: name, 3: unclosed }) => {
      if (unclosed) return { title: 'Add the missing }', edits: [insertAt(index + whole.length, '}')] };
      const at = index + 1 + what!.length;
      const edits = [insertAt(at, '{')];
      if (!whole.endsWith('}')) edits.push(insertAt(at + name!.length, '}'));
      return { title: `Write \\${what}{${name}}`, edits };
    });
