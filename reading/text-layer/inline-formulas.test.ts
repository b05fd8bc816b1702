/** Formulas in sentences: what belongs to them, and what to the text around them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from './testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

const packages = '\\usepackage{amsmath,amssymb,amsthm,mathtools}\\newtheorem{theorem}{Theorem}';
const classic = `\\documentclass{article}${packages}`;
const encoded = `\\documentclass{article}\\usepackage[T1]{fontenc}${packages}`;
const borrowed = `\\documentclass{article}\\usepackage{mathpazo}${packages}`;

const read = (source: string, preamble = classic) => trip.read(`${filler} ${source} ${filler}`, preamble);
const more = 'Here $a\\le b\\le c$.';
const inTheorem = (source: string) => `\\begin{theorem}${source} ${more} ${filler}\\end{theorem}`;

describe('signs of several glyphs', () => {
  test.each([
    ['a colon on the axis', '$f\\coloneqq x$', '$f\\coloneqq x$'],
    ['a colon on the baseline', '$f:=x$', '$f:=x$'],
    ['congruent', '$G\\cong H$', '$G\\cong H$'],
    ['a difference of sets', '$A\\setminus B$', '$A\\setminus B$'],
    ['\\not over a relation', '$i\\not\\in I$', '$i\\not\\in I$'],
    ['\\notin', '$i\\notin I$', '$i\\notin I$'],
  ])('%s', async (_, source, expected) => {
    expect(await read(`We have ${source} here.`)).toContain(expected);
  });
});

describe('what belongs to a formula', () => {
  test.each([
    ['a sign behind a bracket', '$E[Y\\mid Z]=Z^2b$', '$E[Y\\mid Z]=Z^{2}b$'],
    ['dollars', '$a=\\$1,000$', '$a=\\$1,000$'],
    ['a number and its unit', '$x<12\\,\\mathrm{GHz}$', '$x<12\\,\\mathrm{GHz}$'],
    ['a line below a letter', '$\\underline{Z}=R+jL$', '$\\underline{Z}=R+jL$'],
    [
      'a bold letter of other formulas',
      '$\\mathbf{x}\\le0$ and $\\mathbf{x}$',
      '$\\mathbf{x}\\le0$ and $\\mathbf{x}$',
    ],
    ['not the word before it', 'an inf $M=0$', 'an inf $M=0$'],
    ['not the mark of a note', '$x\\in E$\\footnote{A note.}', '$x\\in E$\\footnote{A note.}'],
    ['a numerator, if it is also a note’s mark', 'a\\footnote{A note.} $\\frac{1-q}{n}$', '$\\frac{1-q}{n}$'],
    ['a frame around a fraction', '$\\boxed{\\frac{5}{8}}$', '$\\boxed{\\dfrac{5}{8}}$'],
    ['scripts of stretched bars', '$\\left\\|x\\right\\|^2-R$', '$\\left\\|x\\right\\|^{2}-R$'],
    [
      'scripts of stretched braces',
      '$\\left\\{x_i\\right\\}_{i=1}^N$',
      '$\\left\\{x_{i}\\right\\}_{i=1}^{N}$',
    ],
  ])('%s', async (_, source, expected) => {
    expect(await read(`We have ${source} here.`)).toContain(`${expected} here`);
  });
});

test.each([
  '\\varnothing',
  '\\smallsetminus',
  '\\approxeq',
  '\\nsubseteqq',
  '\\nshortmid',
  '\\rightrightarrows',
  '\\curvearrowright',
  '\\lozenge',
])('%s of amssymb', async (name) => {
  expect(await read(`We have $a${name} b$ here.`)).toContain(`$a${name} b$ here`);
});

test('quotation marks below the line are text', async () => {
  const body = await read(
    'Das war \\glqq alles\\grqq{} hier.',
    '\\documentclass{article}\\usepackage[ngerman]{babel}',
  );
  expect(body).toContain('war „alles“ hier');
});

test('brackets that a line breaks stay with their formula', async () => {
  const body = await read('\\hfil So $w=(g(b)-\\penalty-10000 g(a))f(x)=v$ here.');
  expect(body).toContain('So $w=(g(b)- g(a))f(x)=v$ here');
});

describe('names of operators', () => {
  test.each([
    ['before a bracket', '$A\\in\\operatorname{Ob}(\\mathcal{C})$', '$A\\in\\mathrm{Ob}(\\mathcal{C})$'],
    ['with a script', '$\\operatorname{Sym}^n(M)$', '$\\mathrm{Sym}^{n}(M)$'],
    ['one letter', '$\\text{T}^0(M)=R$', '$\\mathrm{T}^{0}(M)=R$'],
    ['before numbers', '$M\\in\\mathrm{SO}(2)$', '$M\\in\\mathrm{SO}(2)$'],
    ['the d of an integral', '$\\int f(t)\\;\\mathrm{d}t$', '$\\int f(t)\\;\\mathrm{d}t$'],
    ['a word of the text', 'a distribution Normal$(\\mu)$', 'Normal$(\\mu)$'],
  ])('%s', async (_, source, expected) => {
    expect(await read(`We have ${source} here.`)).toContain(expected);
  });

  test('with their condition below them', async () => {
    const body = await read(inTheorem('Then $\\lim\\limits_{k}g(k)=0$ holds.'), borrowed);
    expect(body).toContain('\\lim_{k}g(k)=0$ holds');
  });
});

test('accents over bold letters are accents of mathematics', async () => {
  const body = await read(
    'Then $\\dot{\\mathbf{x}}$ and $\\ddot{\\mathbf{r}}=\\hat{\\mathbf{u}}$. \\textbf{Die \\"Ubung f\\"ur Zo\\"e.} \\[\\mathbf{L}=m\\dot{\\mathbf{p}}\\]',
  );
  expect(body).toContain('$\\dot{\\mathbf{x}}$ and $\\ddot{\\mathbf{r}}=\\hat{\\mathbf{u}}$');
  expect(body).toContain('\\textbf{Die Übung für Zoë.}');
  expect(body).toContain('\\mathbf{L}=m\\dot{\\mathbf{p}}');
});

describe('marks over tall letters, below a full line', () => {
  test.each([
    ['an arrow', 'on $\\overrightarrow{AB}=\\overrightarrow{AC}+\\overrightarrow{CB}$ so'],
    ['a hat', 'for $\\hat{f}(x)$ and $\\widehat{f}(y)$ so'],
  ])('%s', async (_, source) => {
    const body = await trip.read(`${filler}\n\n${source} ${filler}`, classic);
    expect(body.replace(/\s+/g, ' ')).toBe(`${filler} ${source} ${filler}`);
  });

  test('a frame', async () => {
    const body = await trip.read(`${filler}\n\nSo $\\boxed{y=3}$ is it. ${filler}`, classic);
    expect(body.replace(/\s+/g, ' ')).toBe(`${filler} So $\\boxed{y=3}$ is it. ${filler}`);
  });
});

describe('a colon at the edge of a formula', () => {
  test.each([
    ['before it', 'Donc : $x=1$ here.', 'Donc : $x=1$ here.'],
    ['behind a script', 'The charge $q_t$: small.', 'charge $q_{t}$: small'],
    ['behind a fraction', 'And $t=\\frac{n}{q}$: so.', '$t=\\frac{n}{q}$: so'],
    ['inside it', 'Let $f\\colon X\\to Y$ be.', 'Let $f:X\\to Y$ be'],
  ])('%s', async (_, source, expected) => {
    expect(await read(source)).toContain(expected);
  });
});

describe('brackets', () => {
  test.each([
    ['a sum', '$(x+y)+z=x+(y+z)$', '$(x+y)+z=x+(y+z)$'],
    ['a pair', 'the pair $(A\\to B,M)$', '$(A\\to B,M)$'],
    ['of the text', 'small ($x>0$) numbers', '($x>0$)'],
    ['of the text, after words', 'small (if $1\\neq 0$) numbers', '(if $1\\ne0$)'],
  ])('%s', async (_, source, expected) => {
    expect(await read(`We have ${source} here.`)).toContain(expected);
  });

  test('in an italic sentence', async () => {
    const body = await read(inTheorem('Then $S\\cap(c-\\alpha,c+\\alpha)$ is empty.'), borrowed);
    expect(body).toContain('Then $S\\cap(c-\\alpha,c+\\alpha)$ is empty.');
  });
});

test('a name in an italic sentence is italic', async () => {
  const body = await read(inTheorem('Let $\\text{Mod}_S\\to\\text{Mod}_R$ be one.'));
  expect(body).toContain('$\\text{Mod}_{S}\\to\\text{Mod}_{R}$');
});

test('Greek letters and sums of the Symbol face', async () => {
  const source = `Let $\\phi$ and $\\varphi$ be $\\sum_i a_i\\to b$. ${more}`;
  const body = await read(source, borrowed.replace('mathpazo', 'mathptmx'));
  expect(body).toMatch(/Let \$\\phi\$ and \$\\varphi\$ be \$\\sum_\{i\} ?a_\{i\}\\to b\$/);
});

describe('mathematics in the italic of the text', () => {
  test.each([
    ['a Greek letter', 'Here $\\alpha$ is one.', 'Here $\\alpha$ is one.'],
    ['words after a formula', 'Let $f\\colon S\\to\\mathbb{R}$ be one.', '$f:S\\to\\mathbb{R}$ be one.'],
    [
      'a letter that is a word, too',
      'Let $I$ be one with $c\\in I$ in it.',
      '$I$ be one with $c\\in I$ in it.',
    ],
  ])('%s', async (_, source, expected) => {
    expect(await read(inTheorem(source), borrowed)).toContain(expected);
  });

  test.each([
    ['an elision', "Soit l'élément d'un corps.", 'l’élément d’un corps'],
    ['an abbreviation', 'Let $x$ be even, i.e. two apart.', 'even, i.e. two'],
    ['a ligature', 'We define $x$ so.', 'We define $x$ so'],
    ['a word before a sign', 'Here $x$ is $-1$ or $\\uparrow$ then.', '$x$ is $-1$ or $\\uparrow$'],
    ['a word that is a product', 'Then $b=be=ba$ holds.', '$b=be=ba$ holds'],
  ])('%s', async (_, source, expected) => {
    const body = await read(
      inTheorem(source),
      borrowed.replace('{article}', '{article}\\usepackage[T1]{fontenc}'),
    );
    expect(body).toContain(expected);
  });

  test('the narrower spaces of Times', async () => {
    const body = await read(
      'So \\[\\iint f\\,dx\\,dy=60\\;[V].\\]',
      borrowed.replace('mathpazo', 'mathptmx'),
    );
    expect(body).toContain('\\iint f\\,dx\\,dy=60\\;[V].');
  });

  test('a letter that reaches to the left has no space before it', async () => {
    expect(await read('Let $\\bigl(c,f(c)\\bigr)$ be $\\alpha f(x)$.', borrowed)).toMatch(
      /\$\\bigl\( ?c,f\(c\)\\bigr\)\$ be \$\\alpha f\(x\)\$/,
    );
  });
});

test('beside T1 text, Computer Modern is mathematics', async () => {
  const body = await read('The $2$-sphere, $\\det$ and $\\mathbf{n}$ are known.', encoded);
  expect(body).toContain('The $2$-sphere, $\\det$ and $\\mathbf{n}$ are known.');
});

test('words in the formulas of an italic theorem', async () => {
  const body = await read(inTheorem('We have \\[f(x)\\le g(x)\\qquad\\text{for all }x\\in D.\\]'));
  expect(body).toContain('\\text{for all}');
});

describe('displays of several rows', () => {
  test.each([
    ['multline*', ''],
    ['multline', ' \\tag{1}'],
  ])('%s', async (env, tag) => {
    const body = await read(`\\begin{${env}}a_1+a_2+a_3+a_4=b_1+b_2\\\\ =c_1+c_2+c_3\\end{${env}} ${filler}`);
    expect(body).toContain(
      `\\begin{${env}}\n  a_{1}+a_{2}+a_{3}+a_{4}=b_{1}+b_{2} \\\\\n  =c_{1}+c_{2}+c_{3}${tag}\n\\end{${env}}`,
    );
  });

  test('aligned, with dots between them', async () => {
    const body = await read('\\begin{align*}s_1&=1,\\\\ s_2&=1+x,\\\\ &\\vdots\\\\ s_n&=1+y.\\end{align*}');
    expect(body).toMatch(
      /s_\{1\} &=1, \\\\\n {2}s_\{2\} &=1\+x, \\\\\n +&\\vdots \\\\\n {2}s_\{n\} &=1\+y\./,
    );
  });
});

test('brackets turned outwards leave the commands around them whole', async () => {
  const body = await read('So \\[\\left|[a,b[\\right|_p+{]c,d]}^2=1.\\]');
  expect(body).toContain('\n  |{[a,b[|_{p}\\,+\\,]c,d]}^{2}=1.\n');
});

test('between two sized pairs a sign has its own space', async () => {
  const body = await read('\\[\\bigl|a-b\\bigr|+\\bigl|c-d\\bigr|<\\biggl(\\sum_{n=1}^k x_n\\biggr)-1\\]');
  expect(body).toContain('\\bigr|+\\bigl|');
});

test('a slash with something raised before it and lowered after it', async () => {
  const body = await read(
    'The sum of $\\nicefrac{1}{2}$ is \\[L(\\nicefrac{1}{x})\\ge\\nicefrac{1}{2}.\\]',
    '\\documentclass{article}\\usepackage{amsmath,nicefrac}',
  );
  expect(body).toContain('of $\\nicefrac{1}{2}$ is');
  expect(body).toContain('L(\\nicefrac{1}{x})\\ge\\nicefrac{1}{2}.');
});

test('a root that is taller than its brackets', async () => {
  const body = await read(
    'So \\[\\cos\\bigl(\\sqrt{\\lambda}\\,x\\bigr)=0.\\]',
    '\\documentclass[11pt]{article}\\usepackage[T1]{fontenc}\\usepackage{lmodern,amsmath}',
  );
  expect(body).toContain('\\cos\\bigl(\\sqrt{\\lambda}\\,x\\bigr)=0.');
});

describe('in a face whose italic is that of formulas', () => {
  test('dots between two formulas are theirs', async () => {
    const body = await read(`${more} Let $S=k[T_0,\\ldots,T_n]$ be given.`, borrowed);
    expect(body).toMatch(/\$S=k\[T_\{0\},\\ldots(?: \\,)?,T_\{n\}\]\$ be/);
  });

  test('a differential is no word', async () => {
    const body = await read(`${more} So \\[\\frac{d}{dt}f(t)=\\frac{g(s)}{s}\\,ds.\\]`, borrowed);
    expect(body).toMatch(/\\frac\{d\}\{dt\}f\(t\)=\\frac\{g\(s\)\}\{s\}\\,ds\./);
  });

  test('cases with a full stop after them', async () => {
    const body = await read(`${more} So \\[H(t)=\\begin{cases}1&t>0\\\\0&t<0\\end{cases}.\\]`, borrowed);
    expect(body).toMatch(/\\begin\{cases\} 1 & t>0 \\\\ 0 & t<0 \\end\{cases\}/);
  });
});

describe('displays among the words', () => {
  test('one right behind a heading, mostly words', async () => {
    const body = await read(
      inTheorem('[A name] \\[\\theta\\to P_\\theta\\quad\\text{injective}\\]'),
      classic,
    );
    expect(body).toMatch(/\\\[\s*\\theta\\to P_\{\\theta\}\\quad \\text\{injective\}/);
  });

  const amsart = '\\documentclass[12pt]{amsart}\\usepackage{amsmath}\\newtheorem{thm}{Theorem}[section]';

  test('one that ends a proof has its sign', async () => {
    const body = await read(
      `${filler}\\begin{proof}We have \\[E[XY]\\ge E[X]E[Y].\\qedhere\\]\\end{proof}${filler}`,
      amsart,
    );
    expect(body).toMatch(/\\\[\s*E\[XY\]\\ge E\[X\]E\[Y\]\. \\qedhere\s*\\\]\s*\\end\{proof\}/);
  });

  test('one with bold letters is no heading', async () => {
    const body = await read(
      `\\section{Words}${filler}\\[[A(\\mathbf{x}),p(\\mathbf{y})]=(\\mathbf{x}-\\mathbf{y}),\\]${filler}`,
      amsart,
    );
    expect(body.match(/section/g)).toHaveLength(1);
    expect(body).toContain('\\[\n');
  });

  test('one too wide for its column, with words', async () => {
    const body = await read(
      `${filler}\\[\\lim_{x\\to c^-}f(x)=\\sup\\{f(x):x<c,x\\in S\\}\\qquad\\text{and}\\qquad\\lim_{x\\to c^-}g(x)=\\inf\\{g(x):x<c,x\\in S\\}.\\]${filler}`,
      amsart,
    );
    expect(body).toMatch(/\\\[\s*\\lim_\{x\\to c\^\{-\}\}f\(x\)[^\n]*and[^\n]*\\inf/);
  });

  test('several formulas numbered at the left', async () => {
    const body = await read(
      `${filler}\\begin{equation}y(0,t)=0,\\qquad y(L,t)=0,\\qquad y(x,0)=0,\\qquad y_t(x,0)=0.\\end{equation}${filler}`,
      amsart,
    );
    expect(body).toMatch(/\\begin\{equation\}\s*y\(0,t\)=0,[^\n]*\\tag\{1\}/);
  });
});
