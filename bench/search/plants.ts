/** Words and formulas hidden in known documents, and how somebody looks for them who remembers them half. */

import { rareWord } from './documents.ts';
import { createRandom, type Random } from './random.ts';

export interface Plant {
  /** What is put into a document. */
  latex: string;
  /** What finds it. */
  query: string;
  how: 'word' | 'begun word' | 'mistyped word' | 'formula';
  /** Of the document it lies in. */
  number: number;
}

export function makePlants(rows: number): Plant[] {
  const random = createRandom(4_711);
  const place = () => random.below(rows);
  const words = Array.from({ length: 100 }, (_, index): Plant => {
    const word = rareWord(random);
    const number = place();
    if (index % 4 === 0) return { latex: word, query: `${word} `, how: 'word', number };
    if (index % 4 === 1) return { latex: word, query: word.slice(0, 7), how: 'begun word', number };
    return { latex: word, query: `${mistype(word, random)} `, how: 'mistyped word', number };
  });
  const formulas = Array.from({ length: 50 }, (): Plant => {
    const tree = grow(random, 3);
    const write = (names: readonly string[], isWide: boolean) => writeTree(tree, names, isWide);
    return {
      latex: `\\[ ${write(['x', 'y', 'z', 'w'], false)} \\]`,
      query: write(['p', 's', '\\alpha', 'm'], true),
      how: 'formula',
      number: place(),
    };
  });
  return [...words, ...formulas];
}

/** One slip: two letters exchanged, one left out, one doubled, or another one. */
function mistype(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2);
  switch (random.below(4)) {
    case 0:
      if (word[at] !== word[at + 1]) return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
      return word.slice(0, at) + word.slice(at + 1);
    case 1:
      return word.slice(0, at) + word.slice(at + 1);
    case 2:
      return word.slice(0, at) + word[at] + word.slice(at);
    default:
      return `${word.slice(0, at)}${word[at] === 'j' ? 'h' : 'j'}${word.slice(at + 1)}`;
  }
}

type Tree =
  | { kind: 'variable'; index: number }
  | { kind: 'number'; value: number }
  | { kind: 'join'; sign: string; parts: Tree[] }
  | { kind: 'fraction' | 'power'; parts: Tree[] }
  | { kind: 'root' | 'sine'; parts: Tree[] }
  | { kind: 'integral'; parts: Tree[] };

function grow(random: Random, depth: number): Tree {
  const parts = (count: number) => Array.from({ length: count }, () => grow(random, depth - 1));
  if (depth === 0)
    return random.next() < 0.6
      ? { kind: 'variable', index: random.below(4) }
      : { kind: 'number', value: 1 + random.below(500) };
  switch (random.below(6)) {
    case 0:
      return { kind: 'fraction', parts: parts(2) };
    case 1:
      return { kind: 'power', parts: parts(2) };
    case 2:
      return { kind: random.pick(['root', 'sine']), parts: parts(1) };
    case 3:
      return { kind: 'integral', parts: parts(1) };
    default:
      return { kind: 'join', sign: random.pick(['+', '-', '=', '\\le', '\\cdot']), parts: parts(3) };
  }
}

/** The same mathematics in two hands: one writes plainly, the other with spaces, sizes, limits left out. */
function writeTree(tree: Tree, names: readonly string[], isWide: boolean): string {
  const part = (index: number): string => writeTree((tree as { parts: Tree[] }).parts[index]!, names, isWide);
  switch (tree.kind) {
    case 'variable':
      return isWide ? `${names[tree.index]} ` : names[tree.index]!;
    case 'number':
      return String(tree.value);
    case 'join': {
      const sign = isWide ? (tree.sign === '\\le' ? '\\, \\leq \\; ' : ` ${tree.sign} `) : `${tree.sign} `;
      return tree.parts.map((_, index) => `(${part(index)})`).join(sign);
    }
    case 'fraction':
      return `${isWide ? '\\dfrac ' : '\\frac'}{${part(0)}}{${part(1)}}`;
    case 'power':
      return isWide ? `\\left( ${part(0)} \\right)^{ ${part(1)} }` : `(${part(0)})^{${part(1)}}`;
    case 'root':
      return `\\sqrt{${part(0)}}`;
    case 'sine':
      return isWide ? `\\operatorname{sin}\\bigl(${part(0)}\\bigr)` : `\\sin(${part(0)})`;
    case 'integral':
      return isWide ? `\\int ${part(0)}\\,\\mathrm{d}${names[3]}` : `\\int_0^{1} ${part(0)}d${names[3]}`;
  }
}
