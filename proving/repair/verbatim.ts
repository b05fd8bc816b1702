/** Turns text that could not be repaired into typewriter text that always compiles. */
import { escapeLatex } from '#latex/source/escape.ts';
import type { Piece } from '../pages/pieces.ts';

/** Longer paragraphs keep their lines; shorter ones stay inline. */
const blockLength = 60;

/**
 * Returns the replacement for a fragment. Every character is escaped, so nothing in it can end or break it. Rows,
 * formulas, lines and items stay inline; larger fragments keep their lines, unless in a table's cell (`isInCell`).
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
      // `\\` would read a star or bracket at the head of the next line as its own.
      const shown = escapeLatex(line.slice(indent)).replace(/^([[*])/, '{$1}');
      return '~'.repeat(Math.min(indent, 20)) + shown;
    });
  return `\\begin{quote}\\ttfamily\\raggedright\n${lines.join('\\\\\n')}\n\\end{quote}`;
}
