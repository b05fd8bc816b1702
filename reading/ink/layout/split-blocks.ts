/**
 * Separates two calculations side by side, a few rows high, among lines that run across, so that each is read by
 * itself.
 */
import type { Box } from '../../box.ts';

interface Gap {
  from: number;
  to: number;
}

/**
 * In heights of most letters: the gap between two blocks, the part of it that rows must share, and the width of a
 * number, which is not a column.
 */
const leastGap = 2.5;
const leastCommon = 1.5;
const widestNumber = 3;
/** Two rows alone must share this much of the wider one's gap. */
const leastEven = 0.5;
/** What has this many rows of its own under it is the head of a column. */
const leastUnder = 2;
/** Rows of a block are adjacent; anything further below is another block. */
const mostApart = 2;

/**
 * Adjacent rows that leave the same gutter free are two columns; a single such row is a line.
 * @param size height of most letters
 * @param findRows finds the rows of pieces, from top to bottom
 * @returns the pieces in reading order, one column at a time
 */
export function splitBlocks<Piece extends Box>(
  pieces: readonly Piece[],
  size: number,
  findRows: (pieces: readonly Piece[]) => Box[],
): Piece[][] {
  const rows = findRows(pieces);
  const members = rows.map((): Piece[] => []);
  for (const piece of pieces) {
    const middle = (piece.top + piece.bottom) / 2;
    // the lowest of the rows it is in; else the nearest, which decides whether it is a row of its own
    const away = (row: Box) => Math.max(0, row.top - middle, middle - row.bottom);
    const isBeside = (row: Box) => piece.left < row.left || piece.right > row.right;
    const own = [...rows.keys()].sort(
      (a, b) =>
        away(rows[a]!) - away(rows[b]!) ||
        Number(isBeside(rows[a]!)) - Number(isBeside(rows[b]!)) ||
        rows[a]!.bottom - rows[a]!.top - (rows[b]!.bottom - rows[b]!.top),
    )[0];
    if (own !== undefined) members[own]!.push(piece);
  }
  const out: Piece[][] = [[]];
  for (let at = 0; at < rows.length; ) {
    const block = blockFrom(at, rows, members, size);
    if (!block) {
      out.at(-1)!.push(...members[at]!);
      at++;
      continue;
    }
    const own = members.slice(at, block.end).flat();
    const isLeft = (piece: Piece) => (piece.left + piece.right) / 2 < block.middle;
    const sides = [own.filter(isLeft), own.filter((piece) => !isLeft(piece))];
    // a column may have columns: notes beside a figure
    out.push(
      ...sides.flatMap((side) => (side.length < pieces.length ? splitBlocks(side, size, findRows) : [side])),
      [],
    );
    at = block.end;
  }
  return out.filter((region) => region.length > 0);
}

function blockFrom(
  start: number,
  rows: readonly Box[],
  members: readonly Box[][],
  size: number,
): { end: number; middle: number } | null {
  for (const first of gapsOf(members[start]!, size)) {
    let gap: Gap = first;
    let [end, shared] = [start + 1, 1];
    let widest = first.to - first.from;
    let rightOnly = 0;
    for (; end < rows.length; end++) {
      const [next, whole] =
        gapsOf(members[end]!, size)
          .map(
            (other) =>
              [{ from: Math.max(gap.from, other.from), to: Math.min(gap.to, other.to) }, other] as const,
          )
          .find(([{ from, to }]) => to - from >= leastCommon * size) ?? [];
      const row = rows[end]!;
      if (row.top - rows[end - 1]!.bottom > mostApart * size) break;
      const isLeft = row.right < gap.to - leastCommon * size;
      const free: Gap = isLeft
        ? { from: Math.max(gap.from, row.right), to: gap.to }
        : { from: gap.from, to: Math.min(gap.to, row.left) };
      if (next) {
        gap = next;
        widest = Math.max(widest, whole!.to - whole!.from);
        shared++;
      } else if (free.to - free.from >= leastCommon * size) {
        if (!isLeft) rightOnly++;
        gap = free;
      } else break;
    }
    const isEven = end - start > 2 || gap.to - gap.from >= leastEven * widest;
    if ((shared >= 2 && isEven) || rightOnly >= leastUnder) return { end, middle: (gap.from + gap.to) / 2 };
  }
  return null;
}

/** Gaps in a row, after more than a number. */
function gapsOf(row: readonly Box[], size: number): Gap[] {
  const sorted = [...row].sort((a, b) => a.left - b.left);
  const gaps: Gap[] = [];
  let right = sorted[0]?.right ?? 0;
  for (const piece of sorted) {
    if (piece.left - right >= leastGap * size && right - sorted[0]!.left > widestNumber * size)
      gaps.push({ from: right, to: piece.left });
    right = Math.max(right, piece.right);
  }
  return gaps;
}
