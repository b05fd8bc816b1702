import type { LogFix } from '#shared/api/errors.ts';

/** A fix by rule, made in the text that was compiled; null when it names places that this text does not have. */
export function applyLogFix(latex: string, { edits }: LogFix): string | null {
  const starts = [0];
  for (let at = latex.indexOf('\n'); at >= 0; at = latex.indexOf('\n', at + 1)) starts.push(at + 1);
  const offsetOf = ({ line, column }: LogFix['edits'][number]['from']) => {
    const start = starts[line - 1];
    const end = starts[line] ?? latex.length + 1;
    return start === undefined || start + column >= end ? null : start + column;
  };
  let result = '';
  let at = 0;
  for (const { from, to, insert } of edits) {
    const [start, end] = [offsetOf(from), offsetOf(to)];
    if (start === null || end === null || start < at || end < start) return null;
    result += latex.slice(at, start) + insert;
    at = end;
  }
  return result + latex.slice(at);
}
