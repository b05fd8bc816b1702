/**
 * What people search for: common and rare words, several words, prefixes, typos, phrases, formulas; a third
 * with a filter.
 */
import type { DocumentFilter } from '../../server/library/search/filter.ts';
import { createRandom, type Random } from '../../test-support/random.ts';
import { vocabulary } from './documents.ts';
import { folderId } from './fill.ts';

export interface BenchQuery {
  kind: string;
  owner: number;
  query: string;
  filter: (owner: number) => DocumentFilter;
}

const perKind = 30;
const common = (random: Random) => vocabulary[random.below(60)]!;
const middling = (random: Random) => vocabulary[200 + random.below(3_000)]!;
const rare = (random: Random) => vocabulary[10_000 + random.below(40_000)]!;

const kinds: Record<string, (random: Random) => string> = {
  'common word': (random) => `${common(random)} `,
  'two common words': (random) => `${common(random)} ${common(random)} `,
  'middling word': (random) => `${middling(random)} `,
  'common and middling': (random) => `${common(random)} ${middling(random)} `,
  'two middling words': (random) => `${middling(random)} ${middling(random)} `,
  'rare word': (random) => `${rare(random)} `,
  'first letters': (random) => middling(random).slice(0, 1 + random.below(3)),
  'begun word': (random) => rare(random).slice(0, 4),
  'common and begun': (random) => `${common(random)} ${middling(random).slice(0, 3)}`,
  'mistyped word': (random) => {
    const word = rare(random).padEnd(6, 'e');
    return `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)} `;
  },
  'two common words in a row': (random) => `"${common(random)} ${common(random)}"`,
  formula: (random) =>
    random.pick([
      '\\int e^{-x^2}',
      'a^2+b^2',
      '\\frac{dy}{dx}=k y',
      '\\sum_{i=1}^{n} a_i',
      '\\sin^2 x+\\cos^2 x=1',
      'x=\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}',
      '\\|u+v\\|\\le\\|u\\|+\\|v\\|',
      'x^2',
      'a=b',
      '\\ddot{x}+\\omega^2 x=0',
    ]),
  'formula and word': (random) => `$\\int e^{-x^2}$ ${common(random)}`,
};

const filters: ((random: Random) => BenchQuery['filter'])[] = [
  (random) => {
    const folder = random.below(20);
    return (owner) => ({ folderIds: [folderId(owner, folder)] });
  },
  () => () => ({ starred: true }),
  (random) => {
    const from = new Date(Date.UTC(2023, random.below(24), 1));
    return () => ({ from, to: new Date(from.getTime() + 60 * 86_400_000) });
  },
];

export function makeQueries(owners: number): BenchQuery[] {
  const random = createRandom(2_024);
  const queries: BenchQuery[] = [];
  for (let round = 0; round < perKind; round++)
    for (const [kind, write] of Object.entries(kinds))
      queries.push({
        kind,
        owner: random.below(owners),
        query: write(random),
        filter: round % 3 === 2 ? random.pick(filters)(random) : () => ({}),
      });
  return queries;
}
