/** Columns of a page of writing: what stands beside each other is not read across. */

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const leastColumnRows = 5;

/** Two columns with a gutter that hardly anything crosses are read one after the other; what crosses it divides them. */
export function splitColumns<Piece extends Box>(
  pieces: readonly Piece[],
  width: number,
  size: number,
  findRows: (pieces: readonly Piece[], size: number) => Box[],
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
  if (!gutter || gutter.to - gutter.from < 1.5 * size || pieces.length < 40) return [[...pieces]];
  const middle = (gutter.from + gutter.to) / 2;
  const isLeft = (piece: Piece) => piece.right <= middle;
  const isRight = (piece: Piece) => piece.left >= middle;
  const counts = [pieces.filter(isLeft).length, pieces.filter(isRight).length];
  if (Math.min(...counts) < 0.25 * pieces.length) return [[...pieces]];
  // gaps between words of a few lines may come to lie over each other
  const rowsOf = (isIn: (piece: Piece) => boolean) => findRows(pieces.filter(isIn), size).length;
  if (rowsOf(isLeft) < leastColumnRows || rowsOf(isRight) < leastColumnRows) return [[...pieces]];
  // a line that crosses the gutter takes its neighbours of the same row with it
  const across = findRows(pieces, size).filter((row) => {
    const own = pieces.filter((piece) => piece.top < row.bottom && piece.bottom > row.top);
    return own.some((piece) => !isLeft(piece) && !isRight(piece));
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
