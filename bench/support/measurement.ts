import process from 'node:process';

/** The result of a benchmark. Its file exports `measure(): Promise<Measurement>`. */
export interface Measurement {
  /** Measured value relative to the baseline, both of this run. */
  ratio: number;
  /** What the baseline is, in a few words. */
  baseline: string;
  /** Other results worth reading, one line each. */
  details: Record<string, string | number>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** For a benchmark without its input: says in one line what to fetch and how, and ends the run. */
export function unavailable(advice: string): never {
  process.stderr.write(`${advice}\n`);
  process.exit(2);
}
