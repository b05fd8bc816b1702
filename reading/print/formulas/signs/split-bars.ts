/** Fraction bars that touch a sign above or below, such as the tail of a μ. Lengths are in x-heights. */
import { type Box, heightOf, median, widthOf } from '../../../box.ts';
import { findInkPieces } from '../../../ink/ink-pieces.ts';
import { joinPieces, type Piece, type Sheet } from './pieces.ts';
import { isFlat, nameAll } from './shapes.ts';
import type { SignModel } from './sign-model.ts';

/** Least width of such a piece and least height, and how thick its bar is at most. */
const least = { width: 0.6, height: 0.4 };
const thickest = 0.26;
/** Share of its width that the bar spans, and of the bar that nothing touches: the stems of "lim" are closer. */
const spanned = 0.93;
const untouched = 0.7;
/** A sign that is more likely than this is none with a bar. */
const sureSign = 0.6;
/** A letter may have a bar of its own: what is left of a narrower piece has to be a sign with this probability. */
const narrow = 1.2;
const sureRest = 0.8;
/** What is lower is the edge of the bar. */
const leastPart = 0.3;

/** Takes the bars off the signs that touch them. */
export async function splitBars(
  sheet: Sheet,
  pieces: readonly Piece[],
  model: SignModel,
): Promise<{ pieces: Piece[]; bars: Box[] }> {
  const unit = sheet.xHeight;
  const found = pieces.flatMap((piece) => {
    if (isFlat(piece, unit) || widthOf(piece) < least.width * unit || heightOf(piece) < least.height * unit)
      return [];
    const rows = findBar(sheet, piece);
    return rows ? [{ piece, rows }] : [];
  });
  if (found.length === 0) return { pieces: [...pieces], bars: [] };
  const named = await nameAll(
    sheet,
    found.map(({ piece }) => [piece]),
    model,
  );
  const parts = new Map<Piece, Piece[]>();
  const bars: Box[] = [];
  for (const [at, { piece, rows }] of found.entries()) {
    const { sign, probability } = named[at]![0]!;
    if (sign.text !== '' && probability > sureSign) continue;
    const rest = withoutBar(sheet, piece, rows);
    if (widthOf(piece) < narrow * unit && !(await areSure(sheet, rest, model))) {
      joinPieces(sheet, [piece, ...rest]);
      continue;
    }
    parts.set(piece, rest);
    bars.push({ left: piece.left, right: piece.right, ...rows });
  }
  return { pieces: pieces.flatMap((piece) => parts.get(piece) ?? [piece]), bars };
}

async function areSure(sheet: Sheet, pieces: readonly Piece[], model: SignModel): Promise<boolean> {
  const named = await nameAll(
    sheet,
    pieces.map((piece) => [piece]),
    model,
  );
  return (
    pieces.length > 0 &&
    named.every(([best]) => best!.probability > sureRest && !/^(?:several|part)$/.test(best!.sign.face))
  );
}

interface Rows {
  top: number;
  bottom: number;
}

/** The rows of a straight bar as wide as the piece that hardly anything touches. */
function findBar(sheet: Sheet, piece: Piece): Rows | null {
  const isInk = (x: number, y: number) => sheet.labels[y * sheet.width + x] === piece.label;
  let [middle, most] = [piece.top, 0];
  for (let y = piece.top; y < piece.bottom; y++) {
    let count = 0;
    for (let x = piece.left; x < piece.right; x++) if (isInk(x, y)) count++;
    if (count > most) [middle, most] = [y, count];
  }
  if (most < spanned * widthOf(piece)) return null;
  const columns: Rows[] = [];
  for (let x = piece.left; x < piece.right; x++) {
    if (!isInk(x, middle)) continue;
    let [top, bottom] = [middle, middle + 1];
    while (top > piece.top && isInk(x, top - 1)) top--;
    while (bottom < piece.bottom && isInk(x, bottom)) bottom++;
    columns.push({ top, bottom });
  }
  const rows = {
    top: median(columns.map(({ top }) => top)),
    bottom: median(columns.map(({ bottom }) => bottom)),
  };
  if (rows.bottom - rows.top > Math.max(3, thickest * sheet.xHeight)) return null;
  const free = columns.filter(({ top, bottom }) => top >= rows.top - 1 && bottom <= rows.bottom + 1);
  return free.length > untouched * widthOf(piece) ? rows : null;
}

/** What is above and below the bar. */
function withoutBar(sheet: Sheet, piece: Piece, { top, bottom }: Rows): Piece[] {
  const [wide, tall] = [widthOf(piece), heightOf(piece)];
  const placeOf = (at: number) => {
    const y = piece.top + Math.floor(at / wide);
    return { y, at: y * sheet.width + piece.left + (at % wide) };
  };
  const { labels, pieces } = findInkPieces(wide, tall, (own) => {
    const { y, at } = placeOf(own);
    return (y < top || y >= bottom) && sheet.labels[at] === piece.label;
  });
  const first = sheet.labelCount;
  sheet.labelCount += pieces.length;
  for (const [own, number] of labels.entries())
    if (number > 0) sheet.labels[placeOf(own).at] = first + number;
  return pieces
    .filter((own) => heightOf(own) > leastPart * sheet.xHeight)
    .map((own) => ({
      left: own.left + piece.left,
      right: own.right + piece.left,
      top: own.top + piece.top,
      bottom: own.bottom + piece.top,
      label: first + own.label,
      pixels: own.pixels,
      peak: piece.peak,
    }));
}
