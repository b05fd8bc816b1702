/** Section headings: larger or bold lines of their own, with or without a number. */

import { readLine } from '../lines/inline.ts';
import type { Line } from '../lines/lines.ts';
import { dropFront, joinLines, plainStyle, plainText, type Span, writeSpans } from '../lines/spans.ts';
import type { ReadState } from '../state.ts';
import type { ColumnEdges } from './display.ts';
import { gapAfterNumber, leadingNumber } from './section-numbers.ts';

export interface Heading {
  latex: string;
  /** Number of further lines it occupies. */
  taken: number;
  level: number;
  /** As printed, e.g. 3.1; null without one. */
  number: string | null;
}

const commands = ['\\section', '\\subsection', '\\subsubsection', '\\paragraph'];

export function readHeading(
  line: Line,
  following: readonly (Line | null)[],
  edges: ColumnEdges,
  state: ReadState,
): Heading | null {
  const ratio = line.size / state.bodySize;
  const letters = line.glyphs.filter((g) => /\p{L}|\d/u.test(g.text) && g.size > 0.85 * line.size);
  if (letters.length === 0) return null;
  const isBold = letters.every((g) => g.font.bold || g.font.family !== 'none');
  const isCaps = letters.every((g) => g.font.smallCaps);
  const spans = readLine(line, state.inline);
  const text = plainText(spans);
  // an entry of a table of contents, with its dots
  if (/(?:\.\s*){5}/.test(text)) return null;
  if (text.length < 2 || text.length > 160 || !/\p{L}/u.test(text)) return null;
  const isLarge = ratio > 1.08;
  if (!isLarge && !isBold && !isCaps) return null;
  if (isLarge && !isBold && ratio < 1.15) return null;
  const isCentredLine =
    Math.abs(line.x0 - edges.left - (edges.right - line.x1)) < 0.03 * (edges.right - edges.left) &&
    line.x0 - edges.left > 0.08 * (edges.right - edges.left);
  const leading = leadingNumber(text);
  const hasGap = leading !== null && gapAfterNumber(line, leading.number) > 0.45;
  const isNumbered = leading !== null && hasGap && (/\d/.test(leading.number) || isLarge);
  if (!isLarge && !isNumbered) {
    // bold at body size: a heading only if it is short, on its own, and not a sentence
    const next = following[0];
    const isAlone =
      line.x1 < edges.right - 0.25 * (edges.right - edges.left) &&
      (!next || next.baseline - line.baseline > 1.25 * line.size);
    if (!isAlone || /[.,;:]$/.test(text) || isCentredLine || isCaps) return null;
    if (line.x0 > edges.left + 0.5 * line.size) return null;
  }
  if (isCentredLine && !isNumbered && ratio > 1.08) return null;
  let taken = 0;
  const lines: Span[][] = [spans];
  for (const next of following) {
    if (
      !next ||
      Math.abs(next.size - line.size) > 0.05 * line.size ||
      next.baseline - line.baseline > (taken + 1) * 1.5 * line.size
    )
      break;
    const nextSpans = readLine(next, state.inline);
    const nextLetters = next.glyphs.filter((g) => /\p{L}/u.test(g.text));
    if (
      !isLarge ||
      nextLetters.some((g) => g.font.bold !== isBold && g.font.family === 'none') ||
      /^\d+(\.\d+)*\s/.test(plainText(nextSpans))
    )
      break;
    lines.push(nextSpans);
    taken += 1;
  }
  let joined = joinLines(lines, state.knows);
  if (isNumbered) joined = stripNumber(joined, leading.length);
  const level = isNumbered
    ? Math.min(leading.number.split('.').length - 1, 3)
    : ratio > 1.3
      ? 0
      : ratio > 1.08
        ? 1
        : 2;
  const name = writeSpans(
    joined,
    isBold ? { ...plainStyle, bold: true, sans: letters.every((g) => g.font.sans) } : plainStyle,
  ).trim();
  return {
    latex: `${commands[level]}${isNumbered ? '' : '*'}{${name}}`,
    taken,
    level,
    number: isNumbered ? leading.number : null,
  };
}

function stripNumber(spans: Span[], length: number): Span[] {
  const [first, ...rest] = spans;
  if (first?.kind === 'text') return dropFront(spans, length);
  // a number that was read as an inline formula
  return first?.kind === 'math' ? rest : spans;
}
