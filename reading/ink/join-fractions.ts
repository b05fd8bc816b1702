/** A row of ink and the short row under it may be one line: a fraction whose bar is on the ruling. */
import type { InkRows } from './layout/find-ink-lines.ts';
import { likelihoodOf } from './line/compare-readings.ts';
import { relation } from './line/line-grammar.ts';
import type { InkLine } from './read-lines.ts';
import { signsOf } from './stacked-lines.ts';

/**
 * A short row under a formula is usually a denominator: the fraction wins even if it is less likely by this factor, the
 * more so if the row is a sign or two.
 */
const fractionPrior = 0.3;
const shortPrior = 0.15;
const shortSigns = 2;

/**
 * Joins two rows into one line if together they are read as a fraction, and not much worse than apart.
 * @param lines first the rows, then for each of the fractions both of its rows read as one
 */
export function joinFractions(lines: InkLine[], fractions: InkRows['fractions']): InkLine[] {
  const out: (InkLine | null)[] = lines.slice(0, lines.length - fractions.length);
  for (const [at, { high, low }] of fractions.entries()) {
    const [above, below] = [out[high], out[low]];
    const both = lines[lines.length - fractions.length + at]!;
    if (!above || !below || !both.tokens.some(({ token }) => token === '\\frac{')) continue;
    // the next step is no denominator
    if (below.tokens.some(({ token }) => relation.test(token))) continue;
    const prior = signsOf(below) <= shortSigns ? shortPrior : fractionPrior;
    if (likelihoodOf(both) < prior * likelihoodOf(above) * likelihoodOf(below)) continue;
    out[high] = both;
    out[low] = null;
  }
  return out.filter((line) => line !== null);
}
