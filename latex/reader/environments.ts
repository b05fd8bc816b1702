import type { Token } from '../source/scan.ts';

/** Parts of `latex` between `separators` (commands, or `&`) outside groups and environments. */
export function splitTop(
  latex: string,
  tokens: readonly Token[],
  isSeparator: (token: Token) => boolean,
): { start: number; end: number; separator: number }[] {
  const parts: { start: number; end: number; separator: number }[] = [];
  let depth = 0;
  let start = 0;
  let separator = -1;
  tokens.forEach((token, index) => {
    if (token.kind === 'open' || token.kind === 'begin') depth++;
    else if (token.kind === 'close' || token.kind === 'end') depth--;
    else if (depth === 0 && isSeparator(token)) {
      parts.push({ start, end: token.start, separator });
      start = token.end;
      separator = index;
    }
  });
  parts.push({ start, end: latex.length, separator });
  return parts;
}
