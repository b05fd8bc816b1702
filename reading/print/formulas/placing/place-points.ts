/**
 * Points, commas and full stops: blurred, they look alike, and like dirt. Where they stand on their line tells them
 * apart. Lengths are in x-heights.
 */
import { type Box, median } from '../../../box.ts';
import type { Sign } from '../signs/sign-model.ts';
import { levels } from './find-typeface.ts';
import type { Choice } from './place-signs.ts';

/** How far the lower end of a raised point, and of a comma or full stop, is above the baseline. */
const raised = [0.28, 0.72] as const;
const onLine = [-0.6, 0.22] as const;
const exponent = 1.3;
/** A point belongs to the line of a sign this near. */
const nearby = 2.2;
/** Dots between the columns of a matrix have their line this near. */
const nearDots = 8;
const neighbours = 3;
/** What stands before a comma is this near, and no farther above or below it than this. */
const farthestBefore = 1.5;
const besideRow = { above: 1.1, below: 0.5 };
/** An accent's dot is this close above its letter. */
const overLetter = 0.45;
/** A speck is a comma this close behind a sign, with another sign no farther behind it than after a \qquad. */
const closeBehind = 0.6;
const beforeNext = 6.5;
/** Dots of an ellipsis are this far apart at most; so are the figures of a decimal number from their point. */
const betweenDots = 1.4;
const insideNumber = 0.45;
/** A one is as narrow as a stroke, and farther from what is before it. */
const beforeOne = 0.65;
const ofEllipsis = 3;
/** The next sign of a script is this near; baselines within this are one. */
const nextInScript = 0.8;
const sameBaseline = 0.26;

const textOf = ({ chosen: { guess } }: Choice) => guess.sign.text;
const isMark = (choice: Choice) => /^[.,;·′]$/.test(textOf(choice));
const isPoint = (choice: Choice) => /^[.·]$/.test(textOf(choice));

/** How far right of a fraction a point may be, how far from its line, and how far the line is below the fraction's bar. */
const behindFraction = 0.9;
const offLine = 0.4;
const belowBar = 0.58;

/** @returns the choices without specks that are neither comma nor point */
export function placePoints(choices: readonly Choice[], rules: readonly Box[], xHeight: number): Choice[] {
  const solid = choices.filter((choice) => choice.chosen.isSolid && !isMark(choice) && !choice.sign.isSpeck);
  const kept: Choice[] = [];
  for (const choice of choices) {
    const baseline = isMark(choice)
      ? (lineOfFraction(choice, rules, xHeight) ??
        lineOf(choice, solid, nearby * xHeight, xHeight) ??
        (isOfDots(choice, choices, xHeight) ? lineOf(choice, solid, nearDots * xHeight, xHeight) : null))
      : null;
    if (choice.sign.isSpeck && (baseline === null || !isStop(choice, baseline, solid, xHeight))) continue;
    const script = isPoint(choice) && baseline === null ? raisedInScript(choice, solid, xHeight) : null;
    if (script) {
      place(choice, '·', script.baseline, script.level);
      kept.push(choice);
      continue;
    }
    const isOfScript = isMark(choice) && isInScript(choice, solid, xHeight);
    if (isPoint(choice) && baseline === null && !isOfScript && isDirt(choice, choices, xHeight)) continue;
    if (!isOfScript && beginsRow(choice, choices, xHeight)) {
      if (/^[,;]$/.test(textOf(choice))) continue;
      if (isPoint(choice) && isDirt(choice, choices, xHeight)) continue;
    }
    kept.push(choice);
    if (baseline === null || isOfScript) continue;
    const rise = (baseline - choice.sign.bottom) / xHeight;
    const isRaised = rise > raised[0] && rise < raised[1];
    if (isPoint(choice)) place(choice, isRaised ? '·' : '.', baseline);
    else if (/^[,;]$/.test(textOf(choice))) place(choice, textOf(choice), baseline);
    else if (choice.sign.isSpeck) place(choice, ',', baseline);
  }
  for (const choice of kept) {
    const other =
      textOf(choice) === '.' && kept.find((one) => textOf(one) === '·' && isBeside(one, choice, xHeight));
    if (other) place(choice, '·', other.chosen.baseline);
  }
  for (const choice of kept)
    if (textOf(choice) === '.' && isComma(choice, kept, xHeight)) place(choice, ',', choice.chosen.baseline);
  return kept;
}

const gapX = (a: Choice, b: Choice) =>
  Math.max(0, Math.max(a.sign.left, b.sign.left) - Math.min(a.sign.right, b.sign.right));

/** The baseline of the nearest signs of full size that has the point beside it, not over or under it. */
function lineOf(point: Choice, solid: readonly Choice[], reach: number, xHeight: number): number | null {
  const near = solid
    .filter(({ chosen: { level, baseline } }) => {
      const rise = (baseline - point.sign.bottom) / xHeight;
      return level === 0 && rise > onLine[0] && rise < raised[1];
    })
    .filter((other) => gapX(other, point) < reach)
    .sort((a, b) => gapX(a, point) - gapX(b, point))
    .slice(0, neighbours);
  return near.length > 0 ? median(near.map(({ chosen }) => chosen.baseline)) : null;
}

/** The baseline of the fraction right before a point: nothing else beside it may be of full size. */
function lineOfFraction({ sign }: Choice, rules: readonly Box[], xHeight: number): number | null {
  const lines = rules
    .filter(({ right }) => sign.left - right > -0.2 * xHeight && sign.left - right < behindFraction * xHeight)
    .map(({ top, bottom }) => (top + bottom) / 2 + belowBar * xHeight);
  return lines.find((line) => Math.abs(sign.bottom - line) < offLine * xHeight) ?? null;
}

/** Whether nothing stands before it, as it does before every comma. */
function beginsRow({ sign }: Choice, choices: readonly Choice[], xHeight: number): boolean {
  return !choices.some(
    (other) =>
      other.sign.left < sign.left &&
      sign.left - other.sign.right < farthestBefore * xHeight &&
      // a script before it, or a numerator
      other.sign.bottom > sign.top - besideRow.above * xHeight &&
      other.sign.top < sign.bottom + besideRow.below * xHeight,
  );
}

/** Whether a point is one of three dots or more. */
function isOfDots(point: Choice, choices: readonly Choice[], xHeight: number): boolean {
  const beside = choices.filter(
    (other) =>
      other !== point &&
      isPoint(other) &&
      gapX(point, other) < (ofEllipsis - 1) * betweenDots * xHeight &&
      Math.abs(point.sign.top - other.sign.top) < 0.2 * xHeight,
  );
  return isPoint(point) && beside.length >= ofEllipsis - 1;
}

/** Whether two dots are of one ellipsis. */
function isBeside(one: Choice, other: Choice, xHeight: number): boolean {
  return gapX(one, other) < betweenDots * xHeight && Math.abs(one.sign.top - other.sign.top) < 0.2 * xHeight;
}

/** Whether a point as high as an exponent has nothing over or under it, as an accent would, nor another beside it. */
function isDirt(point: Choice, choices: readonly Choice[], xHeight: number): boolean {
  const isAbove = choices.some((other) => {
    const { level, baseline, isSolid } = other.chosen;
    const rise = (baseline - point.sign.bottom) / xHeight;
    const isNear = gapX(other, point) < nearby * xHeight;
    return isSolid && level === 0 && isNear && rise > raised[1] && rise < exponent;
  });
  return (
    isAbove &&
    choices.every(
      (other) =>
        other === point || (gapX(other, point) > 0 && !(isMark(other) && isBeside(point, other, xHeight))),
    )
  );
}

/** Whether a speck stands where a comma does, between two signs of its line. */
function isStop(speck: Choice, baseline: number, solid: readonly Choice[], xHeight: number): boolean {
  const rise = (baseline - speck.sign.bottom) / xHeight;
  if (rise < onLine[0] || rise > onLine[1]) return false;
  const { left, right } = speck.sign;
  const isBehind = solid.some(
    ({ sign, chosen }) =>
      Math.abs(chosen.baseline - baseline) < 0.9 * xHeight &&
      sign.right <= left + 0.1 * xHeight &&
      left - sign.right < closeBehind * xHeight,
  );
  const isBefore = solid.some(
    ({ sign, chosen: { level, baseline: own } }) =>
      level === 0 &&
      Math.abs(own - baseline) < sameBaseline * xHeight &&
      sign.left >= right &&
      sign.left - right < beforeNext * xHeight,
  );
  return isBehind && isBefore;
}

/** A comma stands in a script only before another sign of it: it blurs to the size of a script's. */
function isInScript({ sign, chosen }: Choice, solid: readonly Choice[], xHeight: number): boolean {
  return (
    chosen.level > 0 &&
    solid.some(
      ({ sign: other, chosen: { level, baseline } }) =>
        level === chosen.level &&
        other.left >= sign.left &&
        other.left - sign.right < nextInScript * xHeight &&
        Math.abs(baseline - chosen.baseline) < sameBaseline * xHeight,
    )
  );
}

/** The line of a script with signs on both sides of a point at half their height. */
function raisedInScript(
  point: Choice,
  solid: readonly Choice[],
  xHeight: number,
): { baseline: number; level: number } | null {
  const near = solid.filter((other) => {
    const { chosen } = other;
    const rise = (chosen.baseline - point.sign.bottom) / xHeight / levels[chosen.level]!;
    const isBeside = gapX(other, point) < nextInScript * xHeight;
    return chosen.level > 0 && isBeside && rise > raised[0] && rise < raised[1];
  });
  const before = near.find(({ sign }) => sign.right <= point.sign.left);
  const behind = near.find(
    ({ sign, chosen }) => sign.left >= point.sign.right && chosen.level === before?.chosen.level,
  );
  return before && behind ? before.chosen : null;
}

/** A full stop with a sign behind it on its line is a comma, except in a number and in an ellipsis. */
function isComma(stop: Choice, all: readonly Choice[], xHeight: number): boolean {
  if (isAccent(stop, all, xHeight)) return false;
  const onIt = all.filter(
    (other) =>
      other !== stop &&
      other.chosen.level === stop.chosen.level &&
      Math.abs(other.chosen.baseline - stop.chosen.baseline) < sameBaseline * xHeight,
  );
  const dots = onIt.filter(
    (other) => isPoint(other) && gapX(other, stop) < ofEllipsis * betweenDots * xHeight,
  );
  const isDotNear = dots.some((other) => gapX(other, stop) < betweenDots * xHeight);
  // a fourth dot is the comma behind an ellipsis
  if (isDotNear && dots.filter(({ sign }) => sign.left < stop.sign.left).length !== ofEllipsis) return false;
  const isFigure = (other: Choice) =>
    /^\d$/.test(textOf(other)) &&
    gapX(other, stop) < (textOf(other) === '1' ? beforeOne : insideNumber) * xHeight;
  const before = onIt.filter(({ sign }) => sign.right <= stop.sign.left + 0.1 * xHeight);
  // the sign of a proof's end is beside the formula
  const after = onIt.filter(
    (other) => other.sign.left >= stop.sign.right - 0.1 * xHeight && textOf(other) !== '□',
  );
  return before.length > 0 && after.length > 0 && !(before.some(isFigure) && after.some(isFigure));
}

/** Whether a letter is right below a point, as below the dot of a derivative. */
function isAccent({ sign }: Choice, all: readonly Choice[], xHeight: number): boolean {
  const x = (sign.left + sign.right) / 2;
  return all.some(
    (other) =>
      /^\p{L}$/u.test(textOf(other)) &&
      x > other.sign.left &&
      x < other.sign.right &&
      other.sign.top > sign.bottom - 1 &&
      other.sign.top - sign.bottom < overLetter * xHeight,
  );
}

/** Names the point and puts it on its line, at full size unless it is a script's. */
function place(choice: Choice, text: string, baseline: number, size = 0): void {
  const { chosen, options } = choice;
  const known = options.find(({ level, guess }) => level === size && guess.sign.text === text);
  const sign: Sign = { ...chosen.guess.sign, text };
  choice.chosen = {
    ...(known ?? { ...chosen, guess: { ...chosen.guess, sign }, level: size }),
    baseline,
  };
}
