/** Bold signs, told by how much ink they are. */
import { expect, test } from 'vitest';
import type { ReadSign } from '../signs/read-signs.ts';
import type { SignMeasures, Typeface } from '../signs/sign-model.ts';
import { placeSigns } from './place-signs.ts';

const xHeight = 20;
const baseline = 100;
const plain: SignMeasures = { left: 0, top: -1, width: 1, height: 1, advance: 1.1, ink: 0.3, mostInk: 0.32 };
/** Of the letter x, of a bold one, and of α. */
const measures = [plain, { ...plain, ink: 0.48, mostInk: 0.48 }, plain];
const typeface: Typeface = { text: measures, script: measures };
const faces = ['italic', 'bold', 'symbol'];

/** Signs on one line, each with its ink in relation to that of a letter that is not bold. */
function boldOf(signs: readonly { index: number; ink: number; size?: number }[]): string {
  const drawn = signs.map(({ index, ink, size = 1 }, at): ReadSign => {
    const unit = size * xHeight;
    const bottom = size < 1 ? baseline + 6 : baseline;
    const sign = { face: faces[index]!, text: 'xxα'[index]!, index };
    return {
      left: 40 * at,
      right: 40 * at + unit,
      top: bottom - unit,
      bottom,
      ink: ink * plain.ink * unit * unit,
      guesses: [{ sign, probability: 0.95 }],
    };
  });
  const { glyphs } = placeSigns({ signs: drawn, rules: [] }, { xHeight, typeface });
  return glyphs
    .sort((a, b) => a.x - b.x)
    .map(({ font }) => (font.bold ? 'b' : '-'))
    .join('');
}
const usual = Array.from({ length: 6 }, () => ({ index: 0, ink: 1.2 }));

test('a letter with as much more ink than the others as bold strokes have is bold', () => {
  expect(boldOf([...usual, { index: 0, ink: 1.95 }, { index: 2, ink: 2 }, { index: 0, ink: 1.3 }])).toBe(
    '------bb-',
  );
  // in a script
  expect(boldOf([...usual, { index: 0, ink: 1.95, size: 0.7 }, { index: 0, ink: 1.2, size: 0.7 }])).toBe(
    '------b-',
  );
});

test('among too few signs to tell how dark print is, none is bold', () => {
  expect(
    boldOf([
      { index: 0, ink: 1.9 },
      { index: 0, ink: 1.2 },
    ]),
  ).toBe('--');
});

test('spread ink makes all signs heavier, and none bold', () => {
  expect(boldOf(usual.map((sign) => ({ ...sign, ink: 1.9 })))).toBe('------');
});

test('what the model takes for bold is not if it has no more ink than others', () => {
  expect(boldOf([...usual, { index: 1, ink: 1.2 }, { index: 1, ink: 1.95 }])).toBe('-------b');
});

test('a letter between the sizes of text and script has the one whose ink it has', () => {
  const sizeOf = (ink: number) => {
    const unit = 0.85 * xHeight;
    const drawn = [...usual, { index: 0, ink: 0 }].map(({ index, ink: usualInk }, at): ReadSign => {
      const side = at < usual.length ? xHeight : unit;
      return {
        left: 40 * at,
        right: 40 * at + side,
        top: baseline - side,
        bottom: baseline,
        ink: (at < usual.length ? usualInk : ink) * plain.ink * xHeight * xHeight,
        guesses: [{ sign: { face: 'italic', text: 'x', index }, probability: 0.95 }],
      };
    });
    const { glyphs } = placeSigns({ signs: drawn, rules: [] }, { xHeight, typeface });
    return glyphs.sort((a, b) => a.x - b.x).at(-1)!.size;
  };
  expect(sizeOf(1.2)).toBe(10);
  expect(sizeOf(1.2 * 0.49)).toBe(7);
});
