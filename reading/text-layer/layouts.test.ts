/** Layouts of real documents whose lines, columns and boxes are easily mistaken: what the recovered LaTeX says. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFigures } from './blocks/figures.ts';
import { extractPage, openPdf } from './glyphs/extract.ts';
import { contains } from './model.ts';
import { packageFolder } from './testing/same-formula.ts';
import { filler, openRoundTrip, type RoundTrip } from './testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

const inOne = (latex: string) => latex.replace(/\s+/g, ' ');

describe('columns', () => {
  test('columns close to each other are not read across', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${`${filler}\n\n`.repeat(26)}`,
      '\\documentclass[twocolumn]{article}\\setlength\\columnsep{9pt}',
    );
    expect(inOne(latex).split(filler).length - 1).toBeGreaterThan(14);
  });

  test('a heading beside text of the other column', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${`${filler}\n\n`.repeat(12)}\\section{Main results}${`${filler}\n\n`.repeat(8)}`,
      '\\documentclass[twocolumn]{article}',
    );
    expect(latex).toContain('\\section{Main results}');
  });

  test('authors side by side above two columns', { timeout: 120_000 }, async () => {
    const file = await trip.typeset(
      `\\maketitle ${`${filler}\n\n`.repeat(20)}`,
      '\\documentclass[twocolumn]{article}\\title{A study of maps}\\author{Ada Lovelace\\and Charles Babbage}\\date{May 2020}',
    );
    const { title } = await trip.readPage(file, { index: 0, pageNumber: 1 });
    expect(title).toMatchObject({ title: 'A study of maps', author: 'Ada Lovelace Charles Babbage' });
  });

  test('columns on a part of a page are read one after the other', { timeout: 120_000 }, async () => {
    const file = await trip.typeset(
      `${`${filler}\n\n`.repeat(8)}\\begin{multicols}{2}${filler}\n\n${filler}\\end{multicols}${`${filler}\n\n`.repeat(2)}`,
      '\\documentclass[12pt]{article}\\usepackage{mathptmx,multicol}',
    );
    const { body, layout } = await trip.readPage(file, { index: 0, pageNumber: 1 });
    expect(inOne(body).split(filler).length - 1).toBe(12);
    expect(layout?.columns).toBe(1);
  });

  test('columns of short entries are read one after the other', { timeout: 120_000 }, async () => {
    const left = [
      'oak',
      'elm',
      'fir',
      'ash',
      'yew',
      'lime',
      'beech',
      'birch',
      'maple',
      'cedar',
      'rowan',
      'aspen',
    ];
    const right = [
      'rose',
      'lily',
      'iris',
      'daisy',
      'tulip',
      'aster',
      'poppy',
      'peony',
      'lilac',
      'orchid',
      'crocus',
      'dahlia',
    ];
    const column = (names: string[], skip: string) =>
      `\\begin{minipage}[t]{0.45\\textwidth}${names.map((n) => `\\noindent name: ${n}\\par\\vspace{${skip}}`).join('')}\\end{minipage}`;
    const latex = await trip.read(`\\noindent ${column(left, '8pt')}\\hfill ${column(right, '5pt')}`);
    const at = [...left, ...right].map((name) => latex.indexOf(name));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at).not.toContain(-1);
  });
});

describe('boxes and tables', () => {
  test('a frame round prose leaves it prose', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\n\n\\noindent\\fbox{\\begin{minipage}{0.95\\textwidth}Solving for the first: \\[x+2=6.58\\] ${filler} At least \\fbox{4.58} is left.\\end{minipage}}\n\n${filler}`,
    );
    expect(latex).not.toContain('tabular');
    expect(latex).toMatch(/\\\[\s*x\+2=6\.58\s*\\\]/);
  });

  test('a box with round corners leaves its words', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\\begin{center}\\begin{tikzpicture}\\draw[rounded corners](0,0) rectangle (9,1);\\node at (4.5,0.5) {All of these words stand in a frame.};\\end{tikzpicture}\\end{center}${filler}`,
      '\\documentclass{article}\\usepackage{tikz}',
    );
    expect(inOne(latex)).toContain('All of these words stand in a frame.');
  });

  test('boxes of tcolorbox leave their words, with titles on their edges', { timeout: 120_000 }, async () => {
    const box = (words: string) => `\\begin{fancy}{A title}${words}\\end{fancy}`;
    const latex = await trip.read(
      `${filler}\n${box('In one line.')}\n${box(`$a=b$. ${filler}`)}\n${filler}`,
      '\\documentclass{article}\\usepackage[most]{tcolorbox}\\newtcolorbox{fancy}[1]{enhanced,title={#1},drop fuzzy shadow,attach boxed title to top left={xshift=3mm,yshift=-3mm}}',
    );
    expect(latex).not.toContain('includegraphics');
    expect(inOne(latex).split(filler).length - 1).toBe(3);
    expect(latex.match(/A title/g)).toHaveLength(2);
    expect(latex).toContain('In one line.');
  });

  test('a drawing with words in it and numbers below stays one', { timeout: 120_000 }, async () => {
    const numbers = '\\foreach \\x in {0,...,8} \\node[below] at (\\x,0) {$\\x$};';
    const file = await trip.typeset(
      `${filler}\\begin{center}\\begin{tikzpicture}\\draw[rounded corners] (0,0) rectangle (8.6,4);\\draw (0,0) .. controls (3,4) .. (8,3.8);\\node at (4,2) {the curve of the measured values};${numbers}\\end{tikzpicture}\\end{center}${filler}`,
      '\\documentclass{article}\\usepackage{tikz}',
    );
    const pdf = await openPdf(new Uint8Array(await readFile(file)), packageFolder);
    const model = await extractPage(pdf, 0);
    await pdf.loadingTask.destroy();
    const [figure, ...others] = findFigures(model, model.glyphs);
    expect(others).toEqual([]);
    const left = model.glyphs.filter((g) => !figure || !contains(figure, g.ink));
    expect(inOne(left.map((g) => g.text).join(''))).not.toMatch(/measured|\d{5}/);
  });

  test('a table without rules, with cells of two lines', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\\begin{center}\\begin{tabular}{lp{4.5cm}p{4.5cm}}\\textbf{be} & what I am, what you are, what he is and what it is & what we are, what you are, what they are\\\\[4pt]\\textbf{have} & what I have, what you have, what he has got & what we have, what you have, what they have got\\\\[4pt]\\textbf{go} & what I go & what we go\\end{tabular}\\end{center}${filler}`,
    );
    expect(latex).toContain('\\begin{tabular}{l');
    expect(inOne(latex)).toContain(
      '\\textbf{be} & what I am, what you are, what he is and what it is & what we are, what you are, what they are \\\\',
    );
  });

  test('a table with vertical rules alone', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\\begin{center}\\begin{tabular}{|c|c|c|}Cylinder & first & second\\\\ Length [m] & 0.0397 & 0.0804\\end{tabular}\\end{center}${filler}`,
    );
    expect(latex).toContain('Cylinder & first & second');
    expect(latex).toContain('Length [m] & 0.0397 & 0.0804');
  });

  test('a caption of a language that is read less often', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\\begin{figure}[h]\\centering\\begin{tabular}{|l|l|}\\hline one & two\\\\ \\hline three & four\\\\ \\hline\\end{tabular}\\caption{What there is.}\\end{figure}${filler}`,
      '\\documentclass{article}\\renewcommand\\figurename{Rysunek}',
    );
    expect(latex).toContain('\\caption{What there is.}');
  });

  test('a figure’s caption above it', { timeout: 120_000 }, async () => {
    const circle = '\\begin{tikzpicture}\\draw (0,0) circle (1);\\draw (-1,-1) -- (1,1);\\end{tikzpicture}';
    const latex = await trip.read(
      `${filler}\\begin{figure}[h]\\caption{Sizes of A, U and U(A,$\\epsilon$)}\\centering ${circle}\\end{figure}${filler}`,
      '\\documentclass{article}\\usepackage{tikz}',
    );
    expect(inOne(latex)).toContain('\\caption{Sizes of A, U and U(A,$\\epsilon$)} \\includegraphics');
  });

  test('an entry of a table of contents is no row of a table', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `\\makeatletter\\section*{Contents}\\@dottedtocline{1}{0em}{1.5em}{\\numberline{1}First part}{2}\\l@section{\\numberline{2}Second part}{3}\\l@section{\\numberline{3}Third part}{5}\\makeatother\\section{First part}${filler}`,
    );
    expect(latex).not.toContain('tabular');
  });
});

test('tables of contents in the middle, and lists of figures, are made by LaTeX', {
  timeout: 120_000,
}, async () => {
  const entry = (text: string, page: number) => `\\noindent ${text}\\hfill ${page}\\par `;
  const latex = await trip.read(
    `\\listoffigures {\\centering\\Large\\bfseries Contents\\par}\\bigskip ${entry('Chapter 1. Review', 1)}${entry('Chapter 2. Sequences', 3)}\\section{Review}${filler}`,
  );
  expect(latex).toContain('\\listoffigures');
  expect(latex).toContain('\\tableofcontents');
  expect(latex).not.toMatch(/List of Figures|Sequences/);
});

test.each([
  ['behind the first relation', 'x+y\\le& a+b\\\\ &=c\\\\ &=d', 'x+y\\le &a+b \\\\ &=c \\\\ &=d'],
  [
    'behind every relation',
    '&1+2+3=\\\\ =&\\left(1+2\\right)+3=\\\\ =&6',
    '&1+2+3= \\\\ = &(1+2)+3= \\\\ = &6',
  ],
])('rows aligned %s', { timeout: 120_000 }, async (_, rows, expected) => {
  const latex = await trip.read(`${filler}\\begin{align*}${rows}\\end{align*}${filler}`);
  expect(inOne(latex)).toContain(`\\begin{align*} ${expected} \\end{align*}`);
});

describe('lines', () => {
  test('a rule between two lines is no fraction’s bar', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\n\nIt is $\\boxed{\\frac{21}{50}}$.\n\n\\noindent\\rule{8cm}{0.4pt}\n\n3. It was.\n\n${filler}`,
    );
    expect(latex).toContain('It is $\\boxed{\\dfrac{21}{50}}$');
    expect(latex).not.toContain('$3');
  });

  test('a line whose fraction touches the next keeps its words', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `\\lineskip=-2pt\\lineskiplimit=-2pt ${filler} These swaps occur $\\frac{n}{2}$ times, and by the theorem introduce a factor each time, which therefore is $(-1)^{\\frac{n}{2}}\\frac{a}{b}$ of what there was before the swaps were made. ${filler}`,
    );
    expect(inOne(latex)).toMatch(/times, and by the theorem introduce a factor each time/);
    expect(latex).toContain('$\\frac{n}{2}$');
  });

  test('raised letters behind a number are text', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler} It is due on the 29\\textsuperscript{th} of September. ${filler}`,
    );
    expect(latex).toContain('29\\textsuperscript{th}');
  });

  test('typewriter words keep the space before them', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler} {\\spaceskip=0.25em It is kept in the form \\texttt{Float} of numbers.} ${filler}`,
    );
    expect(inOne(latex)).toContain('in the form \\texttt{Float} of numbers');
  });

  test('lines next to a picture are one paragraph', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\n\n\\hangindent=6cm\\hangafter=-30\\relax ${filler} ${filler}\n\n${filler}`.replace(
        '\\hangindent=6cm',
        '\\hangindent=-6cm',
      ),
    );
    expect(latex).not.toContain('\\\\');
  });

  test('listings end with their braces', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\\begin{verbatim}\nif (a) {\n  b();\n}\n\\end{verbatim}${filler}`,
    );
    expect(latex).toMatch(/if \(a\) \{\n {2}b\(\);\n\}\n\\end\{/);
  });

  test('a short abstract', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `\\begin{abstract}Only some are compulsory.\\end{abstract}\\section{A}${filler}`,
    );
    expect(inOne(latex)).toContain('\\begin{abstract} Only some are compulsory.');
  });
});

const displays: [string, string, string | RegExp][] = [
  [
    'rows of a gather stay together',
    '\\begin{gather*}a+b+c+d=e\\\\ x=y\\end{gather*}',
    /\\begin\{gather\*\}[\s\S]*x=y[\s\S]*\\end\{gather\*\}/,
  ],
  ['a display of words', '\\[\\omega := \\{\\text{the very first value of all}\\}.\\]', '\\[\n'],
  [
    'columns that an array keeps off its brackets',
    '\\[\\left[\\begin{array}{cc}a&b\\\\c&d\\end{array}\\right]\\]',
    '\\begin{array}{cc}',
  ],
  ['a matrix at its brackets', '\\[\\begin{bmatrix}a&b\\\\c&d\\end{bmatrix}\\]', '\\begin{bmatrix}'],
  ['a framed result', '\\[\\boxed{x=4.58}+1\\]', '\\boxed{x=4.58}'],
  ['a bold formula', '\\[\\boldsymbol{a+b=c}\\]', /\\boldsymbol\{a\+b=c\}/],
  [
    'a binomial that begins a line',
    '\\[\\binom{4}{2}+\\binom{4}{2}\\cdot\\frac{1}{2}=9\\]',
    /\\\[\s*\\binom\{4\}\{2\}\+/,
  ],
  [
    'a fraction in brackets within a fraction',
    '\\[\\frac{\\Gamma(\\frac{n+1}{2})}{2}\\]',
    '\\frac{\\Gamma(\\frac{n+1}{2})}{2}',
  ],
  [
    'scripts that reach over \\Bigl and \\Bigr',
    '\\[\\Bigl(\\frac{8^{k-1}}{2}+1\\Bigr)\\]',
    '\\frac{8^{k-1}}{2}',
  ],
  [
    'a row of points',
    '\\begin{align*}a&=b\\\\&\\vdots\\\\&=c\\end{align*}',
    /\\begin\{align\*\}[\s\S]*\\vdots[\s\S]*=c[\s\S]*\\end\{align\*\}/,
  ],
  [
    'a first row that begins near the edge',
    '\\begin{align*}\\Psi(\\alpha)&=c+d\\\\&=\\makebox[298pt][l]{$b+c$}\\end{align*}',
    /\\begin\{align\*\}\s*\\Psi\(\\alpha\)/,
  ],
  [
    'a row of numbers and a name',
    '\\begin{align*}\\log(a\\cdot b)=\\log(a)+\\log(b)\\\\ \\log1=0\\\\ \\log a^b=b\\cdot\\log(a)\\end{align*}',
    /\\begin\{align\*\}[^$]*\\log1=0[^$]*\\end\{align\*\}/,
  ],
  [
    'rows with an arrow over a tall letter',
    '\\[\\begin{aligned}\\vec{a}_0\\cdot\\vec{x}+b_1&=0\\\\ \\vec{b}_2\\cdot\\vec{x}+b_2&=0\\\\ \\vec{c}_3\\cdot\\vec{x}+b_3&=0.\\end{aligned}\\]',
    /\\begin\{align\*\}\s*\\vec\{a\}_\{0\}/,
  ],
  [
    'displays no further apart than TeX sets them',
    '\\belowdisplayskip=6pt\\[\\frac{1-x^2}{1+x^2}\\ge0\\]\\[x^2\\le1\\]',
    /\\ge0\s*\\\]\s*\\\[\s*x\^\{2\}/,
  ],
  [
    'eqnarray',
    '\\begin{eqnarray*}x+1&<&y\\\\x&<&-N\\end{eqnarray*}',
    '\\begin{eqnarray*}\n  x+1 & < & y \\\\\n  x & < & -N\n\\end{eqnarray*}',
  ],
  [
    'cases whose conditions are in no column',
    '\\[f=\\begin{cases}\\log t+2\\qquad t>0\\\\\\log(-t)-2\\qquad t<0\\end{cases}\\]',
    '\\log t+2\\qquad t>0 \\\\ \\log(-t)-2\\qquad t<0',
  ],
  ['a slash between words', '\\[\\text{gain/loss}=10\\cdot x\\]', '\\text{gain/loss}=10'],
];

describe('displays', () => {
  test.each(displays)('%s', { timeout: 120_000 }, async (_, body, expected) => {
    const latex = await trip.read(`${filler}${body}${filler}`);
    if (typeof expected === 'string') expect(latex).toContain(expected);
    else expect(latex).toMatch(expected);
  });

  test('displays one after the other stay displays of their own', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\n\n\\noindent So\\[E(S)\\approx 50\\times 1.0006\\]\\[S=2\\]${filler}`,
      '\\documentclass[12pt]{article}\\usepackage{amsmath}',
    );
    expect(latex).toMatch(/\\\[\s*E\(S\)[^\]]*\\\]\s*\\\[\s*S=2\s*\\\]/);
  });

  test('a tall one right behind the end of a line', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\n\nand\\[A_3=\\det(A)\\left(\\left(A^{-1}\\vec{b}\\right)^*+I_3\\right).\\] ${filler}`,
      '\\documentclass[11pt]{article}\\usepackage{amsmath}',
    );
    expect(latex).toMatch(/\n\s*and\s*\\\[\s*A_\{3\}/);
  });

  test('integrals of a font of their own', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\\[\\int_0^1f(x)\\,dx=\\oint g\\]${filler}`,
      '\\documentclass{article}\\usepackage{amsmath,esint}',
    );
    expect(latex).toContain('\\int_{0}^{1}f(x)\\,dx=\\oint g');
  });

  test('equation numbers at the left', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `${filler}\\begin{equation}a^2-b=0\\end{equation}${filler}`,
      '\\documentclass[leqno]{article}\\usepackage{amsmath}',
    );
    expect(latex).toMatch(/\\begin\{equation\}\s*a\^\{2\}-b=0 \\tag\{1\}/);
  });
});

test('running heads of a left and of a right page', { timeout: 120_000 }, async () => {
  const file = await trip.typeset(
    `${`${filler}\n\n`.repeat(40)}`,
    '\\documentclass{amsart}\\title{What we know of maps.}\\pagestyle{headings}\\markboth{What we know of maps.}{What we know of maps.}',
  );
  for (const index of [1, 2]) {
    const { body } = await trip.readPage(file, { index, pageNumber: index + 1 });
    expect(body).not.toMatch(/know of maps/i);
  }
});
