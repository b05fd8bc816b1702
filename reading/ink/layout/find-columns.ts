/** Finds the columns of a page of writing, so that lines are not read across them. */
import { type Box, median, widthOf } from '../../box.ts';

/** Largest and smallest share of the writing's width that a margin takes. */
const widestMargin = 0.4;
const narrowestMargin = 0.06;
/** Notes are fewer than the lines beside them, and wider (in heights of most letters) than their numbers. */
const mostNotes = 0.6;
const leastLines = 4;
const narrowestNote = 2.2;
/** Notes of which none is wider than this are the numbers of exercises. */
const widestNumber = 3.5;
/** Gap between a note and the line next to it, in heights of most letters: words of a line are closer. */
const roomLeft = 1.1;
const roomRight = 2.2;
/** Lines right of a margin start at a common edge: this many lines, this close (in heights of most letters). */
const flushShare = 0.6;
const flushWithin = 3;
/** Lines left of a margin fill the page: most are at least this share of the longest. */
const leastFull = 0.5;
/** Pieces that may cross a margin's edge. */
const mostAcross = 1;

/** Separates notes in the left or right margin from the writing next to them. */
export function takeNotes<Piece extends Box>(
  pieces: readonly Piece[],
  size: number,
  findRows: (pieces: readonly Piece[], size: number) => Box[],
): { text: Piece[]; notes: Piece[] } {
  for (const side of ['left', 'right'] as const) {
    const notes = findNotes(side === 'left' ? pieces : pieces.map(mirrored), size, side, findRows);
    if (notes)
      return {
        text: pieces.filter((_, at) => !notes.has(at)),
        notes: pieces.filter((_, at) => notes.has(at)),
      };
  }
  return { text: [...pieces], notes: [] };
}

const mirrored = <Piece extends Box>(piece: Piece): Piece => ({
  ...piece,
  left: -piece.right,
  right: -piece.left,
});

/** Indices of the pieces in the left margin; null if there is none. */
function findNotes<Piece extends Box>(
  pieces: readonly Piece[],
  size: number,
  side: 'left' | 'right',
  findRows: (pieces: readonly Piece[], size: number) => Box[],
): Set<number> | null {
  const left = Math.min(...pieces.map((piece) => piece.left));
  const right = Math.max(...pieces.map((piece) => piece.right));
  const step = Math.max(1, size / 4);
  for (let x = left + narrowestMargin * (right - left); x < left + widestMargin * (right - left); x += step) {
    if (pieces.filter((piece) => piece.left < x && piece.right > x).length > mostAcross) continue;
    const isNote = (piece: Piece) => piece.right <= x;
    const notes = findRows(pieces.filter(isNote), size);
    const lines = findRows(
      pieces.filter((piece) => !isNote(piece)),
      size,
    );
    if (notes.length === 0 || lines.length < leastLines || notes.length > mostNotes * lines.length) continue;
    const widths = notes.map((note) => note.right - note.left);
    if (Math.min(...widths) < narrowestNote * size || Math.max(...widths) < widestNumber * size) continue;
    const edge = Math.min(...lines.map((line) => line.left));
    const flush = lines.filter((line) => line.left - edge < flushWithin * size).length;
    if (side === 'left' && flush < flushShare * lines.length) continue;
    // calculations end where they end
    if (side === 'right' && median(lines.map(widthOf)) < leastFull * Math.max(...lines.map(widthOf)))
      continue;
    const room = (side === 'left' ? roomLeft : roomRight) * size;
    const isApart = notes.every((note) =>
      lines.every(
        (line) =>
          Math.min(note.bottom, line.bottom) - Math.max(note.top, line.top) <= 0 ||
          line.left - note.right >= room,
      ),
    );
    if (isApart) return new Set(pieces.flatMap((piece, at) => (isNote(piece) ? [at] : [])));
  }
  return null;
}

const leastColumnRows = 5;
/**
 * Columns stand beside each other over this share of their height, without a pause longer than this share of it:
 * calculations beside a few lines of a page do not.
 */
const leastBeside = 0.6;
const longestPause = 0.25;
/** Gap between columns, in heights of most letters. */
const narrowestGutter = 1.5;

/**
 * Two columns with a gutter that hardly anything crosses are read one after the other; pieces that cross it divide
 * them.
 * @param areWhole whether only columns over the whole height count
 */
export function splitColumns<Piece extends Box>(
  pieces: readonly Piece[],
  width: number,
  size: number,
  findRows: (pieces: readonly Piece[], size: number) => Box[],
  areWhole = false,
): Piece[][] {
  const left = Math.min(...pieces.map((piece) => piece.left));
  const right = Math.max(...pieces.map((piece) => piece.right));
  const crossings = new Uint16Array(width + 1);
  for (const piece of pieces) for (let x = piece.left; x < piece.right; x++) crossings[x]!++;
  let gutter: { from: number; to: number } | null = null;
  const most = Math.max(2, 0.12 * crossings.reduce((a, b) => Math.max(a, b), 0));
  for (let x = Math.round(left + 0.3 * (right - left)); x < left + 0.7 * (right - left); ) {
    if (crossings[x]! > most) {
      x++;
      continue;
    }
    const from = x;
    while (x < right && crossings[x]! <= most) x++;
    if (!gutter || x - from > gutter.to - gutter.from) gutter = { from, to: x };
  }
  if (!gutter || gutter.to - gutter.from < narrowestGutter * size || pieces.length < 40) return [[...pieces]];
  const middle = (gutter.from + gutter.to) / 2;
  const isLeft = (piece: Piece) => piece.right <= middle;
  const isRight = (piece: Piece) => piece.left >= middle;
  const counts = [pieces.filter(isLeft).length, pieces.filter(isRight).length];
  if (Math.min(...counts) < 0.25 * pieces.length) return [[...pieces]];
  // word gaps of a few lines may line up by chance
  const columns = [isLeft, isRight].map((isIn) => findRows(pieces.filter(isIn), size));
  if (columns.some((rows) => rows.length < leastColumnRows)) return [[...pieces]];
  if (areWhole && !standBeside(columns)) return [[...pieces]];
  // a line that crosses the gutter, or leaves no gutter free, includes its neighbours in the same row
  const across = findRows(pieces, size).filter((row) => {
    const own = pieces.filter((piece) => piece.top < row.bottom && piece.bottom > row.top);
    const room =
      Math.min(...own.filter(isRight).map((piece) => piece.left)) -
      Math.max(...own.filter(isLeft).map((piece) => piece.right));
    return room < narrowestGutter * size || own.some((piece) => !isLeft(piece) && !isRight(piece));
  });
  const inRow = (piece: Piece, row: { top: number; bottom: number }) =>
    (piece.top + piece.bottom) / 2 >= row.top && (piece.top + piece.bottom) / 2 <= row.bottom;
  const regions: Piece[][] = [];
  let top = Number.NEGATIVE_INFINITY;
  for (const row of [...across, { top: Number.POSITIVE_INFINITY, bottom: Number.POSITIVE_INFINITY }]) {
    const band = pieces.filter(
      (piece) =>
        (piece.top + piece.bottom) / 2 > top &&
        (piece.top + piece.bottom) / 2 < row.top &&
        !across.some((other) => inRow(piece, other)),
    );
    regions.push(
      band.filter(isLeft),
      band.filter((piece) => !isLeft(piece)),
    );
    regions.push(pieces.filter((piece) => inRow(piece, row)));
    top = row.bottom;
  }
  return regions.filter((region) => region.length > 0);
}

function standBeside(columns: readonly Box[][]): boolean {
  const tops = columns.map((rows) => Math.min(...rows.map(({ top }) => top)));
  const bottoms = columns.map((rows) => Math.max(...rows.map(({ bottom }) => bottom)));
  const height = Math.max(...bottoms) - Math.min(...tops);
  const pauses = columns.flatMap((rows) => {
    const sorted = [...rows].sort((a, b) => a.top - b.top);
    return sorted.slice(1).map((row, at) => row.top - sorted[at]!.bottom);
  });
  return (
    Math.min(...bottoms) - Math.max(...tops) >= leastBeside * height &&
    Math.max(...pauses) <= longestPause * height
  );
}
