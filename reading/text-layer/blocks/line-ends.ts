/** What the beginning or the end of a line says of its paragraph. */
import type { Line } from '../lines/lines.ts';
import { plainText, type Span } from '../lines/spans.ts';
import { boundsOf } from '../model.ts';
import type { ColumnEdges } from './display.ts';

/** The sign of a proof's end, alone at the right edge. */
export function isQed(line: Line, edges: ColumnEdges): boolean {
  const [only] = line.glyphs;
  return line.glyphs.length === 1 && /^[□■◻◼∎]$/u.test(only?.text ?? '') && line.x1 > edges.right - line.size;
}

/** A display line without the sign of a proof's end at its right edge (\qedhere); null if it has none. */
export function withoutQed(line: Line, edges: ColumnEdges): Line | null {
  const last = line.glyphs.reduce((a, b) => (b.ink.x1 > a.ink.x1 ? b : a));
  const others = line.glyphs.filter((g) => g !== last);
  if (others.length === 0 || !isQed({ ...line, glyphs: [last] }, edges)) return null;
  return { ...line, ...boundsOf(others.map((g) => g.ink)), glyphs: others };
}

/** Space after the bold words that begin a line, in ems; 0 if there are none. */
export function runInGap(spans: readonly Span[], line: Line): number {
  const first = spans[0];
  if (first?.kind !== 'text' || !first.style.bold) return 0;
  const at = line.glyphs.findIndex((g) => !g.font.bold);
  const end = line.glyphs[at - 1];
  const after = line.glyphs[at];
  return end && after ? (after.x - end.x - end.width) / line.size : 0;
}

/** A last line that reaches the right edge, or does not end a sentence, continues on the next page. */
export function endsOpen(line: Line, edges: ColumnEdges, paragraph: readonly Span[][]): boolean {
  const text = plainText(paragraph[paragraph.length - 1] ?? []);
  const reaches = line.x1 > edges.right - 1.5 * line.size;
  return reaches && !/[.!?:]["”’»)]?$/.test(text);
}
