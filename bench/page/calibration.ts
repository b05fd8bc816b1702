/** Whether confidences mean what they say: of what the reader is 0.6 sure of, six tenths should be right. */

export interface Judged {
  confidence: number;
  isRight: boolean;
}

const bins = 5;

/** Mean distance between confidence and share of right ones, weighted by how many there are; null without any. */
export function calibrationError(all: readonly Judged[]): number | null {
  if (all.length === 0) return null;
  const mean = (some: readonly Judged[], of: (one: Judged) => number) =>
    some.reduce((sum, one) => sum + of(one), 0) / some.length;
  let error = 0;
  for (let bin = 0; bin < bins; bin++) {
    const own = all.filter(({ confidence }) => Math.min(bins - 1, Math.floor(confidence * bins)) === bin);
    if (own.length === 0) continue;
    const gap = mean(own, ({ confidence }) => confidence) - mean(own, ({ isRight }) => Number(isRight));
    error += (own.length / all.length) * Math.abs(gap);
  }
  return error;
}
