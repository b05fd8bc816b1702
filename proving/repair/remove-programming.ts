/**
 * Removes TeX programming, which notes never need: primitives that read files, change how TeX reads its input, or loop.
 * Plain macros stay as `\providecommand`. The page gets a warning about what was left out.
 */

import { readGroup, skipSpace } from '#latex/source/matches.ts';
import { findCommandPackage } from '#latex/source/package-table.ts';
import { scanLatex } from '#latex/source/scan.ts';
import type { Splice } from '#latex/source/splice.ts';
import type { PageWork } from '../pages/page-work.ts';
import { definitionLines } from './lift-preamble.ts';

/** Primitives that program TeX, access files, or change how it reads its input: never part of notes. */
export const programming = new Set(
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
/** Removed with their braced argument. */
const withArgument = new Set(
  'input include includeonly subfile bibliography ShellEscape directlua special write immediate AtBeginDocument AtEndDocument scantokens'.split(
    ' ',
  ),
);
/** Assignments, removed with what they assign (`\catcode`\%=12`, `\let\a=\b`). */
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

/** Removes programming commands from a body, with what they assign or read. */
export function removeProgramming(page: PageWork): Splice[] {
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
      `Commands that don’t belong in notes were left out: ${[...removed].map((name) => `\\${name}`).join(', ')}.`,
    );
  }
  return splices;
}

/** Removes definitions of macros that call themselves, directly or in a cycle: TeX would loop. */
export function removeEndlessMacros(page: PageWork): Splice[] {
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
    `Definitions that call themselves endlessly were left out: ${[...endless].map((name) => `\\${name}`).join(', ')}.`,
  );
  return lines
    .filter((line) => endless.has(defines(line.text)))
    .map(({ start, end }) => ({ start, end, text: '' }));
}
