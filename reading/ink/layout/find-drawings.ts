/** Finds drawings among writing: connected ink far larger than letters, with any writing inside it. */
import type { Box } from '../../box.ts';

/** Smallest drawing, as shares of the page's long side: fractions, roots and brackets are lower or narrower. */
const minWidthShare = 0.11;
const minHeightShare = 0.085;
/** Ink that covers more of the page than this is the page's edge or a border. */
const maxAreaShare = 0.5;
/** Labels of a drawing are within this many letter heights of it. */
const reach = 0.8;

/** @param size height of most letters */
export function findDrawings<Piece extends Box & { pixels: number }>(
  pieces: readonly Piece[],
  page: { width: number; height: number },
  size: number,
): Box[] {
  const side = Math.max(page.width, page.height);
  const widthOf = (box: Box) => box.right - box.left;
  const heightOf = (box: Box) => box.bottom - box.top;
  const seeds = pieces.filter(
    (piece) =>
      widthOf(piece) > Math.max(minWidthShare * side, 4 * size) &&
      heightOf(piece) > Math.max(minHeightShare * side, 4 * size) &&
      widthOf(piece) * heightOf(piece) < maxAreaShare * page.width * page.height,
  );
  const drawings: Box[] = [];
  for (const seed of seeds) {
    const box = { ...seed };
    for (const piece of pieces) {
      const isInside =
        piece.left > seed.left - reach * size &&
        piece.right < seed.right + reach * size &&
        piece.top > seed.top - reach * size &&
        piece.bottom < seed.bottom + reach * size;
      if (!isInside) continue;
      box.left = Math.min(box.left, piece.left);
      box.top = Math.min(box.top, piece.top);
      box.right = Math.max(box.right, piece.right);
      box.bottom = Math.max(box.bottom, piece.bottom);
    }
    const other = drawings.find((drawing) => overlap(drawing, box));
    if (!other) drawings.push({ left: box.left, top: box.top, right: box.right, bottom: box.bottom });
    else {
      other.left = Math.min(other.left, box.left);
      other.top = Math.min(other.top, box.top);
      other.right = Math.max(other.right, box.right);
      other.bottom = Math.max(other.bottom, box.bottom);
    }
  }
  return drawings;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Whether the middle of a box is inside one of the drawings. */
export function isDrawn(box: Box, drawings: readonly Box[]): boolean {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return drawings.some(
    (drawing) => x > drawing.left && x < drawing.right && y > drawing.top && y < drawing.bottom,
  );
}
