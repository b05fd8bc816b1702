/**
 * What a document can be found by, each as one number: its words, the words of its title, the words it uses most, and
 * the fingerprints of its formulas. Numbers are hashes (32 bit) of the owner and the thing; whoever reads rows by them
 * checks the owner too.
 */
import { fingerprintFormula, isUnspaced, listWords, type ReadableText } from '#shared/latex/formula/index.ts';

export type TokenKind =
  /** The title or the text has the word. */
  | 'word'
  | 'title'
  /** One of the words that the text uses most. */
  | 'often'
  /** Two words stand side by side: one of a few thousand groups of such pairs (`pairGroup`). */
  | 'pair'
  | 'formula';

/** A function that numbers the things of one owner. */
export function createTokenHash(userId: string): (kind: TokenKind, thing: string) => number {
  const seed = hash(userId, 0x9747b28c);
  const seeds: Record<TokenKind, number> = {
    word: hash('word', seed),
    title: hash('title', seed),
    often: hash('often', seed),
    pair: hash('pair', seed),
    formula: hash('formula', seed),
  };
  return (kind, thing) => hash(thing, seeds[kind]);
}

/** Murmur3's steps over UTF-16 units: every bit of the result depends on every one of the text. Signed, as PostgreSQL's. */
function hash(text: string, seed: number): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) {
    h ^= Math.imul(Math.imul(text.charCodeAt(i), 0xcc9e2d51) << 15, 0x1b873593);
    h = Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64;
  }
  h ^= text.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}

/**
 * Which group a pair of words is in. There are few groups, so that the index has few lists; a document of 300 words is
 * in one of thirty, and phrases of words that everybody uses are looked for in so many documents fewer.
 */
export const pairGroup = (first: string, second: string): string =>
  String(hash(`${first} ${second}`, 0x5bd1e995) & 0x1fff);

export interface DocumentWords {
  /** Of title and text. */
  all: Set<string>;
  title: Set<string>;
  often: Set<string>;
}

/** How many of its most used words tell what a document is about; each at least so often. */
const oftenWords = 16;
const oftenAtLeast = 3;

const formulas = /\ue000[^\ue001]*\ue001/g;

/** The text with spaces in the place of formulas: same offsets, words only. */
export const withoutFormulas = (body: string): string =>
  body.replace(formulas, (formula) => ' '.repeat(formula.length));

export function collectWords(title: string, body: string): DocumentWords {
  const counts = new Map<string, number>();
  for (const word of findableWords(withoutFormulas(body))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const often = [...counts]
    .filter(([word, count]) => count >= oftenAtLeast && word.length > 2)
    .sort((a, b) => b[1] - a[1])
    .slice(0, oftenWords)
    .map(([word]) => word);
  const titleWords = new Set(findableWords(title));
  return { all: new Set([...titleWords, ...counts.keys()]), title: titleWords, often: new Set(often) };
}

/** Of scripts without spaces, every single letter is found too: the first of each pair as its prefix, the second so. */
function* findableWords(text: string): Generator<string> {
  for (const { word } of listWords(text)) {
    yield word;
    if (isUnspaced(word)) {
      const second = [...word].slice(1).join('');
      if (second) yield second;
    }
  }
}

/** All numbers of a document, each once. */
export function collectTokens(
  userId: string,
  title: string,
  words: DocumentWords,
  readable: ReadableText,
): number[] {
  const number = createTokenHash(userId);
  const tokens = new Set<number>();
  for (const word of words.all) tokens.add(number('word', word));
  for (const word of words.title) tokens.add(number('title', word));
  for (const word of words.often) tokens.add(number('often', word));
  for (const text of [title, withoutFormulas(readable.text)]) {
    const row = listWords(text);
    for (let i = 1; i < row.length; i++)
      tokens.add(number('pair', pairGroup(row[i - 1]!.word, row[i]!.word)));
  }
  for (const formula of readable.formulas)
    for (const fingerprint of fingerprintFormula(formula)) tokens.add(number('formula', fingerprint));
  return [...tokens];
}
