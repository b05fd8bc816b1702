/** What writers do that no rule of typesetting asks for, in sentences and in displays. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from './testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

const read = (source: string) => trip.read(`${filler} ${source} ${filler}`);
/** A formula that the end of its line breaks. */
const broken = (before: string, after: string) =>
  `\n\n\\noindent\\setbox0\\hbox{\\ $${before}$}\\makebox[\\dimexpr\\linewidth-\\wd0\\relax][s]{Words fill the line up to the formula, as in} $${before}\\penalty-10000 ${after}$`;

describe('in sentences', () => {
  test.each([
    ['an accent on the last letter', '$z\\bar{z}=1$ for $\\hat{\\mu}$', '$z\\bar{z}=1$ for $\\hat{\\mu}$'],
    ['a prime in braces', "$P(B^{'})$ and $P(B')$", "$P(B^{'})$ and $P(B')$"],
    ['a label over a relation', '$x\\stackrel{c}{\\approx}y$', '$x\\overset{c}{\\approx}y$'],
    ['a label over an arrow', '$r\\overset{R}{\\gets}s$', '$r\\overset{R}{\\leftarrow}s$'],
    ['an arrow with a narrow label', '$X\\xrightarrow{d}Y$', '$X\\xrightarrow{d}Y$'],
    ['a degree', '$20^\\circ\\mathrm{C}$', '$20^{\\circ}\\mathrm{C}$'],
    ['a function of a number', '$w=\\log(1-x)$', '$w=\\log(1-x)$'],
    ['no phrase behind a relation', '$y$ = some words of it', '$y=$ some words of it'],
    ['no article behind a relation', '$y$ = the', '$y=$ the'],
    ['a word behind a relation', '$x_i=\\text{true}$', '$x_{i}=\\mathrm{true}$'],
    ['one in another face', '$|x|<\\texttt{tol}$', '$|x|<\\mathtt{tol}$'],
    ['a name and its argument', '$r=\\mathrm{rank}\\,[a,b]=n$', '$r=\\mathrm{rank}\\,[a,b]=n$'],
    ['a name and its brackets', '$X\\sim\\text{Normal}(\\mu,s)$', '$X\\sim\\mathrm{Normal}(\\mu,s)$'],
    ['no word behind an arrow', '$x\\Rightarrow$ contradiction', '$x\\Rightarrow$ contradiction'],
    ['no word behind a sign alone', 'those $\\in$ some', 'those $\\in$ some'],
    ['words between braces', '$\\{x:\\text{it is odd}\\}$', '$\\{x:\\text{it is odd}\\}$'],
    ['words between brackets', '$\\Pr[S\\text{ accepts it}]\\ge1$', '$\\Pr[S\\;\\text{accepts it}]\\ge1$'],
    ['a word between brackets', '$P(\\text{even})=1$', '$P(\\mathrm{even})=1$'],
    ['a unit with a slash', '$v=10\\,\\text{m/s}$', '$v=10\\,\\text{m/s}$'],
    [
      'brackets in brackets',
      '$(A\\Rightarrow(B\\Rightarrow C))\\Rightarrow D$',
      '$(A\\Rightarrow(B\\Rightarrow C))\\Rightarrow D$',
    ],
  ])('%s', async (_, source, expected) => {
    expect(await read(`We have ${source} and so on.`)).toContain(`We have ${expected} and so on.`);
  });

  test.each([
    ['a number on the next line', broken('|x|,|y|<', '1'), '|x|,|y|< 1'],
    ['a bracket closed on the next line', broken('n(q+', "qr')\\simeq0"), "n(q+ qr')\\simeq0"],
    [
      'what a labelled relation leaves to the next line',
      broken('(a,b)\\overset{c}{=}', '(x,y)'),
      '(a,b)\\overset{c}{=} (x,y)',
    ],
    ['another bracket behind it', broken('P[g=', '1]=P[g=-1]'), 'P[g= 1]=P[g=-1]'],
  ])('%s', async (_, source, expected) => {
    expect(await read(`${source} here.`)).toContain(`as in $${expected}$ here.`);
  });

  test('an item typed by hand goes on at the margin', async () => {
    const item = (label: string, words: string) => `\n\n${label}) First $f(t)=t$ is plugged in. ${words}`;
    const body = await read(`${item('a', filler)} ${item('b', filler)}\n\n`);
    expect(body.match(/begin\{enumerate\}/g)).toHaveLength(1);
  });

  test('or with the rest of a formula', async () => {
    const cut =
      '\\makebox[\\dimexpr\\linewidth-\\wd0-\\parindent\\relax][s]{The first one says that we have} $f=\\penalty-10000 -g$';
    const body = await read(
      `\n\n\\setbox0\\hbox{a) \\ $f=$}a) ${cut} with more words.\n\n b) Then the other.\n\n`,
    );
    expect(body).toContain('$f= -g$ with more words.\n  \\item');
  });

  test('a line that is mostly formulas, below one of words', async () => {
    const body = await read(
      '\n\nThen $\\frac{1}{7}$ of those words have\\\\ $L_D(A(s))\\ge\\frac{1}{8}$.\n\n',
    );
    expect(body).toContain('have \\\\ $L_{D}(A(s))\\ge\\frac{1}{8}$.');
  });

  test('a line over a letter, below a line of words', async () => {
    const body = await read('for which we have those words here\\\\ \\mbox{}\\qquad$\\overline{S}=2$.\n\n');
    expect(body).toContain('$\\overline{S}=2$');
  });
});

describe('displays', () => {
  test.each([
    ['a label over a relation', 'a\\overset{(1)}{\\le}b', 'a\\overset{(1)}{\\le}b'],
    ['an index above an equals sign', '\\{x_i\\}_{i=1}^{n_{Tr}}', '\\{x_{i}\\}_{i=1}^{n_{Tr}}'],
    [
      'wide limits side by side',
      '\\max_{w_1,\\cdots,w_d}\\sum_{k=1}^dw_k',
      '\\max_{w_{1},\\cdots,w_{d}}\\sum_{k=1}^{d}w_{k}',
    ],
    [
      'limits in sized brackets',
      '\\bigl(\\sum_{i=1}^na_i\\bigr)^2',
      '\\bigl(\\sum_{i=1}^{n}a_{i}\\bigr)^{2}',
    ],
    [
      'a fraction taller than its brackets',
      '\\bigl(\\frac{1}{10}\\bigr)^{m/2}',
      '\\bigl(\\frac{1}{10}\\bigr)^{m/2}',
    ],
    [
      'a name of two words with one limit',
      '\\operatorname*{arg\\,min}_{\\theta\\in\\Theta}f\\ne\\arg\\min_{\\theta\\in\\Theta}f',
      '\\operatorname*{arg\\,min}_{\\theta\\in\\Theta}f\\ne\\arg\\min_{\\theta\\in\\Theta}f',
    ],
    ['an abbreviation', 'w\\text{ s.t. }\\|w\\|=1', 'w\\;\\text{s.t.}\\ \\|w\\|=1'],
    ['dots with their own spaces', '\\sqrt{x_1\\ldots x_n}', '\\sqrt{x_{1}\\ldots x_{n}}'],
    [
      'rows of a matrix that touch',
      'v=\\begin{pmatrix}1\\\\\\frac12\\\\\\frac{45}{810}\\end{pmatrix}',
      'v=\\begin{pmatrix} 1 \\\\ \\frac{1}{2} \\\\ \\frac{45}{810} \\end{pmatrix}',
    ],
    [
      'an arrow over a letter between bars',
      '|\\overrightarrow{v}|\\cos\\theta',
      '|\\overrightarrow{v}|\\cos\\theta',
    ],
  ])('%s', async (_, source, expected) => {
    expect(await read(`\\[${source}\\]`)).toContain(`\\[\n  ${expected}\n\\]`);
  });

  test('rows of words, aligned with others', async () => {
    const body = await read(
      '\\begin{align*}x&=\\text{the pressure in an artery}\\\\ y&=z(t-s)+a_1b_1+a_2b_2+a_3b_3+a_4b_4+a_5b_5+a_6b_6\\\\ z&=\\text{its rate in a body}\\end{align*}',
    );
    expect(body).toMatch(
      /\\begin\{align\*\}\s*x &=\\text\{the pressure in an artery\} \\\\\s*y &=z\(t-s\).* \\\\\s*z &=\\text/,
    );
  });

  test('rows of words, flush right', async () => {
    const body = await read(
      '\\begin{align*}\\text{the owner has a coverage for it}\\\\ \\text{C and D are independent}\\\\ P(C)=2P(D)\\end{align*}',
    );
    expect(body).toMatch(/\{align\*\}\s*.*owner.*\s*.*are independent.*\s*P\(C\)=2P\(D\)\s*\\end/);
  });

  test('rows aligned behind their relation', async () => {
    const body = await read('\\begin{align*}&|x-y|\\le d\\\\ \\implies&x\\ge y-d\\\\ =&y+c\\end{align*}');
    expect(body).toContain('\\Longrightarrow &x\\ge y-d');
  });
});
