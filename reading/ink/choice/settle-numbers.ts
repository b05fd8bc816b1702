/**
 * Exercises on a page are numbered one after the other. So a number that was misread, such as `17)` between `6)` and `8)`,
 * is known, and what the model saw only has to allow it.
 */

import { type DecodedLine, placeTokens, withoutEnclosure } from '../line/decode-line.ts';
import { beginsAnew, numberOf } from '../line/exercise-number.ts';
import type { LineScores } from '../line/line-model.ts';
import type { InkLine } from '../read-lines.ts';
import { meanVote } from './compare-readings.ts';

/**
 * How much less likely than its reading a line may be with another number, as a logarithm, where numbers on both sides were
 * read, and where only those on one side. On the photographs looked at, lines without that number lose 8 and more.
 */
const mostLost = { between: 5, beyond: 3.5 };
/** The same where another number with a mark was read: exercises may be 17, 21 and 51. */
const mostLostOfRead = 2.5;
/** What a number counts that was read, and what one that is missing takes off. */
const readCounts = 10;
const missingCosts = 1.5;
const mostMissing = 3;
const leastRead = 2;
/** So many of a line's first tokens may be its misread number. */
const mostMisread = 4;
/** A line whose first signs are less likely as they were read, as a logarithm, says nothing about its number. */
const leastLikely = -12;
/** Marks after a number, as tokens; those that other numbers of the page have may be less likely by this. */
const marks = ['.', ')', '-', '-)', ')-', '.-', '\\cdot'].map((mark) => mark.match(/\\[a-z]+|./g)!);
const usualMarkGains = 3;
/** A number's first digit has this logarithm somewhere in the first frames (4 px of a line 64 px high). */
const leastDigit = -5;
const firstFrames = 24;
/** Of the tokens after a number so many show whether it fits. */
const shownAfter = 2;
const digit = /^\d$/;

/** A number of a line: as it was read, or another one. */
interface ExerciseNumber {
  /** Index of the line. */
  at: number;
  value: number;
  change: Change | null;
  counts: number;
}

/** Instead of a line's first tokens; delimiters of formulas are not among them. */
interface Change {
  digits: string[];
  mark: string[];
  instead: string[];
  /** How much less likely that is, as a logarithm. */
  lost: number;
}

/** @param lines of a page, in reading order */
export function settleNumbers(lines: readonly InkLine[], tokens: readonly string[]): InkLine[] {
  const read = lines.flatMap((line, at) => {
    const number = numberIn(line);
    return number ? [{ at, ...number }] : [];
  });
  const marked = read.filter(({ mark }) => mark.length > 0);
  if (marked.length < leastRead) return [...lines];
  const usual = new Set(marked.map(({ mark }) => mark.join('')));
  const near = new Set(
    marked.flatMap(({ value }) =>
      Array.from({ length: 2 * mostMissing + 1 }, (_, by) => value + by - mostMissing),
    ),
  );
  const numbers = lines.flatMap((line, at): ExerciseNumber[] => {
    const own = read.find((one) => one.at === at);
    const isMarked = own !== undefined && own.mark.length > 0;
    const seen = digitsSeen(line, tokens);
    const values = [...near].filter(
      (value) => value > 0 && seen.has(String(value)[0]!) && !(isMarked && own.value === value),
    );
    const beginning = values.length > 0 ? beginningOf(line, tokens) : null;
    const others = (beginning ? values : []).flatMap((value) => {
      const change = changeTo(value, usual, line, beginning!, tokens);
      if (!change || change.lost > (isMarked ? mostLostOfRead : mostLost.between)) return [];
      return [
        { at, value, change, counts: (own?.value === value ? readCounts : mostLost.between) - change.lost },
      ];
    });
    return isMarked ? [{ at, value: own.value, change: null, counts: readCounts }, ...others] : others;
  });
  const settled = [...lines];
  const row = withoutLooseEnds(longestRow(numbers));
  // a number that was there already refers to that exercise
  const isAgain = (at: number) =>
    row.some(
      (earlier) => earlier.at < at && marked.some((own) => own.at === at && own.value === earlier.value),
    );
  for (const { at, change } of row) if (change && !isAgain(at)) settled[at] = withNumber(lines[at]!, change);
  return settled;
}

/** The number that a line was read with; text may have one without a mark. */
function numberIn(line: InkLine): { value: number; mark: string[] } | null {
  const said = signsIn(line);
  const count = said.findIndex((token) => !digit.test(token));
  if (count < 1) return null;
  const isFormula = line.tokens[0]?.token === '\\(';
  const end = isFormula
    ? numberOf(line)
    : count + said.slice(count).findIndex((token) => !/^[.)-]$/.test(token));
  if (end <= 0 || (!isFormula && end > count && !beginsAnew(line))) return null;
  return { value: Number(said.slice(0, count).join('')), mark: said.slice(count, end) };
}

/** Numbers that follow each other, with few missing between them, and count most. */
function longestRow(numbers: readonly ExerciseNumber[]): ExerciseNumber[] {
  const rows: { row: ExerciseNumber[]; counts: number }[] = [];
  for (const number of numbers) {
    const before = rows.flatMap(({ row, counts }) => {
      const last = row.at(-1)!;
      const missing = number.value - last.value - 1;
      const follows = last.at < number.at && missing >= 0 && missing <= mostMissing;
      return follows ? [{ row, counts: counts - missingCosts * missing }] : [];
    });
    const best = before.reduce((a, b) => (b.counts > a.counts ? b : a), {
      row: [] as ExerciseNumber[],
      counts: 0,
    });
    rows.push({ row: [...best.row, number], counts: best.counts + number.counts });
  }
  return rows.reduce((a, b) => (b.counts > a.counts ? b : a), { row: [], counts: 0 }).row;
}

/** Before the first and after the last number that was read, others must be likelier; none, if hardly any was read. */
function withoutLooseEnds(row: readonly ExerciseNumber[]): ExerciseNumber[] {
  const read = row.flatMap(({ change }, at) => (change ? [] : [at]));
  if (read.length < leastRead) return [];
  return row.filter(
    ({ change }, at) => !change || (at > read[0]! && at < read.at(-1)!) || change.lost < mostLost.beyond,
  );
}

/** The looks at a line's beginning, with what was read there; null if nothing is known of them, or too little. */
interface Beginning {
  said: string[];
  looks: LineScores[];
  /** The logarithm of what was read. */
  now: number;
}

function beginningOf(line: InkLine, tokens: readonly string[]): Beginning | null {
  if (!line.seen) return null;
  const said = signsIn(line.seen.read);
  const count = Math.min(said.length, mostMisread + shownAfter);
  const first = said.slice(0, count);
  const [look] = line.seen.looks;
  // the looks differ in their scale
  const share =
    !look || count === said.length
      ? 1
      : placeTokens(
          said.map((token) => tokens.indexOf(token)),
          withoutEnclosure(look, tokens),
          tokens,
        )[count]!.from / look.frames;
  const looks = line.seen.looks.map(({ frames, values }) => {
    const shown = Math.ceil(share * frames);
    return withoutEnclosure({ frames: shown, values: values.subarray(0, shown * tokens.length) }, tokens);
  });
  // a space after a number is seen, though a formula has none
  const number = numberIn(line);
  const end = number ? String(number.value).length + number.mark.length : 0;
  const spaced = [...first.slice(0, end), ' ', ...first.slice(end)];
  const now = Math.max(
    ...(end > 0 ? [first, spaced] : [first]).map((signs) => voteFor(signs, looks, tokens)),
  );
  return now < leastLikely ? null : { said: first, looks, now };
}

const voteFor = (signs: readonly string[], looks: readonly LineScores[], tokens: readonly string[]) =>
  meanVote(
    signs.map((token) => tokens.indexOf(token)),
    looks,
    tokens,
  );

/** The first digits that the model considered at the beginning of a line. */
function digitsSeen(line: InkLine, tokens: readonly string[]): Set<string> {
  const seen = new Set<string>();
  for (const { frames, values } of line.seen?.looks ?? [])
    for (let frame = 0; frame < Math.min(frames, firstFrames); frame++)
      for (let value = 0; value < 10; value++)
        if (values[frame * tokens.length + tokens.indexOf(String(value))]! > leastDigit)
          seen.add(String(value));
  return seen;
}

/** The likeliest way in which a line may begin with a number; null if there is none. */
function changeTo(
  value: number,
  usual: ReadonlySet<string>,
  line: InkLine,
  { said, looks, now }: Beginning,
  tokens: readonly string[],
): Change | null {
  const shown = signsIn(line);
  const digits = [...String(value)];
  const isFormula = line.tokens[0]?.token === '\\(';
  const changes = Array.from({ length: Math.min(mostMisread, said.length) }, (_, count) =>
    said.slice(0, count + 1),
  )
    .filter((instead) => instead.every((token, at) => shown[at] === token))
    // the 2 of 2x is no number of an exercise
    .filter((instead) => !isFormula || instead.join('') !== digits.join(''))
    .flatMap((instead) =>
      marks.map((mark): Change => {
        const rest = said.slice(instead.length);
        const votes = [[], [' ']].map((space) =>
          voteFor([...digits, ...mark, ...space, ...rest], looks, tokens),
        );
        return { digits, mark, instead, lost: now - Math.max(...votes) };
      }),
    );
  const least = Math.min(...changes.map(({ lost }) => lost));
  const likely = changes.filter(({ lost }) => lost <= least + usualMarkGains);
  return (
    likely.find(({ mark }) => usual.has(mark.join(''))) ?? likely.find(({ lost }) => lost === least) ?? null
  );
}

function signsIn({ tokens }: Pick<DecodedLine, 'tokens'>): string[] {
  return tokens.map(({ token }) => token).filter((token) => token !== '\\(' && token !== '\\)');
}

/** As sure as what stood there; the first reading becomes one of the others. */
function withNumber(line: InkLine, { digits, mark, instead }: Change): InkLine {
  const start = line.tokens[0]?.token === '\\(' ? 1 : 0;
  const dropped = line.tokens.slice(start, start + instead.length);
  const place = {
    from: dropped[0]!.from,
    to: dropped.at(-1)!.to,
    probability: Math.min(...dropped.map(({ probability }) => probability)),
  };
  const isSpaced = start === 1 || line.tokens[start + instead.length]?.token === ' ';
  const number = [...digits, ...mark, ...(isSpaced ? [] : [' '])];
  return {
    ...line,
    tokens: line.tokens.toSpliced(start, instead.length, ...number.map((token) => ({ token, ...place }))),
    others: [
      { tokens: line.tokens.map(({ token }) => token), share: line.share, score: line.score },
      ...(line.others ?? []),
    ],
    isNumbered: true,
  };
}
