/** Connected components (8 neighbours) of the ink of a picture: letters, strokes, specks. */

export interface InkPiece {
  /** Its label in the pixel map; from 1, in the order of each piece's first pixel, row by row. */
  label: number;
  /** The bounding box; `right` and `bottom` are exclusive. */
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
}

/**
 * @param isInk whether the pixel at an index, row by row, is ink
 * @returns the pieces, and for each pixel the label of its piece, 0 for paper
 */
export function findInkPieces(
  width: number,
  height: number,
  isInk: (at: number) => boolean,
): { labels: Int32Array; pieces: InkPiece[] } {
  const labels = new Int32Array(width * height);
  const pieces: InkPiece[] = [];
  const stack: number[] = [];
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] || !isInk(start)) continue;
    const label = pieces.length + 1;
    const piece: InkPiece = { label, left: width, top: height, right: 0, bottom: 0, pixels: 0 };
    pieces.push(piece);
    stack.push(start);
    labels[start] = label;
    while (stack.length > 0) {
      const at = stack.pop()!;
      const x = at % width;
      const y = (at - x) / width;
      piece.pixels++;
      piece.left = Math.min(piece.left, x);
      piece.right = Math.max(piece.right, x + 1);
      piece.top = Math.min(piece.top, y);
      piece.bottom = Math.max(piece.bottom, y + 1);
      for (let nearY = Math.max(0, y - 1); nearY <= Math.min(height - 1, y + 1); nearY++)
        for (let nearX = Math.max(0, x - 1); nearX <= Math.min(width - 1, x + 1); nearX++) {
          const near = nearY * width + nearX;
          if (labels[near] || !isInk(near)) continue;
          labels[near] = label;
          stack.push(near);
        }
    }
  }
  return { labels, pieces };
}
