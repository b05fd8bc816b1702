import type { Random } from '../../test-support/random.ts';

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
