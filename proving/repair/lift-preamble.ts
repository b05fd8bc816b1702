/**
 * Moves a body's preamble and title parts to where they belong: the frame of a whole document, packages, definitions,
 * `\title`, `\author` and `\date`. Each function records what it found in the page and returns the splices that remove
 * it from the body.
 */
import { readGroup, readOptional, skipSpace } from '#latex/source/matches.ts';
import { scanLatex, type Token } from '#latex/source/scan.ts';
import type { Splice } from '#latex/source/splice.ts';
import type { PageWork } from '../pages/page-work.ts';

/** Unwraps a whole document where a body was expected: reads its preamble and keeps its body. */
export function unwrapDocument(page: PageWork): Splice[] {
  const { body } = page;
  const tokens = scanLatex(body);
  const splices: Splice[] = [];
  const begin = tokens.findIndex((token) => token.kind === 'begin' && token.name === 'document');
  const hasClass = tokens
    .slice(0, Math.max(begin, 0))
    .some((token) => token.kind === 'command' && token.name === 'documentclass');
  if (begin >= 0 && hasClass) {
    const head = body.slice(0, tokens[begin]!.start);
    readForeignPreamble(page, head);
    splices.push({ start: 0, end: tokens[begin]!.end, text: '' });
  }
  let ended = false;
  tokens.forEach((token, index) => {
    if (begin >= 0 && hasClass && index <= begin) return;
    if ((token.kind === 'begin' || token.kind === 'end') && token.name === 'document') {
      // Text after `\end{document}` is still on the page.
      splices.push({ start: token.start, end: token.end, text: token.kind === 'end' && ended ? '' : '\n' });
      ended = true;
    }
    if (token.kind === 'command' && token.name === 'documentclass') {
      const optional = readOptional(tokens, index + 1);
      const group = readGroup(tokens, optional ? optional.close + 1 : index + 1);
      splices.push({ start: token.start, end: group ? tokens[group.close]!.end : token.end, text: '' });
    }
  });
  return splices;
}

function readForeignPreamble(page: PageWork, head: string): void {
  const tokens = scanLatex(head);
  takePackages(page, head, tokens);
  for (const line of definitionLines(head, tokens)) page.preamble.push(line.text);
  const title: Record<string, string> = {};
  for (const name of ['title', 'author', 'date']) {
    const index = tokens.findIndex((token) => token.kind === 'command' && token.name === name);
    const group = index < 0 ? null : readGroup(tokens, index + 1);
    if (group) title[name] = head.slice(group.start, group.end);
  }
  if (title.title && !page.title) {
    page.title = {
      title: title.title,
      ...(title.author ? { author: title.author } : {}),
      ...(title.date && title.date !== '\\today' ? { date: title.date } : {}),
    };
  }
}

function takePackages(page: PageWork, text: string, tokens: readonly Token[]): Splice[] {
  const splices: Splice[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'command' || !/^(usepackage|RequirePackage)$/.test(token.name)) return;
    const optional = readOptional(tokens, index + 1);
    const group = readGroup(tokens, optional ? optional.close + 1 : index + 1);
    if (!group) {
      splices.push({ start: token.start, end: token.end, text: '' });
      return;
    }
    const options = optional ? text.slice(optional.start, optional.end) : undefined;
    for (const name of text.slice(group.start, group.end).split(',')) {
      page.packages.push({ name: name.trim(), ...(options ? { options } : {}) });
    }
    splices.push({ start: token.start, end: tokens[group.close]!.end, text: '' });
  });
  return splices;
}

interface DefinitionLine {
  start: number;
  end: number;
  text: string;
}

/** Finds definitions that belong in a preamble: `\newtheorem`, `\usetikzlibrary`, operators. */
export function definitionLines(text: string, tokens: readonly Token[], only?: RegExp): DefinitionLine[] {
  const lines: DefinitionLine[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'command') return;
    const name = token.name.replace('*', '');
    const isDefinition =
      /^(newtheorem|newcommand|renewcommand|providecommand|DeclareMathOperator|theoremstyle|usetikzlibrary|usepgfplotslibrary|newenvironment|DeclarePairedDelimiter|sisetup|lstset|pgfplotsset|definecolor|DeclareSIUnit)$/;
    if (!isDefinition.test(name) || (only && !only.test(name))) return;
    let at = index + 1;
    let end = token.end;
    const next = skipSpace(tokens, at);
    // `\newcommand\dd{…}` without braces around the name.
    if (tokens[next]?.kind === 'command') {
      end = tokens[next]!.end;
      at = next + 1;
    }
    for (;;) {
      const argument = readOptional(tokens, at) ?? readGroup(tokens, at);
      if (!argument) break;
      const gap = text.slice(end, tokens[argument.open]!.start);
      if (gap.includes('\n')) break;
      end = tokens[argument.close]!.end;
      at = argument.close + 1;
    }
    const line = text
      .slice(token.start, end)
      .replace(/\n\s*\n+/g, '\n')
      .replace(/%[^\n]*\n\s*/g, '');
    lines.push({ start: token.start, end, text: line });
  });
  return lines;
}

/** Extracts packages and definitions that belong in the preamble. */
export function extractPreamble(page: PageWork): Splice[] {
  const tokens = scanLatex(page.body);
  const splices = takePackages(page, page.body, tokens);
  const lines = definitionLines(
    page.body,
    tokens,
    /^(newtheorem|theoremstyle|usetikzlibrary|usepgfplotslibrary|DeclareMathOperator|DeclarePairedDelimiter|DeclareSIUnit)$/,
  );
  for (const line of lines) {
    page.preamble.push(line.text);
    splices.push({ start: line.start, end: line.end, text: '' });
  }
  return splices;
}

/** Extracts the title block. The first of each part counts, and only if the page has no title yet. */
export function extractTitle(page: PageWork): Splice[] {
  const tokens = scanLatex(page.body);
  const splices: Splice[] = [];
  const found: Record<string, string> = {};
  tokens.forEach((token, index) => {
    if (token.kind !== 'command') return;
    if (token.name === 'maketitle') splices.push({ start: token.start, end: token.end, text: '' });
    if (!/^(title|author|date)$/.test(token.name)) return;
    const optional = readOptional(tokens, index + 1);
    const group = readGroup(tokens, optional ? optional.close + 1 : index + 1);
    if (!group) return;
    found[token.name] ??= page.body.slice(group.start, group.end);
    splices.push({ start: token.start, end: tokens[group.close]!.end, text: '' });
  });
  const { title, author, date } = found;
  if (!page.title && (title || author)) {
    page.title = {
      title: title ?? '',
      ...(author ? { author } : {}),
      ...(date && date.trim() !== '\\today' ? { date } : {}),
    };
    if (!title) page.title = undefined;
  }
  return splices;
}
