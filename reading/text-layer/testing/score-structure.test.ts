import { expect, test } from 'vitest';
import { findDisplays } from './displays.ts';
import { proseOf } from './prose.ts';
import { findInline, scoreHeadings } from './score-structure.ts';

const body = 'One\\\\$x$ two\\$ $y$\\\\[2pt] \\(z\\)\\\\\\[a\\] three.';
const source = `\\begin{document}${body}\\end{document}`;

test('a backslash before a formula may end a line', () => {
  expect(findInline(source)).toEqual(['x', 'y', 'z']);
  expect(findDisplays(source)).toEqual([{ latex: '\\[a\\]' }]);
});

test('what nothing on the page tells from text is no formula', () => {
  const inline = findInline(
    '\\begin{document}$3$, $(x)$ and ($y$), $(a)(b)$ \\item[$\\bullet$]\\end{document}',
  );
  expect(inline).toEqual(['x', 'y', '(a)(b)']);
});

test('the number in the words of a heading is not its own', () => {
  const of = (heading: string) => `\\begin{document}${heading}\\end{document}`;
  const printed = {
    truth: { blocks: '2\nProblem 3', rows: '' },
    ours: { blocks: 'Problem 3', rows: '' },
  };
  const score = (ours: string) => scoreHeadings(of('\\section*{Problem 3}'), of(ours), printed).found;
  expect(score('\\section*{Problem 3}')).toBe(1);
  expect(score('\\section{Problem 3}')).toBe(0);
});

test('theorems with names of macros, and the proof that LyX defines', () => {
  const preamble =
    '\\newtheorem{defn}{\\protect\\definitionname}\\providecommand{\\definitionname}{Definition}' +
    '\\newenvironment{proof}[1][\\protect\\proofname]{\\trivlist\\item[#1]}{\\endtrivlist}';
  const body = '\\begin{defn}It is.\\end{defn}\\begin{proof}So it is.\\end{proof}';
  expect(proseOf(`${preamble}\\begin{document}${body}\\end{document}`)).toBe(
    'definition it is proof so it is',
  );
});

test('a word is the same in a formula and beside it, and so are the formulas on its sides', () => {
  const of = (body: string) =>
    `\\newcommand{\\tand}{\\text{ and }}\\DeclareMathOperator{\\rk}{rank}\\begin{document}${body}\\end{document}`;
  const [within, beside] = [of('$A \\tand \\rk B,$ so'), of('$A$ and $\\rk B$, so')];
  expect(proseOf(within)).toBe('and rank so');
  expect(proseOf(within)).toBe(proseOf(beside));
  expect(findInline(within)).toEqual(findInline(beside));
  expect(proseOf(of('$3\\,\\mathrm{cm}$ of $\\mathrm{AgCl}$ $x\\;\\mathrm{when}\\;y$'))).toBe('of when');
  expect(findInline(of('$\\begin{cases} 1 & \\text{if so} \\end{cases}$'))).toHaveLength(1);
});

test('lengths are no words', () => {
  expect(proseOf('\\begin{document}one\\vskip 5pt two \\hbox to 6.5in{three}\\end{document}')).toBe(
    'one two three',
  );
});
