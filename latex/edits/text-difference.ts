/** In characters: texts are first compared in blocks, which the engine does at once. */
const block = 4_096;

/** The one stretch outside which the texts are equal: `from[start, fromEnd)` became `to[start, toEnd)`. */
export function findDifference(from: string, to: string): { start: number; fromEnd: number; toEnd: number } {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start + block <= shorter && from.slice(start, start + block) === to.slice(start, start + block))
    start += block;
  while (start < shorter && from[start] === to[start]) start++;
  let same = 0;
  const endOf = (text: string) => text.slice(text.length - same - block, text.length - same);
  while (same + block <= shorter - start && endOf(from) === endOf(to)) same += block;
  while (same < shorter - start && from[from.length - 1 - same] === to[to.length - 1 - same]) same++;
  return { start, fromEnd: from.length - same, toEnd: to.length - same };
}
