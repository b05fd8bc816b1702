/** Writes parts of a line of ink as LaTeX. */
import { escapeLatex } from '#latex/source/escape.ts';
import type { ReadToken } from './line/decode-line.ts';

/** The model's tokens that are spelled differently in LaTeX. */
const spelled: Record<string, string> = {
  '\\rank': '\\operatorname{rank}',
  '\\tr': '\\operatorname{tr}',
  '\\degree': '{}^{\\circ}',
};

export interface Said {
  token: string;
  /** Where it was read in the line, in frames. */
  from?: number;
  to?: number;
}

/** Empty frames between two equations side by side: a gap as wide as the line is high. */
const equationGap = 16;
const relation = /^(?:[=<>]|\\(?:leq?|geq?|neq?|approx|equiv))$/;
const joint = /^(?:[=<>+*,;:-]|\\(?:cdot|times|div|pm|leq?|geq?|neq?|approx|equiv|to|Rightarrow))$/;

interface Piece<T extends Said = ReadToken> {
  isMaths: boolean;
  tokens: T[];
}

/** How part of a line is written, and which other readings may replace it. */
export interface Manner {
  from: 'text' | 'maths';
  write: (tokens: readonly Said[]) => string;
  /** Default: every reading that `from` allows. */
  takes?: (tokens: readonly string[]) => boolean;
}

/** Splits a line into text and formulas; the delimiters of formulas are dropped. */
export function split<T extends Said>(tokens: readonly T[]): Piece<T>[] {
  const pieces: Piece<T>[] = [];
  let isMaths = false;
  for (const one of tokens) {
    if (one.token === '\\(' || one.token === '\\)') {
      isMaths = one.token === '\\(';
      if (isMaths) pieces.push({ isMaths, tokens: [] });
      continue;
    }
    if (
      pieces.at(-1)?.isMaths !== isMaths ||
      (!isMaths && isSpace(one) !== isSpace(pieces.at(-1)!.tokens[0]!))
    )
      pieces.push({ isMaths, tokens: [] });
    pieces.at(-1)!.tokens.push(one);
  }
  return pieces.filter(({ tokens: said }) => said.length > 0);
}

export const isSpace = ({ token }: Said) => token === ' ';

/** Before which tokens another equation begins: run together, `a=1` and `b=5` would say `a=1b=5`. */
function findBeginnings(tokens: readonly Said[]): Set<number> {
  const beginnings = new Set<number>();
  let depth = 0;
  let isEquation = false;
  for (const [at, { token, from }] of tokens.entries()) {
    const before = tokens[at - 1];
    const gap = (from ?? 0) - (before?.to ?? Number.POSITIVE_INFINITY);
    const next = tokens[at + 1];
    // a minus far from what is before it, and close to what follows, is a sign
    const isSign = /^[+-]$/.test(token) && (next?.from ?? 0) - (tokens[at]!.to ?? 0) < gap / 2;
    const isApart = depth === 0 && gap >= equationGap && !joint.test(before!.token);
    const another = tokens.slice(at + 1).some((one) => relation.test(one.token));
    if (isApart && isEquation && another && (isSign || !joint.test(token))) {
      beginnings.add(at);
      isEquation = false;
    }
    if (/[{[]$/.test(token) && token !== '\\{' && token !== '[' && !token.startsWith('}')) depth++;
    if (token === '}') depth--;
    if (depth === 0 && relation.test(token)) isEquation = true;
  }
  return beginnings;
}

function spellMaths(tokens: readonly Said[]): string {
  const beginnings = findBeginnings(tokens);
  let text = '';
  for (const [at, { token }] of tokens.entries()) {
    if (beginnings.has(at)) text += '\\quad ';
    const next = spelled[token] ?? token;
    if (/\\[A-Za-z]+$/.test(text) && /^[A-Za-z]/.test(next)) text += ' ';
    text += next;
  }
  return text;
}

/** Writes words and the formulas between them. */
function spellText(tokens: readonly Said[]): string {
  return split(tokens)
    .map(({ isMaths, tokens: said }) =>
      isMaths
        ? `$${spellMaths(said)}$`
        : escapeLatex(said.map(({ token }) => token.replace(/^\\(?=[{}])/, '')).join('')),
    )
    .join('');
}

export const asText: Manner = { from: 'text', write: spellText };
export const asDisplay: Manner = { from: 'maths', write: spellMaths };
export const asNumbered: Manner = {
  from: 'maths',
  write: (tokens) => `$\\displaystyle ${spellMaths(tokens)}$`,
};
