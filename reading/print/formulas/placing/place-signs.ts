/**
 * Converts signs with boxes to glyphs with a size and a baseline, as the formula parser requires: a sign's class, its
 * size and its baseline are determined together. Output lengths are those of ten-point text in Computer Modern,
 * whatever the scan's scale and typeface.
 */

import type { Box } from '../../../box.ts';
import { median } from '../../../box.ts';
import type { Rule } from '../../../text-layer/model.ts';
import type { ReadSign, SheetSigns } from '../signs/read-signs.ts';
import type { Guess, SignMeasures, Typeface } from '../signs/sign-model.ts';
import { findColumnRules } from './column-rules.ts';
import { findDots } from './find-dots.ts';
import { isOfAnySize, levelPriors, levels, misfit, type Print, withoutDot } from './find-typeface.ts';
import { findNames, isLimit, readEquals } from './limits.ts';
import { markAccents, type PlacedGlyph, type PlacedSigns } from './mark-accents.ts';
import { placePoints } from './place-points.ts';
import { fontOf, roleOf } from './sign-faces.ts';
import { darknessOf, markBold, weighOptions } from './weigh-ink.ts';

/** Text size in the parser's points, and its x-height in Computer Modern. */
const textSize = 10;
const xHeightPoints = 4.31;
const leastProbability = 0.01;
/** Less likely by this (log probability): a letter without its dot. */
const lostDot = 1;
const rounds = 3;
/** In x-heights: largest difference within one baseline, and largest distance of a neighbour. */
const sameBaseline = 0.13;
const farthestNeighbour = 7;
const withinBracket = 0.5;
/** How far a figure may be above the brackets around it. */
const aboveFigure = 0.15;

export interface Option {
  guess: Guess;
  /** Index into `levels`. */
  level: number;
  baseline: number;
  /** Log probability from shape and size alone. */
  score: number;
  /** Whether its baseline is evidence of its row. */
  isSolid: boolean;
  /** In x-heights of its level; null for signs drawn in many sizes. */
  measures: SignMeasures | null;
}

export interface Choice {
  sign: ReadSign;
  options: Option[];
  chosen: Option;
  /** Whether it is bold by its ink, although its guess is not. */
  isBold?: boolean;
}

const middleX = (box: Box) => (box.left + box.right) / 2;

/**
 * @param about approximate x-height of the text, in the boxes' pixels, and the typeface whose metrics apply
 */
export function placeSigns({ signs, rules }: SheetSigns, { xHeight, typeface }: Print): PlacedSigns {
  const all = signs
    .filter(({ guesses: [first] }) => first!.sign.text !== '')
    .map((sign) => choose(sign, xHeight, typeface));
  weighOptions(all, darknessOf(all, xHeight), xHeight);
  let choices = all.filter(({ sign }) => !sign.isSpeck);
  const names = findNames(choices, xHeight);
  const limits = new Set(choices.filter(({ sign }) => isLimit(sign, choices, names, rules, xHeight)));
  for (let round = 0; round < rounds; round++) {
    const solid = choices.filter(({ chosen }) => chosen.isSolid);
    for (const choice of choices) {
      if (choice.options.length < 2) continue;
      const near = solid.filter(
        (other) => other !== choice && gapX(other.sign, choice.sign) < farthestNeighbour * xHeight,
      );
      choice.chosen = best(
        choice.options,
        (option) =>
          option.score +
          support(option, choice, near, xHeight) -
          (option.level === 0 && limits.has(choice) ? limitPenalty : 0),
      );
    }
  }
  readOnes(choices, xHeight);
  enlargeBrackets(choices, xHeight);
  lowerStars(choices, xHeight);
  choices = readEquals(placePoints(findDots(all, xHeight), rules, xHeight), limits, xHeight);
  slantLetters(choices, xHeight);
  markBold(choices, darknessOf(choices, xHeight), xHeight);
  choices = joinBars(choices, xHeight);
  const upright = findColumnRules(choices, xHeight);
  choices = choices.filter((choice) => !upright.includes(choice));
  const slope = slopeOf(choices, xHeight);
  snap(choices, slope, xHeight);
  const glyphs = choices.map((choice) => toGlyph(choice, slope, xHeight));
  const points = xHeightPoints / xHeight;
  const bars = upright.map(({ sign }) => ({ box: sign, horizontal: false }));
  const lines = [...rules.map((box) => ({ box, horizontal: true })), ...bars].map(
    ({ box: rule, horizontal }): Rule => {
      const shift = slope * middleX(rule);
      return {
        x0: rule.left * points,
        x1: rule.right * points,
        y0: (rule.top - shift) * points,
        y1: (rule.bottom - shift) * points,
        horizontal,
      };
    },
  );
  return markAccents(glyphs, lines);
}

/** Less likely by this (log probability): full size over or under a large operator, where its limits stand. */
const limitPenalty = 6;
function best<T>(options: readonly T[], score: (option: T) => number): T {
  return options.reduce((a, b) => (score(b) > score(a) ? b : a));
}

const gapX = (a: Box, b: Box) => Math.max(0, Math.max(a.left, b.left) - Math.min(a.right, b.right));

function choose(sign: ReadSign, xHeight: number, typeface: Typeface): Choice {
  const options: Option[] = [];
  for (const guess of sign.guesses) {
    // that a piece may be several signs is no evidence of which
    if (guess.sign.text === '' || (guess.probability < leastProbability && options.length > 0)) continue;
    const score = Math.log(Math.max(1e-9, guess.probability));
    const ofText = typeface.text[guess.sign.index] ?? null;
    if (!ofText || isOfAnySize(guess, sign, xHeight, typeface)) {
      const baseline = (sign.top + sign.bottom) / 2 + 0.58 * xHeight;
      options.push({ guess, level: 0, baseline, score, isSolid: false, measures: null });
      continue;
    }
    const isSolid = guess.sign.face !== 'accent';
    if (sign.baseline !== undefined) {
      options.push({ guess, level: 0, baseline: sign.baseline, score, isSolid, measures: ofText });
      continue;
    }
    levels.forEach((size, level) => {
      const whole = level === 0 ? ofText : (typeface.script[guess.sign.index] ?? ofText);
      for (const measures of [whole, ...withoutDot(guess.sign.text, whole)]) {
        const unit = xHeight * size;
        const off = misfit(sign, measures, unit);
        const byTop = sign.top - measures.top * unit;
        const byBottom = sign.bottom - (measures.top + measures.height) * unit;
        options.push({
          guess,
          level,
          baseline: (byTop + byBottom) / 2,
          score:
            score - Math.min(12, (off * off) / 2) + levelPriors[level]! - (measures === whole ? 0 : lostDot),
          isSolid,
          measures,
        });
      }
    });
  }
  const chosen = best(options, ({ score }) => score);
  return { sign, options: options.filter(({ score }) => score > chosen.score - 6), chosen };
}

/** Evidence from the neighbours for an option: others on its baseline, or its base if it is a script. */
function support(option: Option, { sign }: Choice, near: readonly Choice[], xHeight: number): number {
  const same = near.filter(({ chosen }) => chosen.level === option.level);
  const onIt = same.some(
    ({ chosen }) => Math.abs(chosen.baseline - option.baseline) < sameBaseline * xHeight,
  );
  if (option.level === 0) {
    if (!option.isSolid) return 0;
    if (onIt) return 1.5;
    // a separate row is possible, a step off the neighbours' baseline is not
    const isStep = same.some(({ sign: other, chosen }) => {
      const off = Math.abs(chosen.baseline - option.baseline);
      return off < 1.1 * xHeight && gapX(other, sign) < 1.5 * xHeight;
    });
    return isStep ? -1.5 : 0;
  }
  const larger = near.filter(({ chosen }) => chosen.level === option.level - 1);
  const isScript = larger.some(({ sign: other, chosen }) => {
    const behind = sign.left - other.right;
    const rise = chosen.baseline - option.baseline;
    const size = levels[option.level - 1]! * xHeight;
    return (
      behind > -0.8 * size &&
      behind < 2.5 * size &&
      ((rise > 0.55 * size && rise < 1.5 * size) || (rise < -0.2 * size && rise > -0.9 * size))
    );
  });
  // points are always small
  const isPoint = /^[.,:;·]$/.test(option.guess.sign.text);
  // a nested script without a script before it
  const isLoose = option.level === 2 && !isScript && !onIt;
  return (onIt ? 1 : 0) + (isScript && !isPoint ? 0.7 : 0) - (isLoose ? 1.5 : 0);
}

/** A stroke that might be the digit one is a letter only next to letters. */
function readOnes(choices: readonly Choice[], xHeight: number): void {
  const isLetter = ({ chosen: { guess } }: Choice) =>
    guess.sign.face === 'roman' && /^[a-zA-Z]+$/.test(guess.sign.text);
  for (const choice of choices) {
    if (!isLetter(choice) || !/^[lI]$/.test(choice.chosen.guess.sign.text)) continue;
    const { sign, chosen } = choice;
    const isInWord = choices.some(
      (other) =>
        other !== choice &&
        isLetter(other) &&
        !/^[lI]$/.test(other.chosen.guess.sign.text) &&
        gapX(other.sign, sign) < 0.45 * xHeight &&
        Math.abs(other.chosen.baseline - chosen.baseline) < sameBaseline * xHeight,
    );
    const digits = choice.options.filter(({ guess }) => guess.sign.text === '1');
    if (!isInWord && digits.length > 0)
      choice.chosen = best(digits, (option) => option.score - (option.level === chosen.level ? 0 : 2));
  }
}

/** A bracket that reaches over and under the sign of full size beside it is of full size, as in an equation's number. */
function enlargeBrackets(choices: readonly Choice[], xHeight: number): void {
  for (const choice of choices) {
    const { sign, chosen } = choice;
    const { text } = chosen.guess.sign;
    if (chosen.level === 0 || !/^[()[\]]$/.test(text)) continue;
    const inside = choices.find(
      ({ sign: other, chosen: own }) =>
        own.level === 0 &&
        own.isSolid &&
        (/[([]/.test(text) ? other.left - sign.right : sign.left - other.right) < withinBracket * xHeight &&
        (/[([]/.test(text) ? other.left > sign.left : other.left < sign.left) &&
        sign.top <= other.top + aboveFigure * xHeight &&
        sign.bottom >= other.bottom,
    );
    if (inside) choice.chosen = { ...chosen, level: 0, baseline: inside.chosen.baseline };
  }
}

/** A star alone in brackets is that of a number, (∗): it is higher than the operator, and no superscript. */
function lowerStars(choices: readonly Choice[], xHeight: number): void {
  for (const choice of choices) {
    const { sign, chosen } = choice;
    if (!/^[∗⋆*]$/.test(chosen.guess.sign.text)) continue;
    const beside = (text: string, gap: (other: Box) => number) =>
      choices.find(
        ({ sign: other, chosen: { guess } }) =>
          guess.sign.text === text &&
          gap(other) > -0.2 * xHeight &&
          gap(other) < withinBracket * xHeight &&
          other.top <= sign.top + 1 &&
          other.bottom >= sign.bottom,
      );
    const before = beside('(', (other) => sign.left - other.right);
    const behind = beside(')', (other) => other.left - sign.right);
    if (before && behind)
      choice.chosen = { ...chosen, level: before.chosen.level, baseline: before.chosen.baseline };
  }
}

/** Bars this close, in x-heights, are one of a norm; those of two absolute values are farther apart. */
const withinNorm = 0.58;

function joinBars(choices: readonly Choice[], xHeight: number): Choice[] {
  const bars = choices
    .filter(({ chosen: { guess } }) => guess.sign.text === '|')
    .sort((a, b) => a.sign.left - b.sign.left);
  const gone = new Set<Choice>();
  for (const bar of bars) {
    const twin = bars.find(
      ({ sign }) =>
        sign !== bar.sign &&
        sign.left >= bar.sign.left &&
        middleX(sign) - middleX(bar.sign) < withinNorm * xHeight &&
        Math.abs(sign.top - bar.sign.top) < 0.3 * xHeight &&
        Math.abs(sign.bottom - bar.sign.bottom) < 0.3 * xHeight,
    );
    if (!twin || gone.has(bar) || gone.has(twin)) continue;
    gone.add(twin);
    const { guess } = bar.chosen;
    bar.sign = { ...bar.sign, right: twin.sign.right };
    bar.chosen = { ...bar.chosen, guess: { ...guess, sign: { ...guess.sign, text: '‖' } } };
  }
  return choices.filter((choice) => !gone.has(choice));
}

/**
 * A letter by itself is a variable: blurred, slanted and upright ones look the same. Of full size it may be a
 * differential, a unit or a word.
 */
function slantLetters(choices: readonly Choice[], xHeight: number): void {
  const isUpright = ({ chosen: { guess } }: Choice) =>
    guess.sign.face === 'roman' && /^\p{L}$/u.test(guess.sign.text);
  for (const choice of choices) {
    const { sign, chosen } = choice;
    const mayBe = chosen.level === 0 ? /^[fhjknpqrtuvwxz]$/ : /^[a-ce-z]$/;
    if (sign.baseline !== undefined || !isUpright(choice) || !mayBe.test(chosen.guess.sign.text)) continue;
    const isInWord = choices.some(
      (other) =>
        other !== choice &&
        isUpright(other) &&
        // a name or a word has all its letters already
        other.sign.baseline === undefined &&
        gapX(other.sign, sign) < 0.45 * xHeight &&
        Math.abs(other.chosen.baseline - chosen.baseline) < 2 * sameBaseline * xHeight,
    );
    if (isInWord) continue;
    const slanted = choice.options.filter(
      ({ guess, level }) => level === chosen.level && guess.sign.face === 'italic',
    );
    if (slanted.length > 0) choice.chosen = best(slanted, ({ score }) => score);
    else {
      const { guess } = chosen;
      choice.chosen = { ...chosen, guess: { ...guess, sign: { ...guess.sign, face: 'italic' } } };
    }
  }
}

/** How much lower the rows are per pixel to the right: the median over pairs of neighbours on one row. */
function slopeOf(choices: readonly Choice[], xHeight: number): number {
  const solid = choices.filter(({ chosen }) => chosen.isSolid && chosen.guess.probability > 0.8);
  const slopes: number[] = [];
  for (const [at, one] of solid.entries())
    for (const other of solid.slice(at + 1)) {
      const run = middleX(other.sign) - middleX(one.sign);
      const rise = other.chosen.baseline - one.chosen.baseline;
      if (one.chosen.level !== other.chosen.level || Math.abs(run) < 6 * xHeight) continue;
      if (Math.abs(rise) < 0.25 * xHeight) slopes.push(rise / run);
    }
  if (slopes.length < 12) return 0;
  return median(slopes);
}

/** Merges nearby baselines of one size. */
function snap(choices: readonly Choice[], slope: number, xHeight: number): void {
  for (const choice of choices)
    choice.chosen = { ...choice.chosen, baseline: choice.chosen.baseline - slope * middleX(choice.sign) };
  for (const level of levels.keys()) {
    const own = choices
      .filter(({ chosen }) => chosen.level === level && chosen.isSolid)
      .sort((a, b) => a.chosen.baseline - b.chosen.baseline);
    let group: Choice[] = [];
    const close = () => {
      if (group.length === 0) return;
      const middle = group[group.length >> 1]!.chosen.baseline;
      for (const choice of group) choice.chosen.baseline = middle;
      group = [];
    };
    for (const choice of own) {
      const start = group[0];
      if (start && choice.chosen.baseline - start.chosen.baseline > 2 * sameBaseline * xHeight) close();
      group.push(choice);
    }
    close();
  }
}

function toGlyph({ sign, chosen, isBold = false }: Choice, slope: number, xHeight: number): PlacedGlyph {
  const { guess, level, baseline, measures } = chosen;
  const { face: kind, text } = guess.sign;
  const points = xHeightPoints / xHeight;
  const shift = slope * middleX(sign);
  const ink = {
    x0: sign.left * points,
    x1: sign.right * points,
    y0: (sign.top - shift) * points,
    y1: (sign.bottom - shift) * points,
  };
  const height = (sign.bottom - sign.top) / xHeight;
  const size = textSize * levels[level]!;
  const unit = xHeightPoints * levels[level]!;
  // the space around a bar varies: it may be an absolute value or a condition
  const known = /[|‖]/.test(text) ? null : measures;
  return {
    text,
    role: roleOf(kind, text, height),
    font: fontOf(kind, text, measures === null, isBold),
    size,
    x: known ? ink.x0 - known.left * unit : ink.x0 - 0.05 * size,
    baseline: baseline * points,
    width: known ? known.advance * unit : ink.x1 - ink.x0 + 0.1 * size,
    ink,
    probability: guess.probability,
  };
}
