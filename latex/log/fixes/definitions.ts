/** Fixes for names: commands, environments, counters, and their definitions. */

import {
  commandArguments,
  mathArity,
  structuralCommands,
  theoremEnvironments,
} from '../../source/commands.ts';
import { literal } from '../../source/escape.ts';
import { findCommandPackage, findEnvironmentPackage } from '../../source/package-table.ts';
import { definedCommands, definedEnvironments } from '../../source/read-commands.ts';
import type { SourceText } from '../../source/source-text.ts';
import { isCommandName, nearestCommand, nearestEnvironment, nearestOf } from '../names.ts';
import { type Fixer, lastCommand, type Proposal } from '../rule.ts';
import { cut, insertAt, isLoaded, loadPackage, renameOnLine, toPreamble } from './edits.ts';

const bare = (name: string) => name.replace(/^\\|\*$/g, '');

export const fixUndefined: Fixer = ({ breakPoint, before }, source) => {
  const name = lastCommand(breakPoint) ?? lastCommand(before);
  if (!name) return null;
  const uses = source.annotated.tokens.filter(
    (token) => (token.kind === 'command' || token.kind === 'verbatim') && bare(token.name) === name,
  );
  if (uses.length === 0) return null;
  const owner = ownerOf(name);
  if (owner && !isLoaded(source, owner)) return loadFor(source, owner);
  const proposals: Proposal[] = [];
  const rename = (meant: string | null) => {
    if (!meant || meant === name) return;
    const title = `Change \\${name} to \\${meant}`;
    if (proposals.some((one) => one.title === title)) return;
    const edits = uses.map(({ start }) => ({ from: start + 1, to: start + 1 + name.length, insert: meant }));
    const brought = findCommandPackage(meant);
    const load = brought && !isLoaded(source, brought) ? loadPackage(source, brought) : null;
    proposals.push({ title, edits: [...edits, ...(load?.edits ?? [])] });
  };
  // the usual names for the sets of numbers
  if (/^[NZQRC]$/.test(name)) {
    const line = `\\newcommand{\\${name}}{\\mathbb{${name}}}`;
    const edit = toPreamble(source, line);
    const load = isLoaded(source, 'amssymb') ? null : loadPackage(source, 'amssymb');
    if (edit) proposals.push({ title: `Add ${line}`, edits: [...(load?.edits ?? []), edit] });
  }
  const own = [...definedCommands(source.text)].map(bare);
  const elsewhere = source.annotated.tokens
    .filter(({ kind }) => kind === 'command')
    .map((token) => bare(token.name));
  rename(own.find((one) => one.toLowerCase() === name.toLowerCase()) ?? null);
  // a name that the document uses often is not a typo
  const counts = new Map<string, number>();
  for (const one of elsewhere) counts.set(one, (counts.get(one) ?? 0) + 1);
  const frequent = [...counts].flatMap(([one, count]) => (one !== name && count > 1 ? [one] : []));
  const meant = [nearestOf(name, own), nearestCommand(name), nearestOf(name, frequent)];
  // a known name with letters after it more likely lost its separator
  const isTail = (one: string | null) => one !== null && name.startsWith(one);
  for (const one of meant) if (!isTail(one)) rename(one);
  proposals.push(...splitCommand(name, uses, source));
  for (const one of meant) rename(one);
  const body = source.bodyStart;
  if (body !== null && uses.every(({ start }) => start > body))
    proposals.push({
      title: `Remove \\${name}`,
      edits: uses.map(({ start }) => cut(start, start + 1 + name.length)),
    });
  return proposals;
};

/** Commands of packages that are only used in a preamble. */
const settingsOf: Record<string, string> = {
  fontspec: 'setmainfont setsansfont setmonofont newfontfamily defaultfontfeatures',
  polyglossia: 'setmainlanguage setotherlanguage setotherlanguages setdefaultlanguage',
  geometry: 'geometry newgeometry',
  'unicode-math': 'setmathfont',
};

const ownerOf = (command: string): string | null =>
  findCommandPackage(command) ??
  Object.keys(settingsOf).find((one) => settingsOf[one]!.split(' ').includes(command)) ??
  null;

/** Loads the package, or also all others that the document uses but does not load. */
function loadFor(source: SourceText, owner: string): Proposal[] {
  const firstUses = new Map<string, number>();
  const own = new Set([...definedCommands(source.text)].map(bare));
  for (const { kind, name, start } of source.annotated.tokens) {
    const isCommand = kind === 'command' && !own.has(bare(name));
    const found = isCommand ? ownerOf(bare(name)) : kind === 'begin' ? findEnvironmentPackage(name) : null;
    if (found && !firstUses.has(found) && !isLoaded(source, found)) firstUses.set(found, start);
  }
  const names = [owner, ...[...firstUses.keys()].filter((name) => name !== owner)];
  const loads = names
    .map((name) => loadPackage(source, name, firstUses.get(name)))
    .filter((one) => one !== null);
  const [first, ...others] = loads;
  if (!first || others.length === 0) return loads;
  return [first, { title: `Add ${names.join(', ')}`, edits: loads.flatMap(({ edits }) => edits) }];
}

/** `\pagestyle{fancy}` without fancyhdr fails at a command that the document does not contain. */
export const loadFancyPages: Fixer = ({ line }, source) => {
  if (line === null || isLoaded(source, 'fancyhdr')) return null;
  const at = source.lineText(line).search(/\\(?:this)?pagestyle\{fancy\}/);
  return at < 0 ? null : loadPackage(source, 'fancyhdr', source.startOf(line) + at);
};

const takesArgument = (name: string) =>
  commandArguments(name).length > 0 ||
  mathArity.has(name) ||
  structuralCommands.has(name) ||
  /^(?:emph|text(?:bf|it|rm|sf|tt|sc|up))$/.test(name);

/** `\textbfword}` lost its brace, `\alphax` its space. */
function splitCommand(name: string, uses: readonly { start: number }[], source: SourceText): Proposal[] {
  const { tokens } = source.annotated;
  // a command given an argument elsewhere in the document takes one
  const isCalled = (head: string) =>
    tokens.some((token, index) => token.name === head && tokens[index + 1]?.kind === 'open');
  const isUsed = (head: string) => tokens.some((token) => token.kind === 'command' && token.name === head);
  for (let length = name.length - 1; length >= 2; length--) {
    const head = name.slice(0, length);
    if (!isCommandName(head) && !findCommandPackage(head) && !takesArgument(head) && !isUsed(head)) continue;
    const at = uses[0]!.start + 1 + length;
    const brace = { title: `Write \\${head}{`, edits: [insertAt(at, '{')] };
    const space = { title: `Write \\${head} ${name.slice(length)}`, edits: [insertAt(at, ' ')] };
    return takesArgument(head) || isCalled(head) ? [brace, space] : length >= 3 ? [space] : [];
  }
  return [];
}

const renameEnvironment = (source: SourceText, name: string, meant: string): Proposal => ({
  title: `Change ${name} to ${meant}`,
  edits: source.annotated.tokens.flatMap((token) => {
    if ((token.kind !== 'begin' && token.kind !== 'end') || token.name !== name) return [];
    const from = source.text.indexOf('{', token.start) + 1;
    return [{ from, to: token.end - 1, insert: meant }];
  }),
});

export const fixEnvironment: Fixer = (_, source, match) => {
  const name = match[1]!;
  const owner = findEnvironmentPackage(name);
  if (owner && !isLoaded(source, owner)) return loadFor(source, owner);
  const proposals: Proposal[] = [];
  const { tokens } = source.annotated;
  const begins = tokens.filter((token) => token.kind === 'begin').map((token) => token.name);
  const ends = tokens.filter((token) => token.kind === 'end').map((token) => token.name);
  // if its \end has another name, that is the right one
  const lonely = [...new Set(ends)].filter(
    (one) => ends.filter((other) => other === one).length > begins.filter((other) => other === one).length,
  );
  const declared = [...definedEnvironments(source.text)];
  for (const meant of [nearestOf(name, lonely), nearestOf(name, declared), nearestEnvironment(name)])
    if (meant && !proposals.some(({ title }) => title === `Change ${name} to ${meant}`))
      proposals.push(renameEnvironment(source, name, meant));
  // a theorem-like name is declared; so is one that is used like one
  const isStatement = theoremEnvironments.has(name.toLowerCase());
  const line = `\\newtheorem{${name}}{${name[0]!.toUpperCase()}${name.slice(1)}}`;
  const edit = /^[A-Za-z]+\*?$/.test(name) ? toPreamble(source, line) : null;
  if (edit && isStatement) proposals.unshift({ title: `Add ${line}`, edits: [edit] });
  return proposals;
};

export const fixCounter: Fixer = (complaint, source, match) => {
  const name = match[1]!;
  const known =
    'part chapter section subsection subsubsection page equation figure table footnote enumi'.split(' ');
  const meant = nearestOf(name, known);
  const line = `\\newcounter{${name}}`;
  const edit = toPreamble(source, line);
  return [
    meant && renameOnLine(complaint, source, `{${name}}`, `{${meant}}`, `Change ${name} to ${meant}`),
    edit && { title: `Add ${line}`, edits: [edit] },
  ].filter((one): one is Proposal => Boolean(one));
};

/** A definition that uses #2 but declares one argument, or none. */
export const raiseArguments: Fixer = ({ line }, source) => {
  if (line === null) return null;
  for (let at = line; at >= Math.max(1, line - 5); at--) {
    const found = /\\(?:re)?newcommand\*?\s*(?:\{\\[A-Za-z]+\}|\\[A-Za-z]+)(\[(\d)\])?/.exec(
      source.lineText(at),
    );
    if (!found) continue;
    const used = [...source.text.slice(source.startOf(at), source.endOf(line)).matchAll(/#([1-9])/g)];
    const most = Math.max(...used.map(([, number]) => Number(number)));
    if (used.length === 0 || most <= Number(found[2] ?? 0)) return null;
    const to = source.startOf(at) + found.index + found[0].length;
    return {
      title: `Write [${most}]`,
      edits: [{ from: to - (found[1]?.length ?? 0), to, insert: `[${most}]` }],
    };
  }
  return null;
};

export const redefine: Fixer = (complaint, source, match) => {
  const command = match[1]!;
  const name = command.slice(1);
  if (name.startsWith('end')) return null;
  const swap = (what: string, inside: string) =>
    renameOnLine(
      complaint,
      source,
      `\\new${what}{${inside}}`,
      `\\renew${what}{${inside}}`,
      `Use \\renew${what}`,
    );
  const bareForm = () =>
    renameOnLine(
      complaint,
      source,
      `\\newcommand${command}`,
      `\\renewcommand${command}`,
      'Use \\renewcommand',
    );
  return swap('command', command) ?? bareForm() ?? swap('environment', name);
};

export const defineAnew: Fixer = (complaint, source, match) => {
  const found = new RegExp(`\\\\renewcommand(\\*?\\s*\\{?${literal(match[1]!)})`).exec(source.text);
  return found
    ? renameOnLine(complaint, source, found[0], `\\newcommand${found[1]}`, 'Use \\newcommand')
    : null;
};
