/** Displays and lines of a paragraph, told by where they are on the page. */
import { expect, test } from 'vitest';
import { leading, pageOf, setLine, textOf } from '../testing/set-lines.ts';
import { findDisplays } from './find-formulas.ts';
import { withoutStray } from './line-places.ts';

const xHeight = 10;
const grey = { width: 1000, height: 1400, channels: 1 as const, data: new Uint8Array(1_400_000).fill(255) };
const prose = [
  'The first of these was chosen so that nothing is left to choose for the',
  'second, and since both are positive we know that they are bounded below',
  'by a number that does not depend on anything but the first one of them,',
  'which we call the bound. Then the sum of the first and the second is so',
].map((text, row) => setLine(text, row));

/** How many displays there are if `text` stands `rows` lines below the first. */
const shown = (text: string, column: number, rows: number) =>
  findDisplays(grey, pageOf([]), [...prose, setLine(text, rows, column)], [], xHeight).length;

test('a line right below a paragraph that begins where it does is its last, farther below a display', () => {
  expect(shown('x = 1.', 0, 4)).toBe(0);
  expect(shown('x = 1.', 0, 5)).toBe(1);
  expect(shown('x = 1.', 30, 4)).toBe(1);
});

test('a line of words in the middle that states something is a display, one at the edge is not', () => {
  const words = 'R = { y : there exists an x such that y = x }';
  expect(shown(words, 13, 5)).toBe(1);
  expect(shown(words, 0, 5)).toBe(0);
  expect(shown('there exists one and only one such number', 15, 5)).toBe(0);
});

test('a short word in the middle that is hardly one is part of a formula', () => {
  const lone = (text: string, confidence: number) => {
    const line = setLine(text, 5, 30);
    line.words[0]!.confidence = confidence;
    return findDisplays(grey, pageOf([]), [...prose, line], [], xHeight).length;
  };
  expect(lone('of', 95)).toBe(1);
  expect(lone('Jeff', 68)).toBe(1);
  expect(lone('Proof', 95)).toBe(0);
});

test('an accent that Tesseract took into the line above is no word of it', () => {
  const line = setLine('is the estimator', 0);
  const accent = {
    text: '|',
    confidence: 9,
    left: 400,
    right: 404,
    top: line.bottom,
    bottom: line.bottom + 6,
  };
  const read = { ...line, words: [...line.words, accent], right: 404, bottom: line.bottom + 6 };
  const mended = withoutStray(read, xHeight);
  expect(textOf(mended)).toBe('is the estimator');
  expect(mended.bottom).toBe(line.bottom);
  const onIt = { ...accent, top: line.top, bottom: line.bottom, left: 100 + leading * 10 };
  expect(withoutStray({ ...line, words: [...line.words, onIt] }, xHeight).words).toHaveLength(4);
});

test('a line in the middle with wide spaces between its words is a display, as is one with braces', () => {
  const wide = setLine('ACB      and      BCA', 5, 25);
  const isShown = (line: typeof wide) =>
    findDisplays(grey, pageOf([]), [...prose, line], [], xHeight).length === 1;
  expect(isShown(wide)).toBe(true);
  expect(isShown(setLine('Proof of this theorem', 5, 25))).toBe(false);
});
