/** Words at the left edge of a display that belong to the text around it. */
import { expect, test } from 'vitest';
import type { Glyph } from '../../../text-layer/model.ts';
import { beginsSentence, findOpening } from './opening-words.ts';

/** A letter, six points wide and in this family, that begins at `x` on the line at `baseline`. */
function glyph(text: string, x: number, family = 'none', baseline = 50): Glyph {
  const ink = { x0: x, x1: x + 5, y0: baseline - 6, y1: baseline };
  return { text, x, width: 6, baseline, ink, size: 10, font: { family } } as Glyph;
}
const textOf = (glyphs: readonly Glyph[]) => glyphs.map(({ text }) => text).join('');
const fraction = [glyph('x', 120, 'letters', 40), glyph('y', 120, 'letters', 60)];

test('a word at the left edge, apart from the formula, is of the text', () => {
  const word = [glyph('A', 20), glyph('s', 26)];
  expect(textOf(findOpening([...word, ...fraction], 15))).toBe('As');
  expect(textOf(findOpening([glyph('S', 20, 'letters'), glyph('o', 26, 'letters'), ...fraction], 15))).toBe(
    'So',
  );
  // in the middle of the column, close to the formula, a product, a function
  expect(findOpening([...word, ...fraction], 0)).toEqual([]);
  expect(findOpening([...word, glyph('x', 38, 'letters')], 15)).toEqual([]);
  expect(findOpening([glyph('A', 20, 'letters'), glyph('B', 26, 'letters'), ...fraction], 15)).toEqual([]);
  expect(findOpening([glyph('P', 20), glyph('r', 26), ...fraction], 15)).toEqual([]);
});

test('a line that begins with an upright word is a sentence, one with a product is not', () => {
  const line = (family: string) => ({
    x0: 20,
    glyphs: [
      glyph('T', 20),
      glyph('h', 26, family),
      glyph('u', 32),
      glyph('s', 38),
      glyph('x', 54, 'letters'),
    ],
  });
  expect(beginsSentence(line('none'))).toBe(true);
  expect(beginsSentence(line('letters'))).toBe(false);
});
