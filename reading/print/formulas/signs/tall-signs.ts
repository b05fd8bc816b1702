/** Integrals and other signs taller than several letters beside each other can be. Lengths are in x-heights. */
import { around, type Box, heightOf, widthOf } from '../../../box.ts';
import { joinPieces, type Piece, type Sheet } from './pieces.ts';
import { nameAll } from './shapes.ts';
import type { Guess, SignModel } from './sign-model.ts';

/** Least height, and its width at most, as a share of that. */
const leastHeight = 2.6;
const widest = 0.62;
/** One integral is narrower than two. */
const widestIntegral = 0.55;
/** The ball at the end of an integral, and how far it is from its stroke where that is lost. */
const widestBall = 0.6;
const besideEnd = 0.25;
const leastMended = 0.5;

export const isTall = (box: Box, unit: number): boolean =>
  heightOf(box) > leastHeight * unit && widthOf(box) < widest * heightOf(box);

/** Without several signs beside each other, and two integrals, which one narrow piece cannot be. */
export function tallGuesses(guesses: readonly Guess[], box: Box): Guess[] {
  const mayBe = guesses.filter(
    ({ sign }) => sign.text !== '' && !(sign.text === '∬' && widthOf(box) < widestIntegral * heightOf(box)),
  );
  return mayBe.length > 0 ? mayBe : [...guesses];
}

/** Joins the balls of integrals to their strokes. */
export async function mendTall(sheet: Sheet, pieces: readonly Piece[], model: SignModel): Promise<Piece[]> {
  const unit = sheet.xHeight;
  const pairs = pieces
    .filter((piece) => isTall(piece, unit))
    .flatMap((tall) =>
      pieces.filter((ball) => isAtEnd(ball, tall, unit)).map((ball): [Piece, Piece] => [tall, ball]),
    );
  if (pairs.length === 0) return [...pieces];
  const named = await nameAll(sheet, pairs, model);
  const out = new Set(pieces);
  for (const [at, pair] of pairs.entries()) {
    const large = tallGuesses(named[at]!, around(pair))[0]!;
    if (large.sign.face !== 'large' || large.probability < leastMended || !pair.every((one) => out.has(one)))
      continue;
    for (const piece of pair) out.delete(piece);
    out.add(joinPieces(sheet, pair));
  }
  return [...out];
}

/** Whether it is below the left end of a tall piece, or above its right end. */
function isAtEnd(ball: Box, tall: Box, unit: number): boolean {
  if (Math.max(widthOf(ball), heightOf(ball)) > widestBall * unit) return false;
  const reach = besideEnd * unit;
  const isLow = Math.abs(ball.bottom - tall.bottom) < widestBall * unit && tall.left - ball.right < reach;
  const isHigh = Math.abs(ball.top - tall.top) < widestBall * unit && ball.left - tall.right < reach;
  return (isLow && ball.right < tall.left + reach) || (isHigh && ball.left > tall.right - reach);
}
