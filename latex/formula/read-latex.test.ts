import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { foldWord, formulaEnd, formulaStart, listWords, readLatex } from './index.ts';

const marks = new RegExp(`[${formulaStart}${formulaEnd}]`, 'g');
const textOf = (latex: string) => readLatex(latex).text.replace(marks, '');

/** The offset in the source of a character of the text (UTF-16). */
function sourceOffset(offsets: readonly number[], textOffset: number): number {
  const pair = offsets.findLastIndex((offset, index) => index % 2 === 0 && offset <= textOffset);
  return offsets[pair + 1]! + textOffset - offsets[pair]!;
}

describe('readLatex', () => {
  test.each([
    [
      '\\section{One \\emph{two}} three\n\n% no\nPoincar\\\'e, Erd\\H{o}s, na\\"{\\i}ve, s\\o r, stra\\ss e',
      'One two\nthree\nPoincaré, Erdős, naïve, sør, straße',
    ],
    ['\\textbf{re}al \\label{a}\\ref{b}\\cite[p.~3]{c}~\\& \\SI{3}{m} \\href{http://x}{link}', 'real & link'],
    [
      '\\begin{theorem}[Gauss] A\\end{theorem}\\begin{figure}[ht]\\includegraphics[width=1cm]{f}\\caption{B}\\end{figure}',
      'Gauss A\nB',
    ],
    ['\\begin{tabular}{l|c} a & b \\\\ c & d \\end{tabular}', 'a b c d'],
    ['\\foo[a \\textbf{b}\n\nc] d', '[a b\nc] d'],
    ['\\begin{itemize}\\item[x] one \\item two\\end{itemize}', 'x one \ntwo'],
    [
      'a $x^2$ b \\(y\\) \\begin{align*}z&=1\\end{align*} c',
      'a $x^2$ b \\(y\\) \n\\begin{align*}z&=1\\end{align*}\nc',
    ],
    ['\\begin{verbatim}\nint x;\n\\end{verbatim} \\verb|y|', 'int x;\ny'],
    ['\\begin{lstlisting}[language=C]\nint x;\n\\end{lstlisting}', 'int x;'],
    ['\\begin{tikzpicture}\\draw (0,0);\\end{tikzpicture}z', 'z'],
    ['\\newcommand{\\R}{\\mathbb{R}}\\documentclass{a}\\usepackage{b}\\begin{document}c', 'c'],
    ['{\\bf a} } b \\] $x', 'a b $x'],
    ['Привет, 微分 \\textgreek{λόγος}', 'Привет, 微分 λόγος'],
  ])('%j reads %j', (latex, expected) => {
    expect(
      textOf(latex)
        .replace(/ +/g, ' ')
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .join('\n'),
    ).toBe(
      expected
        .split('\n')
        .map((line) => line.trim())
        .join('\n'),
    );
  });

  test('takes the title wherever it stands', () => {
    expect(
      readLatex("\\title{Sur les \\textbf{\\'equations}}\\begin{document}x\\end{document}"),
    ).toMatchObject({
      title: 'Sur les équations',
      text: 'x',
    });
    expect(readLatex('\\title[Waves]{Waves in water}').title).toBe('Waves in water');
    expect(readLatex('no title').title).toBeNull();
  });

  test('finds formulas of every kind, in their order', () => {
    const latex =
      '$a$ \\(b\\) $$c$$ \\[d\\] \\begin{equation}e\\label{k}\\end{equation} \\begin{align}f&=g\\\\h\\end{align} \\footnote{$i$} \\begin{gather*}j\\end{gather*}';
    const { formulas, text } = readLatex(latex);
    expect(formulas.map((tokens) => tokens.join(' '))).toEqual([
      'v:a',
      'v:b',
      'v:c',
      'v:d',
      'v:e',
      'v:f = v:g v:h',
      'v:i',
      'v:j',
    ]);
    expect(text.split(formulaStart).length - 1).toBe(8);
  });

  test('every word and formula has its position in the source', () => {
    const latex = readFileSync(
      new URL('../../fixtures/pdf/algorithms-and-kinetics.tex', import.meta.url),
      'utf8',
    );
    const { text, offsets } = readLatex(latex);
    const words = listWords(text.replace(/\ue000[^\ue001]*\ue001/g, (formula) => ' '.repeat(formula.length)));
    expect(words.length).toBeGreaterThan(150);
    for (const { start, end } of words.filter((one) => one.word !== 'latex'))
      expect(latex.startsWith(text.slice(start, end), sourceOffset(offsets, start))).toBe(true);
    for (const formula of text.matchAll(/\ue000([^\ue001]*)\ue001/g))
      expect(latex.startsWith(formula[1]!, sourceOffset(offsets, formula.index + 1))).toBe(true);
  });

  // inputs that once took quadratic time: each is 300 kB, and would take minutes
  test.each([
    '{',
    '$',
    '\\[',
    '\\left(',
    'x^',
    '\\frac',
    '\\begin{align}',
    '$a\\over ',
    '\\begin{verbatim}',
    '\\title{',
    '$\\hat',
    '\\text{',
    '\\verb|',
    "\\'{",
    '\\item[',
    '$x^{',
    '\\sqrt[',
    '\\[{',
    '\\end{a}\\begin{a}',
    '\\not',
    '}',
    '\\]',
  ])('reads %j over and over', (piece) => {
    const { text } = readLatex(piece.repeat(300_000 / piece.length));
    expect(text.length).toBeLessThanOrEqual(450_100);
  });
});

describe('listWords', () => {
  test.each([
    ['Poincaré POINCARÉ', 'poincare poincare'],
    ['Größe, ﬁeld; Łódź', 'grosse field lodz'],
    ["l'intégrale", 'l integrale'],
    ['Ёлка й', 'елка и'],
    ['微分方程式 x', '微分 分方 方程 程式 x'],
    ['法', '法'],
    ['H2O微分', 'h2o 微分'],
    ['हिन्दी', 'हिन्दी'],
    ['מָתֵמָטִיקָה كِتَاب', 'מתמטיקה كتاب'],
    ['ΛΌΓΟΣ λόγος', 'λογοσ λογοσ'],
    ['한국어', '한국 국어'],
  ])('%s', (text, expected) => {
    expect(
      listWords(text)
        .map(({ word }) => word)
        .join(' '),
    ).toBe(expected.normalize('NFC'));
  });

  test('says where', () => {
    expect(listWords('a Été 微分法')).toEqual([
      { word: 'a', start: 0, end: 1 },
      { word: 'ete', start: 2, end: 5 },
      { word: '微分', start: 6, end: 8 },
      { word: '分法', start: 7, end: 9 },
    ]);
    expect(foldWord('x'.repeat(100))).toHaveLength(40);
  });
});
