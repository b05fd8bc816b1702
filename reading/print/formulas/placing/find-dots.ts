/** Three dots above each other or along a diagonal, as in a matrix. Lengths are in x-heights. */
import { around, type Box, middleOf } from '../../../box.ts';
import type { Choice } from './place-signs.ts';

/** Largest side of a dot; commas and dirt are as small. */
const dotSide = 0.45;
/** From one dot to the next, and how exactly both steps are the same. */
const steps = [
  { text: '⋮', right: [-0.16, 0.16], down: [0.5, 1.15] },
  { text: '⋱', right: [0.5, 1.3], down: [0.35, 1] },
] as const;
const sameStep = 0.2;

/** @returns the choices with each three dots as one sign */
export function findDots(choices: readonly Choice[], xHeight: number): Choice[] {
  const dots = choices
    .filter(({ sign, chosen }) => {
      const side = Math.max(sign.right - sign.left, sign.bottom - sign.top);
      return side < dotSide * xHeight && /^[.,·′;:]$/.test(chosen.guess.sign.text);
    })
    .sort((a, b) => a.sign.top - b.sign.top);
  const used = new Set<Choice>();
  const found: Choice[] = [];
  for (const first of dots)
    for (const { text, right, down } of steps) {
      const second = dots.find((dot) => {
        const step = stepOf(first.sign, dot.sign, xHeight);
        return !used.has(dot) && isWithin(step.x, right) && isWithin(step.y, down);
      });
      if (!second || used.has(first)) continue;
      const step = stepOf(first.sign, second.sign, xHeight);
      const third = dots.find((dot) => {
        const next = stepOf(second.sign, dot.sign, xHeight);
        const off = Math.max(Math.abs(next.x - step.x), Math.abs(next.y - step.y));
        return dot !== first && !used.has(dot) && off < sameStep;
      });
      if (!third) continue;
      const group = [first, second, third];
      for (const dot of group) used.add(dot);
      found.push(join(group, text));
    }
  return [...choices.filter((choice) => !used.has(choice)), ...found];
}

const isWithin = (value: number, [least, most]: readonly [number, number]) => value > least && value < most;

function stepOf(from: Box, to: Box, xHeight: number): { x: number; y: number } {
  const [a, b] = [middleOf(from), middleOf(to)];
  return { x: (b.x - a.x) / xHeight, y: (b.y - a.y) / xHeight };
}

function join(dots: readonly Choice[], text: string): Choice {
  const box = around(dots.map(({ sign }) => sign));
  const probability = Math.min(...dots.map(({ chosen }) => chosen.guess.probability));
  const guess = { sign: { face: 'symbol', text, index: -1 }, probability };
  const chosen = { guess, level: 0, baseline: box.bottom, score: 0, isSolid: false, measures: null };
  return { sign: { ...box, guesses: [guess] }, options: [chosen], chosen };
}
