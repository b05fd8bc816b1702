/**
 * Commands with their arguments, and what they tell of a document: where its body lies, which packages it loads, its
 * labels. Comments and verbatim text contain no commands.
 */
import { environmentDefinitions, macroCommands, verbatimEnvironments } from './commands.ts';
import { type Argument, readGroup, readOptional } from './matches.ts';
import { scanLatex, type Token } from './scan.ts';

export interface CommandUse {
  name: string;
  /** Index of its token. */
  index: number;
  /** Offsets of its first character, and of the end of its last argument. */
  start: number;
  end: number;
  options: Argument | null;
  argument: Argument | null;
}

/** The command at an index, with its first optional and first braced argument; there may be others between them. */
export function readCommand(tokens: readonly Token[], index: number): CommandUse {
  const { name, start, end } = tokens[index]!;
  const options = readOptional(tokens, index + 1);
  let last = options;
  for (let next = options; next; next = readOptional(tokens, next.close + 1)) last = next;
  const argument = readGroup(tokens, (last?.close ?? index) + 1);
  last = argument ?? options;
  return { name, index, start, end: last ? tokens[last.close]!.end : end, options, argument };
}

/** The commands whose name matches, in order. */
export function listCommands(tokens: readonly Token[], names: RegExp): CommandUse[] {
  return tokens.flatMap(({ kind, name }, index) =>
    kind === 'command' && names.test(name) ? [readCommand(tokens, index)] : [],
  );
}

/** The argument of the first command of this name; null without one. */
export function argumentOf(
  latex: string,
  name: string,
  tokens: readonly Token[] = scanLatex(latex),
): string | null {
  const index = tokens.findIndex((token) => token.kind === 'command' && token.name === name);
  const { argument } = index < 0 ? { argument: null } : readCommand(tokens, index);
  return argument && latex.slice(argument.start, argument.end);
}

/** Names, without backslash, of the commands that a text defines, e.g. by `\newcommand`. */
export const definedCommands = (latex: string): Set<string> =>
  new Set(argumentsOf(latex, isMacro).map((name) => name.replace('\\', '')));

/** Names of the environments that a text defines. */
export const definedEnvironments = (latex: string): Set<string> =>
  new Set(argumentsOf(latex, (name) => environmentDefinitions.has(name)));

const isMacro = (name: string) => macroCommands.has(name) || name.startsWith('DeclarePairedDelimiter');

function argumentsOf(latex: string, isOne: (name: string) => boolean): string[] {
  const tokens = scanLatex(latex);
  return tokens.flatMap(({ kind, name }, index) => {
    const group = kind === 'command' && isOne(name) ? readGroup(tokens, index + 1) : null;
    return group ? [latex.slice(group.start, group.end).trim()] : [];
  });
}

/** `\begin{document}` and the `\end{document}` after it, where TeX stops reading. */
export interface DocumentBody {
  begin: Token | null;
  end: Token | null;
}

export function findBody(tokens: readonly Token[]): DocumentBody {
  const at = tokens.findIndex(({ kind, name }) => kind === 'begin' && name === 'document');
  const end = tokens.find(({ kind, name }, index) => index > at && kind === 'end' && name === 'document');
  return { begin: tokens[at] ?? null, end: end ?? null };
}

/** How many `\begin{document}` in comments and verbatim text are passed over before the whole text is read. */
const maxFalseBodies = 3;

/** The tokens before `\begin{document}`, where classes and packages are loaded: a fraction of a document's. */
export function scanPreamble(latex: string): Token[] {
  let at = -1;
  for (let tried = 0; tried <= maxFalseBodies; tried++) {
    at = latex.indexOf('\\begin{document}', at + 1);
    if (at < 0) break;
    const isInComment = /(?<!\\)%/.test(latex.slice(latex.lastIndexOf('\n', at) + 1, at));
    const tokens = isInComment ? [] : scanLatex(latex.slice(0, at));
    const isInVerbatim = tokens.some(({ kind, name }) => kind === 'begin' && verbatimEnvironments.has(name));
    if (!isInComment && !isInVerbatim) return tokens;
  }
  return scanLatex(latex);
}

/** Whether a text is a whole document, not a part of one. */
export function isDocument(latex: string): boolean {
  const { begin, end } = findBody(scanLatex(latex));
  return begin !== null && end !== null;
}

export interface PackageUse extends CommandUse {
  argument: Argument;
  names: string[];
}

export const packageCommands = /^(?:usepackage|RequirePackage)$/;

/** Every `\usepackage` with the packages it loads. */
export function listPackages(latex: string, tokens: readonly Token[] = scanLatex(latex)): PackageUse[] {
  return listCommands(tokens, packageCommands).flatMap((use) => {
    const { argument } = use;
    if (!argument) return [];
    const names = latex.slice(argument.start, argument.end).split(',');
    return [{ ...use, argument, names: names.map((name) => name.trim()).filter(Boolean) }];
  });
}

/** Its packages one by one, each with the options given to all. */
export function packagesOf(
  latex: string,
  { names, options }: PackageUse,
): { name: string; options?: string }[] {
  const given = options ? latex.slice(options.start, options.end) : '';
  return names.map((name) => ({ name, ...(given ? { options: given } : {}) }));
}

/** Every package that a text loads, in order, with its options as written. */
export const loadedPackages = (latex: string, tokens?: readonly Token[]) =>
  listPackages(latex, tokens).flatMap((use) => packagesOf(latex, use));

/** The document class; null without one. */
export function findClass(
  latex: string,
  tokens: readonly Token[] = scanLatex(latex),
): { name: string; options: string } | null {
  const [use] = listCommands(tokens, /^documentclass$/);
  if (!use?.argument) return null;
  const textOf = (argument: Argument | null) => (argument ? latex.slice(argument.start, argument.end) : '');
  return { name: textOf(use.argument).trim(), options: textOf(use.options) };
}

export const loadsPackage = (latex: string, name: string): boolean =>
  listPackages(latex).some(({ names }) => names.includes(name));

/** Every `\label` with its name. */
export function listLabels(
  latex: string,
  tokens: readonly Token[] = scanLatex(latex),
): { name: string; start: number; end: number }[] {
  return listCommands(tokens, /^label$/).flatMap(({ start, end, argument }) =>
    argument ? [{ name: latex.slice(argument.start, argument.end).trim(), start, end }] : [],
  );
}

/** A text without the commands of these names and their arguments. */
export function withoutCommands(latex: string, names: RegExp): string {
  let text = '';
  let at = 0;
  for (const { start, end, argument } of listCommands(scanLatex(latex), names)) {
    if (!argument || start < at) continue;
    text += latex.slice(at, start);
    at = end;
  }
  return text + latex.slice(at);
}

/** A heading or a formula without its labels. */
export const withoutLabels = (latex: string): string => withoutCommands(latex, /^label$/);
