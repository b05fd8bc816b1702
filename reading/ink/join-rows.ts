/** A row of ink and a row next to it may be one line: a fraction whose bar is on the ruling, or an operator with limits. */

import { likelihoodOf } from './choice/compare-readings.ts';
import type { MaybeJoined } from './layout/find-ink-lines.ts';
import { relation } from './line/line-grammar.ts';
import type { InkLine } from './read-lines.ts';
import { signsOf } from './stacked-lines.ts';

/**
 * A short row under a formula is usually a denominator: the fraction wins even if it is less likely by this factor, the
 * more so if the row is a sign or two. So do limits, which are read less surely small.
 */
const priors = { fraction: 0.3, limits: 0.1 };
const shortPrior = 0.15;
const shortSigns = 2;

/**
 * Joins two rows into one line if together they are read as a fraction or as an operator with limits, and not much worse
 * than apart.
 * @param lines first the rows, then for each of the pairs both of its rows read as one
 */
export function joinRows(lines: InkLine[], pairs: readonly MaybeJoined[]): InkLine[] {
  const out: (InkLine | null)[] = lines.slice(0, lines.length - pairs.length);
  for (const [at, { row, added, as }] of pairs.entries()) {
    const [longer, shorter] = [out[row], out[added]];
    const both = lines[lines.length - pairs.length + at]!;
    if (!longer || !shorter) continue;
    if (!(as === 'fraction' ? isFraction(both, shorter) : hasLimits(both, longer, shorter))) continue;
    const prior = signsOf(shorter) <= shortSigns ? Math.min(shortPrior, priors[as]) : priors[as];
    if (likelihoodOf(both) < prior * likelihoodOf(longer) * likelihoodOf(shorter)) continue;
    out[row] = both;
    out[added] = null;
  }
  return out.filter((line) => line !== null);
}

/** A low row with a relation is the next step and no denominator. */
const isFraction = (both: InkLine, low: InkLine) =>
  both.tokens.some(({ token }) => token === '\\frac{') &&
  !low.tokens.some(({ token }) => relation.test(token));

/** What a row has above and below its line was not lost. */
const hasLimits = (both: InkLine, longer: InkLine, shorter: InkLine) =>
  scriptsIn(both) > 0 && scriptsIn(both) >= scriptsIn(longer) + scriptsIn(shorter);

const scriptsIn = ({ tokens }: InkLine) =>
  tokens.filter(({ token }) => token === '_{' || token === '^{').length;
