/**
 * Small repairs of the text itself, for what no file of our TeX tree can mend. Every repair keeps each character in its
 * place, so that lines, SyncTeX and messages are those of the document as it was written.
 */
import type { Engine } from '../typesetter.ts';

/** pdfTeX alone knows the unit px. It is 1bp there unless somebody says otherwise, and that name is as long. */
const pixels = /(?<=[{[=\s-](?:\d+\.?\d*|\.\d+) ?)px(?= *[,}\]])/g;
const verbatim = /\\(begin|end)\s*\{(?:[vV]erbatim|lstlisting|minted|comment|filecontents)\*?\}/;
const inlineVerbatim = /\\(?:verb|lstinline|mintinline|mint|path|url|texttt)\b/;

export function tolerate(latex: string, engine: Engine): string {
  if (engine !== 'xelatex' || latex.search(pixels) < 0) return latex;
  let isCode = false;
  return latex
    .split('\n')
    .map((line) => {
      const border = verbatim.exec(line)?.[1];
      if (border) isCode = border === 'begin';
      return isCode || inlineVerbatim.test(line) ? line : line.replace(pixels, 'bp');
    })
    .join('\n');
}
