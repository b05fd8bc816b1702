/** The one stretch outside which the texts are equal: `from[start, fromEnd)` became `to[start, toEnd)`. */
export function findDifference(from: string, to: string): { start: number; fromEnd: number; toEnd: number } {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let same = 0;
  while (same < shorter - start && from[from.length - 1 - same] === to[to.length - 1 - same]) same++;
  return { start, fromEnd: from.length - same, toEnd: to.length - same };
}
