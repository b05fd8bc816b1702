/**
 * Which signs follow each other in formulas: a trigram model counted in public textbooks (training/language/counts.py). It decides
 * between signs that look alike: `2x` rather than `2k`, `\sqrt{` rather than `V`. All digits are one sign to it.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

export interface FormulaLanguage {
  /**
   * Natural logarithm of the probability of `token` after `earlier` and `before`, all of them indices of the line
   * model's tokens; `edge` stands for the beginning or the end of a formula.
   */
  logProbability(earlier: number, before: number, token: number): number;
}

/** Instead of a token: the beginning of a formula among those before, its end as the token. */
export const edge = -1;

/** Share left to shorter contexts, and the probability of each sign (by its index) in this one. */
const Context = z.tuple([z.number(), z.record(z.string(), z.number())]);
const Counted = z.object({
  /** `<s>` begins a formula, `</s>` ends one. */
  signs: z.array(z.string()),
  none: Context,
  /** By the index of the sign before. */
  one: z.record(z.string(), Context),
  /** By the indices of the two signs before, with a space between them. */
  two: z.record(z.string(), Context),
});

/** Probability of signs that were never counted. */
const unseen = 1e-5;

/**
 * @param path of the counts, JSON
 * @param tokens those of the line model
 * @throws Error if the file is missing or has an unexpected form
 */
export async function openFormulaLanguage(path: string, tokens: readonly string[]): Promise<FormulaLanguage> {
  const { signs, none, one, two } = Counted.parse(JSON.parse(await readFile(path, 'utf8')));
  const indices = new Map(signs.map((sign, at) => [sign, at]));
  const [begin, end] = [indices.get('<s>'), indices.get('</s>')];
  const signOf = tokens.map((token) => indices.get(/^\d$/.test(token) ? '0' : token));
  const known = new Map<number, number>();
  const size = tokens.length + 1;
  return {
    logProbability(earlier, before, token) {
      const key = ((earlier + 1) * size + before + 1) * size + token + 1;
      const found = known.get(key);
      if (found !== undefined) return found;
      const sign = token === edge ? end : signOf[token];
      const last = before === edge ? begin : signOf[before];
      const first = earlier === edge ? begin : signOf[earlier];
      let probability = sign === undefined ? unseen : none[0] / signs.length;
      if (sign !== undefined)
        for (const context of [none, one[String(last)], two[`${first} ${last}`]])
          if (context)
            probability = (context[1][sign] ?? 0) + (context === none ? 1 : context[0]) * probability;
      const log = Math.log(probability);
      known.set(key, log);
      return log;
    },
  };
}
