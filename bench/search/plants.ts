/** Words and formulas hidden in known documents, and queries by somebody who half remembers them. */

import { createRandom, type Random } from '../../test-support/random.ts';
import { rareWord } from './documents.ts';

export interface Plant {
  /** Inserted into a document. */
  latex: string;
  /** Finds it. */
  query: string;
  how:
    | 'word'
    | 'begun word'
    | 'mistyped word'
    | 'accented word'
    | 'word of another script'
    | 'formula'
    | 'part of a formula';
  /** The number of its document. */
  number: number;
}

export function makePlants(rows: number): Plant[] {
  const random = createRandom(4_711);
  const place = () => random.below(rows);
  const words = Array.from({ length: 100 }, (_, index): Plant => {
    const word = rareWord(random);
    const number = place();
    switch (index % 5) {
      case 0:
        return { latex: word, query: `${word} `, how: 'word', number };
      case 1:
        return { latex: word, query: word.slice(0, 7), how: 'begun word', number };
      case 2:
        return { latex: accent(word, random), query: word, how: 'accented word', number };
      case 3:
        if (index % 2 === 0) return { ...writeAbroad(index, random), number };
    }
    return { latex: word, query: mistype(word, random), how: 'mistyped word', number };
  });
  const formulas = Array.from({ length: 50 }, (_, index): Plant => {
    const tree = grow(random, 3);
    // of every second one, only a part is remembered
    const sought = index % 2 === 1 && 'parts' in tree ? random.pick(tree.parts) : tree;
    return {
      latex: `\\[ ${writeTree(tree, ['x', 'y', 'z', 'w'], false)} \\]`,
      query: writeTree(sought, ['p', 's', '\\alpha', 'm'], true),
      how: sought === tree ? 'formula' : 'part of a formula',
      number: place(),
    };
  });
  return [...words, ...formulas];
}

/** As accented letters, or as the commands for them. */
function accent(word: string, random: Random): string {
  const marks: [string, string][] = [
    ["\\'", '\u0301'],
    ['\\"', '\u0308'],
    ['\\^', '\u0302'],
  ];
  return word.replace(/[aeou]/g, (letter) => {
    const [command, mark] = random.pick(marks);
    return random.next() < 0.5 ? `${command}{${letter}}` : (letter + mark).normalize('NFC');
  });
}

const alphabets: { letters: string; isUnspaced?: boolean }[] = [
  { letters: 'αβγδεζηθικλμνξοπρτυφχψω' },
  { letters: 'абвгдежзиклмнопрстуфхцчшэюя' },
  { letters: 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي' },
  { letters: 'אבגדהוזחטיכלמנסעפצקרשת' },
  { letters: '微積分方程式収束極限関数空間写像位相群環体論証明定理', isUnspaced: true },
];

/**
 * A word of another alphabet, whole or its beginning; for a script without spaces, a stretch from within a
 * sentence.
 */
function writeAbroad(index: number, random: Random): Omit<Plant, 'number'> {
  const { letters, isUnspaced } = alphabets[Math.floor(index / 10) % alphabets.length]!;
  const write = (length: number) => Array.from({ length }, () => random.pick([...letters])).join('');
  const how = 'word of another script';
  if (isUnspaced) {
    const sought = write(5);
    return { latex: `${write(6)}${sought}${write(4)}。`, query: sought, how };
  }
  const word = write(9);
  return { latex: word, query: random.next() < 0.5 ? word : word.slice(0, 6), how };
}

/** One typo: two letters swapped, one omitted, doubled or replaced. */
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

/** The same mathematics in two styles: one plain, the other with spaces, sizes and limits that may be omitted. */
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
