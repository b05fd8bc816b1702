import { expect, test } from 'vitest';
import { chooseEngine } from './engine.ts';

const eightBit = '\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n';
const wrap = (body: string, preamble = eightBit) =>
  `${preamble}\\begin{document}\n${body}\n\\end{document}\n`;

test.each([
  ['pdfTeX’s primitives', wrap('x', '\\pdfoutput=1\n\\documentclass{article}\n')],
  ['a register of pdfTeX’s', wrap('x', `${eightBit}\\pdfgentounicode=1\n`)],
  [
    'characters declared without inputenc',
    wrap('x', '\\documentclass{article}\n\\DeclareUnicodeCharacter{2212}{-}\n'),
  ],
  ['Tufte’s classes', '\\documentclass[a4paper]{tufte-book}\n\\begin{document}x\\end{document}\n'],
  ['pdftex among its class’s options', wrap('x', '\\documentclass[12pt, pdftex]{llncs}\n')],
  ['CJK by 8-bit fonts', wrap('x', '\\documentclass{article}\n\\usepackage{CJKutf8}\n')],
])('pdflatex compiles a document with %s', (_, latex) => {
  expect(chooseEngine(latex).engine).toBe('pdflatex');
});

test.each([
  ['8-bit packages alone', wrap('é', `${eightBit}\\usepackage[T1]{fontenc}\n`)],
  ['another driver among its class’s options', wrap('x', '\\documentclass[dvips]{article}\n')],
  ['a class’s option that only looks like one', wrap('x', '\\documentclass[xcolor=pdftex]{beamer}\n')],
  ['the unit px', wrap('a\\vspace{15px}b')],
  ['pdfTeX’s primitives in a comment', wrap('x % \\pdfoutput=1')],
  ['a letter right behind a command', wrap('\\parВ связи')],
  [
    'pdfTeX’s primitives behind a test',
    wrap(
      'x',
      '\\documentclass{article}\\usepackage{iftex}\\ifpdftex\\pdfminorversion=7\\fi\\usepackage{fontspec}\n',
    ),
  ],
])('xelatex compiles a document with %s', (_, latex) => {
  expect(chooseEngine(latex).engine).toBe('xelatex');
});

test('Cyrillic in an 8-bit encoding is compiled by xelatex, even on demand', () => {
  const latex = wrap('Я', `${eightBit}\\usepackage[T1,T2A]{fontenc}\n`);
  expect(chooseEngine(`% !TEX program = pdflatex\n${latex}`)).toEqual({ engine: 'xelatex' });
});

test('the comment decides before any rule', () => {
  expect(chooseEngine(`% !TEX program = xelatex\n${wrap('\\pdfinfo{}')}`).engine).toBe('xelatex');
  const lualatex = chooseEngine(`% !TEX program = lualatex\n${wrap('x')}`);
  expect(lualatex).toEqual({ engine: 'xelatex', substituted: { asked: 'lualatex', line: 1 } });
});
