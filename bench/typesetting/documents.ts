/**
 * The documents that the typesetter is timed with: always the same text, except for three words that edits
 * replace.
 */

export const places = ['start', 'middle', 'end'] as const;
export type Place = (typeof places)[number];
/** The word that opens one paragraph near the start, the middle and the end. */
export type Words = Record<Place, string>;

/** A document's own text, and its other files by name. */
export interface Source {
  latex: string;
  files: Record<string, string>;
}

export interface BenchDocument {
  name: string;
  what: string;
  write(words: Words): Source;
}

/** A document of one file. */
const alone =
  (write: (words: Words) => string) =>
  (words: Words): Source => ({ latex: write(words), files: {} });

/** Word number `count`: seven letters each, first in its paragraph and so never hyphenated. */
export function makeWord(count: number): string {
  const syllables = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'ti', 'vo', 'du'];
  const word = [...String(count).padStart(3, '0')].map((digit) => syllables[Number(digit)]).join('');
  return `K${word}`;
}

const lexicon =
  'the sequence converges to a limit that depends on the chosen norm and every bounded operator maps compact sets into sets whose closure is compact while we measure energy against time under constant pressure so that a small change of temperature moves the curve by less than its width which proves the claim for each positive value of the parameter'.split(
    ' ',
  );

/** Numbers from 0 to below 1, determined by the seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

function sentence(random: () => number): string {
  const length = 9 + Math.floor(random() * 12);
  const from = Math.floor(random() * lexicon.length);
  const words = Array.from({ length }, (_, index) => lexicon[(from + index * 7) % lexicon.length]!);
  return `${words[0]![0]!.toUpperCase()}${words.join(' ').slice(1)}.`;
}

function paragraph(random: () => number, sentences: number, opening = ''): string {
  const text = Array.from({ length: sentences }, () => sentence(random)).join(' ');
  return opening === '' ? text : `${opening} ${text[0]!.toLowerCase()}${text.slice(1)}`;
}

const formulas = [
  (n: number) => `\\int_0^1 x^{${n}}\\,\\mathrm{d}x = \\frac{1}{${n + 1}}`,
  (n: number) => `\\sum_{k=1}^{${n}} k = \\frac{${n}\\cdot ${n + 1}}{2}`,
  (n: number) =>
    `\\lim_{x\\to 0}\\frac{\\sin ${n}x}{x} = ${n}, \\qquad \\|A\\|_{${n}} \\le \\sqrt{\\alpha\\beta}`,
  (n: number) =>
    `\\begin{pmatrix} ${n} & 1 \\\\ 0 & \\lambda_{${n}} \\end{pmatrix}\\begin{pmatrix} x \\\\ y \\end{pmatrix} = \\mathbf{b}_{${n}}`,
  (n: number) => `\\frac{\\partial^2 u}{\\partial t^2} = c_{${n}}^2 \\nabla^2 u + \\mathcal{F}(u)`,
];

/** A paragraph with an inline formula, then a displayed one. */
function mathPart(random: () => number, number: number, opening?: string): string {
  const formula = formulas[number % formulas.length]!(number + 2);
  return `${paragraph(random, 2, opening)} Here $a_{${number}} \\in \\mathbb{R}$ and $f(x) = x^{${number + 1}}$.\n\\[ ${formula} \\]`;
}

function onePage(preamble: string): (words: Words) => string {
  return (words) => {
    const random = createRandom(7);
    const openings: Partial<Record<number, string>> = { 0: words.start, 3: words.middle, 5: words.end };
    const parts = Array.from({ length: 6 }, (_, n) => mathPart(random, n, openings[n]));
    // one formula has a number and is referred to, as in any note: latexmk then needs two passes from nothing,
    // which is what the goals were measured against (one pass of xelatex took 0.43 of that)
    parts[1] = parts[1]!
      .replace('\\[', '\\begin{equation}\\label{eq:first}')
      .replace('\\]', '\\end{equation}');
    parts[4] += ' See equation~(\\ref{eq:first}).';
    return `\\documentclass{article}\n${preamble}\\begin{document}\n\\section*{Notes}\n${parts.join('\n\n')}\n\\end{document}\n`;
  };
}

/** A section of about a page: a box, a drawing, a plot, quantities. */
function richSection(random: () => number, n: number, opening?: string): string {
  return [
    `\\section{Part ${n + 1}}\\label{part:${n + 1}}`,
    paragraph(random, 3, opening),
    `As in section~\\ref{part:${(n % 10) + 1}}, the mass is \\SI{${n + 1}.5}{\\kilogram} and the speed \\SI{${n * 3 + 2}}{\\metre\\per\\second}.`,
    `\\begin{tcolorbox}[title=Result ${n + 1}, colback=blue!5!white, colframe=blue!60!black]\n${paragraph(random, 2)}\n\\[ ${formulas[n % formulas.length]!(n + 2)} \\]\n\\end{tcolorbox}`,
    `\\begin{center}\\begin{tikzpicture}[scale=0.8]\n\\draw[->] (0,0) -- (5,0) node[right] {$x$};\n\\draw[->] (0,0) -- (0,3) node[above] {$y$};\n\\foreach \\k in {1,...,${4 + (n % 4)}} { \\draw[fill=red!20] (\\k*0.6,0) rectangle ++(0.5,{0.4*\\k}); \\node at (\\k*0.6+0.25,-0.3) {\\k}; }\n\\end{tikzpicture}\\end{center}`,
    `\\begin{center}\\begin{tikzpicture}\\begin{axis}[width=8cm,height=5cm,xlabel=$t$,ylabel=$v$]\n\\addplot[blue,domain=0:6,samples=40] {sin(deg(x*${n + 1}/3))};\n\\addplot[red,mark=*] coordinates {(0,0) (1,${(n % 3) / 4}) (2,0.5) (4,0.2) (6,0.8)};\n\\end{axis}\\end{tikzpicture}\\end{center}`,
    paragraph(random, 2),
  ].join('\n\n');
}

function tenPages(words: Words): string {
  const random = createRandom(11);
  const openings: Partial<Record<number, string>> = { 0: words.start, 5: words.middle, 9: words.end };
  const sections = Array.from({ length: 10 }, (_, n) => richSection(random, n, openings[n]));
  const packages =
    '\\usepackage{amsmath,amssymb}\n\\usepackage{siunitx}\n\\usepackage{tikz}\n\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}\n\\usepackage[most]{tcolorbox}\n';
  return `\\documentclass{article}\n${packages}\\begin{document}\n${sections.join('\n\\clearpage\n')}\n\\end{document}\n`;
}

const sixtyPreamble =
  '\\usepackage{amsmath,amssymb,amsthm}\n\\usepackage{hyperref}\n\\begin{document}\n\\tableofcontents\n';

function sixtyParts(words: Words): string[] {
  const random = createRandom(13);
  const openings: Partial<Record<number, string>> = { 1: words.start, 155: words.middle, 308: words.end };
  return Array.from({ length: 310 }, (_, n) => {
    const heading = n % 15 === 0 ? `\\section{Chapter ${n / 15 + 1}}\\label{chapter:${n / 15 + 1}}\n` : '';
    const reference = n % 5 === 0 ? ` See section~\\ref{chapter:${(n % 20) + 1}}.` : '';
    return `${heading}${mathPart(random, n, openings[n])}${reference}\n\n${paragraph(random, 3)}`;
  });
}

function sixtyPages(words: Words): string {
  return `\\documentclass{article}\n${sixtyPreamble}${sixtyParts(words).join('\n\n')}\n\\end{document}\n`;
}

/** The same text in seven files of three sections each; every edit is in one of them. */
function sevenFiles(words: Words): Source {
  const parts = sixtyParts(words);
  const files: Record<string, string> = {};
  for (let first = 0; first < parts.length; first += 45)
    files[`parts/part${first / 45 + 1}.tex`] = `${parts.slice(first, first + 45).join('\n\n')}\n`;
  const includes = Object.keys(files).map((name) => `\\include{${name.replace(/\.tex$/, '')}}`);
  return {
    latex: `\\documentclass{article}\n${sixtyPreamble}${includes.join('\n')}\n\\end{document}\n`,
    files,
  };
}

export const documents: readonly BenchDocument[] = [
  { name: 'a', what: 'one page of maths', write: alone(onePage('\\usepackage{amsmath,amssymb}\n')) },
  {
    name: 'au',
    what: 'the same page with fontspec and unicode-math',
    write: alone(onePage('\\usepackage{amsmath}\n\\usepackage{fontspec}\n\\usepackage{unicode-math}\n')),
  },
  { name: 'b', what: 'ten pages with tcolorbox, TikZ, pgfplots and siunitx', write: alone(tenPages) },
  { name: 'c', what: 'more than sixty pages of text and maths with contents', write: alone(sixtyPages) },
  { name: 'd', what: 'the same in seven files, each edit in one of them', write: sevenFiles },
];
