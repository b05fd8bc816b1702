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
}

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

function spellMaths(tokens: readonly Said[]): string {
  let text = '';
  for (const { token } of tokens) {
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
