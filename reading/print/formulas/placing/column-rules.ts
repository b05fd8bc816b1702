/** Rules between the columns of a matrix, as of an augmented one, which look like bars. Lengths are in x-heights. */
import { type Box, heightOf } from '../../../box.ts';
import type { Choice } from './place-signs.ts';

/** Least height, and how far its ends are from those of the brackets. */
const leastHeight = 2.6;
const sameEnd = 1.2;
/** Rows are at least this far apart. */
const nextRow = 1.7;

/** @returns the bars between two brackets with several rows on both sides */
export function findColumnRules(choices: readonly Choice[], xHeight: number): Choice[] {
  const tall = choices.filter(
    ({ sign, chosen }) =>
      /^[()[\]{}|]$/.test(chosen.guess.sign.text) && heightOf(sign) > leastHeight * xHeight,
  );
  return tall.filter(({ sign: bar, chosen }) => {
    if (chosen.guess.sign.text !== '|') return false;
    const isBeside = ({ sign }: Choice) =>
      Math.abs(sign.top - bar.top) < sameEnd * xHeight &&
      Math.abs(sign.bottom - bar.bottom) < sameEnd * xHeight;
    const before = tall.findLast(({ sign, ...one }) => sign.right < bar.left && isBeside({ sign, ...one }));
    const behind = tall.find(({ sign, ...one }) => sign.left > bar.right && isBeside({ sign, ...one }));
    return (
      before !== undefined &&
      behind !== undefined &&
      hasRows(choices, { ...bar, left: before.sign.right, right: bar.left }, xHeight) &&
      hasRows(choices, { ...bar, left: bar.right, right: behind.sign.left }, xHeight)
    );
  });
}

/** Whether signs of full size stand in several rows of a part. */
function hasRows(choices: readonly Choice[], part: Box, xHeight: number): boolean {
  const lines = choices
    .filter(({ sign, chosen }) => {
      const [x, y] = [(sign.left + sign.right) / 2, (sign.top + sign.bottom) / 2];
      const isWithin = x > part.left && x < part.right && y > part.top && y < part.bottom;
      return isWithin && chosen.level === 0 && chosen.isSolid;
    })
    .map(({ chosen }) => chosen.baseline);
  return lines.length > 1 && Math.max(...lines) - Math.min(...lines) > nextRow * xHeight;
}
