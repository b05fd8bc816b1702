/**
 * Documents of many kinds in which every word names its own line: `qN` is on line N of its file, and nowhere
 * else in the source. The place of such a word in the PDF is therefore a position whose source line is known.
 */
import type { Asset, Engine } from '#typesetting/index.ts';

export interface MarkedDocument {
  name: string;
  engine: Engine;
  latex: string;
  assets: Asset[];
}

/** Replaces each `@@` by `qN`, N being its line. */
const mark = (latex: string): string =>
  latex
    .split('\n')
    .map((line, index) => line.replaceAll('@@', `q${index + 1}`))
    .join('\n');

const prose = (lines: number): string =>
  Array.from({ length: lines }, (_, n) =>
    n % 3 === 0 ? 'Words of @@ that go on with @@ for a while,' : 'and @@ then more of it until @@ is said',
  ).join('\n');
const paragraphs = (count: number, lines: number): string =>
  Array.from({ length: count }, () => `${prose(lines)}.\n`).join('\n');

const wrap = (head: string, body: string, engine: Engine): string =>
  mark(
    `${engine === 'pdflatex' ? '% !TEX program = pdflatex\n' : ''}${head}\n\\begin{document}\n${body}\n\\end{document}\n`,
  );

const kinds: Record<string, { head: string; body: () => string; assets?: () => Asset[] }> = {
  article: {
    head: '\\documentclass{article}\n\\usepackage{hyperref}',
    body: () =>
      ['\\title{About @@}\\author{Ada @@}\\maketitle', '\\tableofcontents']
        .concat(
          Array.from(
            { length: 6 },
            () =>
              `\\section{Section @@}\n${paragraphs(3, 5)}\\subsection{Smaller @@}\n${paragraphs(1, 4)}A single line of a paragraph, @@, long enough to be broken by the engine into more than one line of the page, @@, as it is with notes.\n`,
          ),
        )
        .join('\n'),
  },
  maths: {
    head: '\\documentclass{article}\n\\usepackage{amsmath,amssymb,amsthm}\\newtheorem{theorem}{Theorem}',
    body: () =>
      Array.from(
        { length: 8 },
        () =>
          `${prose(2)} $a_{\\mathrm{@@}}$ in line.\n\\begin{equation}\n  \\frac{1}{\\mathrm{@@}} = \\mathrm{@@} + x\n\\end{equation}\n\\begin{align}\n  \\mathrm{@@} &= \\sum_{n} \\mathrm{@@} \\\\\n  b &= \\mathrm{@@}\n\\end{align}\n\\[ \\int \\mathrm{@@}\\,dx \\]\n\\begin{theorem}\nLet @@ be what\n@@ says.\n\\end{theorem}\n`,
      ).join('\n'),
  },
  lists: {
    head: '\\documentclass{report}',
    body: () =>
      Array.from(
        { length: 5 },
        () =>
          `\\chapter{Chapter @@}\n${prose(3)}\n\\begin{itemize}\n\\item First @@\n\\item Second @@ which goes on\nover @@ lines\n\\begin{enumerate}\n\\item Inner @@\n\\item Inner @@\n\\end{enumerate}\n\\end{itemize}\n\\begin{description}\n\\item[@@] What it is: @@\n\\end{description}\n\\begin{quote}\n${prose(2)}\n\\end{quote}\n`,
      ).join('\n'),
  },
  tables: {
    head: '\\documentclass{article}\n\\usepackage{booktabs,tabularx,longtable,multirow}',
    body: () =>
      Array.from(
        { length: 5 },
        () =>
          `${prose(2)}\n\n\\begin{tabular}{|l|r|}\n\\hline\n@@ & 1 \\\\\n\\hline\n@@ & 2 \\\\\n@@ & 3 \\\\ \\hline\n\\end{tabular}\n\n\\begin{table}[h]\n\\centering\n\\caption{Caption @@}\n\\begin{tabularx}{\\textwidth}{lX}\n\\toprule\nHead & @@ \\\\\n\\midrule\nCell & @@ with some text \\\\\n\\bottomrule\n\\end{tabularx}\n\\end{table}\n`,
      ).join('\n'),
  },
  columns: {
    head: '\\documentclass[twocolumn]{article}\n\\usepackage{graphicx}',
    body: () =>
      Array.from(
        { length: 6 },
        () =>
          `\\section{Column @@}\n${paragraphs(4, 5)}\\begin{figure}[t]\n\\centering\\rule{3cm}{2cm}\n\\caption{Floating @@}\n\\end{figure}\n`,
      ).join('\n'),
  },
  footnotes: {
    head: '\\documentclass{article}',
    body: () =>
      Array.from(
        { length: 10 },
        () =>
          `${prose(4)}\\footnote{A note @@ below.} and on.\n\n\\begin{center}\nCentred @@\n\\end{center}\n\\marginpar{Beside @@}\n${prose(6)}\n`,
      ).join('\n'),
  },
  slides: {
    head: '\\documentclass{beamer}',
    body: () =>
      Array.from(
        { length: 8 },
        () =>
          `\\begin{frame}\n\\frametitle{Slide @@}\nText @@ here.\n\\begin{itemize}\n\\item<1-> Point @@\n\\item<2-> Point @@\n\\end{itemize}\n\\begin{block}{Block @@}\nInside @@\n\\end{block}\n\\end{frame}\n`,
      ).join('\n'),
  },
  inputs: {
    head: '\\documentclass{article}',
    body: () =>
      `\\section{Before @@}\n${paragraphs(3, 4)}\\input{first}\n${paragraphs(2, 4)}\\input{second.tex}\n${paragraphs(4, 5)}`,
    assets: () =>
      ['first', 'second'].map((name) => ({
        name: `${name}.tex`,
        bytes: new TextEncoder().encode(
          mark(`\\section{In ${name}}\n${paragraphs(4, 4)}`).replaceAll(/q(?=\d)/g, `${name[0]}q`),
        ),
      })),
  },
  boxes: {
    head: '\\documentclass{article}\n\\usepackage{tikz,tcolorbox,multicol}',
    body: () =>
      Array.from(
        { length: 5 },
        () =>
          `${prose(3)}\n\n\\begin{tcolorbox}[title=Box @@]\n${prose(3)}\n\\end{tcolorbox}\n\\begin{multicols}{2}\n${prose(8)}\n\\end{multicols}\n\\begin{tikzpicture}\n\\draw (0,0) rectangle (3,1);\n\\begin{scope}[transparency group, opacity=0.5]\n\\node at (1,.5) {@@};\n\\end{scope}\n\\end{tikzpicture}\n\n\\begin{minipage}{.5\\textwidth}\n${prose(3)}\n\\end{minipage}\n\\fbox{Framed @@}\n`,
      ).join('\n'),
  },
};

/** Every kind for both engines. */
export function markedDocuments(): MarkedDocument[] {
  return Object.entries(kinds).flatMap(([name, { head, body, assets }]) =>
    (['xelatex', 'pdflatex'] as const).map((engine) => ({
      name: `${name} ${engine}`,
      engine,
      latex: wrap(head, body(), engine),
      assets: assets?.() ?? [],
    })),
  );
}

/** A document of some seventy pages, for the timings. */
export function longDocument(engine: Engine): MarkedDocument {
  const part = [kinds.article!, kinds.maths!, kinds.lists!, kinds.footnotes!]
    .map(({ body }) => body())
    .join('\n');
  const clean = part.replace('\\title{About @@}\\author{Ada @@}\\maketitle\n\\tableofcontents\n', '');
  const latex = wrap(
    '\\documentclass{report}\n\\usepackage{amsmath,amssymb,amsthm,hyperref}\\newtheorem{theorem}{Theorem}',
    Array.from({ length: 6 }, () => clean).join('\n'),
    engine,
  );
  return { name: `long ${engine}`, engine, latex, assets: [] };
}
