/**
 * Pairs openers and closers: for each token that opens something, the index of the one that closes it. Computed for a text
 * once, in linear time, so that readers may look it up at every token of a hostile text.
 */
import type { Token, TokenKind } from './scan.ts';

const none = -1;
const found = new WeakMap<readonly Token[], Int32Array>();

/** The index of the token that closes the one at `index` (a group, an option, an environment, a formula); otherwise -1. */
export function closerOf(tokens: readonly Token[], index: number): number {
  let closers = found.get(tokens);
  if (!closers) {
    closers = matchAll(tokens);
    found.set(tokens, closers);
  }
  return closers[index] ?? none;
}

function matchAll(tokens: readonly Token[]): Int32Array {
  const closers = new Int32Array(tokens.length).fill(none);
  /** Groups and options that are open, innermost last. */
  const openers: number[] = [];
  /** Environments are matched by name only: in a broken text, an unclosed one does not affect others. */
  const environments = new Map<string, number[]>();
  /** Formulas end at the next closer of their kind: they do not nest. */
  const formulas = new Map<string, number[]>();
  /** An option ends with its paragraph, which began here. */
  let paragraph = none;

  const close = (opened: number[] | undefined, index: number) => {
    for (const opener of opened ?? []) closers[opener] = index;
    if (opened) opened.length = 0;
  };
  const open = (opened: Map<string, number[]>, name: string, index: number) => {
    const list = opened.get(name);
    if (list) list.push(index);
    else opened.set(name, [index]);
  };
  /** Removes and returns the innermost opener if it is of this kind. */
  const take = (kind: TokenKind): number | undefined =>
    openers.length > 0 && tokens[openers[openers.length - 1]!]!.kind === kind ? openers.pop() : undefined;

  for (let index = 0; index < tokens.length; index++) {
    const { kind, name } = tokens[index]!;
    switch (kind) {
      case 'open':
      case 'bracket-open':
        openers.push(index);
        break;
      case 'close': {
        // options end with their group
        while (take('bracket-open') !== undefined);
        const opener = take('open');
        if (opener !== undefined) closers[opener] = index;
        break;
      }
      case 'bracket-close':
        for (let one = take('bracket-open'); one !== undefined; one = take('bracket-open'))
          if (one > paragraph) closers[one] = index;
        break;
      case 'break':
        paragraph = index;
        break;
      case 'begin':
        open(environments, name, index);
        break;
      case 'end': {
        const opener = environments.get(name)?.pop();
        if (opener !== undefined) closers[opener] = index;
        break;
      }
      case 'dollar':
      case 'double-dollar':
        close(formulas.get(kind), index);
        open(formulas, kind, index);
        break;
      case 'command':
        if (name === '(' || name === '[') open(formulas, name, index);
        else if (name === ')' || name === ']') close(formulas.get(name === ')' ? '(' : '['), index);
    }
  }
  return closers;
}

/** The next index from `index` on that is not white space or a comment (a blank line ends the search too). */
export function skipSpace(tokens: readonly Token[], index: number): number {
  let i = index;
  while (i < tokens.length && (tokens[i]!.kind === 'space' || tokens[i]!.kind === 'comment')) i++;
  return i;
}

/** An argument: the indexes of its delimiters, and the offsets of its content. */
export interface Argument {
  open: number;
  close: number;
  start: number;
  end: number;
}

/** The group after position `index`, ignoring white space, or null. */
export const readGroup = (tokens: readonly Token[], index: number): Argument | null =>
  readArgument(tokens, index, 'open');

/** The optional argument `[…]` after position `index`, or null. Brackets inside groups do not end it. */
export const readOptional = (tokens: readonly Token[], index: number): Argument | null =>
  readArgument(tokens, index, 'bracket-open');

function readArgument(tokens: readonly Token[], index: number, kind: TokenKind): Argument | null {
  const open = skipSpace(tokens, index);
  if (tokens[open]?.kind !== kind) return null;
  const close = closerOf(tokens, open);
  return close < 0 ? null : { open, close, start: tokens[open]!.end, end: tokens[close]!.start };
}
