/** The number of an exercise at the beginning of a line. */
import type { InkLine } from '../read-lines.ts';

/** Empty frames (4 px of a line 64 px high) after an exercise's number, and after one without any mark. */
const numberGap = 5;
const bareNumberGap = 20;
/** Marks after such a number; the model reads some points as `\cdot`. */
const numberMark = /^(?:[.)-]|\\cdot)$/;
const mostMarks = 2;

/**
 * How many of a formula's tokens are the number in front: `5.`, `12)`, `3-)`, or digits with a wide gap after them or a
 * ring around them. A point between digits, or a minus, belongs to a number only if a gap follows.
 */
export function numberOf({ tokens, isRinged, isNumbered }: InkLine): number {
  let count = 1;
  while (count < 3 && /^\d$/.test(tokens[count]?.token ?? '')) count++;
  const digits = count - 1;
  if (digits === 0) return 0;
  while (count - 1 - digits < mostMarks && numberMark.test(tokens[count]?.token ?? '')) count++;
  const marks = tokens.slice(1 + digits, count).map(({ token }) => token);
  const [last, next] = [tokens[count - 1], tokens[count]];
  if (!last || !next || /^(?:\\\)|[=+<>,.])$/.test(next.token)) return 0;
  const room = next.from - last.to;
  const isDigit = /^\d$/.test(next.token);
  if (isRinged) return marks.length > 0 || !isDigit ? count - 1 : 0;
  if (marks.includes(')')) return count - 1;
  if (marks.length === 0) return !isDigit && room >= bareNumberGap ? count - 1 : 0;
  if (isNumbered) return count - 1;
  const before = tokens[1 + digits]!.from - tokens[digits]!.to;
  if (isDigit || marks.includes('-')) return room >= numberGap && room > 2 * before ? count - 1 : 0;
  return room >= numberGap || marks[0] === '.' ? count - 1 : 0;
}

/** Begins with an exercise's number: `5.`, `(b)`, `7)`. */
export function beginsAnew({ tokens }: InkLine): boolean {
  return /^(?:\(?(?:\d{1,2}|[a-z])[.)])(?:\s|\\\(|$)/.test(tokens.map(({ token }) => token).join(''));
}
