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
  [
    'code that loads what only others have',
    wrap(
      '\\begin{verbatim}\n\\documentclass[pdftex]{a}\\usepackage{CJK}\\usepackage{luacode}\n\\begin{document}\n\\end{verbatim}',
    ),
  ],
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

test.each([
  ['Lua in its text', wrap('\\directlua{tex.print(1)}')],
  ['a piece of Lua', wrap('\\begin{luacode*}\nx = 1\n\\end{luacode*}')],
  ['a package written in Lua', wrap('x', '\\documentclass{article}\n\\usepackage{amsmath, luamplib}\n')],
  ['Japanese by LuaTeX', '\\documentclass{ltjsarticle}\n\\begin{document}x\\end{document}\n'],
  ['luatex among its class’s options', wrap('x', '\\documentclass[luatex,12pt]{article}\n')],
  ['graphs drawn by Lua', wrap('x', '\\usepackage{tikz}\\usegdlibrary{trees}\n')],
  ['right-to-left text as babel has it in Lua', wrap('x', '\\usepackage[bidi=basic]{babel}\n')],
])('lualatex compiles a document with %s', (_, latex) => {
  expect(chooseEngine(latex)).toEqual({ engine: 'lualatex' });
});

test.each([
  ['fontspec alone', wrap('x', '\\documentclass{article}\n\\usepackage{fontspec}\n')],
  ['Lua behind a test', wrap('\\ifluatex\\directlua{x}\\fi', '\\usepackage{iftex}\n')],
  ['Lua behind a test of its own', wrap('\\ifdefined\\directlua\\directlua{x}\\fi')],
  ['Lua in a comment', wrap('x % \\directlua{x}')],
  ['a package for all engines that begins with lua', wrap('x', '\\usepackage{luatex85,luacolor}\n')],
])('xelatex compiles a document with %s', (_, latex) => {
  expect(chooseEngine(latex).engine).toBe('xelatex');
});

test('Cyrillic in an 8-bit encoding is compiled by xelatex, even if another engine is requested', () => {
  const latex = wrap('Я', `${eightBit}\\usepackage[T1,T2A]{fontenc}\n`);
  expect(chooseEngine(`% !TEX program = pdflatex\n${latex}`)).toEqual({ engine: 'xelatex' });
});

test('the comment takes precedence over every rule', () => {
  expect(chooseEngine(`% !TEX program = xelatex\n${wrap('\\pdfinfo{}')}`).engine).toBe('xelatex');
  expect(chooseEngine(`% !TeX program = lualatex\n${wrap('x')}`)).toEqual({ engine: 'lualatex' });
  expect(chooseEngine(`% !TEX program = xelatex\n${wrap('\\directlua{}')}`).engine).toBe('xelatex');
  const other = chooseEngine(`% !TEX program = context\n${wrap('x')}`);
  expect(other).toEqual({ engine: 'xelatex', substituted: { requested: 'context', line: 1 } });
});
