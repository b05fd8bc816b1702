/** Functions that are written with letters, as in `log a`: the model reads letters, LaTeX has a command for each. */
import type { ReadToken } from './decode-line.ts';

export const functionNames = [
  'sin',
  'cos',
  'tan',
  'cot',
  'sec',
  'csc',
  'log',
  'ln',
  'lim',
  'max',
  'min',
  'exp',
];
/** A word that begins with a function and goes on with its argument, of this many signs at most. */
const named = new RegExp(`^(?:${functionNames.join('|')}).{0,2}$`, 'i');

export const isFunctionName = (word: string): boolean => functionNames.includes(word.toLowerCase());

/** @param word as it was read outside of formulas: `log`, or with its argument `cosa` */
export const isFunction = (word: string): boolean => named.test(word);

/** A formula's letters that spell a function's name, as its command. */
export function nameFunctions(tokens: readonly ReadToken[]): ReadToken[] {
  const out: ReadToken[] = [];
  let isMaths = false;
  for (let at = 0; at < tokens.length; at++) {
    const one = tokens[at]!;
    if (one.token === '\\(' || one.token === '\\)') isMaths = one.token === '\\(';
    const name = isMaths ? functionNames.find((name) => spells(tokens, at, name)) : undefined;
    if (name === undefined) {
      out.push(one);
      continue;
    }
    const letters = tokens.slice(at, at + name.length);
    out.push({
      token: `\\${name}`,
      probability: Math.min(...letters.map(({ probability }) => probability)),
      from: letters[0]!.from,
      to: letters.at(-1)!.to,
    });
    at += name.length - 1;
  }
  return out;
}

/** Whether a C or an S is small is seen from its size alone. In an index it is a name: that of the greatest value. */
const spells = (tokens: readonly ReadToken[], at: number, name: string) =>
  tokens[at - 1]?.token !== '_{' &&
  [...name].every((sign, next) => tokens[at + next]?.token.toLowerCase() === sign);
