/** For each doubtful stretch of a page: whether its reading is right, or one of the alternatives offered for it. */
import type { DoubtfulSpan } from '#shared/api/conversion.ts';
import { signsOf } from '../ink/score-page.ts';
import type { Judged } from './calibration.ts';

export interface DoubtScore {
  /** Stretches in lines whose truth is known. */
  doubts: number;
  /** The reading is right as it is. */
  right: number;
  /** It is wrong, and one of the alternatives is right. */
  offered: number;
  /** It is wrong, and there are alternatives. */
  wrongWithOthers: number;
  /** Those with a confidence, and whether they are right. */
  judged: readonly Judged[];
}

/**
 * @param lines each line's place in the body, and its true text; null where nobody knows it
 * @param offered how many of the alternatives count
 */
export function scoreDoubts(
  body: string,
  lines: readonly { start: number; end: number; truth: string | null }[],
  doubtful: readonly DoubtfulSpan[],
  offered = 4,
): DoubtScore {
  const score = { doubts: 0, right: 0, offered: 0, wrongWithOthers: 0 };
  const judged: Judged[] = [];
  for (const { start, end, confidence, alternatives = [] } of doubtful) {
    const line = lines.find((one) => one.start <= start && one.end >= end);
    if (line?.truth == null) continue;
    const before = signsOf(body.slice(line.start, start));
    const behind = signsOf(body.slice(end, line.end));
    const isRight = findTruth(before, behind, signsOf(line.truth));
    const others = alternatives.slice(0, offered);
    score.doubts++;
    const isAsRead = isRight(signsOf(body.slice(start, end)));
    if (confidence !== undefined) judged.push({ confidence, isRight: isAsRead });
    if (isAsRead) score.right++;
    else {
      if (others.length > 0) score.wrongWithOthers++;
      if (others.some((other) => isRight(signsOf(other)))) score.offered++;
    }
  }
  return { ...score, judged };
}

/** The truth's text between two stretches, where it fits best; equally good fits all count. */
function findTruth(before: readonly string[], behind: readonly string[], truth: readonly string[]) {
  const left = distances(before, truth);
  const right = distances(behind.toReversed(), truth.toReversed()).toReversed();
  let least = Number.POSITIVE_INFINITY;
  const fits = new Set<string>();
  for (let from = 0; from <= truth.length; from++)
    for (let to = from; to <= truth.length; to++) {
      const errors = left[from]! + right[to]!;
      if (errors > least) continue;
      if (errors < least) fits.clear();
      least = errors;
      fits.add(truth.slice(from, to).join('\n'));
    }
  return (tokens: readonly string[]) => fits.has(tokens.join('\n'));
}

/** The edit distance of a list to each beginning of another. */
function distances(list: readonly string[], other: readonly string[]): number[] {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, sign] of list.entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (sign === other[j] ? 0 : 1)));
    row = next;
  }
  return row;
}
