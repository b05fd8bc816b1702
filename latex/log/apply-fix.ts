import type { LogFix } from '#shared/api/errors.ts';
import { SourceText } from '../source/source-text.ts';

/** The whole text with a fix applied; null if the fix refers to places that this text does not have. */
export function applyFix(latex: string, { edits }: LogFix): string | null {
  const source = new SourceText(latex);
  let result = '';
  let at = 0;
  for (const { from, to, insert } of edits) {
    const [start, end] = [source.offsetOf(from), source.offsetOf(to)];
    if (start === null || end === null || start < at || end < start) return null;
    result += latex.slice(at, start) + insert;
    at = end;
  }
  return result + latex.slice(at);
}
