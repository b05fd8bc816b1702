/** Similarity of two words, for typos. */

/** How many typos are tolerated in a word of this length. */
export function forgivenSlips(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/**
 * The fewest typos that turn `typed` into `word`: an extra letter, a missing one, a different one, or two neighbours
 * swapped (optimal string alignment). More than `most` are returned as `most + 1`. With `asPrefix`, into the beginning
 * of `word`.
 */
export function countSlips(typed: string, word: string, most: number, asPrefix = false): number {
  const a = [...typed];
  const b = asPrefix ? [...word].slice(0, a.length + most) : [...word];
  if (Math.abs(a.length - b.length) > most && !(asPrefix && b.length > a.length)) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, beforeLast[j - 2]! + 1);
      row.push(least);
    }
    if (Math.min(...row) > most) return most + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(most + 1, asPrefix ? Math.min(...last) : last[b.length]!);
}
