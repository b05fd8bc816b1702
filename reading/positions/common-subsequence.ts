/** The longest common subsequence of two sequences of numbers (E. W. Myers, An O(ND) difference algorithm, 1986). */

/** With more differences the search ends: the sequences have too little in common. */
const maxDifferences = 6_000;

/** Pairs of matching indices, ascending in both sequences. */
export function matchSequences(from: ArrayLike<number>, to: ArrayLike<number>): [number, number][] {
  const limit = Math.min(maxDifferences, from.length + to.length);
  const offset = limit + 1;
  const reach = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  let depth = 0;
  search: for (; depth <= limit; depth++) {
    // the furthest points with one difference less, for the diagonals that can be reached
    trace.push(reach.slice(offset - depth - 1, offset + depth + 2));
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const goesDown =
        diagonal === -depth ||
        (diagonal !== depth && reach[offset + diagonal - 1]! < reach[offset + diagonal + 1]!);
      let x = goesDown ? reach[offset + diagonal + 1]! : reach[offset + diagonal - 1]! + 1;
      let y = x - diagonal;
      while (x < from.length && y < to.length && from[x] === to[y]) {
        x++;
        y++;
      }
      reach[offset + diagonal] = x;
      if (x >= from.length && y >= to.length) break search;
    }
  }
  if (depth > limit) return [];
  const pairs: [number, number][] = [];
  let [x, y] = [from.length, to.length];
  for (; depth >= 0; depth--) {
    const before = trace[depth]!;
    const middle = depth + 1;
    const diagonal = x - y;
    const goesDown =
      diagonal === -depth ||
      (diagonal !== depth && before[middle + diagonal - 1]! < before[middle + diagonal + 1]!);
    const previous = goesDown ? diagonal + 1 : diagonal - 1;
    const beforeX = depth === 0 ? 0 : before[middle + previous]!;
    const beforeY = depth === 0 ? 0 : beforeX - previous;
    while (x > beforeX && y > beforeY) {
      x--;
      y--;
      pairs.push([x, y]);
    }
    [x, y] = [beforeX, beforeY];
  }
  return pairs.reverse();
}
