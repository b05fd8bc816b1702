/** Algorithm floats: their lines with indents and numbers, in a form without tabbing that always compiles. */
import { readLine } from '../lines/inline.ts';
import { findLines } from '../lines/lines.ts';
import { dropFront, plainText, writeSpans } from '../lines/spans.ts';
import type { ReadState } from '../state.ts';
import type { TableRegion } from './ruled-regions.ts';

/** LaTeX of a region with the head "Algorithm 1 …" between rules; null if it is not one. */
export function writeAlgorithm(region: TableRegion, state: ReadState): string | null {
  const lines = findLines(region.glyphs, [], state.bodySize);
  const head = lines[0];
  if (!head || region.verticals.length > 0) return null;
  const title = readLine(head, state.inline);
  const match = /^(Algorithm|Algorithmus|Algorithme)\s+(\d+)[.:]?\s*/.exec(plainText(title));
  if (!match) return null;
  const caption = writeSpans(dropFront(title, match[0].length)).trim();
  const left = Math.min(...lines.slice(1).map((l) => l.x0));
  const rows = lines.slice(1).map((line) => {
    const glyphs = [...line.glyphs].sort((a, b) => a.x - b.x);
    const colon = glyphs.findIndex((g) => g.text === ':');
    const head = glyphs
      .slice(0, Math.max(0, colon))
      .map((g) => g.text)
      .join('');
    const number = /^\d+$/.test(head) ? head : null;
    const rest = number === null ? glyphs : glyphs.slice(colon + 1);
    return {
      number,
      latex: rest.length > 0 ? writeSpans(readLine({ ...line, glyphs: rest }, state.inline)).trim() : '',
      indent: rest[0]?.x ?? line.x0,
    };
  });
  const numbered = rows.filter((r) => r.number !== null).map((r) => r.indent);
  const base = numbered.length > 0 ? Math.min(...numbered) : left;
  const body = rows.map((r) => {
    const em = Math.max(0, Math.round(((r.indent - base) / state.bodySize) * 2) / 2);
    return r.number === null
      ? `\\item[] ${r.latex}`
      : `\\item[${r.number}:] ${em > 0 ? `\\hspace*{${em}em}` : ''}${r.latex}`;
  });
  return `\\medskip\\noindent\\rule{\\linewidth}{0.8pt}\n\n\\noindent\\textbf{${match[1]} ${match[2]}} ${caption}\n\n\\noindent\\rule{\\linewidth}{0.4pt}\n\\begin{itemize}\n${body.map((b) => `  ${b}`).join('\n')}\n\\end{itemize}\n\\noindent\\rule{\\linewidth}{0.4pt}`;
}
