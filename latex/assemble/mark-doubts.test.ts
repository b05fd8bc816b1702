import { expect, test } from 'vitest';
import { markDoubts } from './mark-doubts.ts';

/** A document with the doubts between ⟦ and ⟧; nested ones are fine. */
function documentOf(marked: string) {
  const doubtful: { start: number; end: number }[] = [];
  const open: number[] = [];
  let latex = '\\documentclass{article}\n\\begin{document}\n';
  for (const sign of `${marked}\n\\end{document}\n`) {
    if (sign === '⟦') open.push(latex.length);
    else if (sign === '⟧') doubtful.push({ start: open.pop()!, end: latex.length });
    else latex += sign;
  }
  return { latex, doubtful };
}

function mark(marked: string, form: 'plain' | 'colour' = 'plain') {
  const { latex, doubtful } = documentOf(marked);
  const done = markDoubts(latex, doubtful, form)!;
  const body = /\\begin\{document\}\n([\s\S]*)\n\\end\{document\}/.exec(done.latex)![1]!;
  return { ...done, body };
}

test('each doubt is marked once, the outer one of two, and the macro is explained where it is defined', () => {
  const { latex, body, marked, doubtful } = mark('A ⟦word⟧ and $⟦x_{⟦1⟧}⟧$.');
  expect(body).toBe('A \\unsure{word} and $\\unsure{x_{1}}$.');
  expect(marked).toBe(2);
  expect(latex).toMatch(/% \\unsure\{…\}: .*\n.*\n\\newcommand\{\\unsure\}\[1\]\{#1\}\n\\begin\{document\}/);
  expect(doubtful.map(({ start, end }) => latex.slice(start, end)).sort()).toEqual(['1', 'word', 'x_{1}']);
});

test('places hold the marks that stand in them', () => {
  const { latex, doubtful } = documentOf('⟦One⟧ line.\nAnother ⟦line⟧');
  const lines = ['One line.', 'Another line'].map((text) => {
    const start = latex.indexOf(text);
    return { start, end: start + text.length };
  });
  const done = markDoubts(latex, doubtful, 'plain', lines)!;
  expect(done.places.map(({ start, end }) => done.latex.slice(start, end))).toEqual([
    '\\unsure{One} line.',
    'Another \\unsure{line}',
  ]);
});

test('in colour the macro needs a package and brings it', () => {
  expect(mark('A ⟦word⟧.', 'colour').latex).toContain(
    '\\usepackage{xcolor}\n\\newcommand{\\unsure}[1]{\\textcolor',
  );
});

test.each([
  ['half a group', '$\\frac{⟦a}{b⟧}$'],
  ['a cell and the next', 'a & ⟦b & c⟧'],
  ['two rows', '⟦a \\\\ b⟧'],
  ['half a formula', '⟦so $a⟧ + b$'],
  ['half of a pair of fences', '$\\left(⟦a \\right)⟧$'],
  ['a bare argument', '$\\frac⟦1⟧2$'],
  ['the second argument', '$\\frac{a}⟦{b}⟧$'],
  ['a name', '\\label{eq:⟦one⟧}'],
  ['two paragraphs', '⟦one\n\ntwo⟧'],
  ['an item', '⟦\\item one⟧'],
])('%s cannot be marked, and is left as it is', (_what, text) => {
  const { body, marked, doubtful } = mark(text);
  expect([body, marked, doubtful.length]).toEqual([text.replace(/[⟦⟧]/g, ''), 0, 1]);
});

test('a whole exponent is marked, in colour too; an exponent with what follows it only plainly', () => {
  for (const form of ['plain', 'colour'] as const) {
    expect(mark('$x^⟦2⟧y$', form).body).toBe('$x^{\\unsure{2}}y$');
    expect(mark('$x_⟦{ij}⟧$', form).body).toBe('$x_{\\unsure{{ij}}}$');
  }
  expect(mark('$x^⟦2y⟧$').body).toBe('$x^\\unsure{2y}$');
  expect(mark('$x^⟦2y⟧$', 'colour').marked).toBe(0);
});

test('a document that has such a command itself is left alone', () => {
  const { latex, doubtful } = documentOf('\\unsure{mine} and a ⟦word⟧');
  expect(markDoubts(latex, doubtful, 'plain')).toBeNull();
});
