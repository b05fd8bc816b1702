import process from 'node:process';

/** What a benchmark answers with. Its file exports `measure(): Promise<Measurement>`. */
export interface Measurement {
  /** Measured value over the baseline, both of this run. */
  ratio: number;
  /** What the baseline is, in a few words. */
  baseline: string;
  /** Everything else worth reading, one line each. */
  details: Record<string, string | number>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A benchmark that lacks what it measures on: says what to fetch and how, in one line, and ends the run. */
export function unavailable(advice: string): never {
  process.stderr.write(`${advice}\n`);
  process.exit(2);
}
