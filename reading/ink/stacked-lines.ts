/** Lines of ink that may be several: steps of a calculation whose ink touches, taken for one row. */
import { median } from '../box.ts';
import type { InkLine } from './read-lines.ts';

/**
 * A line this many times as high as the median and read with less than this mean probability is read again as several.
 * They are taken if each has so many signs and their mean probability is so much higher.
 */
const stackedHeight = 1.5;
const stackedProbability = 0.6;
const leastPart = 4;
const surer = 0.1;

/** Lines read with little confidence that are higher than the others: they may be steps of a calculation that touch. */
export function findStacked(lines: readonly InkLine[]): InkLine[] {
  const height = median(lines.map(({ box }) => box[3]));
  return lines.filter(
    (line) => line.box[3] > stackedHeight * height && meanProbability(line) < stackedProbability,
  );
}

/** A line's parts, if each of them is more than a denominator, are better than the line if they are read this much surer. */
export function areSurer(parts: readonly InkLine[], line: InkLine): boolean {
  if (parts.length < 2 || parts.some((part) => signsOf(part) < leastPart)) return false;
  const tokens = parts.flatMap((part) => part.tokens);
  return meanProbability({ tokens }) > meanProbability(line) + surer;
}

/** Signs of a line, without spaces and the borders of its mathematics. */
export const signsOf = ({ tokens }: Pick<InkLine, 'tokens'>) =>
  tokens.filter(({ token }) => token.trim() !== '' && !/^\\[()]$/.test(token)).length;

/** Geometric mean of its signs' probabilities. */
export function meanProbability({ tokens }: Pick<InkLine, 'tokens'>): number {
  const logs = tokens.map(({ probability }) => Math.log(Math.max(1e-3, probability)));
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / Math.max(1, logs.length));
}

/** Letters, and no formula. */
export const isOfWords = ({ tokens }: Pick<InkLine, 'tokens'>): boolean =>
  tokens.every(({ token }) => token !== '\\(') &&
  tokens.filter(({ token }) => /\p{L}/u.test(token)).length > 2;
