/** A row of ink and a row next to it may be one line: a fraction whose bar is on the ruling, or an operator with limits. */

import { likelihoodOf } from './choice/compare-readings.ts';
import type { MaybeJoined } from './layout/find-ink-lines.ts';
import { relation } from './line/line-grammar.ts';
import type { InkLine } from './read-lines.ts';
import { isOfWords, signsOf } from './stacked-lines.ts';

/**
 * A short row under a formula is usually a denominator: the fraction wins even if it is less likely by this factor, the
 * more so if the row is a sign or two. So do limits, which are read less surely small.
 */
const priors = { fraction: 0.3, limits: 0.1 };
const shortPrior = 0.15;
const shortSigns = 2;

/**
 * Joins rows into one line if together they are read as a fraction or as operators with limits, and not much worse than
 * apart.
 * @param lines first the rows, then for each of those that may be one, all of them read as one
 */
export function joinRows(lines: InkLine[], maybe: readonly MaybeJoined[]): InkLine[] {
  const out: (InkLine | null)[] = lines.slice(0, lines.length - maybe.length);
  const isTaken = new Set<number>();
  for (const [at, { row, added, as }] of maybe.entries()) {
    const [longer, ...shorter] = [row, ...added].map((one) => out[one] ?? null);
    const both = lines[lines.length - maybe.length + at]!;
    if (!longer || isTaken.has(row) || shorter.some((one) => one === null)) continue;
    const own = shorter.filter((one) => one !== null);
    if (!(as === 'fraction' ? own.every((low) => isFraction(both, low)) : hasLimits(both, longer, own)))
      continue;
    const apart = own.reduce((all, one) => {
      const prior = signsOf(one) <= shortSigns ? Math.min(shortPrior, priors[as]) : priors[as];
      return all * prior * likelihoodOf(one);
    }, likelihoodOf(longer));
    if (likelihoodOf(both) < apart) continue;
    out[row] = both;
    if (as === 'limits') isTaken.add(row);
    for (const one of added) out[one] = null;
  }
  return out.filter((line) => line !== null);
}

/** A low row with a relation is the next step and no denominator. */
const isFraction = (both: InkLine, low: InkLine) =>
  both.tokens.some(({ token }) => token === '\\frac{') &&
  !low.tokens.some(({ token }) => relation.test(token));

/** No row is one of words, and what a row has above and below its line was not lost. */
const hasLimits = (both: InkLine, longer: InkLine, shorter: readonly InkLine[]) =>
  ![longer, ...shorter].some(isOfWords) &&
  scriptsIn(both) > 0 &&
  scriptsIn(both) >= shorter.reduce((sum, one) => sum + scriptsIn(one), scriptsIn(longer));

const scriptsIn = ({ tokens }: InkLine) =>
  tokens.filter(({ token }) => token === '_{' || token === '^{').length;
