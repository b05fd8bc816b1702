import { expect, test } from 'vitest';
import { findDisplays } from './displays.ts';
import { findInline } from './score-structure.ts';

const body = 'One\\\\$x$ two\\$ $y$\\\\[2pt] \\(z\\)\\\\\\[a\\] three.';
const source = `\\begin{document}${body}\\end{document}`;

test('a backslash before a formula may end a line', () => {
  expect(findInline(source)).toEqual(['x', 'y', 'z']);
  expect(findDisplays(source)).toEqual([{ latex: '\\[a\\]' }]);
});
