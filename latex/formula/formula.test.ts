import { describe, expect, test } from 'vitest';
import {
  findFormula,
  fingerprintFormula,
  fingerprintQuery,
  normaliseFormula,
  normaliseQuery,
  prepareFormula,
} from './index.ts';

/** Whether the second formula contains the first; if so, its fingerprints must lead to it. */
function isFound(query: string, formula: string): boolean {
  const tokens = normaliseQuery(query);
  const formulaTokens = normaliseFormula(formula);
  const found = findFormula(tokens, prepareFormula(formulaTokens)) >= 0;
  if (found) {
    const stored = fingerprintFormula(formulaTokens);
    expect([...fingerprintQuery(tokens)].filter((one) => !stored.has(one))).toEqual([]);
  }
  return found;
}

const depthOf = (tokens: string[]) =>
  tokens.filter((token) => token === '{').length - tokens.filter((token) => token === '}').length;

describe('normaliseFormula', () => {
  test.each([
    ['\\frac12', '\\dfrac{1}{2}'],
    ['a \\leq b', 'a\\le b'],
    ['a\\ne b', 'a \\not= b'],
    ['x_i^2', 'x^{2}_{i}'],
    ["f'(x)", 'f^{\\prime}(x)'],
    ['\\left( x \\right)', '\\bigl(x\\bigr)'],
    ['\\int f\\,\\mathrm{d}x', '\\int f dx'],
    ['\\frac{d}{dx}', '\\frac{\\mathrm d}{\\mathrm{d}x}'],
    ['\\operatorname{rank} A', '\\mathrm{rank}\\, A'],
    ['\\sin x', '\\operatorname{sin}x'],
    ['a \\over b', '\\frac{a}{b}'],
    ['{a \\choose b}', '\\binom ab'],
    ['∫ x² ≤ ℝ', '\\int x^2 \\leq \\mathbb{R}'],
    [
      '\\begin{pmatrix}1&0\\\\0&1\\\\\\end{pmatrix}',
      '\\left(\\begin{array}{cc}1 & 0\\\\ 0 & 1\\end{array}\\right)',
    ],
    ['a+b.', 'a + b \\label{x} \\nonumber'],
    ['{x}^{{2}}', 'x^2'],
    ['\\vec{v}', '\\overrightarrow v'],
    ['\\lvert x\\rvert', '|x|'],
  ])('%s is %s', (one, other) => {
    expect(normaliseFormula(one)).toEqual(normaliseFormula(other));
    expect(normaliseFormula(one)).not.toEqual([]);
  });

  test.each([
    ['x^{2+n}', 'x^2+n'],
    ['\\frac{a}{b}', '\\frac{b}{a}'],
    ['12', '1'],
    ['\\mathbb{R}', 'R'],
    ['\\sqrt[3]{x}', '\\sqrt{x}'],
    ['\\begin{pmatrix}1&0\\end{pmatrix}', '\\begin{pmatrix}1\\\\0\\end{pmatrix}'],
    ['\\sin', '\\cos'],
  ])('%s is not %s', (one, other) => {
    expect(normaliseFormula(one)).not.toEqual(normaliseFormula(other));
  });
});

describe('findFormula', () => {
  test.each([
    ['\\int e^{-x^2}', '\\int_{-\\infty}^{\\infty} e^{-t^{2}}\\,\\mathrm{d}t = \\sqrt{\\pi}'],
    ['\\int e^{-x^2} dx', 'I = \\int\\limits_0^1 e^{-u^2}du'],
    ['$e^{-x', '\\int e^{-t^2}'],
    ['\\frac{a', '1 + \\frac{x+y}{z}'],
    ['\\sum a_n', '\\sum_{k=0}^\\infty c_k x^k'],
    ['\\sum^n a', '\\sum_{i=1}^{m} x'],
    ['a^2+b^2=c^2', 'x^2 + y^2 = z^2'],
    ['x+x', 'y+y'],
    ['\\lim \\frac{f(x+h)-f(x)}{h}', "f'(x)=\\lim_{h\\to0}\\frac{f(x+h)-f(x)}{h}"],
    ['E=mc^2', 'E = m c^{2}'],
    ['\\sin^2 x + \\cos^2 x = 1', '\\sin^2\\theta+\\cos^2\\theta=1'],
    ['\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}', 'x_{1,2}=\\frac{-q\\pm\\sqrt{q^2-4pr}}{2p}'],
    [
      '\\nabla\\times E = -\\frac{\\partial B}{\\partial t}',
      '\\nabla\\times\\mathbf{E}=-\\frac{\\partial\\mathbf{B}}{\\partial t}',
    ],
    ['x^2', '\\sqrt{1+\\alpha^2}'],
    ['a=b=c', 'x&=y\\\\&=z'],
    ['\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}', 'A=\\begin{pmatrix} p & q \\\\ r & s \\end{pmatrix}v'],
    ['\\sqrt{\\sum x_i^2}', '\\|x\\|=\\sqrt{\\sum_{i=1}^n x_i^2}'],
  ])('%s is in %s', (query, formula) => {
    expect(isFound(query, formula)).toBe(true);
  });

  test.each([
    ['x+x', 'a+b'],
    ['x+y', 'a+a'],
    ['e^{-x^2}', 'e^{-x^3}'],
    ['e^{-x^2}', 'e^{-x^2/2}'],
    ['\\sum_{i=0} a', '\\sum_{i=1} a'],
    ['\\frac{a}{a}', '\\frac{a}{b}'],
    ['x y x', 'a b b'],
    ['a+b', 'a_1+b'],
    ['\\pi', 'x'],
    ['', 'x'],
  ])('%s is not in %s', (query, formula) => {
    expect(isFound(query, formula)).toBe(false);
  });

  test('every part of a formula is found in it, whatever the variables are called', () => {
    const formula = normaliseFormula(
      '\\hat f(\\xi)=\\int_{-\\infty}^{\\infty} f(x)e^{-2\\pi i x\\xi}dx+\\sum_{n=1}^{N}\\frac{a_n^2+b_n^2}{2^n}\\le\\prod_k\\sqrt{1+\\lambda_k}',
    );
    const renamed = formula.map((token) => (token.startsWith('v:') ? `${token}'` : token));
    const stored = fingerprintFormula(formula);
    const prepared = prepareFormula(formula);
    for (const length of [1, 2, 3, 5, 9, 10, 14, 25])
      for (let start = 0; start + length <= formula.length; start++) {
        const query = renamed.slice(start, start + length);
        // a user types complete groups, or groups that are still open
        const depths = query.map((_, i) => depthOf(query.slice(0, i + 1)));
        if (depths.some((depth) => depth < 0) || depths.at(-1) !== 0) continue;
        if (/^[_^{]$/.test(query[0]!) || /^[_^]$/.test(query.at(-1)!)) continue;
        expect(findFormula(query, prepared), query.join(' ')).toBeGreaterThanOrEqual(0);
        expect(
          [...fingerprintQuery(query)].filter((one) => !stored.has(one)),
          query.join(' '),
        ).toEqual([]);
      }
  });
});
