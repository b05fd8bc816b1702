/** Finds the names of functions: each of their letters may be misread by itself, all together hardly. */
import { around, type Box, heightOf, median, middleOf, widthOf } from '../../box.ts';
import { functionNames } from '../line/name-functions.ts';
import type { FoundSign } from './find-signs.ts';
import { guessesOf, letterOn, lookAt, lookWeight, shapeOf, unseenLook } from './guess-tokens.ts';
import { functionName, type Matching } from './match-signs.ts';
import type { LineEvidence } from './seen-signs.ts';
import type { ShapeModel } from './shape-model.ts';

/** Letters of a name, in usual lengths: how far one may be from the next, and how far they may overlap. */
const widestGap = 0.7;
const mostOverlap = 0.5;
/** They share this much of the lower one's height, and one is at most so many times as high as another. */
const leastLevel = 0.25;
const mostTimes = 3;
/** How far they are off one line, in usual lengths; how many times as high as another one without ascender and descender is. */
const offLine = 0.35;
const mostTimesLow = 2;
/** Logarithms: what a name is likelier than other signs in a row, for each letter and less this; the least for a letter. */
const letterGain = 3.5;
const nameCost = 8.8;
const leastLetter = -6;
/** Two letters make a name only if the line model says so. */
const leastLook = 2;
/** What else a letter looks like, and how likely it then is (a logarithm): an i without its dot, or one that is in the way. */
const alike: Record<string, readonly string[]> = { i: ['1', ','], o: ['a'], a: ['o'], n: ['h', 'u'] };
const alikeCost = 1.5;
/** In usual lengths: the least height of a letter, and how far below the highest one a limit begins. */
const leastTall = 0.4;
const mostBelow = 0.1;
/** Of a name's last letter: how near it is, how level, and how likely by its shape. */
const lastGap = 0.6;
const lastOff = 0.4;
const likelyLast = Math.log(0.2);
/** The dot of an i: its size, and how far it is above the letters, in usual lengths; it is in their upper half. */
const dotSize = 0.4;
const dotReach = 0.8;

export interface FoundName {
  token: string;
  box: Box;
  /** Indices of its letters. */
  signs: number[];
  /** Its letters' mean probability, a logarithm. */
  shape: number;
  /** Its baseline and its em, px; without an em, the middle of its height. */
  base: number;
  em: number | null;
}

export interface ScoredSign {
  sign: FoundSign;
  /** Logarithms of its shapes' probabilities. */
  scores: Float32Array;
}

/**
 * @param signs from left to right
 * @param size the usual length of a sign, px
 * @returns none that share a letter
 */
export function findNames(
  signs: readonly ScoredSign[],
  matching: Matching,
  line: LineEvidence,
  model: ShapeModel,
  size: number,
): FoundName[] {
  const all = [
    ...readByLetters(signs, matching, model),
    ...spelled(signs, line, model, size),
    ...readAsOne(signs, matching, model, size),
  ];
  return withoutShared(all);
}

function withoutShared(names: readonly FoundName[]): FoundName[] {
  const taken = new Set<number>();
  return names.filter(({ signs }) => {
    if (signs.some((at) => taken.has(at))) return false;
    for (const at of signs) taken.add(at);
    return true;
  });
}

/** By the shapes of signs that follow each other on one line, likeliest first. */
function spelled(
  signs: readonly ScoredSign[],
  line: LineEvidence,
  model: ShapeModel,
  size: number,
): FoundName[] {
  const best = signs.map(({ sign, scores }) =>
    Math.max(...guessesOf(sign, scores, model, line).map(({ log }) => log)),
  );
  const boxOf = (at: number) => signs[at]!.sign;
  /** By how much it is likelier a letter than what it is likeliest. */
  const letter = (at: number, token: string) => {
    const { sign, scores } = signs[at]!;
    if (sign.isDots) return Number.NEGATIVE_INFINITY;
    const as = (said: string) => shapeOf(said, scores, model) + lookWeight * lookAt(sign, said, line);
    const others = (alike[token] ?? []).map((said) => as(said) - alikeCost);
    return Math.max(leastLetter, as(token), ...others) - best[at]!;
  };
  const found: (FoundName & { gain: number })[] = [];
  const spell = (name: string, chain: readonly number[], sum: number) => {
    if (chain.length < name.length) {
      const last = boxOf(chain.at(-1)!);
      for (let at = chain.at(-1)! + 1; at < signs.length; at++) {
        if (boxOf(at).left > last.right + widestGap * size) break;
        if (follows(last, boxOf(at), size))
          spell(name, [...chain, at], sum + letter(at, name[chain.length]!));
      }
      return;
    }
    if (!areLevel(name, chain.map(boxOf), size)) return;
    const own = withDots(chain, signs, size);
    const box = around(own.map(boxOf));
    const look = lookAt(box, `\\${name}`, line) - unseenLook;
    const gain = sum + letterGain * name.length - nameCost + look;
    if (gain <= 0 || (name.length === 2 && look < leastLook)) return;
    const shapes = chain.map((at, which) => shapeOf(name[which]!, signs[at]!.scores, model));
    found.push({
      token: `\\${name}`,
      box,
      signs: own,
      shape: shapes.reduce((all, shape) => all + shape, 0) / name.length,
      ...standsOf(name, chain.map(boxOf), model),
      gain,
    });
  };
  for (const name of functionNames) for (const at of signs.keys()) spell(name, [at], letter(at, name[0]!));
  return withoutShared(found.sort((a, b) => b.gain - a.gain));
}

/** Letter by letter by the line model, in signs that are nothing else; letters may touch. */
function readByLetters(signs: readonly ScoredSign[], { matches }: Matching, model: ShapeModel): FoundName[] {
  const inked = matches.filter(({ from, to }) => to > from);
  return inked.flatMap((_, start): FoundName[] => {
    for (const name of functionNames) {
      const own: typeof inked = [];
      let said = '';
      for (const match of inked.slice(start)) {
        if (said.length >= name.length || match.seen.length === 0) break;
        own.push(match);
        said += match.seen.map(({ token }) => token.toLowerCase()).join('');
      }
      if (said !== name) continue;
      const indices = own.flatMap(between);
      const boxes = indices.map((at) => signs[at]!.sign);
      const box = around(boxes);
      const seen = own.flatMap((match) => match.seen);
      const areApart = own.every(({ from, to, seen: letters }) => to === from + 1 && letters.length === 1);
      return [
        {
          token: `\\${name}`,
          box,
          signs: indices,
          shape: seen.reduce((sum, { probability }) => sum + Math.log(probability), 0) / name.length,
          ...(areApart ? standsOf(name, boxes, model) : { base: middleOf(box).y, em: null }),
        },
      ];
    }
    return [];
  });
}

/** As one token by the line model: what is on one line where it was seen, to the name's last letter; limits begin before that. */
function readAsOne(
  signs: readonly ScoredSign[],
  { matches }: Matching,
  model: ShapeModel,
  size: number,
): FoundName[] {
  const boxOf = (at: number) => signs[at]!.sign;
  return matches.flatMap((match): FoundName[] => {
    const { to, seen } = match;
    const [first] = seen;
    const all = between(match);
    if (all.length === 0 || !first || !functionName.test(first.token)) return [];
    const name = first.token.slice(1);
    const tall = all.filter((at) => heightOf(boxOf(at)) >= leastTall * size);
    const highest = (tall.length > 0 ? tall : all).reduce((a, b) => (boxOf(b).top < boxOf(a).top ? b : a));
    const own = all.filter((at) => boxOf(at).top < boxOf(highest).bottom - mostBelow * size);
    for (let at = to; at < signs.length && own.length < name.length; at++) {
      const { sign, scores } = signs[at]!;
      const last = around(own.map(boxOf));
      const gap = (sign.left - last.right) / size;
      const isLast =
        gap > -mostOverlap &&
        gap < lastGap &&
        Math.abs(sign.bottom - last.bottom) < lastOff * size &&
        shapeOf(name.at(-1)!, scores, model) > likelyLast;
      if (isLast) own.push(at);
    }
    const letters = withDots(own, signs, size);
    const box = around(letters.map(boxOf));
    return [
      {
        token: first.token,
        box,
        signs: letters,
        shape: Math.log(first.probability),
        base: middleOf(box).y,
        em: null,
      },
    ];
  });
}

const between = ({ from, to }: { from: number; to: number }): number[] =>
  Array.from({ length: to - from }, (_, by) => from + by);

function standsOf(name: string, letters: readonly Box[], model: ShapeModel): { base: number; em: number } {
  const each = letters.map((box, which) => letterOn(name[which]!, box, model));
  return { base: median(each.map(({ base }) => base)), em: median(each.map(({ em }) => em)) };
}

function follows(last: Box, next: Box, size: number): boolean {
  const [high, low] = [heightOf(last), heightOf(next)];
  const level = Math.min(last.bottom, next.bottom) - Math.max(last.top, next.top);
  return (
    next.left > last.right - mostOverlap * size &&
    next.right > last.right &&
    level >= leastLevel * Math.min(high, low) &&
    Math.max(high, low) <= mostTimes * Math.min(high, low)
  );
}

/** All letters stand on one line, and those without ascenders and descenders are about equally high. */
function areLevel(name: string, letters: readonly Box[], size: number): boolean {
  const feet = letters.filter((_, at) => !/[gp]/.test(name[at]!)).map(({ bottom }) => bottom);
  const low = letters.filter((_, at) => /[acemnosx]/.test(name[at]!)).map(heightOf);
  return (
    Math.max(...feet) - Math.min(...feet) <= offLine * size &&
    Math.max(...low) <= mostTimesLow * Math.min(...low)
  );
}

/** These letters, and the dot of an i that is by itself. */
function withDots(letters: readonly number[], signs: readonly ScoredSign[], size: number): number[] {
  const name = around(letters.map((at) => signs[at]!.sign));
  const isDot = (sign: Box) => {
    const { x } = middleOf(sign);
    return (
      Math.max(heightOf(sign), widthOf(sign)) < dotSize * size &&
      x > name.left &&
      x < name.right &&
      sign.bottom < middleOf(name).y &&
      sign.bottom > name.top - dotReach * size
    );
  };
  const dots = [...signs.keys()].filter((at) => !letters.includes(at) && isDot(signs[at]!.sign));
  return [...letters, ...dots];
}
