import { around, type Box, heightOf, widthOf } from '../../../box.ts';
import { joinPieces, type Piece, type Sheet } from './pieces.ts';
import { crack, gapOfParts, isFlat, isPoint, leastMended, leastPart, nameAll, parts } from './shapes.ts';
import type { Guess, SignModel } from './sign-model.ts';

/** This close, they are joined if together they are certainly one sign. */
const hairline = 0.09;
const sureMended = 0.9;
const widestMended = 2.3;
const mostInRow = 3;

const gapOf = (a: Box, b: Box) => Math.max(a.left, b.left) - Math.min(a.right, b.right);

/** The widest gap between pieces beside each other. */
function widestGap(pieces: readonly Piece[]): number {
  const sorted = pieces.toSorted((a, b) => a.left - b.left);
  return Math.max(...sorted.slice(1).map((piece, at) => gapOf(sorted[at]!, piece)));
}

export interface Mended {
  pieces: Piece[];
  /** The guesses for the pieces that were named on the way; those that were joined included. */
  named: ReadonlyMap<Piece, Guess[]>;
}

/** Joins pieces of signs broken by faint print: likely a sign together, and unlikely separately. */
export async function mendPieces(sheet: Sheet, pieces: readonly Piece[], model: SignModel): Promise<Mended> {
  const unit = sheet.xHeight;
  const usual = pieces.filter(
    (piece) => !isFlat(piece, unit) && heightOf(piece) < 2.4 * unit && widthOf(piece) < widestMended * unit,
  );
  const single = await nameAll(
    sheet,
    usual.map((piece) => [piece]),
    model,
  );
  // a piece classified as part of a sign is not a sign by itself, nor is a stem without its dot
  const alone = new Map(
    usual.map((piece, at) => {
      const { sign, probability } = single[at]![0]!;
      return [piece, sign.face === 'part' || parts.has(sign.text) ? 0 : probability];
    }),
  );
  const isPart = new Set(
    usual.filter((_, at) =>
      single[at]!.some(({ sign, probability }) => sign.face === 'part' && probability > leastPart),
    ),
  );
  const reachOf = (a: Piece, b: Piece) =>
    isPart.has(a) && isPart.has(b)
      ? gapOfParts.beside
      : isPart.has(a) || isPart.has(b)
        ? gapOfParts.besideWhole
        : crack;
  const isBeside = (a: Piece, b: Piece) => {
    const gap = Math.max(a.left, b.left) - Math.min(a.right, b.right);
    const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const isSpeck = Math.min(heightOf(a), heightOf(b)) < 0.35 * unit;
    return (
      gap < reachOf(a, b) * unit &&
      (isSpeck ? shared > -0.1 * unit : shared > 0.4 * Math.min(heightOf(a), heightOf(b)))
    );
  };
  const chains: Piece[][] = [];
  for (const [at, one] of usual.entries())
    for (const other of usual.slice(at + 1)) {
      if (!isBeside(one, other) || (isPoint(one, unit) && isPoint(other, unit))) continue;
      chains.push([one, other]);
      for (const third of usual) {
        if (third === one || third === other || chains.length > 400) continue;
        const isNew = third.label > other.label && (isBeside(one, third) || isBeside(other, third));
        if (isNew) chains.push([one, other, third]);
      }
    }
  const fitting = chains.filter((chain) => {
    const box = around(chain);
    return chain.length <= mostInRow && widthOf(box) < widestMended * unit && heightOf(box) < 2.4 * unit;
  });
  const named = new Map(usual.map((piece, at) => [piece, single[at]!]));
  if (fitting.length === 0) return { pieces: [...pieces], named };
  const together = await nameAll(sheet, fitting, model);
  const gone = new Set<Piece>();
  const mended: Piece[] = [];
  const found = fitting
    .map((chain, at) => ({ chain, best: together[at]![0]! }))
    .filter(({ chain, best: { sign, probability } }) => {
      const weakest = Math.min(...chain.map((piece) => alone.get(piece)!));
      const isOne = !parts.has(sign.text) && sign.text !== '';
      // a w may break into a u and a stroke
      const hasWhole = chain.some((piece) => !isPart.has(piece)) && widestGap(chain) > crack * unit;
      if (hasWhole && probability < sureMended) return false;
      const gap = chain.length === 2 ? gapOf(chain[0]!, chain[1]!) : 1;
      const isCrack = gap < hairline * unit && probability > sureMended;
      return isOne && probability > leastMended && (probability > weakest + 0.1 || isCrack);
    })
    .sort((a, b) => b.best.probability - a.best.probability);
  for (const { chain } of found) {
    if (chain.some((piece) => gone.has(piece))) continue;
    for (const piece of chain) gone.add(piece);
    mended.push(joinPieces(sheet, chain));
  }
  return { pieces: [...pieces.filter((piece) => !gone.has(piece)), ...mended], named };
}
