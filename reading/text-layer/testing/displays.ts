/** Displayed formulas of a LaTeX source: read in the same way from a truth and from what was recovered. */
import { expandMacros, takeDefinitions } from './macros.ts';

export const displayEnvironments = new Set([
  'equation',
  'align',
  'gather',
  'multline',
  'flalign',
  'alignat',
  'eqnarray',
  'displaymath',
]);

export interface Display {
  /** `\[…\]` or the environment with a star, numbers and labels taken off. */
  latex: string;
}

/** Displays in source order. */
export function findDisplays(source: string): Display[] {
  const clear = stripComments(source);
  const definitions = takeDefinitions(clear);
  // macros for a display's delimiters; those within formulas are left to the preamble
  const body = expandMacros(bodyOf(definitions.rest), definitions, (made) =>
    /\\(?:begin|end)\s*\{|\\\[|\\\]|\$\$/.test(made),
  ).replace(/\\begin\{(comment|verbatim|lstlisting)\}[\s\S]*?\\end\{\1\}/g, ' ');
  const names = [...displayEnvironments].join('|');
  const pattern = new RegExp(
    `\\\\\\[([\\s\\S]*?)\\\\\\]|\\\\begin\\{(${names})(\\*?)\\}([\\s\\S]*?)\\\\end\\{\\2\\3\\}|\\\\[\\s\\S]|\\$\\$([\\s\\S]*?)\\$\\$`,
    'g',
  );
  const displays: Display[] = [];
  for (const match of body.matchAll(pattern)) {
    const inner = clean(match[1] ?? match[4] ?? match[5] ?? '');
    const name = match[2];
    if (inner === '') continue;
    const plain = name === undefined || name === 'equation' || name === 'displaymath';
    displays.push({ latex: plain ? `\\[${inner}\\]` : `\\begin{${name}*}${inner}\\end{${name}*}` });
  }
  return displays;
}

function clean(inner: string): string {
  return inner
    .replace(/\\(label|tag\*?)\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .replace(/\\(notag|nonumber)\b/g, '')
    .replace(/\n\s*\n/g, '\n')
    .trim();
}

export function bodyOf(source: string): string {
  const from = source.indexOf('\\begin{document}');
  const to = source.lastIndexOf('\\end{document}');
  return source.slice(from >= 0 ? from + 16 : 0, to >= 0 ? to : undefined);
}

export function preambleOf(source: string): string {
  const at = source.indexOf('\\begin{document}');
  return at >= 0 ? source.slice(0, at) : '';
}

/** Comments taken out; what listings hold that LaTeX would read as an instruction is blanked. */
export function stripComments(source: string): string {
  const codes: string[] = [];
  const hidden = source.replace(
    /\\begin\{(lstlisting|verbatim|Verbatim|minted)\}(?:\[[^\]]*\])?([\s\S]*?)\\end\{\1\}/g,
    (_, __, code: string) => {
      codes.push(code);
      return `\uE100${codes.length - 1}\uE101`;
    },
  );
  return hidden
    .replace(/\\(?:verb|lstinline)\*?([^\sA-Za-z*{[])(.*?)\1/g, (_, __, code: string) => {
      codes.push(code);
      return `\uE100${codes.length - 1}\uE101`;
    })
    .replace(/(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*)?/g, '$1')
    .replace(/\uE100(\d+)\uE101/g, (_, i: string) => (codes[Number(i)] ?? '').replace(/[\\{}$%&#_^~]/g, ' '));
}

/** 1 − edit distance ÷ the truth's length, by characters; not below 0. */
export function similarity(truth: string, other: string): number {
  if (truth.length === 0) return other.length === 0 ? 1 : 0;
  let from = 0;
  while (from < truth.length && truth[from] === other[from]) from += 1;
  let tail = 0;
  const most = Math.min(truth.length, other.length) - from;
  while (tail < most && truth[truth.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const a = codesOf(truth, from, tail);
  const b = codesOf(other, from, tail);
  let row = Uint32Array.from({ length: b.length + 1 }, (_, i) => i);
  let next = new Uint32Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1);
    }
    [row, next] = [next, row];
  }
  return Math.max(0, 1 - (row[b.length] as number) / truth.length);
}

function codesOf(text: string, from: number, tail: number): Uint16Array {
  return Uint16Array.from({ length: text.length - tail - from }, (_, i) => text.charCodeAt(from + i));
}
