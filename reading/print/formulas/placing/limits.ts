/** Signs over and under large operators and names such as lim: those are limits. Lengths are in x-heights. */
import type { Box } from '../../../box.ts';
import { around } from '../../../box.ts';
import type { Choice } from './place-signs.ts';

/** Of a large operator: its least height, and how far its limits are from it and beyond its sides. */
const operator = { height: 2.2, away: 1.2, beyond: 0.8 };
/** The same of a name, which has limits only below. */
const name = { away: 1.2, beyond: 1.6 };
const namesWithLimits = /(?:lim|max|min|sup|inf)$/;
/** Letters of a name are this close, on one line within this. */
const withinName = 0.45;
const sameLine = 0.3;

const middleX = (box: Box) => (box.left + box.right) / 2;

/** The boxes of names that have limits, such as lim and max. */
export function findNames(choices: readonly Choice[], xHeight: number): Box[] {
  const letters = choices
    .filter(({ chosen: { guess, level } }) => level === 0 && /^[a-z1]$/.test(guess.sign.text))
    .sort((a, b) => a.sign.left - b.sign.left);
  const runs: Choice[][] = [];
  for (const letter of letters) {
    const run = runs.find((own) => {
      const last = own.at(-1)!;
      const gap = letter.sign.left - last.sign.right;
      const isOnLine = Math.abs(letter.chosen.baseline - last.chosen.baseline) < sameLine * xHeight;
      return gap < withinName * xHeight && letter.sign.left > last.sign.left && isOnLine;
    });
    if (run) run.push(letter);
    else runs.push([letter]);
  }
  return runs.flatMap((run) => {
    const text = run.map(({ chosen }) => chosen.guess.sign.text.replace('1', 'l')).join('');
    return namesWithLimits.test(text) ? [around(run.slice(-3).map(({ sign }) => sign))] : [];
  });
}

/** Whether a sign stands where a limit of an operator or a name does. */
export function isLimit(
  sign: Box,
  choices: readonly Choice[],
  names: readonly Box[],
  rules: readonly Box[],
  xHeight: number,
): boolean {
  const x = middleX(sign);
  const isBeside = (other: Box, beyond: number) =>
    x > other.left - beyond * xHeight && x < other.right + beyond * xHeight;
  const isUnder = names.some((other) => {
    const away = (sign.top - other.bottom) / xHeight;
    return isBeside(other, name.beyond) && away > 0 && away < name.away;
  });
  if (isUnder) return true;
  return choices.some(({ sign: other, chosen }) => {
    if (chosen.guess.sign.face !== 'large' || other.bottom - other.top < operator.height * xHeight)
      return false;
    if (!isBeside(other, operator.beyond)) return false;
    const away = Math.max(other.top - sign.bottom, sign.top - other.bottom) / xHeight;
    const isBetween = ({ left, right, top, bottom }: Box) =>
      x > left &&
      x < right &&
      top > Math.min(sign.top, other.top) &&
      bottom < Math.max(sign.bottom, other.bottom);
    return away > -0.2 && away < operator.away && !rules.some(isBetween);
  });
}

/** What an equals sign looks like that touches, or nearly touches, the letter before it. */
const likeEquals = /^[⊢⊨∈⊦⊣]$/;
/** The next sign of a limit is this near. */
const besideInLimit = 0.7;
/** Share of "i=" that its letter is, where both are one sign. */
const letterShare = 0.35;

/** Before a figure, a limit has an equals sign: "i=1" under a sum. */
export function readEquals(
  choices: readonly Choice[],
  limits: ReadonlySet<Choice>,
  xHeight: number,
): Choice[] {
  return choices.flatMap((choice) => {
    const { sign, chosen } = choice;
    if (!limits.has(choice) || !likeEquals.test(chosen.guess.sign.text)) return [choice];
    const beside = (distance: (other: Box) => number) =>
      choices.find(
        ({ sign: other }) =>
          Math.abs(distance(other)) < besideInLimit * xHeight &&
          other.top < middleY(sign) &&
          other.bottom > middleY(sign),
      );
    const figure = beside((other) => other.left - sign.right);
    if (!figure || !/^\d$/.test(figure.chosen.guess.sign.text)) return [choice];
    const { level, baseline } = figure.chosen;
    const named = (box: Box, face: string, text: string): Choice => {
      const guess = { sign: { face, text, index: -1 }, probability: chosen.guess.probability };
      const option = { guess, level, baseline, score: 0, isSolid: false, measures: null };
      return { sign: { ...box, guesses: [guess] }, options: [option], chosen: option };
    };
    const letter = beside((other) => sign.left - other.right);
    if (letter) return [named(sign, 'symbol', '=')];
    const end = sign.left + letterShare * (sign.right - sign.left);
    return [named({ ...sign, right: end }, 'italic', 'i'), named({ ...sign, left: end }, 'symbol', '=')];
  });
}

const middleY = (box: Box) => (box.top + box.bottom) / 2;
