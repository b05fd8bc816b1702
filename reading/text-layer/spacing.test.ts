/** What the spaces that TeX sets tell: formulas that are paragraphs, units, brackets behind fractions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from './testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

const read = (source: string, preamble?: string) => trip.read(`${filler} ${source} ${filler}`, preamble);
/** A formula that the end of its line breaks. */
const broken = (before: string, after: string) =>
  `\n\n\\noindent\\setbox0\\hbox{\\ $${before}$}\\makebox[\\dimexpr\\linewidth-\\wd0\\relax][s]{Words fill the line up to the formula, as in} $${before}\\penalty-10000 ${after}$`;

describe('in sentences', () => {
  test.each([
    ['a number before a word', '$\\chi(G)-1$-colouring', '$\\chi(G)-1$-colouring'],
    ['a number before a question mark', 'is $x+y\\le3$?', 'is $x+y\\le3$?'],
    ['not the hyphen behind a number', '$k=2$- sets', '$k=2$- sets'],
    ['a number before a function', '$2\\sin{x^2}$', '$2\\sin x^{2}$'],
    ['a number before a function of a letter', '$3\\log n$', '$3\\log n$'],
    ['a bracket behind a fraction', '$y=\\frac{1}{2}\\left(x-z\\right)+c$', '$y=\\frac{1}{2}\\,(x-z)+c$'],
    [
      'brackets behind a script',
      '$f^{(k)}\\left(x_0\\right)\\left(x-x_0\\right)^k$',
      '$f^{(k)}\\,(x_{0})\\,{(x-x_{0})}^{k}$',
    ],
    [
      'a formula behind a fraction',
      '$\\frac{3}{x^5}\\left(x-1\\right)^3$',
      '$\\frac{3}{x^{5}}\\,{(x-1)}^{3}$',
    ],
    ['a unit behind a power', '$v=3\\cdot10^8\\,\\mathrm{m}$', '$v=3\\cdot10^{8}\\,\\mathrm{m}$'],
    ['no word behind a power', '$v=3\\cdot10^8$\\,is', '$v=3\\cdot10^{8}$ is'],
    ['a unit behind a decimal', '$1.57\\,\\text{rad/s}$', '$1.57\\,\\text{rad/s}$'],
    ['a degree behind a number', '$25\\,^{\\circ}\\mathrm{C}$', '$25^{\\circ}\\mathrm{C}$'],
    ['a number before a bar', '$7\\mid n$', '$7\\mid n$'],
    ['per cent', '$\\alpha=5\\%$', '$\\alpha=5\\%$'],
    ['a bold Greek capital', '$\\boldsymbol{\\Omega}\\times a$', '$\\boldsymbol{\\Omega}\\times a$'],
  ])('%s', async (_, source, expected) => {
    expect(await read(`We have ${source} and so on.`)).toContain(`We have ${expected} and so on.`);
  });

  test.each([
    ['a bracket closed on the next line', broken('P(X<', '\\mu-2\\sigma)'), 'P(X< \\mu-2\\sigma)'],
    ['a formula behind that bracket', broken('P(X<', '\\mu)=1-q'), 'P(X< \\mu)=1-q'],
    ['a sign on both lines', broken('f(x)=', '=g(x)'), 'f(x)= g(x)'],
  ])('%s', async (_, source, expected) => {
    expect(await read(`${source} here.`)).toContain(`as in $${expected}$ here.`);
  });

  test('the bar of a root is no line below words', async () => {
    const body = await read(
      '\n\n\\noindent The value $6.5-0.021$ stands in those lines of words and once more $6.5-0.021$ as it is smaller than the value which we find now in $\\sqrt{42}\\in[6.5,7]$ and in $\\sqrt{42}$ and $\\sqrt{42}$ and $\\sqrt{42}$ and $\\sqrt{42}$ and $\\sqrt{42}$.\n\n',
    );
    expect(body).not.toContain('underline');
  });
});

describe('paragraphs', () => {
  test.each([
    ['at the indent of others', '\n\n$a_i+b_i\\le c_i+d_i$\n\n'],
    [
      'a line of it that is filled',
      '\n\n$a_i+b_i\\le c_i$ and $x_1+x_2+x_3+x_4+x_5=y_1+y_2+y_3+y_4$ and $\\alpha+\\beta+\\gamma\\le\\delta$, that is\\linebreak $x\\ge y$.\n\n',
    ],
    [
      'a line with words, set in at the left',
      '\n\n{\\leftskip30pt\\parindent0pt We have $P(x,y,z_b)$ where $b\\in\\{0,1\\}$, $Q(x,y,z)\\le P(x,y)$, as we have\\linebreak and more.\\par}\n\n',
    ],
  ])('formulas are one: %s', async (_, source) => {
    expect(await read(source)).not.toContain('\\[');
  });

  test('a display is none, at the same place', async () => {
    const body = await trip.read(
      `${filler}\\[a_i+b_i\\le c_i+d_i\\] ${filler}`,
      '\\documentclass[fleqn]{article}\\usepackage{amsmath}\\setlength{\\mathindent}{15pt}',
    );
    expect(body).toContain('\\[\n  a_{i}+b_{i}\\le c_{i}+d_{i}\n\\]');
  });

  test('a display without space around it', async () => {
    const body = await read(
      '\\abovedisplayskip0pt\\belowdisplayskip0pt\\belowdisplayshortskip0pt\n\n\\noindent Words fill this line up to the display that is set below all of them, thus \\[P(x,y,z)+Q(x,y,z)+R(x,y,z)=\\text{odd},\\quad a_1+a_2+a_3+a_4+a_5\\le b_1\\]',
    );
    expect(body).toContain('\\[');
  });

  test('their distance is none of lines', async () => {
    const one = 'This is a paragraph of one line that is neither long nor short.\n\n';
    const body = await trip.read(
      `\\setlength{\\parskip}{6pt}${one.repeat(8)}${filler}\n\nThen we have \\[x_1=a+b\\] \\[x_2=a-b+c\\] ${filler}`,
    );
    expect(body.match(/\\\[/g)).toHaveLength(2);
  });
});

describe('displays', () => {
  test.each([
    [
      'a fraction of words',
      'P=\\frac{\\text{number of good outcomes}}{\\text{number of all outcomes}}',
      'P=\\frac{\\text{number of good outcomes}}{\\text{number of all outcomes}}',
    ],
    [
      'an array behind a brace',
      '\\left\\{\\begin{array}{l}x+y=1\\\\x-y-z=0\\end{array}\\right.',
      '\\left\\{\\begin{array}{l} x+y=1 \\\\ x-y-z=0 \\end{array}\\right.',
    ],
  ])('%s', async (_, source, expected) => {
    expect(await read(`\\[${source}\\]`)).toContain(`\\[\n  ${expected}\n\\]`);
  });

  test('an arrow whose tip begins before its shaft', async () => {
    const body = await read('\\[x\\xrightarrow{f}y\\]', '\\documentclass[12pt]{amsart}');
    expect(body).toContain('x\\xrightarrow{f}y');
  });
});
