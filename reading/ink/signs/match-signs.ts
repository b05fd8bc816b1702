/**
 * Matches signs found by their ink with what the line model has seen. Usually one is the other; but the line model misses
 * small signs, signs touch, and the letters of a function are one token.
 */
import type { Box } from '../../box.ts';
import type { SeenSign } from './seen-signs.ts';

/** Signs from `from` to before `to` are what the line model has named `seen`, in its order. */
export interface Match {
  from: number;
  to: number;
  seen: readonly SeenSign[];
}

export interface Matching {
  matches: Match[];
  /** The lower, the better both agree. */
  cost: number;
}

/** A function's name is one token of the line model. */
export const functionName =
  /^\\(?:arc(?:cos|sin|tan)|arg|cosh?|cot|csc|deg|det|dim|exp|gcd|inf|ker|l[gn]|lim|log|max|min|mod|sec|sinh?|sup|tanh?)$/;

/**
 * Costs, as logarithms of probabilities: a sign that was not seen, a seen one without ink (times its probability), a piece
 * of ink that is two signs, each further one, if one of them is surely all of it; a function's name, and each letter more or less.
 */
const costs = { unseen: 1.5, inkless: 2.5, touching: 0.9, more: 0.5, sure: 2.5, name: 0.3, letter: 0.25 };
const sureShape = 0.5;
const mostTouching = 4;
/** Weight of a shape's logarithm, and the least one. */
const shapeWeight = 0.35;
const leastShape = -4;
/** The same of a piece that is several signs, though by its shape it is one. */
const wholeWeight = 0.15;
/** A sign is named up to so many frames before its left edge; beyond that each usual length costs this much. */
export const early = 2;
const farCost = 3;
const asideCost = 0.3;
/** Of several signs in one piece, each is named in its own part of it. */
const lateCost = 1.5;
/** Letters farther apart than this, in usual lengths, are no name. */
const nameGap = 0.8;

/**
 * @param shapeOf the logarithm of the probability that a sign is a token, by its shape
 * @param severalOf the logarithm of the probability that it is part of a sign, or several
 * @param frame width of one of the line model's frames, px
 * @param size the usual length of a sign, px
 */
export function matchSigns(
  signs: readonly Box[],
  seen: readonly SeenSign[],
  shapeOf: (sign: number, token: string) => number,
  severalOf: (sign: number) => number,
  { frame, size }: { frame: number; size: number },
): Matching {
  const width = seen.length + 1;
  /** The cheapest way to explain the first signs by the first seen ones, and where its last step began. */
  const best: { cost: number; signs: number; seen: number }[] = [{ cost: 0, signs: 0, seen: 0 }];
  const beyond = (left: number, right: number, x: number) =>
    (farCost * Math.max(0, left - early * frame - x, x - right)) / size;

  for (let i = 0; i <= signs.length; i++)
    for (let j = 0; j <= seen.length; j++) {
      const here = best[i * width + j]!;
      const explain = (ink: number, named: number, cost: number) => {
        const at = (i + ink) * width + j + named;
        const total = here.cost + cost;
        if (!best[at] || total < best[at].cost) best[at] = { cost: total, signs: i, seen: j };
      };
      const sign = signs[i];
      const next = seen[j];
      if (sign) {
        explain(1, 0, costs.unseen);
        let far = 0;
        let surest = 0;
        for (const [at, one] of seen.slice(j, j + mostTouching).entries()) {
          if (functionName.test(one.token)) break;
          const shape = shapeOf(i, one.token);
          surest = Math.max(surest, Math.exp(shape));
          far += beyond(sign.left, sign.right, one.x);
          if (at === 0) {
            const aside = (asideCost * Math.abs(one.x - sign.left)) / size;
            explain(1, 1, far + aside - shapeWeight * Math.max(shape, leastShape));
            far += aside;
          } else {
            const part = sign.left + ((at + 0.5) / (at + 1)) * 0.9 * (sign.right - sign.left);
            far += (lateCost * Math.max(0, one.x - part - frame)) / size;
            const several = costs.touching + costs.more * (at - 1);
            const whole = -wholeWeight * Math.max(leastShape, severalOf(i));
            explain(1, at + 1, far + several + whole + (surest > sureShape ? costs.sure : 0));
          }
        }
      }
      if (!next) continue;
      explain(0, 1, costs.inkless * next.probability);
      if (!functionName.test(next.token)) continue;
      const letters = next.token.length - 1;
      for (let count = 1; count <= letters + 1 && i + count <= signs.length; count++) {
        const [first, last] = [signs[i]!, signs[i + count - 1]!];
        if (count > 1 && last.left - signs[i + count - 2]!.right > nameGap * size) break;
        const inexact = costs.letter * Math.abs(count - letters);
        explain(count, 1, beyond(first.left, last.right, next.x) + costs.name + inexact);
      }
    }

  const matches: Match[] = [];
  for (let [i, j] = [signs.length, seen.length]; i > 0 || j > 0; ) {
    const { signs: from, seen: first } = best[i * width + j]!;
    matches.push({ from, to: i, seen: seen.slice(first, j) });
    [i, j] = [from, first];
  }
  return { matches: matches.reverse(), cost: best[signs.length * width + seen.length]!.cost };
}
