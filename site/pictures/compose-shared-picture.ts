/**
 * An article's picture for link previews (Open Graph), as LaTeX: its title above an example of its LaTeX, typeset.
 */

import { listFormulas, listSource, type WrittenArticle } from '#web/features/blog/read-articles.server.ts';
import { markPath } from '#web/ui/mark-path.ts';

/**
 * In pixels, the size that Open Graph recommends; a page of 120 mm by 63 mm is drawn at ten pixels per millimetre.
 */
export const sharedSize = { width: 1200, height: 630 };

/** Longer examples are not legible at the size of a preview, in characters of LaTeX. */
const maxExhibit = 260;

/** A complete document of one page. @throws Error if the article has no example that is short enough */
export function composeSharedPicture({ slug, title, markdown }: WrittenArticle): string {
  const source = listSource(markdown);
  const shown = [
    ...source.filter(({ kind }) => kind === 'fragment').map(({ latex }) => latex),
    ...listFormulas(markdown).filter((formula) => formula.startsWith('$$')),
  ].filter(({ length }) => length <= maxExhibit);
  const exhibit = shown.toSorted((one, other) => other.length - one.length)[0];
  if (!exhibit) throw new Error(`${slug}.md has no LaTeX for its picture.`);
  const preamble = source.filter(({ kind }) => kind === 'preamble').map(({ latex }) => latex);
  return String.raw`\documentclass{article}
\usepackage[paperwidth=120mm, paperheight=63mm, margin=6mm, headheight=0pt, headsep=0pt, footskip=0pt]{geometry}
\usepackage{lmodern}
\usepackage{amsmath,amssymb}
\usepackage{xcolor}
\usepackage{adjustbox}
\usepackage{tikz}
\usetikzlibrary{svg.path}
${preamble.join('\n')}
\definecolor{paper}{HTML}{FAF8F4}
\definecolor{ink}{HTML}{1B2340}
\definecolor{graphite}{HTML}{5A6072}
\definecolor{hairline}{HTML}{DEDAD2}
\pagestyle{empty}
\setlength{\parindent}{0pt}
\pagecolor{paper}
\color{ink}
\begin{document}
\raisebox{3.8mm}{\scalebox{1}[-1]{\tikz{\fill[ink, scale=0.42] svg "${markPath}";}}}\hspace{1.5mm}%
{\fontsize{13}{13}\selectfont\bfseries Inkproof}\hfill{\fontsize{10}{10}\selectfont\color{graphite}Notes on notes}

\vspace{4mm}
{\fontsize{17}{20}\selectfont\bfseries\raggedright ${title}\par}
\vfill
\begin{tikzpicture}
\node[fill=white, draw=hairline, line width=0.1mm, rounded corners=1.4mm, minimum width=108mm, minimum height=25mm, inner sep=2mm] {%
\color{black}\begin{adjustbox}{max totalsize={100mm}{21mm}}\begin{minipage}{118mm}
\setlength{\abovedisplayskip}{2pt}\setlength{\belowdisplayskip}{2pt}
${exhibit}
\end{minipage}\end{adjustbox}};
\end{tikzpicture}
\end{document}
`;
}
