import { expect, test } from 'vitest';
import { around, type Box } from '../../box.ts';
import { findSegments } from './find-formulas.ts';
import { lowWords } from './low-letters.ts';

const [width, height, xHeight, line] = [400, 100, 20, 60];
const shapes: Record<string, [above: number, below: number]> = {
  a: [20, 0],
  b: [32, 0],
  y: [20, 9],
  n: [20, 0],
  // an index n, and a comma
  '₂': [7, 7],
  ',': [3, 6],
};

/** Which words of a line, drawn as blocks, are read as formulas; Tesseract reads an index as y. */
function formulas(drawn: string, confidence = 90): string[] {
  const data = new Uint8Array(width * height).fill(255);
  let left = 20;
  const words = drawn.split(' ').map((text) => {
    const boxes = [...text].map((sign): Box => {
      const [above, below] = shapes[sign]!;
      const box = { left, top: line - above, right: left + 12, bottom: line + below };
      for (let y = box.top; y < box.bottom; y++) data.fill(0, y * width + box.left, y * width + box.right);
      left += 16;
      return box;
    });
    left += 10;
    return { ...around(boxes), text: text.replace('₂', 'y'), confidence };
  });
  const found = { ...around(words), words, size: 44, paragraph: 1, area: 1 };
  const low = lowWords({ width, height, channels: 1, data }, found, xHeight);
  return findSegments(found, [found], xHeight, low).map((one) => one.words.map(({ text }) => text).join(' '));
}

test('a short word whose last letter stands below the line is a letter with an index', () => {
  expect(formulas('nbn b₂ an')).toEqual(['by']);
  expect(formulas('nbn b₂, an')).toEqual(['by,']);
});

test.each(['nbn by an', 'nbn an, an', 'nbn bnn₂ an'])('a word is none, even with a comma: %s', (text) => {
  expect(formulas(text)).toEqual([]);
});

test('a word that Tesseract is sure of is one', () => {
  expect(formulas('nbn b₂ an', 96)).toEqual([]);
});
