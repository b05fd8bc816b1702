/** Shapes of pieces of ink, what they may be by them, and their names. Lengths are in x-heights. */
import { around, type Box, heightOf, widthOf } from '../../../box.ts';
import { cutInk, type Piece, type Sheet } from './pieces.ts';
import type { Guess, SignModel } from './sign-model.ts';

/** Signs made of several pieces, with their number. */
export const parts = new Map<string, number>([
  ...[...'ij=:;!?≤≥⩽⩾⪯⊆⊇⊊⊴≃≈⇌⊙Θ≪≫'].map((sign): [string, number] => [sign, 2]),
  ...[...'≡÷Ξ%≅≐⊨≜'].map((sign): [string, number] => [sign, 3]),
  ['∬', 2],
]);
/** A flat piece: at least this many times wider than tall, and at most this tall (in x-heights). */
const flatness = 3;
const flatHeight = 0.3;
/** On a slightly tilted page a long rule may be taller. */
const longRule = 14;
/** Adjacent pieces this close, in x-heights, may be one sign whose thin strokes are lost; parts of signs this close. */
export const crack = 0.13;
export const gapOfParts = { beside: 0.45, besideWhole: 0.35, above: 0.4 };
/** How likely a piece is a part, and what it is joined to be. */
export const leastPart = 0.3;
export const leastMended = 0.7;

export const isFlat = (piece: Box, unit: number) =>
  widthOf(piece) > flatness * heightOf(piece) &&
  (heightOf(piece) < flatHeight * unit || widthOf(piece) > longRule * heightOf(piece)) &&
  widthOf(piece) > 0.3 * unit;

export const isPoint = (piece: Box, unit: number) =>
  Math.max(widthOf(piece), heightOf(piece)) < 0.42 * unit &&
  widthOf(piece) < 1.7 * heightOf(piece) &&
  heightOf(piece) < 1.7 * widthOf(piece);

/** The guesses for each group of pieces, most likely first; those known from an earlier reading are not made again. */
export async function nameAll(
  sheet: Sheet,
  groups: readonly Piece[][],
  model: SignModel,
): Promise<Guess[][]> {
  const places = groups.map((group) => placeOf(sheet, around(group)));
  const found = groups.map((group, at) => sheet.known?.find(places[at]!, group.length));
  const unknown = groups.filter((_, at) => !found[at]);
  const named = await model.name(
    unknown.map((group) => ({
      ...cutInk(sheet, new Set(group.map(({ label }) => label)), around(group)),
      xHeight: sheet.xHeight,
    })),
  );
  return groups.map((group, at) => {
    const guesses = found[at] ?? named.shift()!;
    if (!found[at]) sheet.known?.keep(places[at]!, group.length, guesses);
    return guesses;
  });
}

/** The same on sheets of the same scale, wherever they begin. */
const placeOf = ({ left, top, scale }: Sheet, box: Box): Box => ({
  left: box.left + left * scale,
  right: box.right + left * scale,
  top: box.top + top * scale,
  bottom: box.bottom + top * scale,
});
