import { expect, test } from 'vitest';
import { describeDoubt, listDoubts } from './list-doubts.ts';

const latex = 'First line.\nThe cat sat\non $x_2$.\n';
const lines = [
  { first_line: 2, last_line: 2, page: 3, box: [0.1, 0.3, 0.8, 0.02] as [number, number, number, number] },
];

test('a doubt is listed with its page, its ink and its line in the LaTeX', () => {
  const start = latex.indexOf('cat');
  const [doubt] = listDoubts(
    latex,
    [{ start, end: start + 3, page: 3, confidence: 0.4, alternatives: ['eat', 'oat', 'mat'] }],
    lines,
  );
  expect(doubt).toMatchObject({ page: 3, line: 2, column: 5, latex: 'cat', box: [0.1, 0.3, 0.8, 0.02] });
  expect(describeDoubt(doubt!)).toBe(
    'unsure (page 3, 31 % down the page, 10 % from the left; line 2): cat (or eat, oat)',
  );
});

test('where the ink is not known, the line is', () => {
  const start = latex.indexOf('$x_2$');
  const [doubt] = listDoubts(latex, [{ start, end: start + 5, page: 3 }], lines);
  expect([doubt!.box, describeDoubt(doubt!)]).toEqual([null, 'unsure (page 3; line 3): $x_2$']);
});
