/** Expands a document's own commands and environments, within limits. */
import { closerOf, readGroup, readOptional, skipSpace } from '../source/matches.ts';
import { scanLatex, type Token } from '../source/scan.ts';

interface Macro {
  arguments: number;
  /** Default of the first argument; null if it is not optional. */
  optional: string | null;
  body: string;
  /** For environments. */
  end?: string;
  /** For paired delimiters: the starred form's expansion. */
  starred?: string;
}

export interface Macros {
  commands: Map<string, Macro>;
  environments: Map<string, Macro>;
}

/** A hostile document grows with every expansion: it is cut at this length. */
const maxLength = 4_000_000;
const maxExpansions = 50_000;
const maxDepth = 40;
const maxArguments = 9;

/** Reads every definition of a text and returns the text without them. */
export function takeDefinitions(latex: string): { rest: string; macros: Macros } {
  const macros: Macros = { commands: new Map(), environments: new Map() };
  const tokens = scanLatex(latex);
  let rest = '';
  let copied = 0;
  tokens.forEach((token, index) => {
    if (token.kind !== 'command' || token.start < copied) return;
    const end = readDefinition(latex, tokens, index, macros);
    if (end === null) return;
    rest += latex.slice(copied, token.start);
    copied = end;
  });
  return { rest: rest + latex.slice(copied), macros };
}

/** Where the definition at `index` ends; null if there is none. */
function readDefinition(
  latex: string,
  tokens: readonly Token[],
  index: number,
  macros: Macros,
): number | null {
  const kind = tokens[index]!.name.replace('*', '');
  const inside = (group: { start: number; end: number }) => latex.slice(group.start, group.end);
  if (kind === 'def' || kind === 'gdef') return readDef(latex, tokens, index, macros);
  if (!/^(new|renew|provide)(command|environment)$|^DeclareMathOperator$|^DeclarePairedDelimiter$/.test(kind))
    return null;
  const at = skipSpace(tokens, index + 1);
  const bare = tokens[at]?.kind === 'command' ? tokens[at] : null;
  const group = bare ? null : readGroup(tokens, at);
  if (!bare && !group) return null;
  const name = (bare ? bare.name : inside(group!).trim().replace(/^\\/, '')) as string;
  let next = bare ? at + 1 : group!.close + 1;
  const bodies: string[] = [];
  const options: string[] = [];
  for (let one = readOptional(tokens, next); one && options.length < 2; one = readOptional(tokens, next)) {
    options.push(inside(one));
    next = one.close + 1;
  }
  const wanted = kind.endsWith('environment') || kind === 'DeclarePairedDelimiter' ? 2 : 1;
  for (let count = 0; count < wanted; count++) {
    const body = readGroup(tokens, next);
    if (!body) return null;
    bodies.push(inside(body));
    next = body.close + 1;
  }
  const end = tokens[next - 1]!.end;
  const [first, last] = bodies as [string, string];
  const count = Math.min(Number.parseInt(options[0] ?? '0', 10) || 0, maxArguments);
  const isKept = kind.startsWith('provide') && macros.commands.has(name);
  if (kind === 'DeclareMathOperator') {
    const star = tokens[index]!.name.endsWith('*') ? '*' : '';
    macros.commands.set(name, { arguments: 0, optional: null, body: `\\operatorname${star}{${first}}` });
  } else if (kind === 'DeclarePairedDelimiter') {
    const body = `${first} #1 ${last}`;
    macros.commands.set(name, {
      arguments: 1,
      optional: null,
      body,
      starred: `\\left${first} #1 \\right${last}`,
    });
  } else if (kind.endsWith('environment')) {
    macros.environments.set(name, { arguments: count, optional: options[1] ?? null, body: first, end: last });
  } else if (!isKept)
    macros.commands.set(name, { arguments: count, optional: options[1] ?? null, body: first });
  return end;
}

/** `\def\name#1#2{…}`; delimited arguments are not supported. */
function readDef(latex: string, tokens: readonly Token[], index: number, macros: Macros): number | null {
  const name = tokens[index + 1];
  if (name?.kind !== 'command') return null;
  let open = index + 2;
  while (/^(?:hash|text|space|break)$/.test(tokens[open]?.kind ?? '')) open++;
  if (tokens[open]?.kind !== 'open') return null;
  const parameters = latex.slice(name.end, tokens[open]!.start);
  const close = closerOf(tokens, open);
  if (close < 0 || !/^(#\d)*\s*$/.test(parameters)) return null;
  const body = latex.slice(tokens[open]!.end, tokens[close]!.start);
  macros.commands.set(name.name, { arguments: parameters.split('#').length - 1, optional: null, body });
  return tokens[close]!.end;
}

/** Expands every command of `macros` in `text`. Cut, or left unexpanded, where it would exceed the limits. */
export function expandMacros(text: string, macros: Macros): string {
  let expansions = 0;
  let produced = 0;

  function expand(source: string, depth: number): string {
    const tokens = scanLatex(source);
    const pieces: string[] = [];
    let copied = 0;
    const put = (piece: string) => {
      produced += depth === 0 ? 0 : piece.length;
      pieces.push(piece);
    };
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]!;
      if (token.start < copied) continue;
      const macro =
        token.kind === 'command'
          ? macros.commands.get(token.name)
          : token.kind === 'begin' || token.kind === 'end'
            ? macros.environments.get(token.name)
            : undefined;
      if (!macro || depth >= maxDepth || expansions >= maxExpansions || produced > maxLength) continue;
      expansions++;
      put(source.slice(copied, token.start));
      if (token.kind === 'end') {
        put(expand(macro.end!, depth + 1));
        copied = token.end;
        continue;
      }
      const call = readArguments(source, tokens, index + 1, macro);
      const body = substitute(call.isStarred ? macro.starred! : macro.body, call.values);
      // the next letter must not become part of a command's name
      const isLetter = /\\[A-Za-z]+$/.test(body) && /[A-Za-z]/.test(source[call.end] ?? '');
      put(expand(body, depth + 1) + (isLetter ? ' ' : ''));
      copied = call.end;
    }
    put(source.slice(copied));
    return pieces.join('');
  }
  return expand(text, 0).slice(0, maxLength);
}

function readArguments(source: string, tokens: readonly Token[], from: number, macro: Macro) {
  let at = from;
  let end = tokens[from - 1]!.end;
  const isStarred = macro.starred !== undefined && source[end] === '*';
  if (isStarred) end++;
  if (isStarred) while (at < tokens.length && tokens[at]!.start < end) at++;
  const values: string[] = [];
  if (macro.optional !== null) {
    const optional = readOptional(tokens, at);
    values.push(optional ? source.slice(optional.start, optional.end) : macro.optional);
    if (optional) {
      at = optional.close + 1;
      end = tokens[optional.close]!.end;
    }
  }
  while (values.length < macro.arguments) {
    const next = skipSpace(tokens, at);
    const token = tokens[next];
    const group = readGroup(tokens, at);
    if (group) {
      values.push(source.slice(group.start, group.end));
      at = group.close + 1;
      end = tokens[group.close]!.end;
    } else if (token && (token.kind === 'text' || token.kind === 'command') && token.start >= end - 1) {
      // an argument without braces is one character or one command
      const width = token.kind === 'command' ? token.end - token.start : 1;
      values.push(source.slice(token.start, token.start + width));
      end = token.start + width;
      at = next + 1;
      if (token.kind === 'text' && token.end > end) break;
    } else break;
  }
  return { values, end, isStarred };
}

function substitute(body: string, values: readonly string[]): string {
  return body.replace(/#(\d)/g, (_, digit: string) => values[Number(digit) - 1] ?? '');
}
