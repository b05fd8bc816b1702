/** In which order documents are shown that all have what was looked for. */
import { sql } from 'drizzle-orm';
import { type Expansion, wordsOf } from './expand-terms.ts';
import { createTokenHash } from './tokens.ts';
import type { Transaction } from './transaction.ts';

interface Ranked {
  userId: string;
  expansion: Expansion;
}

/** Of a term with very many words only the most used ones tell documents apart. */
const mostCompared = 50;

/** What it is worth to have a word so. */
const kinds = { word: 1, title: 3, often: 1 };

/** Words as typed before begun ones before mistyped ones, titles before texts, what a text uses often before what it names once; then the newest. */
export async function rankCandidates(
  tx: Transaction,
  { userId, expansion }: Ranked,
  found: readonly string[],
): Promise<string[]> {
  const number = createTokenHash(userId);
  /** For each term, what a number is worth. */
  const worths = expansion.terms.map((term) => {
    const weight = Math.log(2 + expansion.documentCount / (1 + (wordsOf(term)[0]?.documents ?? 0)));
    const worth = new Map<number, { kind: string; points: number }>();
    const add = (words: readonly { word: string }[], likeliness: number) => {
      for (const { word } of words.slice(0, mostCompared)) {
        for (const [kind, factor] of Object.entries(kinds) as [keyof typeof kinds, number][])
          worth.set(number(kind, word), { kind, points: weight * factor * likeliness });
      }
    };
    add(term.forgiven, 0.3);
    add(term.completions, 0.7);
    add(term.exact ? [term.exact] : [], 1);
    return worth;
  });
  const numbers = [...new Set(worths.flatMap((worth) => [...worth.keys()]))];
  const { rows } = await tx.execute<{ id: string; held: number[] }>(sql`
    select s.document_id as id,
      array(select t.token from unnest(s.tokens) t (token) where t.token = any(${sql.param(numbers)}::int[])) as held
    from private.document_search s
    where s.document_id = any(${sql.param([...found])}::uuid[]) and s.user_id = ${userId}::uuid
    order by s.changed_at desc, s.document_id`);
  // of each kind the best counts: a document is not better for having ten words that begin alike
  const score = (held: readonly number[]) =>
    worths.reduce((sum, worth) => {
      const best: Record<string, number> = {};
      for (const one of held) {
        const { kind, points } = worth.get(one) ?? { kind: '', points: 0 };
        best[kind] = Math.max(best[kind] ?? 0, points);
      }
      return sum + Object.values(best).reduce((total, points) => total + points, 0);
    }, 0);
  const scores = new Map(rows.map(({ id, held }) => [id, score(held)]));
  return rows.map(({ id }) => id).sort((a, b) => scores.get(b)! - scores.get(a)!);
}
