/**
 * The probability that every sign of a formula and their arrangement are right, from the model's probability for each
 * sign: fitted to displays of the half that rules are made by (bench/print.ts prints the factors).
 */
const constant = 1.2;
const weight = 0.26;
const least = 1e-3;
const most = 1 - 1e-4;

/** A formula whose confidence is below this is marked. */
export const formulaDoubtBelow = 0.7;

/** @param probabilities of the formula's signs @returns 0 … 1; 0 for none */
export function formulaConfidence(probabilities: readonly number[]): number {
  if (probabilities.length === 0) return 0;
  const sum = probabilities.reduce(
    (all, probability) => all + Math.log(Math.min(most, Math.max(least, probability))),
    0,
  );
  return 1 / (1 + Math.exp(-(constant + weight * sum)));
}
