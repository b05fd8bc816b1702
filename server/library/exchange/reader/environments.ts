import type { Token } from '#latex/source/scan.ts';

/** The index of the `end` that closes the `begin` at `index`; -1 when it stays open. */
export function environmentEnd(tokens: readonly Token[], index: number): number {
  const { name } = tokens[index]!;
  let depth = 0;
  for (let at = index; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.name !== name) continue;
    if (token.kind === 'begin') depth++;
    else if (token.kind === 'end' && --depth === 0) return at;
  }
  return -1;
}

/** Stretches of `latex` between `separators` (commands, or `&`) that stand in no group and no environment. */
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

/** The first token after `index` that `is` holds for; -1 when there is none. */
export function indexAfter(tokens: readonly Token[], index: number, is: (token: Token) => boolean): number {
  for (let at = index + 1; at < tokens.length; at++) if (is(tokens[at]!)) return at;
  return -1;
}
