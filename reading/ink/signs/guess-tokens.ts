/** What a sign may be: by its shape, and by what the line model has seen where it is. */
import type { Box } from '../../box.ts';
import type { LineEvidence, SeenSign } from './seen-signs.ts';
import type { ShapeModel } from './shape-model.ts';

export interface Guess {
  token: string;
  /** Logarithm of its probability, the line model's evidence included. */
  log: number;
  /** The same by its shape alone, together with the signs that only their neighbours tell from it. */
  shape: number;
  /** Its baseline and its em, px; without an em it stands in the middle of its line, `base`, whatever its size. */
  base: number;
  em: number | null;
}

/** Most shapes considered, and their least probability. */
const mostShapes = 5;
const leastProbability = 0.01;
const leastLog = -7;
/** Weight of the line model's evidence, and what counts as the probability of a token that it has not seen. */
export const lookWeight = 0.7;
const unseen = 0.02;
export const unseenLook = Math.log(unseen);
/** The line model names a sign up to so many frames before its left edge. */
const early = 1.5;
/** Signs that only their neighbours tell apart, and how much of their own shape counts among them. */
const families = [
  '1 l | I /',
  '2 z',
  '9 g q',
  '5 s',
  'a \\alpha \\propto',
  'v u \\nu',
  'r \\Gamma',
  '. ,',
  '( c',
  't +',
];
const familyOf = new Map(
  families.map((family) => family.split(' ')).flatMap((family) => family.map((token) => [token, family])),
);
const familyShare = 0.4;
/** Added for a capital that is drawn like its small letter: there are fewer of them. */
const capitalPrior = -0.8;
const leastFamily = -6;
/** Their height does not show the size of the writing. */
const centred =
  /^(?:[-–—=+<>()[\]|/~*·]|\\(?:[{}]|ast|approx|bot|cap|cdot|circ|cup|div|equiv|geq|in|infty|int|langle|leftarrow|leq|Leftrightarrow|longrightarrow|mid|mp|neg|neq|notin|oint|oplus|otimes|parallel|perp|Pi|pm|prod|propto|rangle|Rightarrow|Sigma|sim|simeq|subset|subseteq|sum|supset|times|to|vee|wedge))$/;
const leastHeight = 0.15;

/** The logarithm of a token's probability by its shape, together with those that look like it. */
export function shapeOf(token: string, scores: Float32Array, model: ShapeModel): number {
  const among = shapesOf(model);
  const shapes = new Set((familyOf.get(token) ?? [token]).flatMap((one) => among.get(one) ?? []));
  const sum = [...shapes].reduce((all, shape) => all + Math.exp(scores[shape]!), 0);
  return Math.max(leastFamily, Math.log(sum));
}

const known = new WeakMap<ShapeModel, Map<string, number>>();

/** Each token's shape. */
export function shapesOf(model: ShapeModel): Map<string, number> {
  let shapes = known.get(model);
  if (!shapes) {
    shapes = new Map(model.shapes.flatMap((tokens, at) => tokens.map((token) => [token, at])));
    known.set(model, shapes);
  }
  return shapes;
}

/** @param scores logarithms of the probabilities of the sign's shapes */
export function guessesOf(
  sign: Box,
  scores: Float32Array,
  model: ShapeModel,
  evidence: LineEvidence,
): Guess[] {
  const shapes = [...scores.keys()].slice(0, -1).sort((a, b) => scores[b]! - scores[a]!);
  const likely = shapes
    .slice(0, mostShapes)
    .filter((shape, rank) => rank === 0 || Math.exp(scores[shape]!) >= leastProbability);
  const tokens = new Set(likely.flatMap((shape) => model.shapes[shape]!));
  const family = [...tokens].slice(0, 2).flatMap((token) => familyOf.get(token) ?? [])[0];
  for (const token of family ? familyOf.get(family)! : [])
    if (scores[shapesOf(model).get(token) ?? 0]! > leastLog) tokens.add(token);
  return [...tokens].map((token) => {
    const together = shapeOf(token, scores, model);
    const alone = Math.max(leastFamily, scores[shapesOf(model).get(token)!]!);
    const rare = isLikeSmall(token, model) ? capitalPrior : 0;
    const log =
      together + familyShare * (alone - together) + lookWeight * lookAt(sign, token, evidence) + rare;
    return guess(token, sign, model, log, together);
  });
}

function isLikeSmall(token: string, model: ShapeModel): boolean {
  const alike = model.shapes[shapesOf(model).get(token)!] ?? [];
  return /^[A-Z]$/.test(token) && alike.includes(token.toLowerCase());
}

/** What a part of a piece may be that the line model has named. */
export function guessesOfSeen(
  part: Box,
  { row }: SeenSign,
  model: ShapeModel,
  { tokens }: LineEvidence,
): Guess[] {
  return [...row.keys()]
    .filter((at) => at > 0 && model.boxes[tokens[at]!])
    .sort((a, b) => row[b]! - row[a]!)
    .slice(0, mostShapes)
    .map((at) => guess(tokens[at]!, part, model, row[at]!, row[at]!));
}

/** Where a letter that is higher than a dash stands: its baseline and its em, px. */
export function letterOn(
  token: string,
  { top, bottom }: Box,
  { boxes }: ShapeModel,
): { base: number; em: number } {
  const [low, high] = boxes[token]!;
  const em = (bottom - top) / (high - low);
  return { base: bottom + low * em, em };
}

function guess(token: string, box: Box, model: ShapeModel, log: number, shape: number): Guess {
  const [low, high] = model.boxes[token]!;
  if (centred.test(token) || high - low < leastHeight)
    return { token, log, shape, base: (box.top + box.bottom) / 2, em: null };
  return { token, log, shape, ...letterOn(token, box, model) };
}

/** The logarithm of the most that the line model says to a token where a sign is. */
export function lookAt({ left, right }: Box, token: string, { looks, width, tokens }: LineEvidence): number {
  const at = tokens.indexOf(token);
  let most = 0;
  for (const { frames, values } of at < 0 ? [] : looks) {
    const from = Math.max(0, Math.floor((left / width) * frames - early));
    const to = Math.min(frames - 1, Math.floor((right / width) * frames));
    for (let frame = from; frame <= to; frame++)
      most = Math.max(most, Math.exp(values[frame * tokens.length + at]!));
  }
  return Math.log(most + unseen);
}
