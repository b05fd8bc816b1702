/** Fixes for environments without a matching begin or end. */
import { listEnvironments, structuralCommands, tableEnvironments } from '../../source/commands.ts';
import { findEnvironmentPackage } from '../../source/package-table.ts';
import { definedEnvironments } from '../../source/read-commands.ts';
import type { Token } from '../../source/scan.ts';
import type { SourceText } from '../../source/source-text.ts';
import { editDistance } from '../names.ts';
import type { Fixer, Proposal } from '../rule.ts';
import { cut, insertAt } from './edits.ts';

interface Unpaired {
  /** `limit`: where the surrounding environment ends, before which this one must end. */
  begins: { token: Token; index: number; limit: number }[];
  /** `from`: where the surrounding environment begins. */
  ends: { token: Token; index: number; from: number }[];
}

/** Environments that are never ended, and ends of environments that were never begun. */
function findUnpaired(source: SourceText): Unpaired {
  const { tokens } = source.annotated;
  const stack: number[] = [];
  const found: Unpaired = { begins: [], ends: [] };
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'begin') stack.push(index);
    if (token.kind !== 'end') continue;
    const at = stack.findLastIndex((one) => tokens[one]!.name === token.name);
    if (at < 0) {
      found.ends.push({ token, index, from: stack.length > 0 ? tokens[stack.at(-1)!]!.end : 0 });
      continue;
    }
    for (const one of stack.splice(at).slice(1))
      found.begins.push({ token: tokens[one]!, index: one, limit: token.start });
  }
  for (const one of stack) found.begins.push({ token: tokens[one]!, index: one, limit: source.text.length });
  found.begins.sort((a, b) => a.index - b.index);
  return found;
}

const rename = (source: SourceText, token: Token, name: string): Proposal => ({
  title: `Write \\${token.kind}{${name}}`,
  edits: [{ from: source.text.indexOf('{', token.start) + 1, to: token.end - 1, insert: name }],
});

/** Fixes whatever is unpaired: one name spelt two ways, a missing end, or a missing beginning. */
export const pairEnvironments: Fixer = (_, source) => {
  const { begins, ends } = findUnpaired(source);
  const proposals: Proposal[] = [];
  for (const end of ends.slice(0, 2)) {
    const begin = begins.findLast(
      ({ token, limit }) => token.start < end.token.start && limit > end.token.start,
    );
    if (begin && begin.token.name !== 'document') {
      const close = editDistance(begin.token.name, end.token.name) <= 2;
      const isKnown = isEnvironment(source, begin.token.name);
      const both = [rename(source, end.token, begin.token.name), rename(source, begin.token, end.token.name)];
      if (close || !isKnown) proposals.push(...(isKnown ? both : both.reverse()));
      else proposals.push(...both);
    }
  }
  for (const begin of begins.slice(0, 2)) proposals.push(...endEnvironment(source, begin));
  for (const end of ends.slice(0, 2)) proposals.push(...beginEnvironment(source, end));
  return proposals;
};

function isEnvironment(source: SourceText, name: string): boolean {
  const { tokens } = source.annotated;
  const isUsedElsewhere = tokens.filter((token) => token.name === name && token.kind === 'end').length > 1;
  return (
    isUsedElsewhere ||
    findEnvironmentPackage(name) !== null ||
    listEnvironments.has(name) ||
    tableEnvironments.has(name) ||
    definedEnvironments(source.text).has(name)
  );
}

/**
 * Where an unended environment may end: before an empty line, a heading, or the end of the surrounding
 * environment.
 */
function endEnvironment(source: SourceText, { token, limit }: Unpaired['begins'][number]): Proposal[] {
  const { tokens } = source.annotated;
  const { name } = token;
  const places: number[] = [];
  /** After the last item of a list. */
  let afterItems: number | null = null;
  let depth = 0;
  let braces = 0;
  for (const [index, one] of tokens.entries()) {
    if (one.start < token.end) continue;
    if (one.start >= limit) break;
    if (one.kind === 'begin') {
      if (depth === 0 && one.name === name) places.push(source.startOf(source.positionOf(one.start).line));
      depth++;
    } else if (one.kind === 'end') depth--;
    else if (one.kind === 'open') braces++;
    else if (one.kind === 'close') braces--;
    if (depth !== 0 || braces !== 0) continue;
    if (one.kind === 'command' && one.name === 'item') afterItems = null;
    else if (one.kind === 'break') afterItems ??= source.startOf(source.positionOf(one.start).line + 1);
    const isHeading = one.kind === 'command' && structuralCommands.has(one.name);
    if (isHeading) places.push(source.startOf(source.positionOf(one.start).line));
    if (one.kind === 'break') {
      const next = tokens[index + 1];
      // a list continues with its next item
      if (listEnvironments.has(name) && next?.kind === 'command' && next.name === 'item') continue;
      places.push(source.startOf(source.positionOf(one.start).line + 1));
    }
  }
  const lastLine = source.startOf(source.positionOf(limit).line);
  const last = lastLine > token.end ? lastLine : limit;
  const isInner = limit < source.text.length && !source.text.startsWith('\\end{document}', limit);
  if (listEnvironments.has(name) && afterItems !== null) places.unshift(afterItems);
  const ordered = isInner ? [last, ...places] : [...places.slice(0, 3), last, ...places.slice(3)];
  const proposals = [...new Set(ordered)]
    .filter((at) => at >= token.end)
    .slice(0, 5)
    .map((at) => ({ title: `Add \\end{${name}}`, edits: [insertAt(at, `\\end{${name}}\n`)] }));
  const inLine = /^[^\n]*?(?=\\\]|\$|[.,;]?\s*$)/m.exec(source.text.slice(token.end))?.[0].length ?? 0;
  // a matrix that ends with its formula
  const formulaEnd = /\\\]|\$|\\right|\\end\{(?:equation|align|gather|displaymath)\*?\}/.exec(
    source.text.slice(token.end, limit),
  );
  if (formulaEnd)
    proposals.splice(isInner ? 1 : 0, 0, {
      title: `Add \\end{${name}}`,
      edits: [insertAt(token.end + formulaEnd.index, `\\end{${name}}`)],
    });
  if (inLine > 0)
    proposals.push({
      title: `Add \\end{${name}}`,
      edits: [insertAt(token.end + inLine, `\\end{${name}}`)],
    });
  return proposals;
}

/** Where an environment that has an end may begin; as a last resort its end is removed. */
function beginEnvironment(source: SourceText, { token, from }: Unpaired['ends'][number]): Proposal[] {
  const { name } = token;
  const endLine = source.positionOf(token.start).line;
  const firstLine = Math.max(source.positionOf(from).line, 1);
  const likely: number[] = [];
  const others: number[] = [];
  let firstItem: number | null = null;
  let isSameParagraph = true;
  for (let line = endLine; line >= firstLine && line > endLine - 60; line--) {
    const text = source.lineText(line);
    const start = source.startOf(line);
    if (start < from && !(line === firstLine && from === 0)) {
      const rest = source.text.slice(from, source.endOf(line));
      if (/^\s*(?:\{|\[)/.test(rest)) likely.push(from);
      break;
    }
    const indent = start + /^\s*/.exec(text)![0].length;
    // its arguments are still there
    if (/^\s*(?:\{[^{}]{0,300}\}|\[[^\]]{0,300}\])/.test(text)) likely.push(indent);
    if (/^\s*\\item\b/.test(text)) firstItem = indent;
    if (text.trim() === '') {
      if (isSameParagraph && line < endLine) others.push(source.startOf(line + 1));
      isSameParagraph = false;
      others.push(start);
    }
    if (/^\s*\\(?:part|chapter|(?:sub)*section|paragraph)\b/.test(text) || /^\s*\\end\{/.test(text)) {
      if (line < endLine) others.push(source.startOf(line + 1));
      if (/section|chapter|part/.test(text)) break;
    }
  }
  if (from > 0) others.push(from);
  if (listEnvironments.has(name) && firstItem !== null) likely.unshift(firstItem);
  const brace = argumentsOf(source, name);
  const insert = (at: number): Proposal => {
    const hasArguments = /^\s*[{[]/.test(source.text.slice(at, at + 40));
    const alone = at === source.startOf(source.positionOf(at).line) && !hasArguments;
    return {
      title: `Add \\begin{${name}}`,
      edits: [
        insertAt(at, `\\begin{${name}}${hasArguments ? '' : brace}${alone || !hasArguments ? '\n' : ''}`),
      ],
    };
  };
  const places = [...new Set([...likely, ...others])].filter((at) => at <= token.start).slice(0, 6);
  const remove = { title: `Remove \\end{${name}}`, edits: [cut(token.start, token.end)] };
  const inMaths = beginInFormula(source, token, name);
  return [...inMaths, ...places.map(insert), remove];
}

/** A matrix without its `\begin`, from the beginning of the formula. */
function beginInFormula(source: SourceText, token: Token, name: string): Proposal[] {
  if (!/matrix|cases|aligned|split|gathered|array/.test(name)) return [];
  const before = source.text.slice(0, token.start);
  const at = Math.max(
    ...['\\[', '$', '\\begin{equation}', '\\begin{equation*}', '=', '\\left('].map((mark) => {
      const found = before.lastIndexOf(mark);
      return found < 0 ? -1 : found + mark.length;
    }),
  );
  return at < 0 ? [] : [{ title: `Add \\begin{${name}}`, edits: [insertAt(at, ` \\begin{${name}}`)] }];
}

/** The columns to begin a table with, if nothing specifies them. */
function argumentsOf(source: SourceText, name: string): string {
  if (!/^(?:tabular|array|longtable)$/.test(name)) return '';
  const rows = source.text.split('\\\\').map((row) => row.match(/(?<!\\)&/g)?.length ?? 0);
  return `{${'l'.repeat(Math.max(...rows) + 1)}}`;
}

/** `\begin{a} … \end{b}` as TeX reports it. */
export const fixMismatch: Fixer = (complaint, source, match) => {
  const [, begun, , ended] = match;
  const { tokens } = source.annotated;
  const { line } = complaint;
  const general = pairEnvironments(complaint, source, match) as readonly Proposal[];
  if (line === null) return general;
  const at = tokens.findLastIndex(
    (token) => token.kind === 'end' && token.name === ended && source.positionOf(token.start).line <= line,
  );
  const end = tokens[at];
  const later = tokens.find(
    (token) => token.kind === 'end' && token.name === begun && token.start > (end?.start ?? 0),
  );
  const isCrossed =
    end !== undefined &&
    later !== undefined &&
    tokens.some((token) => token.kind === 'begin' && token.name === ended && token.start < end.start) &&
    source.positionOf(later.start).line - line <= 3;
  if (!isCrossed) return general;
  const edits = [rename(source, end, begun!), rename(source, later, ended!)].flatMap((one) => one.edits);
  return [{ title: `End ${begun} before ${ended}`, edits }, ...general];
};
