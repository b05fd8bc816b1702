/** Radical signs: one piece of ink with their vinculum, or broken above their foot. Lengths are in x-heights. */
import { around, type Box, heightOf, widthOf } from '../../../box.ts';
import { joinPieces, type Piece, type Sheet, splitWhere } from './pieces.ts';
import type { ReadSign } from './read-signs.ts';
import { nameAll } from './shapes.ts';
import type { Guess, SignModel } from './sign-model.ts';

/** Of a radical sign. */
const leastRadical = 0.4;
/** A sign that is hardly one is a bar with a sign that touches it. */
const mayBeRadical = 0.05;
/** The hook before the stroke: its size, how far from the stroke it is, and how much of the stroke is above it. */
const hook = { most: 1.5, away: 0.25, above: 0.3 };

export interface Radicals {
  signs: ReadSign[];
  vincula: Box[];
  /** The sheet's other pieces. */
  pieces: Piece[];
}

/** Takes radical signs off their vincula; what is broken is joined. */
export async function findRadicals(sheet: Sheet, model: SignModel): Promise<Radicals> {
  const vincula: Box[] = [];
  const found: { stroke: Piece; vinculum: Piece }[] = [];
  const pieces = new Set<Piece>();
  for (const piece of sheet.pieces) {
    const split = splitVinculum(sheet, piece);
    if (split) found.push(split);
    else pieces.add(piece);
  }
  const signs: ReadSign[] = [];
  for (const { stroke, vinculum } of found) {
    const hooks = [...pieces].filter((piece) => isHook(piece, stroke, sheet.xHeight));
    const groups = [[stroke], ...hooks.map((piece) => [stroke, piece])];
    const named = await nameAll(sheet, groups, model);
    const at = named.findIndex(([best]) => best!.sign.face === 'radical' && best!.probability > leastRadical);
    const group = groups[at];
    if (!group && !named.some(mayBe)) {
      pieces.add(joinPieces(sheet, [stroke, vinculum]));
      continue;
    }
    vincula.push(vinculum);
    if (!group) {
      pieces.add(stroke);
      continue;
    }
    for (const piece of group) pieces.delete(piece);
    signs.push({ ...around(group), guesses: named[at]! });
  }
  return { signs, vincula, pieces: [...pieces] };
}

const mayBe = (guesses: readonly Guess[]) =>
  guesses.some(({ sign: { face }, probability }) => face === 'radical' && probability > mayBeRadical);

/** Whether a piece is what stands before the stroke of a radical sign, at its foot. */
function isHook(piece: Box, stroke: Box, unit: number): boolean {
  const gap = (stroke.left - piece.right) / unit;
  return (
    Math.max(widthOf(piece), heightOf(piece)) < hook.most * unit &&
    Math.abs(gap) < hook.away &&
    piece.left < stroke.left &&
    piece.bottom > stroke.bottom - hook.away * unit &&
    piece.top > stroke.top + hook.above * heightOf(stroke)
  );
}

/** The vinculum begins where only the thin top continues. */
function splitVinculum(sheet: Sheet, piece: Piece): { stroke: Piece; vinculum: Piece } | null {
  const unit = sheet.xHeight;
  if (heightOf(piece) < 1.1 * unit || widthOf(piece) < 1.3 * unit) return null;
  const thickest = Math.max(2, 0.28 * unit);
  const reach = Math.max(3, 0.4 * unit);
  let from = piece.right;
  for (let x = piece.right - 1; x >= piece.left; x--) {
    let [first, last] = [-1, -1];
    for (let y = piece.top; y < piece.bottom; y++)
      if (sheet.labels[y * sheet.width + x] === piece.label) {
        if (first < 0) first = y;
        last = y;
      }
    if (first < 0 || last - first + 1 > thickest || first - piece.top > reach) break;
    from = x;
  }
  if (piece.right - from < 0.55 * unit || from - piece.left < 0.3 * unit) return null;
  const [sign, bar] = splitWhere(sheet, piece, (x) => x >= from);
  if (!sign || !bar) return null;
  // below it, at its left end, the sign continues down to the piece's bottom
  if (sign.bottom < piece.bottom || heightOf(sign) < 0.7 * heightOf(piece)) return null;
  return { stroke: { ...sign, top: piece.top }, vinculum: bar };
}
