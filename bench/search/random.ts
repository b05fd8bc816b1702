/** Numbers from a seed: the same documents and queries at every run (mulberry32). */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  pick<T>(values: readonly T[]): T;
  /** Normally distributed, mean 0, deviation 1. */
  normal(): number;
}

export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    below: (below) => Math.floor(next() * below),
    pick: (values) => values[Math.floor(next() * values.length)]!,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/**
 * Ranks from 0, the k-th roughly in proportion to 1/(k + 2.7) (Zipf and Mandelbrot): the distribution of words
 * in real texts.
 */
export function createZipf(count: number): (random: Random) => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 2.7);
    sums[rank] = sum;
  }
  return (random) => {
    const sought = random.next() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < sought) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
