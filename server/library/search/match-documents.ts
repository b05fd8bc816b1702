/**
 * Finds the documents that have everything required, best first, by their index numbers. Every posting of every word is
 * read, so nothing is missed and the order is exact; a word in a million documents takes a million bytes.
 */
import type { Database } from '#server/database/database.ts';
import { type ExpandedTerm, type KnownWord, wordsOf } from './expand-terms.ts';
import { inHeading, inTitle, often } from './indexing/posting-block.ts';
import { type KnownTerm, readBlocks } from './read-terms.ts';
import type { Library } from './transaction.ts';

export interface MatchedDocuments {
  /** Numbers, best first: at most as many as requested. */
  numbers: number[];
  /** How many there are. */
  total: number;
}

/** Of required terms without a score, the rarest suffice: the texts themselves are checked afterwards. */
const maxRequired = 5;

/** The score for a word anywhere in a document, and the bonus for prominent places. */
const pointsAnywhere = 20;
const pointsByFlag: [flag: number, points: number][] = [
  [inTitle, 60],
  [inHeading, 30],
  [often, 15],
];
/**
 * Factors for the word as typed, for a completed prefix, and for a corrected typo. The last never outranks the others,
 * wherever it occurs: at most 23 points, where a prefix anywhere has 24.
 */
const likeliness = { exact: 2, completions: 1.2, forgiven: 0.19 };

/** Points for each of the eight combinations of flags; all fit into a byte. */
const pointTable = (factor: number): Uint8Array =>
  Uint8Array.from({ length: 8 }, (_, flags) => {
    const added = pointsByFlag.filter(([flag]) => flags & flag).reduce((sum, [, points]) => sum + points, 0);
    return Math.max(1, (pointsAnywhere + added) * factor);
  });
const tables = {
  exact: pointTable(likeliness.exact),
  completions: pointTable(likeliness.completions),
  forgiven: pointTable(likeliness.forgiven),
};
/** For required terms without a score. */
const isThere = new Uint8Array(8).fill(1);

/** Number of score steps. */
const scoreSteps = 4_096;

export interface MatchSearch {
  library: Library;
  /** At least one of these words is required. */
  terms: readonly ExpandedTerm[];
  /** All of these are required (`pairTerm`, `formulaTerm`); null: one occurs nowhere. */
  required: ReadonlyMap<string, KnownTerm> | null;
  /** Only these numbers; null: all. */
  scope: readonly number[] | null;
  limit: number;
}

export async function matchDocuments(db: Database, search: MatchSearch): Promise<MatchedDocuments> {
  const { library, terms, scope } = search;
  const nothing = { numbers: [], total: 0 };
  if (terms.some((term) => wordsOf(term).length === 0) || scope?.length === 0 || search.required === null)
    return nothing;
  const required = chooseRequired(search.required);
  const words = terms.flatMap((term) =>
    wordsOf(term).map((known): [string, KnownTerm] => [known.word, known]),
  );
  const blocks = await readBlocks(db, library.id, new Map([...words, ...required]));
  const worths = terms.map((term) => {
    const worth = new Uint8Array(library.nextNumber);
    const raise = (known: readonly KnownWord[], table: Uint8Array) => {
      for (const { word } of known) for (const block of blocks.get(word) ?? []) raiseTo(worth, block, table);
    };
    raise(term.exact ? [term.exact] : [], tables.exact);
    raise(term.completions, tables.completions);
    raise(term.forgiven, tables.forgiven);
    return worth;
  });
  const candidates = intersect(
    library.nextNumber,
    [
      ...worths,
      ...[...required.keys()].map((term) => {
        const there = new Uint8Array(library.nextNumber);
        for (const block of blocks.get(term) ?? []) raiseTo(there, block, isThere);
        return there;
      }),
    ],
    scope,
  );
  const weights = terms.map((term) => rarity(library, term));
  return { numbers: chooseBest(candidates, worths, weights, search.limit), total: candidates.length };
}

/** The weight of rare words compared with common ones. */
function rarity({ documents }: Library, term: ExpandedTerm): number {
  return Math.log(2 + documents / (1 + (wordsOf(term)[0]?.documents ?? 0)));
}

/** The rarest of the required terms. */
const chooseRequired = (required: ReadonlyMap<string, KnownTerm>): Map<string, KnownTerm> =>
  new Map([...required].sort(([, a], [, b]) => a.documents - b.documents).slice(0, maxRequired));

/** As `readBlock`, in one loop: sets each document's score from the table, unless it is already higher. */
function raiseTo(worth: Uint8Array, bytes: Uint8Array, table: Uint8Array): void {
  let number = 0;
  for (let at = 0; at < bytes.length; at++) {
    let value = bytes[at]!;
    if (value >= 0x80) {
      value &= 0x7f;
      for (let factor = 0x80; at + 1 < bytes.length; factor *= 0x80) {
        const next = bytes[++at]!;
        value += (next & 0x7f) * factor;
        if (next < 0x80) break;
      }
    }
    number += Math.floor(value / 8);
    const points = table[value & 7]!;
    if (worth[number]! < points) worth[number] = points;
  }
}

/** The intersection of all sets, ascending. */
function intersect(size: number, sets: readonly Uint8Array[], scope: readonly number[] | null): Uint32Array {
  const found = new Uint32Array(scope ? scope.length : size);
  let count = 0;
  const take = (number: number) => {
    for (const set of sets) if (!set[number]) return;
    found[count++] = number;
  };
  if (scope) for (const number of scope.toSorted((a, b) => a - b)) take(number);
  else for (let number = 0; number < size; number++) take(number);
  return found.subarray(0, count);
}

/** By score, then newest first: documents are counted by score first, so that only the best are sorted. */
function chooseBest(
  candidates: Uint32Array,
  worths: readonly Uint8Array[],
  weights: readonly number[],
  limit: number,
): number[] {
  const most = weights.reduce((sum, weight) => sum + weight * 255, 0) || 1;
  const factors = weights.map((weight) => (weight * (scoreSteps - 1)) / most);
  const scores = new Uint16Array(candidates.length);
  const counts = new Uint32Array(scoreSteps);
  for (let i = 0; i < candidates.length; i++) {
    const number = candidates[i]!;
    let score = 0;
    for (let term = 0; term < worths.length; term++) score += worths[term]![number]! * factors[term]!;
    const step = Math.floor(score);
    scores[i] = step;
    counts[step]!++;
  }
  let least = scoreSteps - 1;
  for (let sum = counts[least]!; least > 0 && sum < limit; ) sum += counts[--least]!;
  const chosen: { number: number; score: number }[] = [];
  let above = 0;
  for (let step = least + 1; step < scoreSteps; step++) above += counts[step]!;
  let room = limit - above;
  for (let i = candidates.length - 1; i >= 0; i--) {
    const score = scores[i]!;
    if (score < least || (score === least && room-- <= 0)) continue;
    chosen.push({ number: candidates[i]!, score });
  }
  return chosen.sort((a, b) => b.score - a.score || b.number - a.number).map(({ number }) => number);
}
