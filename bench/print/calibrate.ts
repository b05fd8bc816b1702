/** Compares the stated confidence of displayed formulas with whether they are right. */

export interface StatedConfidence {
  latex: string;
  confidence: number;
  isRight: boolean;
}

/**
 * For each stated confidence, how many displays are right; and the factors by which the stated odds would have
 * to be multiplied, as logarithms, to be right on these (`confidence.ts` of the reader: the constant and both
 * coefficients).
 */
export function calibrate(stated: readonly StatedConfidence[]): Record<string, string> {
  const bounds = [0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01];
  const mean = (of: readonly number[]) => (of.reduce((a, b) => a + b, 0) / of.length).toFixed(2);
  const details = Object.fromEntries(
    bounds.slice(1).flatMap((to, at) => {
      const own = stated.filter(({ confidence }) => confidence >= bounds[at]! && confidence < to);
      if (own.length === 0) return [];
      const right = mean(own.map(({ isRight }) => (isRight ? 1 : 0)));
      return [
        [
          `formulas said to be ${mean(own.map(({ confidence }) => confidence))} sure`,
          `right ${right}, ${own.length}`,
        ],
      ];
    }),
  );
  let [constant, weight] = [0, 1];
  for (let step = 0; step < 5000; step++) {
    let [up, along] = [0, 0];
    for (const { confidence, isRight } of stated) {
      const bounded = Math.min(0.9999, Math.max(0.0001, confidence));
      const odds = Math.log(bounded / (1 - bounded));
      const miss = 1 / (1 + Math.exp(-(constant + weight * odds))) - (isRight ? 1 : 0);
      up += miss / stated.length;
      along += (miss * odds) / stated.length;
    }
    constant -= 0.1 * up;
    weight = Math.max(0, weight - 0.1 * along);
  }
  return {
    ...details,
    'confidence of formulas, fitted': `${constant.toFixed(3)} and ${weight.toFixed(3)} times what they say, ${stated.length}`,
  };
}
