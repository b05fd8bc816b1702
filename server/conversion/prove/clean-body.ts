/**
 * What is done to every body before its first compile: parts that have no place in a body go to the preamble or away,
 * and what TeX would lose in silence (a per cent sign that begins a comment, a picture that is not there) is mended.
 * A plain body passes through unchanged.
 */

import { dropUnprintable, escapeLatex } from '#shared/latex/escape.ts';
import { displayEnvironments } from '#shared/latex/modes.ts';
import { findCommandPackage } from '#shared/latex/package-table.ts';
import { readGroup, readOptional, scanLatex, skipSpace, type Token } from '#shared/latex/scan.ts';
import type { Splice } from '#shared/latex/splice.ts';
import { annotate } from '#shared/latex/syntax.ts';
import type { PageWork } from './page-work.ts';

/** Primitives that program TeX, reach for files, or change how it reads: never part of anybody's notes. */
const programming = new Set(
  (
    'input include includeonly subfile openin openout read write immediate special catcode lccode uccode mathcode ' +
    'csname endcsname expandafter noexpand afterassignment aftergroup futurelet let global long outer edef xdef gdef ' +
    'loop repeat output everypar everymath everydisplay everyhbox everyvbox everycr scantokens directlua latelua luaexec ' +
    'ShellEscape write18 pdfobj pdfximage XeTeXpicfile XeTeXpdffile batchmode errorstopmode scrollmode nonstopmode endinput ' +
    'makeatletter makeatother AtBeginDocument AtEndDocument shipout jobname meaning string romannumeral chardef ' +
    'mathchardef newread newwrite newif ifnum ifx ifdim ifcat ifodd iffalse iftrue fi else bibliography bye stop end dump errmessage ' +
    'message show showthe tracingall openlog inputlineno vsplit everyjob closeout closein DocumentMetadata ExplSyntaxOn'
  ).split(' '),
);
/** Their braced argument goes with them. */
const withArgument = new Set(
  'input include includeonly subfile bibliography ShellEscape directlua special write immediate AtBeginDocument AtEndDocument scantokens'.split(
    ' ',
  ),
);
/** Assignments: what they assign goes too (`\catcode`\%=12`, `\let\a=\b`). */
const assignments =
  /\\(?:catcode|lccode|uccode|mathcode|sfcode)\s*(?:`\\?.|\d+)\s*=?\s*(?:\d+|`\\?.)?|\\(?:global\s*)?(?:let|futurelet)\s*\\(?:[A-Za-z@]+|.)\s*=?\s*\\?(?:[A-Za-z@]+|.)|\\(?:chardef|mathchardef)\s*\\[A-Za-z@]+\s*=?\s*\S+|\\(?:immediate\s*)?write\s*-?\d+|\\(?:openout|openin|read)\s*\d*\s*=?\s*\S*|\\write18/y;

const isMacroDefinition =
  /\\(?:long|outer|global|\s)*(?:def|edef|gdef|xdef)\s*(\\(?:[A-Za-z@]+|.))([^{}]*)(?=\{)/y;

/** Names whose redefinition breaks every document. */
const core = new Set(
  (
    'par item begin end section subsection textbf textit emph relax hbox vbox document frac sqrt left right text label ref ' +
    'def catcode the noindent indent space egroup bgroup begingroup endgroup hskip vskip kern penalty quad enspace'
  ).split(' '),
);

interface CleanContext {
  /** Names of the figures that travel with the document. */
  assets: ReadonlySet<string>;
}

/** Cleans a page in place. */
export function cleanBody(page: PageWork, context: CleanContext): void {
  page.splice(normaliseCharacters(page.body));
  page.splice(unwrapDocument(page));
  page.splice(extractPreamble(page));
  page.splice(extractTitle(page));
  page.splice(removeProgramming(page));
  page.splice(removeEndlessMacros(page));
  // A sign that was mended uncovers the rest of its line, and what stands in it.
  while (page.splice(keepPercent(page)));
  page.splice(missingPictures(page, context.assets));
  page.splice(rewriteEnvironments(page));
  for (const key of ['title', 'author', 'date'] as const) {
    const value = page.title?.[key];
    if (page.title && value !== undefined) page.title = { ...page.title, [key]: cleanTitle(value) };
  }
}

/** NFC (the fonts have composed letters), and nothing that no engine reads. */
function normaliseCharacters(body: string): Splice[] {
  const splices: Splice[] = [];
  for (const match of body.matchAll(/\P{M}\p{M}+/gu)) {
    const composed = match[0].normalize('NFC');
    if (composed !== match[0])
      splices.push({ start: match.index, end: match.index + match[0].length, text: composed });
  }
  if (dropUnprintable(body) !== body) {
    let at = 0;
    for (const character of body) {
      const kept = dropUnprintable(character);
      if (kept !== character) {
        const isCrLf = character === '\r' && body[at + 1] === '\n';
        splices.push({ start: at, end: at + character.length, text: isCrLf ? '' : kept });
      }
      at += character.length;
    }
  }
  return splices;
}

/** A whole document where a body was expected: its preamble is read, its body kept. */
function unwrapDocument(page: PageWork): Splice[] {
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

/** Definitions that belong to a preamble, wherever they stand: `\newtheorem`, `\usetikzlibrary`, operators. */
function definitionLines(text: string, tokens: readonly Token[], only?: RegExp): DefinitionLine[] {
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

function extractPreamble(page: PageWork): Splice[] {
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

function extractTitle(page: PageWork): Splice[] {
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

function removeProgramming(page: PageWork): Splice[] {
  const { body } = page;
  const tokens = scanLatex(body);
  const splices: Splice[] = [];
  const removed = new Set<string>();
  let until = 0;
  tokens.forEach((token, index) => {
    if (token.kind !== 'command' || token.start < until) return;
    const remove = (end: number) => {
      splices.push({ start: token.start, end, text: '' });
      until = end;
      removed.add(token.name);
    };
    isMacroDefinition.lastIndex = token.start;
    const definition = isMacroDefinition.exec(body);
    if (definition) {
      const bodyIndex = tokens.findIndex(
        (one) => one.start >= isMacroDefinition.lastIndex && one.kind === 'open',
      );
      const group = bodyIndex >= 0 ? readGroup(tokens, bodyIndex) : null;
      const name = definition[1]!.slice(1);
      const inner = group ? body.slice(group.start, group.end) : '';
      const parameters = definition[2]!.trim();
      const isPlain =
        /^(#\d)*$/.test(parameters) &&
        /^[A-Za-z]+$/.test(name) &&
        !core.has(name) &&
        findCommandPackage(name) === null;
      const callsItself = new RegExp(`\\\\${name.replace(/\W/g, '\\$&')}(?![A-Za-z])`).test(inner);
      if (group && isPlain && !callsItself) {
        const count = parameters.length / 2;
        const text = `\\providecommand{\\${name}}${count > 0 ? `[${count}]` : ''}{${inner}}`;
        splices.push({ start: token.start, end: tokens[group.close]!.end, text });
        until = tokens[group.close]!.end;
      } else remove(group ? tokens[group.close]!.end : token.end);
      return;
    }
    if (/^(new|renew|provide)command\*?$/.test(token.name)) {
      const next = skipSpace(tokens, index + 1);
      const group = readGroup(tokens, index + 1);
      const name = group ? body.slice(group.start, group.end).trim().slice(1) : (tokens[next]?.name ?? '');
      if (core.has(name)) {
        const line = definitionLines(body, tokens).find((one) => one.start === token.start);
        remove(line?.end ?? token.end);
      }
      return;
    }
    if (!programming.has(token.name)) return;
    assignments.lastIndex = token.start;
    const assignment = assignments.exec(body);
    let end = assignment ? assignments.lastIndex : token.end;
    if (withArgument.has(token.name)) {
      const after = tokens.findIndex((one) => one.start >= end);
      const group = after >= 0 ? readGroup(tokens, after) : null;
      if (group) end = tokens[group.close]!.end;
      else if (token.name === 'input' || token.name === 'include') {
        end += /^\s*[^\s{}\\]+/.exec(body.slice(end))?.[0].length ?? 0;
      }
    }
    remove(end);
  });
  if (removed.size > 0) {
    page.warn(
      'COMMANDS_REMOVED',
      `Commands that have no place in notes were left out: ${[...removed].map((name) => `\\${name}`).join(', ')}.`,
    );
  }
  return splices;
}

/** Macros of the body that call themselves, alone or in a ring: TeX would never end. Their definitions go. */
function removeEndlessMacros(page: PageWork): Splice[] {
  const lines = definitionLines(page.body, scanLatex(page.body), /^(new|renew|provide)command$/);
  const all = [...lines, ...page.preamble.map((text) => ({ start: -1, end: -1, text }))];
  const calls = new Map<string, Set<string>>();
  for (const { text } of all) {
    const names = [...text.matchAll(/\\([A-Za-z]+)/g)].map((match) => match[1]!);
    const defined = names.find((name) => !/^(new|renew|provide)command$/.test(name));
    if (defined) calls.set(defined, new Set(names.slice(names.indexOf(defined) + 1)));
  }
  const isEndless = (name: string): boolean => {
    const seen = new Set<string>();
    const queue = [...(calls.get(name) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (next === name) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(calls.get(next) ?? []));
    }
    return false;
  };
  const endless = new Set([...calls.keys()].filter(isEndless));
  if (endless.size === 0) return [];
  const defines = (text: string) =>
    /^\\(?:new|renew|provide)command\*?\s*\{?\s*\\([A-Za-z]+)/.exec(text)?.[1] ?? '';
  page.preamble = page.preamble.filter((text) => !endless.has(defines(text)));
  page.warn(
    'COMMANDS_REMOVED',
    `Definitions that call themselves without end were left out: ${[...endless].map((name) => `\\${name}`).join(', ')}.`,
  );
  return lines
    .filter((line) => endless.has(defines(line.text)))
    .map(({ start, end }) => ({ start, end, text: '' }));
}

/** `50% of` is a per cent sign, not a comment that hides the rest of the line. */
function keepPercent(page: PageWork): Splice[] {
  const { tokens, spots } = annotate(page.body);
  const splices: Splice[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'comment') return;
    const before = page.body.slice(Math.max(0, token.start - 4), token.start);
    const rest = page.body.slice(token.start + 1, token.end);
    if (spots[index]!.mode === 'raw') return;
    const afterNumber = /\d[ ~]?$|\d\\,$|\d\}?\$[ ]?$/.test(before);
    // A bare `%` at a line's end after a digit hides nothing but the line's end; on `{0.5%` it is meant so.
    const hides = rest.trim() !== '' || spots[index]!.mode === 'text';
    if (afterNumber && hides) splices.push({ start: token.start, end: token.start + 1, text: '\\%' });
  });
  return splices;
}

const pictureExtensions = ['', '.png', '.jpg', '.jpeg', '.pdf'];

function missingPictures(page: PageWork, assets: ReadonlySet<string>): Splice[] {
  const { body } = page;
  const tokens = scanLatex(body);
  const splices: Splice[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'command' || !/^includegraphics\*?$/.test(token.name)) return;
    const optional = readOptional(tokens, index + 1);
    const group = readGroup(tokens, optional ? optional.close + 1 : index + 1);
    if (!group) return;
    const name = body.slice(group.start, group.end).trim();
    const plain = name.replace(/^.*\//, '');
    if (pictureExtensions.some((extension) => assets.has(plain + extension))) {
      if (plain !== name) splices.push({ start: group.start, end: group.end, text: plain });
      return;
    }
    page.warn('PICTURE_MISSING', `The picture "${plain.slice(0, 80)}" is not there; its place is marked.`);
    splices.push({
      start: token.start,
      end: tokens[group.close]!.end,
      text: `\\fbox{\\texttt{${escapeLatex(plain)}}}`,
    });
  });
  return splices;
}

/** Environments that would need a shell or a class of their own. */
function rewriteEnvironments(page: PageWork): Splice[] {
  const splices: Splice[] = [];
  for (const token of scanLatex(page.body)) {
    if (token.kind === 'verbatim' && token.name === 'minted') {
      const whole = page.body.slice(token.start, token.end);
      const head = /^\\begin\s*\{minted\}(?:\[[^\]]*\])?(?:\{[^}]*\})?/.exec(whole)![0];
      const tail = '\\end{minted}';
      splices.push({ start: token.start, end: token.start + head.length, text: '\\begin{lstlisting}' });
      splices.push({ start: token.end - tail.length, end: token.end, text: '\\end{lstlisting}' });
    }
    if (
      (token.kind === 'begin' || token.kind === 'end') &&
      /^(filecontents\*?|frame|multiplechoice)$/.test(token.name)
    ) {
      splices.push({ start: token.start, end: token.end, text: '' });
    }
  }
  return splices;
}

/** Titles go into `\title{…}`: no paragraphs, balanced braces, no programming; else plain text. */
function cleanTitle(title: string): string {
  const plain = dropUnprintable(title)
    .normalize('NFC')
    .replace(/\s*\n\s*\n\s*/g, '\\\\ ')
    .trim();
  let depth = 0;
  let isSound = true;
  let dollars = 0;
  for (const token of scanLatex(plain)) {
    if (token.kind === 'open') depth++;
    if (token.kind === 'close' && --depth < 0) isSound = false;
    if (token.kind === 'dollar') dollars++;
    if (/^(hash|ampersand|comment|begin|end|double-dollar)$/.test(token.kind)) isSound = false;
    if ((token.kind === 'superscript' || token.kind === 'subscript') && dollars % 2 === 0) isSound = false;
    if (token.kind === 'command' && (programming.has(token.name) || displayEnvironments.has(token.name)))
      isSound = false;
  }
  return isSound && depth === 0 && dollars % 2 === 0
    ? plain
    : escapeLatex(plain).replace(/\\textbackslash\{\}\\textbackslash\{\}/g, '\\\\');
}
