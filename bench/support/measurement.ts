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

/** @param share 0.95 for the 95th percentile; 0.5 gives the median that `reading` uses */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** For a benchmark without its input: says in one line what to fetch and how, and ends the run. */
export function unavailable(advice: string): never {
  process.stderr.write(`${advice}\n`);
  process.exit(2);
}
