/**
 * Moves a body's preamble and title parts to where they belong: the frame of a whole document, packages, definitions,
 * `\title`, `\author` and `\date`. Each function records what it found in the page and returns the splices that remove
 * it from the body.
 */
import { readGroup, readOptional, skipSpace } from '#latex/source/matches.ts';
import {
  argumentOf,
  findBody,
  listCommands,
  listPackages,
  packageCommands,
  packagesOf,
  readCommand,
} from '#latex/source/read-commands.ts';
import { scanLatex, type Token } from '#latex/source/scan.ts';
import type { Splice } from '#latex/source/splice.ts';
import type { PageWork } from '../pages/page-work.ts';

/** Unwraps a whole document where a body was expected: reads its preamble and keeps its body. */
export function unwrapDocument(page: PageWork): Splice[] {
  const { body } = page;
  const tokens = scanLatex(body);
  const splices: Splice[] = [];
  const { begin } = findBody(tokens);
  const [documentClass] = listCommands(tokens, /^documentclass$/);
  const isWhole = begin !== null && documentClass !== undefined && documentClass.start < begin.start;
  if (isWhole) {
    readForeignPreamble(page, body.slice(0, begin.start));
    splices.push({ start: 0, end: begin.end, text: '' });
  }
  let ended = false;
  tokens.forEach((token, index) => {
    if (isWhole && token.start <= begin.start) return;
    if ((token.kind === 'begin' || token.kind === 'end') && token.name === 'document') {
      // Text after `\end{document}` is still on the page.
      splices.push({ start: token.start, end: token.end, text: token.kind === 'end' && ended ? '' : '\n' });
      ended = true;
    }
    if (token.kind === 'command' && token.name === 'documentclass') {
      const { argument, start, end } = readCommand(tokens, index);
      splices.push({ start, end: argument ? end : token.end, text: '' });
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
    const found = argumentOf(head, name, tokens);
    if (found !== null) title[name] = found;
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
  page.packages.push(...listPackages(text, tokens).flatMap((use) => packagesOf(text, use)));
  return listCommands(tokens, packageCommands).map(({ index, start, end, argument }) => ({
    start,
    end: argument ? end : tokens[index]!.end,
    text: '',
  }));
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
  for (const { name, index, start, end, argument } of listCommands(
    tokens,
    /^(?:maketitle|title|author|date)$/,
  )) {
    if (name === 'maketitle') splices.push({ start, end: tokens[index]!.end, text: '' });
    else if (argument) {
      found[name] ??= page.body.slice(argument.start, argument.end);
      splices.push({ start, end, text: '' });
    }
  }
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
