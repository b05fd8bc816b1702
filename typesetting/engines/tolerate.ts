/**
 * Small repairs of the text itself, for what no file of our TeX tree can mend. Every repair keeps each character in its
 * place, so that lines, SyncTeX and messages are those of the document as it was written.
 */
import { verbatimEnvironments } from '#latex/source/commands.ts';
import type { Engine } from '../typesetter.ts';

/** pdfTeX alone knows the unit px. It is 1bp there unless somebody says otherwise, and that name is as long. */
const pixels = /(?<=[{[=\s-](?:\d+\.?\d*|\.\d+) ?)px(?= *[,}\]])/g;
const border = /\\(begin|end)\s*\{([^{}]*)\}/g;
const inlineVerbatim = /\\(?:verb|lstinline|mintinline|mint|path|url|texttt)\b/;

export function tolerate(latex: string, engine: Engine): string {
  if (engine !== 'xelatex' || latex.search(pixels) < 0) return latex;
  let isCode = false;
  return latex
    .split('\n')
    .map((line) => {
      const found = [...line.matchAll(border)].find(([, , name]) => verbatimEnvironments.has(name!));
      if (found) isCode = found[1] === 'begin';
      return isCode || inlineVerbatim.test(line) ? line : line.replace(pixels, 'bp');
    })
    .join('\n');
}
