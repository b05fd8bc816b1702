/** Other readings of part of a line, derived from those of the whole line. */
import type { DecodedLine, OtherReading } from '../line/decode-line.ts';
import { follow, type LinePlace, lineStart } from '../line/line-grammar.ts';

/** As many as one can compare at a glance. */
const mostOthers = 4;

/**
 * How the line's other readings read the tokens from `start` to `end`, likeliest first, without repeats. If only these
 * tokens differ, replacing them yields exactly the other reading.
 * @param from whether they are in text or in a formula; each result is valid in that place
 */
export function readOtherwise(
  { tokens, others = [] }: DecodedLine,
  start: number,
  end: number,
  from: 'text' | 'maths',
): string[][] {
  const best = tokens.map(({ token }) => token);
  const known = new Map([[spelt(best.slice(start, end)), { said: [] as string[], share: 0 }]]);
  for (const { tokens: other, share } of others) {
    const said = stretchOf(best, other, start, end);
    if (!said || !isWhole(said, from)) continue;
    const one = known.get(spelt(said));
    if (one) one.share += share;
    else known.set(spelt(said), { said, share });
  }
  return [...known.values()]
    .slice(1)
    .sort((a, b) => b.share - a.share)
    .slice(0, mostOthers)
    .map(({ said }) => said);
}

/** Appends readings of the same line obtained in other ways to those of its beam. */
export function withReadings(read: DecodedLine, readings: readonly DecodedLine[]): DecodedLine {
  const others: OtherReading[] = [...(read.others ?? [])];
  const known = new Set(
    [read.tokens.map(({ token }) => token), ...others.map(({ tokens }) => tokens)].map(spelt),
  );
  const last = Math.min(1, ...others.map(({ share }) => share));
  for (const { tokens, score } of readings) {
    const said = tokens.map(({ token }) => token);
    if (said.length === 0 || known.has(spelt(said))) continue;
    known.add(spelt(said));
    others.push({ tokens: said, share: last, score });
  }
  return { ...read, others };
}

/** Without spaces: readings that differ only in spaces count as one. */
const spelt = (tokens: readonly string[]) => tokens.filter((token) => token !== ' ').join('\n');

/** The part of another reading that corresponds to the best one's tokens from `start` to `end`; null if both agree there. */
function stretchOf(
  best: readonly string[],
  other: readonly string[],
  start: number,
  end: number,
): string[] | null {
  const behind = best.length - end;
  const isSame = (at: number, shift: number) => best[at] === other[at + shift];
  const growth = other.length - best.length;
  const isOnlyHere =
    other.length >= start + behind &&
    best.every((_, at) => (at >= start && at < end) || isSame(at, at < start ? 0 : growth));
  if (isOnlyHere) return other.slice(start, other.length - behind);
  const matches = align(best, other);
  const before = start === 0 ? -1 : matches[start - 1];
  const after = end === best.length ? other.length : matches[end];
  return before == null || after == null ? null : other.slice(before + 1, after);
}

/** For each token of the first list its match in the second, by an alignment with the fewest changes. */
function align(one: readonly string[], other: readonly string[]): (number | null)[] {
  const width = other.length + 1;
  const cost = new Uint16Array((one.length + 1) * width);
  for (let i = one.length; i >= 0; i--)
    for (let j = other.length; j >= 0; j--) {
      if (i === one.length || j === other.length) {
        cost[i * width + j] = one.length - i + (other.length - j);
        continue;
      }
      const step = cost[(i + 1) * width + j + 1]! + (one[i] === other[j] ? 0 : 1);
      const skip = 1 + Math.min(cost[(i + 1) * width + j]!, cost[i * width + j + 1]!);
      cost[i * width + j] = Math.min(step, skip);
    }
  const matches: (number | null)[] = one.map(() => null);
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const left = cost[i * width + j]!;
    if (one[i] === other[j] && left === cost[(i + 1) * width + j + 1]) matches[i++] = j++;
    else if (left === 1 + cost[(i + 1) * width + j + 1]!) [i, j] = [i + 1, j + 1];
    else if (left === 1 + cost[(i + 1) * width + j]!) i++;
    else j++;
  }
  return matches;
}

/** It is not empty, and all its groups are closed. */
function isWhole(said: readonly string[], from: 'text' | 'maths'): boolean {
  if (said.every((token) => token === ' ')) return false;
  const isMaths = from === 'maths';
  let place: LinePlace | null = { ...lineStart, isMaths };
  for (const token of said) {
    place = follow(place, token);
    if (!place || (isMaths && !place.isMaths)) return false;
  }
  return place.isMaths === isMaths && place.groups.length === 0;
}
