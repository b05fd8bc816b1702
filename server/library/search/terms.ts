/**
 * A document's terms, by which it can be found: its folded words; `+123`, one of a limited number of groups of adjacent
 * word pairs; `#…`, fingerprints of its formulas. Words begin with a letter or a digit, so the kinds never collide.
 */
import { fingerprintFormula, isUnspaced, listWords, type Word } from '#latex/formula/index.ts';
import { hash } from './indexing/hash.ts';
import { inHeading, inTitle, often } from './indexing/posting-block.ts';
import { encodeRow, rowEnd } from './indexing/stored-text.ts';

/**
 * The group of a word pair. There are few groups, so that a library has few such terms; a document of 300 words is in
 * one of seventeen, so a phrase of very common words has to be looked for in so many fewer texts.
 */
export const pairTerm = (first: string, second: string): string =>
  `+${hash(`${first} ${second}`, 0x5bd1e995) & 0xfff}`;

export const formulaTerm = (fingerprint: string): string => `#${hash(fingerprint, 0x9747b28c).toString(36)}`;

/** How many of its most frequent words show what a document is about; each has to occur at least this often. */
const oftenWords = 16;
const oftenAtLeast = 3;

const formulas = /\ue000[^\ue001]*\ue001/g;

/** The text with formulas replaced by spaces: same offsets, words only. */
export const withoutFormulas = (body: string): string =>
  body.replace(formulas, (formula) => ' '.repeat(formula.length));

export interface IndexedText {
  title: string;
  /** As returned by readLatex. */
  body: string;
  /** Pairs of offsets in the body. */
  headings: readonly number[];
  /** Normalised tokens of each formula. */
  formulas: readonly (readonly string[])[];
}

export interface DocumentTerms {
  /** Each with its flags (posting-block.ts). */
  terms: Map<string, number>;
  /** The sequence of words, the title's first, in which phrases are found (`encodeRow`). */
  wordRow: Buffer;
}

export function collectTerms({ title, body, headings, formulas }: IndexedText): DocumentTerms {
  const terms = new Map<string, number>();
  const add = (term: string, flags: number) => terms.set(term, (terms.get(term) ?? 0) | flags);
  const titleRow = listWords(title);
  const bodyRow = listWords(withoutFormulas(body));
  for (const row of [titleRow, bodyRow])
    for (let i = 1; i < row.length; i++) add(pairTerm(row[i - 1]!.word, row[i]!.word), 0);
  for (const { word } of titleRow) for (const one of findable(word)) add(one, inTitle);
  const counts = new Map<string, number>();
  let heading = 0;
  for (const { word, start } of bodyRow) {
    while (heading < headings.length && headings[heading + 1]! <= start) heading += 2;
    const isHeading = heading < headings.length && headings[heading]! <= start;
    for (const one of findable(word)) {
      add(one, isHeading ? inHeading : 0);
      counts.set(one, (counts.get(one) ?? 0) + 1);
    }
  }
  for (const [word] of [...counts]
    .filter(([word, count]) => count >= oftenAtLeast && word.length > 2)
    .sort((a, b) => b[1] - a[1])
    .slice(0, oftenWords))
    add(word, often);
  for (const formula of formulas)
    for (const fingerprint of fingerprintFormula(formula)) add(formulaTerm(fingerprint), 0);
  const textOf = (row: readonly Word[]) => row.map(({ word }) => word);
  return { terms, wordRow: encodeRow([...textOf(titleRow), rowEnd, ...textOf(bodyRow)]) };
}

/**
 * In scripts without spaces, single letters can be found too: the first of each pair as a prefix, the second as an
 * extra term.
 */
function findable(word: string): string[] {
  if (!isUnspaced(word)) return [word];
  const second = [...word].slice(1).join('');
  return second ? [word, second] : [word];
}
