import { expect, test } from 'vitest';
import { readableTitle } from './readable-title.ts';

test.each([
  ['One $x^2$', 'One x^2'],
  ['Two \\& \\textbf{three}\\label{k}', 'Two & three'],
  ['\\Large Sheet 3\\\\[2mm]\\normalsize Rings -- and~ideals', 'Sheet 3 Rings – and ideals'],
  [
    'A thesis in \\texorpdfstring{\\LaTeX2e{} $\\beta$}{LaTeX2e}, by \\XeTeX{}',
    'A thesis in LaTeX2e, by XeTeX',
  ],
  ['Thanks\\thanks{To all.} --- 50\\%', 'Thanks — 50%'],
])('%s is read as %s', (title, words) => {
  expect(readableTitle(title)).toBe(words);
});
