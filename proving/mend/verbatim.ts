/** Text that could not be repaired, as typewriter text that always compiles. */
import { escapeLatex } from '#latex/source/escape.ts';
import type { Piece } from '../pages/pieces.ts';

/** Longer paragraphs keep their lines; shorter ones stay in the flow of the text. */
const blockLength = 60;

/**
 * The replacement for a piece. Every character is escaped, so nothing in it can end or break it. Rows, formulas, lines
 * and items stay in their line; larger pieces keep their lines, unless they stand in a table's cell (`isInCell`).
 */
export function toVerbatim(text: string, kind: Piece['kind'], isInCell: boolean): string {
  const source = text.trim();
  if (kind === 'term') return `\\text{\\texttt{${escapeLatex(source.replace(/\s+/g, ' '))}}}`;
  const isInline =
    isInCell ||
    kind === 'formula' ||
    kind === 'row' ||
    kind === 'line' ||
    kind === 'item' ||
    (kind === 'paragraph' && source.length <= blockLength);
  if (isInline) return `\\texttt{${escapeLatex(source.replace(/\s+/g, ' '))}}`;
  const lines = source
    .split('\n')
    .map((line) => line.replace(/\t/g, '  ').trimEnd())
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const indent = /^\s*/.exec(line)![0].length;
      // `\\` takes a star or a bracket at the next line's head for its own.
      const shown = escapeLatex(line.slice(indent)).replace(/^([[*])/, '{$1}');
      return '~'.repeat(Math.min(indent, 20)) + shown;
    });
  return `\\begin{quote}\\ttfamily\\raggedright\n${lines.join('\\\\\n')}\n\\end{quote}`;
}
