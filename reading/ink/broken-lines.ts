/** Lines of ink that are two parts of one: steps whose relation signs stand above each other, taken for two columns. */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { relation } from './line/line-grammar.ts';
import type { InkLine } from './read-lines.ts';

/** Two parts of a line share at least this much of the lower one's height. */
const leastCommon = 0.5;
/** What follows a relation sign is no further away than this, in heights of its line. */
const mostApart = 6;

export interface BrokenLine {
  left: InkLine;
  right: InkLine;
  /** Around both. */
  box: ShareBox;
}

/** Lines that end with a relation sign, each with the nearest line to its right; notes in the margin are whole. */
export function findBroken(all: readonly InkLine[]): BrokenLine[] {
  const lines = all.filter(({ isNote }) => !isNote);
  const taken = new Set<InkLine>();
  return lines.filter(endsWithRelation).flatMap((left) => {
    const right = lines
      .filter((line) => line !== left && !taken.has(line) && isRightOf(line, left))
      .sort((a, b) => a.box[0] - b.box[0])[0];
    if (!right) return [];
    taken.add(right);
    return [{ left, right, box: around(left.box, right.box) }];
  });
}

function endsWithRelation({ tokens }: InkLine): boolean {
  const last = tokens.findLast(({ token }) => token.trim() !== '' && token !== '\\)');
  return tokens.length > 2 && last !== undefined && relation.test(last.token);
}

function isRightOf({ box: [left, top, , tall] }: InkLine, { box }: InkLine): boolean {
  const [start, above, wide, high] = box;
  const common = Math.min(top + tall, above + high) - Math.max(top, above);
  const gap = left - start - wide;
  return gap > 0 && gap < mostApart * high && common > leastCommon * Math.min(tall, high);
}

function around([left, top, wide, tall]: ShareBox, [x, y, width, height]: ShareBox): ShareBox {
  const [from, above] = [Math.min(left, x), Math.min(top, y)];
  return [from, above, Math.max(left + wide, x + width) - from, Math.max(top + tall, y + height) - above];
}
