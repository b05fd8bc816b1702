/**
 * Where the reader is unsure: marks inside the LaTeX while it is assembled (noncharacters of Unicode, which
 * no text may contain), offsets once it is complete.
 */
import type { DoubtfulSpan } from '#shared/api/conversion.ts';

const open = { symbol: '\ufdd0', cell: '\ufdd2' };
const close = '\ufdd1';
const marks = /[\ufdd0-\ufdd2]/g;
const reasons = new Map([
  [open.symbol, 'The font does not say which symbol this is.'],
  [open.cell, 'It runs across the edge of its column: letters may belong to the next cell.'],
]);

/** Placeholder for a glyph whose character the PDF does not define. */
export const unknownCharacter = '\ufffd';

/** LaTeX that `takeDoubt` will report. */
export function markDoubt(latex: string, what: keyof typeof open = 'symbol'): string {
  return `${open[what]}${latex}${close}`;
}

/** Text of the PDF without characters that would be taken for marks. */
export function withoutMarks(text: string): string {
  return text.replace(marks, '');
}

/** The body without its marks, and the ranges that were marked; nested marks are ignored. */
export function takeDoubt(marked: string): { body: string; doubtful: DoubtfulSpan[] } {
  const doubtful: DoubtfulSpan[] = [];
  let body = '';
  let depth = 0;
  let start = 0;
  let reason = '';
  for (const part of marked.split(/([\ufdd0-\ufdd2])/)) {
    const opened = reasons.get(part);
    if (opened) {
      if (depth === 0) [start, reason] = [body.length, opened];
      depth += 1;
    } else if (part === close) {
      depth = Math.max(0, depth - 1);
      if (depth === 0 && body.length > start)
        doubtful.push({
          start,
          end: body.length,
          confidence: 0,
          reason,
        });
    } else body += part;
  }
  return { body, doubtful };
}
