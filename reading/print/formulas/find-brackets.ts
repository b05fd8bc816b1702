import { type Box, heightOf, widthOf } from '../../box.ts';
import type { Bitmap } from '../../page.ts';
import { cutSheet } from './signs/pieces.ts';

/** How far beside the rows a bracket is, and how far they may reach over it, relative to the font size. */
const beside = 1.4;
const over = 0.7;
/** A bracket is as high as the rows, nearly, and narrower than this share of its height. */
const leastHeight = 0.8;
const widest = 0.4;
/** X-height of a font, relative to its size. */
const xHeightOfSize = 0.45;

/** Whether rows of short pieces stand behind a bracket as high as they are: a matrix or cases, no table. */
export function standInBracket(grey: Bitmap, { left, right, top, bottom }: Box, size: number): boolean {
  const part = {
    left: left - beside * size,
    right: right + beside * size,
    top: top - over * size,
    bottom: bottom + over * size,
  };
  const sheet = cutSheet(grey, part, Math.max(4, xHeightOfSize * size));
  return sheet.pieces.some(
    (piece) =>
      piece.right / sheet.scale + sheet.left < left + 0.3 * size &&
      heightOf(piece) > leastHeight * (bottom - top) * sheet.scale &&
      widthOf(piece) < widest * heightOf(piece),
  );
}
