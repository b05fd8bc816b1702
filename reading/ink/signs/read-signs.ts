/**
 * Reads a formula sign by sign. The line model sees a line 64 pixels high, misses small signs in it and is sure
 * nevertheless; each sign by itself, at the page's own size, is named better, but touching ones are not. So the signs are
 * matched with what the line model has seen, and where it names several in one piece, the piece is cut.
 */
import { type Box, middleOf } from '../../box.ts';
import type { LineCrop } from '../line/cut-line.ts';
import type { DecodedLine, ReadToken } from '../line/decode-line.ts';
import type { FormulaLanguage } from '../line/formula-language.ts';
import type { WholeFormulas } from '../line/whole-formulas.ts';
import { type FoundName, findNames, type ScoredSign } from './find-names.ts';
import { type FoundSign, type FoundSigns, findSigns } from './find-signs.ts';
import { gatherLimits } from './gather-limits.ts';
import { guessesOf, guessesOfSeen, shapeOf, shapesOf } from './guess-tokens.ts';
import { early, functionName, type Matching, matchSigns } from './match-signs.ts';
import { type NamedSign, type PlacedSigns, placeSigns } from './place-signs.ts';
import { type LineEvidence, type SeenSign, seenAsRead, seenIn } from './seen-signs.ts';
import type { ShapeModel } from './shape-model.ts';

/** More pieces than this are no line of a formula. */
const mostPieces = 90;
/** What each sign costs: two pieces as one must be that much likelier. Less if the line model sees just that there. */
const signCost = 1;
const seenGain = 0.8;
const sureShape = -1;
/** The reading of the whole line is matched unless a single crop fits that much better. */
const readGain = 0.8;
/** A line whose signs agree less with the line model than this (mean cost of a sign) stays as it was read. */
const mostCost = 1.1;
/** How much more a limit's sign may cost. */
const limitCost = 0.5;
const leastOfOne = 1e-3;
/** Ways to read a formula's signs that are compared as wholes; weight of how usual each is, and what is added for each of its tokens. */
const mostWays = 24;
const wholeLanguage = 0.35;
const perToken = 1.3;
/** What three dots are, on the line or above it, and the logarithm of their probability to be something else. */
const dots = ['\\ldots', '\\cdots'];
const notDots = -6;

/** A fraction or root that is in the line, and was painted over in its crop. */
export interface ReadBarred {
  /** Around its ink, px of the crop, and the level of its bar. */
  box: Box;
  level: number;
  token: '\\frac{' | '\\sqrt{';
  tokens: readonly ReadToken[];
}

interface SignModels {
  shapes: ShapeModel;
  language: FormulaLanguage;
  formulas: WholeFormulas;
}

/**
 * @param letters height of most letters of the page, px of the crop
 * @param rows those of the crop that the line itself has
 * @returns null if signs and line model do not agree: in joined writing, or where ink is not that of one formula
 */
export async function readSigns(
  crop: LineCrop,
  letters: number,
  rows: { top: number; bottom: number },
  evidence: Omit<LineEvidence, 'width'>,
  { shapes: model, language, formulas }: SignModels,
  barred: readonly ReadBarred[] = [],
): Promise<DecodedLine | null> {
  const found = findSigns(crop, letters, rows);
  if (found.single.length === 0 || found.single.length > mostPieces) return null;
  const all = [...found.single, ...found.joined];
  const scores = await model.name(all, found.size);
  nameStacked(found, scores, model);
  const line: LineEvidence = { ...evidence, width: crop.width };
  const frame = crop.width / (line.looks[0]?.frames ?? 1);
  const looks = line.looks.map((look) => seenIn(look, line));
  const shape = (token: string, at: number) =>
    all[at]!.isDots ? (dots.includes(token) ? 0 : notDots) : shapeOf(token, scores[at]!, model);
  const chosen = divide(found, scores, (at) =>
    looks.some((seen) =>
      seen.some(
        ({ x, token }) =>
          x > all[at]!.left - early * frame && x < all[at]!.right && shape(token, at) > sureShape,
      ),
    ),
  );
  const signs = chosen.map((at) => ({ sign: all[at]!, scores: scores[at]! }));
  const match = (seen: readonly SeenSign[]) =>
    matchSigns(
      signs.map(({ sign }) => sign),
      seen,
      (at, token) => shape(token, chosen[at]!),
      (at) => signs[at]!.scores.at(-1)!,
      { frame, size: found.size },
    );
  const asRead = match(seenAsRead(line));
  const matching = looks
    .map(match)
    .reduce((a, b) => (b.cost < a.cost - (a === asRead ? readGain : 0) ? b : a), asRead);
  const names = findNames(signs, matching, line, model, found.size);
  const named = nameSigns(signs, matching, names, line, model);
  const inLine = barred.map(
    ({ box, level, token, tokens: said }): NamedSign => ({
      box,
      guesses: [{ token, log: 0, shape: 0, base: level, em: null }],
      said,
    }),
  );
  const gathered = gatherLimits([...named, ...inLine], found.size);
  // limits are small in the line model's picture
  const small = gathered.reduce(
    (sum, { limits }) => sum + (limits ? limits.low.length + limits.high.length : 0),
    0,
  );
  const most = mostCost * named.length + limitCost * small;
  if (matching.cost + doubtOf(signs, matching) >= most) return null;
  const tokens = await likeliest(
    placeSigns(gathered, line.tokens, language, mostWays),
    line.tokens,
    formulas,
  );
  if (tokens.length === 0) return null;
  const frames = line.looks[0]!.frames;
  const said = tokens.filter(({ token }) => !/^(?:[_^]\{|\}(?:\{)?)$/.test(token)).length;
  const enclosure = (token: string, at: number): ReadToken => ({ token, probability: 1, from: at, to: at });
  return {
    tokens: [
      enclosure('\\(', 0),
      ...tokens.map((one) => ({
        ...one,
        from: Math.floor((one.from / crop.width) * frames),
        to: Math.ceil((one.to / crop.width) * frames),
      })),
      enclosure('\\)', frames),
    ],
    share: Math.exp(tokens.reduce((sum, { probability }) => sum + Math.log(probability), 0) / said),
    score: 0,
    fluency: 0,
    others: [],
  };
}

/** Of the ways to read the signs, the one that is the likeliest with what formulas are usual as a whole. */
async function likeliest(
  ways: readonly PlacedSigns[],
  tokens: readonly string[],
  formulas: WholeFormulas,
): Promise<ReadToken[]> {
  if (ways.length < 2) return ways[0]?.tokens ?? [];
  const said = ways.map((way) => way.tokens.map(({ token }) => tokens.indexOf(token)));
  const usual = await formulas.logProbabilities(said);
  const scores = ways.map(
    ({ score }, at) => score + wholeLanguage * (usual[at]! + perToken * said[at]!.length),
  );
  return ways[scores.indexOf(Math.max(...scores))]!.tokens;
}

/** How much of a sign's shape is that of part of a sign, or of several: logarithms, together. */
function doubtOf(signs: readonly ScoredSign[], { matches }: Matching): number {
  return matches.reduce((sum, { from, to, seen }) => {
    if (
      to !== from + 1 ||
      signs[from]!.sign.isDots ||
      seen.length > 1 ||
      (seen[0] && functionName.test(seen[0].token))
    )
      return sum;
    return sum - Math.log(1 - Math.exp(signs[from]!.scores.at(-1)!) + leastOfOne);
  }, 0);
}

/** What a sign above a dash is together with it. */
const overDash: Record<string, string> = { '-': '=', '<': '\\leq', '>': '\\geq', '+': '\\pm' };
/** A dash shares this much of the narrower one's width. */
const sharedByDash = 0.5;

/**
 * Raises what pieces above a dash are together with it: two dashes are an equals sign as surely as both are dashes,
 * however far one is to the side.
 */
export function nameStacked(
  { single, joined }: FoundSigns,
  scores: readonly Float32Array[],
  model: ShapeModel,
): void {
  const shapes = shapesOf(model);
  const dash = shapes.get('-')!;
  for (const [at, { pieces, isDots }] of joined.entries()) {
    if (pieces.length !== 2 || isDots) continue;
    const [upper, lower] = pieces
      .map((piece) => single.findIndex((one) => one.pieces[0] === piece))
      .sort((a, b) => middleOf(single[a]!).y - middleOf(single[b]!).y) as [number, number];
    const [above, below] = [single[upper]!, single[lower]!];
    const shared = Math.min(above.right, below.right) - Math.max(above.left, below.left);
    if (above.bottom > below.top || shared < sharedByDash * Math.min(above.width, below.width)) continue;
    const own = scores[single.length + at]!;
    for (const [token, both] of Object.entries(overDash)) {
      const [one, together] = [shapes.get(token)!, shapes.get(both)!];
      own[together] = Math.max(own[together]!, scores[upper]![one]! + scores[lower]![dash]!);
    }
  }
}

/**
 * The cheapest way to take the pieces as signs.
 * @param isSeen the line model sees just that sign there
 * @returns indices of the single pieces and, after them, the joined ones; from left to right
 */
export function divide(
  { single, joined }: FoundSigns,
  scores: readonly Float32Array[],
  isSeen: (at: number) => boolean,
): number[] {
  const costOf = (at: number) => {
    const own = scores[at]!;
    const best = Math.max(...own.subarray(0, -1));
    // pieces that look like several signs are rather those
    const several = at < single.length ? 0 : Math.max(0, own.at(-1)! - best);
    return signCost - best + several;
  };
  const byPiece = new Map(single.map(({ pieces }, at) => [pieces[0]!, at]));
  const gains = joined
    .map(({ pieces, isDots }, which) => {
      const at = single.length + which;
      const apart = pieces.reduce((sum, piece) => sum + costOf(byPiece.get(piece)!), 0);
      if (isDots) return { at, pieces, gain: Number.POSITIVE_INFINITY };
      return { at, pieces, gain: apart - costOf(at) + (isSeen(at) ? seenGain : 0) };
    })
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain);
  const chosen: number[] = [];
  const taken = new Set<number>();
  for (const { at, pieces } of gains) {
    if (pieces.some((piece) => taken.has(piece))) continue;
    for (const piece of pieces) taken.add(piece);
    chosen.push(at);
  }
  for (const [piece, at] of byPiece) if (!taken.has(piece)) chosen.push(at);
  const leftOf = (at: number) => (single[at] ?? joined[at - single.length]!).left;
  return chosen.sort((a, b) => leftOf(a) - leftOf(b));
}

function nameSigns(
  signs: readonly ScoredSign[],
  { matches }: Matching,
  names: readonly FoundName[],
  line: LineEvidence,
  model: ShapeModel,
): NamedSign[] {
  const inNames = new Set(names.flatMap((name) => name.signs));
  const bySigns = matches.flatMap(({ from, to, seen }): NamedSign[] => {
    const [first] = seen;
    if (from === to) return [];
    const own = signs.slice(from, to).filter((_, at) => !inNames.has(from + at));
    if (own.length < to - from)
      return own.map(({ sign, scores }) => ({ box: sign, guesses: guessesOf(sign, scores, model, line) }));
    const { sign, scores } = signs[from]!;
    if (sign.isDots) {
      const base = middleOf(sign).y;
      return [{ box: sign, guesses: dots.map((token) => ({ token, log: 0, shape: 0, base, em: null })) }];
    }
    if (seen.length > 1) {
      const ends = [sign.left, ...cutsIn(sign, seen), sign.right];
      return seen.map((one, at) => {
        const box = inkBetween(sign, ends[at]!, ends[at + 1]!);
        return { box, guesses: guessesOfSeen(box, one, model, line), path: one.path };
      });
    }
    const guesses = guessesOf(sign, scores, model, line);
    return [{ box: sign, guesses, ...(first ? { path: first.path } : {}) }];
  });
  const byNames = names.map(
    ({ token, box, shape, base, em }): NamedSign => ({
      box,
      guesses: [{ token, log: 0, shape, base, em }],
      isName: true,
    }),
  );
  return [...bySigns, ...byNames];
}

/** The columns with the least ink, between those where a piece's signs were seen. */
function cutsIn({ left, width, height, ink }: FoundSign, seen: readonly SeenSign[]): number[] {
  const counts = new Float32Array(width);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) counts[x]! += ink[y * width + x]!;
  const share = width / seen.length;
  let last = 0;
  return seen.slice(1).map(({ x }, at) => {
    // a sign is named where it begins, more or less
    const expected = ((x - left + (at + 1) * share) / 2) | 0;
    const middle = Math.max(last + 0.3 * share, Math.min(width - 2, expected));
    const least = { column: Math.round(middle), weight: Number.POSITIVE_INFINITY };
    const to = Math.min(width - 1, middle + 0.4 * share);
    for (let column = Math.max(last + 2, Math.floor(middle - 0.4 * share)); column < to; column++) {
      const weight = counts[column]! + (0.02 * Math.abs(column - middle) * height) / share;
      if (weight < least.weight) Object.assign(least, { column, weight });
    }
    last = least.column;
    return left + least.column;
  });
}

/** The box of a sign's ink in some of its columns. */
function inkBetween(sign: FoundSign, left: number, right: number): Box {
  const inked = Array.from({ length: sign.height }, (_, y) => y).filter((y) =>
    sign.ink
      .subarray(y * sign.width + left - sign.left, y * sign.width + right - sign.left)
      .some((ink) => ink > 0.3),
  );
  const top = inked[0] ?? 0;
  return { left, right, top: sign.top + top, bottom: sign.top + (inked.at(-1) ?? sign.height - 1) + 1 };
}
