/** Each formula is typeset, read back, typeset again and compared, in documents unlike any fixture. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseFrom } from '../../test-support/matrix.ts';
import { openTypesetter } from '../../test-support/open-typesetter.ts';
import { createTextLayerReader } from './reader.ts';
import { type DocumentScore, scoreDocument } from './testing/score-document.ts';

const formulas = {
  scripts: 'x_i^2 + y_{i+1}^{n-1} - z_{n_k} = e^{-x^2/2} \\cdot a_{i_j}^{2^k}',
  'nested fractions': '\\frac{1}{1+\\frac{1}{1+\\frac{1}{x}}} = \\frac{\\frac{a}{b}+c}{d-\\frac{e}{f}}',
  'fraction with exponents': '\\frac{e^{x}-e^{-x}}{e^{x}+e^{-x}} = \\tanh x',
  'small fraction in display': '\\tfrac12 mv^2 + \\tfrac{k}{2}x^2 = E',
  'roots with index': '\\sqrt{a^2+b^2} + \\sqrt[3]{\\frac{x}{y}} + \\sqrt{1+\\sqrt{2}}',
  sums: '\\sum_{k=1}^{n} k^2 = \\frac{n(n+1)(2n+1)}{6}',
  'double sum': '\\sum_{i=1}^{n}\\sum_{j\\neq i} a_{ij} = \\prod_{p\\mid n} p',
  substack: '\\sum_{\\substack{1\\le i\\le n \\\\ i \\text{ odd}}} a_i',
  integrals: '\\int_0^1\\int_{-\\infty}^{\\infty} f(x,y)\\,dx\\,dy',
  'contour integral': '\\oint_{\\gamma} \\frac{f(z)}{z-a}\\,dz = 2\\pi i f(a)',
  limits: '\\lim_{n\\to\\infty} \\left(1+\\frac{x}{n}\\right)^{n} = e^x',
  'limit superior': '\\limsup_{n\\to\\infty} \\sqrt[n]{|a_n|} = \\frac{1}{R}',
  'maximum under': '\\max_{x\\in K} |f(x)| \\le \\sup_{y} \\|g_y\\|',
  matrix: '\\begin{pmatrix} 1 & 0 & -1 \\\\ 0 & 2 & 3 \\\\ 4 & 5 & 6 \\end{pmatrix}',
  determinant: '\\begin{vmatrix} a & b \\\\ c & d \\end{vmatrix} = ad - bc',
  'matrix with dots':
    '\\begin{bmatrix} a_{11} & \\cdots & a_{1n} \\\\ \\vdots & \\ddots & \\vdots \\\\ a_{m1} & \\cdots & a_{mn} \\end{bmatrix}',
  'column vector':
    '\\vec{v} = \\begin{pmatrix} x \\\\ y \\\\ z \\end{pmatrix}, \\qquad |\\vec{v}| = \\sqrt{x^2+y^2+z^2}',
  cases: '|x| = \\begin{cases} x & \\text{if } x \\ge 0, \\\\ -x & \\text{otherwise} \\end{cases}',
  binomials:
    '\\binom{n}{k} = \\frac{n!}{k!\\,(n-k)!}, \\quad (a+b)^n = \\sum_{k=0}^n \\binom{n}{k} a^{n-k} b^k',
  accents: '\\hat{x} + \\bar{y} + \\tilde{z} + \\dot{q} + \\ddot{q} + \\vec{v}',
  'wide accents': '\\overline{z+w} = \\overline{z} + \\overline{w}, \\quad \\widehat{fg}',
  'arrows over letters': '\\overrightarrow{AB} + \\overrightarrow{F} = p\\,\\overrightarrow{dS}_1 \\to 0',
  'large binomials in a fraction': 'q = \\frac{\\dbinom{98}{50}}{\\dbinom{100}{50}}',
  'wide limit before a name': '\\sum_{1\\le i<j<k\\le n} \\Pr(A_i\\cap A_j) \\le 1',
  'braces under and over': '\\underbrace{1+1+\\dots+1}_{n} + \\overbrace{a+b}^{c}',
  delimiters:
    '\\left\\{ x \\;\\middle|\\; x^2 < 2 \\right\\}, \\quad \\left\\lfloor \\frac{n}{2} \\right\\rfloor, \\quad \\left\\langle \\frac{u}{2}, v \\right\\rangle',
  'evaluation bar': "\\frac{d}{dx} f(x) \\Big|_{x=0} = f'(0)",
  'evaluation bars': 'u\\big|_{x_i=0} = u\\big|_{x_i=1}, \\quad v_{x_i}\\big|_{x_i=0} = 1',
  'wide hats': '\\widehat{[v_0]}_m + \\widehat{f}(x) = \\widehat{f*g}',
  'scripts of stretched bars': '\\left|x\\right|_p \\le 1, \\quad |x|_p \\le 1, \\quad \\left(x\\right)_p',
  'a bar below a bar as wide':
    '\\frac{1}{\\overline{X}} = \\frac{\\overline{X}}{2} + \\overline{\\frac{a}{b}}',
  'scripts below and above in a fraction':
    '\\biggl[\\frac{r_e^3}{3} - \\frac{r_i^3}{3}\\biggr] + \\frac{q_i}{r_i^2}',
  'three full stops': 'R_1 + R_2 + ... = R \\quad\\implies\\quad x = 60\\;[V]',
  framed: '\\boxed{x = \\frac{1}{2}}',
  'big brackets': '\\Bigl[ f(x) \\Bigr]_a^b = \\bigl( g(x) + 1 \\bigr) h(x)',
  alphabets:
    '\\mathbb{R}^n \\supset \\mathcal{A} \\ni \\mathfrak{g}, \\quad \\mathbf{x}\\cdot\\mathbf{y} = \\mathrm{tr}(A)',
  relations: 'a \\le b \\ll c \\approx d \\equiv e \\sim f \\ne g \\in H \\notin K \\subseteq L',
  arrows:
    'f\\colon A \\to B, \\quad x \\mapsto x^2, \\quad P \\Longrightarrow Q \\iff R, \\quad A \\xrightarrow{\\;\\varphi\\;} B',
  'labelled arrow below': 'X_n \\xrightarrow[n\\to\\infty]{d} X',
  functions: '\\sin^2 x + \\cos^2 x = 1, \\quad \\ln(ab) = \\ln a + \\ln b, \\quad \\arg\\min',
  operators: '\\nabla\\times\\mathbf{E} = -\\frac{\\partial \\mathbf{B}}{\\partial t}, \\quad \\Delta u = 0',
  sets: 'A \\cup B \\cap C \\setminus D = \\emptyset, \\quad \\forall x\\,\\exists y: x < y',
  modulus: 'a^{p-1} \\equiv 1 \\pmod{p}',
  primes: "f''(x) - 2f'(x) + f(x) = 0, \\quad y^{(4)}",
  quantum: '\\langle \\psi | \\hat{H} | \\psi \\rangle = i\\hbar \\frac{\\partial}{\\partial t} \\psi',
  'continued line': '1 + 2 + 3 + \\cdots + n = \\frac{n(n+1)}{2}, \\quad x_1, x_2, \\ldots, x_n',
  Greek:
    '\\alpha\\beta\\gamma\\delta\\varepsilon\\zeta\\eta\\theta\\kappa\\lambda\\mu\\xi\\pi\\rho\\sigma\\tau\\varphi\\chi\\psi\\omega\\,\\Gamma\\Delta\\Theta\\Lambda\\Xi\\Pi\\Sigma\\Phi\\Psi\\Omega',
  'over a relation': 'A \\overset{\\text{def}}{=} B, \\quad a \\stackrel{!}{=} b',
  'left scripts': '{}^{14}_{6}\\mathrm{C} \\to {}^{14}_{7}\\mathrm{N} + e^-',
  'limits far apart':
    '\\lim_{x\\to-\\infty} E(x) = 0 \\qquad \\text{and} \\qquad \\lim_{x\\to\\infty} E(x) = \\infty',
  'script of a group': '(x+y)^2 + {(x+y)}^2 = {E(x)}^q + E(x)^q',
  'matrix of fractions':
    'M = \\begin{bmatrix} \\frac{1}{m_1} & 0 & 0 \\\\ 0 & \\frac{1}{m_2} & 0 \\\\ 0 & 0 & \\frac{1}{m_3} \\end{bmatrix}',
  'brackets above and below a bar':
    'B = \\frac{-F_0 \\left( \\cos \\left( \\frac{\\omega L}{a} \\right) - 1 \\right)}{\\omega^2 \\sin \\left( \\frac{\\omega L}{a} \\right)}',
  'words with their full stop':
    '\\sum_{n=1}^\\infty x_n \\quad\\text{converges if and only if}\\quad \\sum_{n=M}^\\infty x_n \\quad\\text{converges.}',
  'row wider than the line':
    'a_1 + b_1 + c_1 + d_1 + e_1 + f_1 + g_1 + h_1 + i_1 + j_1 + k_1 + l_1 + m_1 + n_1 + o_1 + p_1 + q_1 = r_1',
  'pairs as wide as the column':
    '\\bigl(x(200\\pi),y(200\\pi)\\bigr), \\; \\bigl(x(202\\pi),y(202\\pi)\\bigr), \\; \\bigl(x(204\\pi),y(204\\pi)\\bigr), \\; \\bigl(x(206\\pi),y(206\\pi)\\bigr), \\; \\ldots',
  'integral with fraction bounds': '\\int_{-\\frac{\\pi}{2}}^{\\frac{\\pi}{2}} \\cos x\\,dx = 2',
} as const;

const aligned = [
  '\\begin{align*} (a+b)^2 &= (a+b)(a+b) \\\\ &= a^2 + 2ab + b^2 \\end{align*}',
  '\\begin{align*} x &= r\\cos\\theta, & y &= r\\sin\\theta, \\\\ u &= \\frac{1}{r}, & v &= r^2 \\end{align*}',
  '\\[\\begin{aligned} x_1 &= -k_1 x_1 + k_2 (x_2-x_1) & & = -(k_1+k_2) x_1 + k_2 x_2, \\\\ x_2 &= -k_2 x_2 & & = k_3 \\end{aligned}\\]',
  '\\[\\begin{aligned} s^2 - t &= 2sh - h^2 \\\\ &< 2sh & & \\quad \\bigl(\\text{since } h^2 > 0\\bigr) \\\\ &= s^2-2 & & \\quad \\bigl(\\text{since } 2sh = s^2-2\\bigr) \\end{aligned}\\]',
  '\\begin{gather*} a = b \\\\ c + d + e = f + g + h \\end{gather*}',
];

const classes: [string, string, 'pdflatex' | 'xelatex'][] = [
  ['Computer Modern', '\\documentclass{article}\\usepackage{amsmath,amssymb}', 'pdflatex'],
  [
    'Latin Modern, 12 pt',
    '\\documentclass[12pt]{article}\\usepackage[T1]{fontenc}\\usepackage{lmodern}\\usepackage{amsmath,amssymb}',
    'pdflatex',
  ],
  [
    'Unicode mathematics (Latin Modern Math)',
    '\\documentclass[11pt]{article}\\usepackage{amsmath}\\usepackage{unicode-math}',
    'xelatex',
  ],
];

/** Enough words for full lines around each display. */
const prose =
  'Here is a formula that the text speaks of at some length before it is shown, so that the lines of the paragraph are as full as those of any notes that somebody took in a lecture and then wrote out at home:';

const { typesetter, folder } = await openTypesetter();
const reader = createTextLayerReader();
afterAll(() => reader.close());

/** Formulas that the reader is known to lose, by font; each is tested, so that a fix is noticed. */
const lost: Record<string, string[]> = {
  // \overbrace beside \underbrace: a label 1.7 pt too low; \; inside an arrow's label.
  'Computer Modern': ['braces under and over', 'arrows'],
  // The brackets of 12 pt come from a font of 10 pt: a fraction of nothing but binomials is taken for a small one.
  'Latin Modern, 12 pt': ['large binomials in a fraction'],
  // An arrow over letters in pieces; scripts of \left and \right stand where others do.
  'Unicode mathematics (Latin Modern Math)': ['arrows', 'arrows over letters', 'scripts of stretched bars'],
};

describe.each(chooseFrom(import.meta.filename, classes))('displays in %s', (name, preamble, engine) => {
  const all: [string, string][] = [
    ...aligned.map((latex, i): [string, string] => [`aligned ${i + 1}`, latex]),
    ...Object.entries(formulas).map(([what, latex]): [string, string] => [what, `\\[${latex}\\]`]),
  ];
  const displays = chooseFrom(import.meta.filename, all, 24);
  let score: DocumentScore;
  beforeAll(async () => {
    const body = displays
      .map(
        ([, latex]) =>
          `${prose}\n${latex}\nand after it the sentence goes on as if nothing had been in between.\n`,
      )
      .join('\n');
    const source = `${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`;
    const result = await typesetter.compile({ latex: source, engine, owner: 'formulas', cpuMs: 60_000 });
    if (result.kind !== 'compiled')
      throw new Error(`the formulas themselves do not compile: ${JSON.stringify(result).slice(0, 600)}`);
    const file = path.join(folder, `${name.replace(/\W+/g, '-')}.pdf`);
    await writeFile(file, result.pdf);
    score = await scoreDocument(name, file, source, reader, typesetter);
  }, 240_000);

  test('the document compiles again', () => {
    expect(score.unproved).toBe('');
    expect(score.displays).toBe(displays.length);
  });
  test.each(displays.map(([what], i) => [what, i] as const))('%s', (what, i) => {
    const miss = score.misses.find((m) => m.index === i);
    if (lost[name]?.includes(what)) expect(miss, 'read right now: take it off the list').toBeDefined();
    else expect(miss, miss ? `${miss.why}\n${miss.truth}\n${miss.ours}` : '').toBeUndefined();
  });
});
