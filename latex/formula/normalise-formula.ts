/**
 * A formula as a sequence of tokens in which the same mathematics looks the same however it was typed: `v:x` a variable,
 * `12` a number, `\leq`, `op:sin`, `+` themselves; `_ { … } ^ { … }` scripts, always in this order and in braces;
 * `frac { … } { … }`, `sqrt { … }`, `matrix { … & … \\ … }`. Spaces, sizes of delimiters, labels and styles are dropped.
 * What is in braces is a sequence of its own, so a formula is part of another if its tokens are adjacent in it
 * (find-formula.ts).
 */

import type { Token } from '../source/scan.ts';
import { lexFormula, lexTokens, type MathSymbol } from './lex-formula.ts';
import {
  accents,
  alphabets,
  functionNames,
  greekVariables,
  ignoredCommands,
  ignoredWithArgument,
  matrixDelimiters,
  synonyms,
  transparentCommands,
  twoArguments,
  wordCommands,
} from './names.ts';

/** Braces nested deeper than this are ignored. */
const deepest = 40;

/** Tokens of one formula; `source` with or without its dollars. Empty if nothing in it can be searched for. */
export function normaliseFormula(source: string): string[] {
  return trimPunctuation(new Reader(lexFormula(source)).readAll());
}

/** As `normaliseFormula`, for a range of the tokens of `source`. */
export function normaliseTokens(source: string, tokens: readonly Token[]): string[] {
  return trimPunctuation(new Reader(lexTokens(source, tokens)).readAll());
}

/**
 * For a query that is being typed: open braces stay open, so that `e^{-x` is found in `e^{-x^2}`.
 */
export function normaliseQuery(source: string): string[] {
  const symbols = lexFormula(source.replace(/^\s*(?:\\\[|\\\(|\$\$?)|(?:\\\]|\\\)|\$\$?)\s*$/g, ''));
  let open = 0;
  for (const { kind } of symbols) {
    if (kind === 'open') open++;
    else if (kind === 'close') open = Math.max(0, open - 1);
  }
  const last = symbols.findLast(({ kind }) => kind !== 'space')?.kind;
  const tokens = trimPunctuation(new Reader(symbols).readAll());
  if (open > 0 || last === 'up' || last === 'down') while (/^[{}^_]$/.test(tokens.at(-1) ?? '')) tokens.pop();
  return tokens;
}

function trimPunctuation(tokens: string[]): string[] {
  while (/^[.,;]$/.test(tokens.at(-1) ?? '')) tokens.pop();
  return tokens;
}

/** Whether a token is a name that may differ. */
export const isVariable = (token: string): boolean => token.startsWith('v:');

interface Row {
  tokens: string[];
  /** Number of elements side by side in it. */
  atoms: number;
}

const braced = (row: Row): string[] => ['{', ...row.tokens, '}'];

class Reader {
  readonly #symbols: readonly MathSymbol[];
  #at = 0;

  constructor(symbols: readonly MathSymbol[]) {
    this.#symbols = symbols;
  }

  readAll(): string[] {
    const tokens: string[] = [];
    while (this.#at < this.#symbols.length) {
      // a closer without an opener is skipped
      for (const token of this.#readRow(0).tokens) tokens.push(token);
      this.#at++;
    }
    return tokens;
  }

  #peek(): MathSymbol | undefined {
    while (this.#symbols[this.#at]?.kind === 'space') this.#at++;
    return this.#symbols[this.#at];
  }

  /** Up to its closer, which is not read. */
  #readRow(depth: number, keepsCells = false): Row {
    const row: Row = { tokens: [], atoms: 0 };
    for (let symbol = this.#peek(); symbol; symbol = this.#peek()) {
      if (symbol.kind === 'close' || symbol.kind === 'end') break;
      if (symbol.kind === 'cell' || symbol.kind === 'row') {
        this.#at++;
        if (keepsCells) row.tokens.push(symbol.kind === 'cell' ? '&' : '\\\\');
        continue;
      }
      if (symbol.kind === 'command' && (symbol.name === 'over' || symbol.name === 'choose')) {
        this.#at++;
        if (depth >= deepest) continue;
        const below = this.#readRow(depth + 1, keepsCells);
        const name = symbol.name === 'over' ? 'frac' : 'binom';
        return { tokens: joinFraction(name, row, below), atoms: 1 };
      }
      this.#readAtom(row, depth);
    }
    return row;
  }

  /** Adds one element with its scripts to `row`. */
  #readAtom(row: Row, depth: number): void {
    const before = this.#at;
    const nucleus =
      this.#peek()?.kind === 'up' || this.#peek()?.kind === 'down'
        ? { tokens: [], atoms: 0 }
        : this.#readNucleus(depth);
    const scripts = this.#readScripts(depth);
    if (this.#at === before) this.#at++;
    const needsBraces = scripts.length > 0 && nucleus.atoms > 1;
    for (const token of needsBraces ? braced(nucleus) : nucleus.tokens) row.tokens.push(token);
    for (const token of scripts) row.tokens.push(token);
    row.atoms += needsBraces ? 1 : nucleus.atoms;
  }

  #readScripts(depth: number): string[] {
    const below: string[] = [];
    const above: string[] = [];
    for (let symbol = this.#peek(); symbol; symbol = this.#peek()) {
      if (symbol.kind === 'up' || symbol.kind === 'down') {
        this.#at++;
        (symbol.kind === 'up' ? above : below).push(...this.#readArgument(depth).tokens);
      } else if (symbol.kind === 'other' && symbol.name === "'") {
        this.#at++;
        above.push("'");
      } else if (symbol.kind === 'command' && (symbol.name === 'limits' || symbol.name === 'nolimits'))
        this.#at++;
      else break;
    }
    return [
      ...(below.length ? ['_', '{', ...below, '}'] : []),
      ...(above.length ? ['^', '{', ...above, '}'] : []),
    ];
  }

  /** The argument of a command or script: a group, or one symbol. */
  #readArgument(depth: number): Row {
    const symbol = this.#peek();
    if (!symbol || symbol.kind === 'close' || symbol.kind === 'end') return { tokens: [], atoms: 0 };
    if (symbol.kind === 'digit') {
      this.#at++;
      return { tokens: [symbol.name], atoms: 1 };
    }
    return this.#readNucleus(depth);
  }

  #readGroup(depth: number): Row {
    this.#at++;
    if (depth >= deepest) return { tokens: [], atoms: 0 };
    const row = this.#readRow(depth + 1);
    if (this.#symbols[this.#at]?.kind === 'close') this.#at++;
    return row;
  }

  #readNucleus(depth: number): Row {
    const symbol = this.#peek();
    if (!symbol) return { tokens: [], atoms: 0 };
    if (symbol.kind === 'open') return this.#readGroup(depth);
    if (symbol.kind === 'close' || symbol.kind === 'end') return { tokens: [], atoms: 0 };
    this.#at++;
    switch (symbol.kind) {
      case 'digit':
        return one(this.#readNumber(symbol.name));
      case 'letter':
        return one(this.#nameLetter(symbol.name));
      case 'other':
        return one(symbol.name);
      case 'bracket-open':
        return one('[');
      case 'bracket-close':
        return one(']');
      case 'begin':
        return this.#readEnvironment(symbol.name, depth);
      case 'command':
        return this.#readCommand(symbol.name, depth);
      default:
        return { tokens: [], atoms: 0 };
    }
  }

  #readNumber(first: string): string {
    let number = first;
    for (let next = this.#symbols[this.#at]; next; next = this.#symbols[this.#at]) {
      const after = this.#symbols[this.#at + 1];
      const isPoint = next.kind === 'other' && next.name === '.' && after?.kind === 'digit';
      if (next.kind !== 'digit' && !isPoint) break;
      number += (next as { name: string }).name;
      this.#at++;
    }
    return number;
  }

  /** `d` before a variable is the differential, `e` with an exponent the number. */
  #nameLetter(letter: string): string {
    const next = this.#peek();
    if (letter === 'e' && next?.kind === 'up') return 'e';
    if (
      letter === 'd' &&
      (next?.kind === 'letter' || (next?.kind === 'command' && greekVariables.has(next.name)))
    )
      return 'd';
    return `v:${letter}`;
  }

  #readEnvironment(name: string, depth: number): Row {
    const delimiters = matrixDelimiters.get(name);
    if (depth >= deepest) return { tokens: [], atoms: 0 };
    if ((name === 'array' || name === 'alignedat' || name === 'alignat') && this.#peek()?.kind === 'open')
      this.#skipGroup();
    const row = this.#readRow(depth + 1, delimiters !== undefined);
    if (this.#symbols[this.#at]?.kind === 'end') this.#at++;
    if (!delimiters) return row;
    while (row.tokens.at(-1) === '\\\\') row.tokens.pop();
    const tokens = [...(delimiters[0] ? [delimiters[0]] : []), 'matrix', ...braced(row)];
    if (delimiters[1]) tokens.push(delimiters[1]);
    return { tokens, atoms: tokens.length };
  }

  #skipGroup(): void {
    let depth = 0;
    for (; this.#at < this.#symbols.length; this.#at++) {
      const { kind } = this.#symbols[this.#at]!;
      if (kind === 'open') depth++;
      else if (kind === 'close' && --depth <= 0) {
        if (depth === 0) this.#at++;
        return;
      }
    }
  }

  #readCommand(name: string, depth: number): Row {
    if (depth >= deepest) return { tokens: [], atoms: 0 };
    if (ignoredCommands.has(name)) {
      const next = this.#peek();
      const isDelimiter = name === 'left' || name === 'right' || name === 'middle';
      if (isDelimiter && next?.kind === 'other' && next.name === '.') this.#at++;
      return { tokens: [], atoms: 0 };
    }
    if (ignoredWithArgument.has(name)) {
      if (this.#peek()?.kind === 'open') this.#skipGroup();
      return { tokens: [], atoms: 0 };
    }
    if (greekVariables.has(name)) return one(`v:\\${name}`);
    if (functionNames.has(name)) return one(`op:${name}`);
    if (name === 'not') {
      const row = this.#readArgument(depth + 1);
      return row.tokens.length === 1 ? one(`not:${row.tokens[0]}`) : row;
    }
    if (name === 'mathbb' || name === 'Bbb' || name === 'mathds') return one(`bb:${this.#readWord()}`);
    if (wordCommands.has(name)) return this.#nameWord(this.#readWord());
    const alphabet = alphabets.get(name);
    if (alphabet !== undefined) return inAlphabet(alphabet, this.#readArgument(depth + 1));
    const accent = accents.get(name);
    if (accent !== undefined) return one(accent, braced(this.#readArgument(depth + 1)));
    const pair = twoArguments.get(name);
    if (pair !== undefined) {
      const above = this.#readArgument(depth + 1);
      return { tokens: joinFraction(pair, above, this.#readArgument(depth + 1)), atoms: 1 };
    }
    if (name === 'sqrt')
      return one('sqrt', [...this.#readIndex(depth), ...braced(this.#readArgument(depth + 1))]);
    if (transparentCommands.has(name)) return this.#readArgument(depth + 1);
    const meaning = synonyms.get(name);
    if (meaning !== undefined) return one(meaning);
    return one(`\\${name}`, this.#peek()?.kind === 'open' ? braced(this.#readGroup(depth)) : []);
  }

  /** The `3` of `\sqrt[3]{x}`. */
  #readIndex(depth: number): string[] {
    if (this.#peek()?.kind !== 'bracket-open') return [];
    this.#at++;
    const row: Row = { tokens: [], atoms: 0 };
    for (let symbol = this.#peek(); symbol && symbol.kind !== 'close'; symbol = this.#peek()) {
      if (symbol.kind === 'bracket-close') {
        this.#at++;
        break;
      }
      this.#readAtom(row, depth);
    }
    return ['[', ...row.tokens, ']'];
  }

  /** The letters of `{ rank }`, or of one symbol. */
  #readWord(): string {
    if (this.#peek()?.kind !== 'open') {
      const symbol = this.#peek();
      if (symbol && 'name' in symbol && symbol.kind !== 'end') this.#at++;
      return symbol && 'name' in symbol ? symbol.name : '';
    }
    const start = this.#at;
    this.#skipGroup();
    return this.#symbols
      .slice(start, this.#at)
      .map((symbol) => ('name' in symbol ? symbol.name : ''))
      .join('');
  }

  #nameWord(word: string): Row {
    if (word === '') return { tokens: [], atoms: 0 };
    return one(word === 'd' || word === 'e' ? word : `op:${word}`);
  }
}

function one(token: string, rest: readonly string[] = []): Row {
  return { tokens: [token, ...rest], atoms: 1 };
}

/** A `d` in the numerator is a derivative's if there is one below. */
function joinFraction(name: string, above: Row, below: Row): string[] {
  if (name === 'frac' && below.tokens[0] === 'd' && above.tokens[0] === 'v:d') above.tokens[0] = 'd';
  return [name, ...braced(above), ...braced(below)];
}

function inAlphabet(alphabet: string, row: Row): Row {
  if (alphabet === '') return row;
  return {
    tokens: row.tokens.map((token) => (isVariable(token) ? `v:${alphabet}:${token.slice(2)}` : token)),
    atoms: row.atoms,
  };
}
