import { describe, expect, test } from 'vitest';
import { orderText } from './order-text.ts';

/** Left to right, with pieces of the opposite direction in braces. */
const shown = (line: string) =>
  orderText(line)
    .map(({ text, isRightToLeft }) => (isRightToLeft ? `{${text}}` : text))
    .join('|');

describe('the order of a line, from left to right', () => {
  test.each([
    ['one direction', 'Draft 12, copy', 'Draft 12, copy'],
    ['one direction, the other', 'טיוטה שנייה', '{טיוטה שנייה}'],
    ['Latin first', 'Draft טיוטה', 'Draft |{טיוטה}'],
    ['a number after Hebrew in a Latin line', 'Draft טיוטה 12', 'Draft |12|{טיוטה }'],
    ['Arabic first: Latin words and their number stay together', 'مسودة Draft 2030', 'Draft 2030|{مسودة }'],
    ['Arabic with a number', 'مسودة 2030', '2030|{مسودة }'],
    ['a price', 'מחיר 12.50€ בלבד', '{ בלבד}|12.50€|{מחיר }'],
    ['a point at the end of a right-to-left line', 'טיוטה.', '{טיוטה.}'],
    ['marks stay with their letters', 'שָׁלוֹם a\u0301', 'a\u0301|{שָׁלוֹם }'],
    ['marks of direction are taken out', '\u202eevil\u200f', 'evil'],
    ['neither', '123 – 45', '123 – 45'],
  ])('%s', (_, line, expected) => {
    expect(shown(line)).toBe(expected);
  });
});
