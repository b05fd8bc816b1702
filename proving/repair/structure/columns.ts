/** Column specifications of tables: how many columns they declare, and what is missing for longer rows. */
import { readGroup, readOptional } from '#latex/source/matches.ts';
import type { Token } from '#latex/source/scan.ts';

export interface Columns {
  /** null if the table has no specification. */
  spec: Token | null;
  /** Offset where columns can be added. */
  insertAt: number;
  /** Columns declared. */
  count: number;
  /** Cells of the row being read. */
  row: number;
  /** Cells of the longest earlier row. */
  most: number;
}

/** Reads the columns of the table that `\begin` at token `index` opens; null if the specification cannot be read. */
export function readColumns(
  text: string,
  tokens: readonly Token[],
  index: number,
  name: string,
): Columns | null {
  let at = index + 1;
  if (name === 'tabularx' || name === 'tabulary' || name === 'tabular*') {
    const width = readGroup(tokens, at);
    if (!width) return null;
    at = width.close + 1;
  }
  const optional = readOptional(tokens, at);
  if (optional) at = optional.close + 1;
  const spec = readGroup(tokens, at);
  const before = tokens[at - 1]!.end;
  if (!spec) return { spec: null, insertAt: before, count: 0, row: 1, most: 1 };
  const count = countColumns(text.slice(spec.start, spec.end));
  if (count === null) return null;
  return { spec: tokens[spec.open]!, insertAt: spec.end, count, row: 1, most: 1 };
}

/** Returns what to insert at `insertAt` so that environment `name` fits its longest row, or ''. At most 40 columns. */
export function missingColumns(columns: Columns, name: string): string {
  const most = Math.max(columns.most, columns.row);
  const letter = name === 'array' ? 'c' : 'l';
  if (columns.spec === null) return `{${letter.repeat(Math.min(most, 40))}}`;
  return letter.repeat(Math.min(Math.max(most - columns.count, 0), 40));
}

/** Counts the columns of a specification such as `|l|*{3}{c}p{2cm}@{}`; null if it cannot be read. */
function countColumns(specification: string): number | null {
  const text = specification.replace(/\s+/g, '');
  let count = 0;
  let i = 0;
  const group = (): string | null => {
    if (text[i] !== '{') return null;
    let depth = 0;
    const start = i + 1;
    for (; i < text.length; i++) {
      if (text[i] === '{') depth++;
      if (text[i] === '}' && --depth === 0) return text.slice(start, i++);
    }
    return null;
  };
  while (i < text.length) {
    const letter = text[i++]!;
    if (letter === '|' || letter === ':') continue;
    if (/[@!><]/.test(letter)) {
      if (group() === null) return null;
    } else if (letter === '*') {
      const times = Number(group());
      const inner = group();
      const innerCount = inner === null ? null : countColumns(inner);
      if (!Number.isInteger(times) || innerCount === null) return null;
      count += times * innerCount;
    } else if (/[lcrXLCRSJMYZ]/.test(letter)) {
      count++;
      if (text[i] === '[') i = text.indexOf(']', i) + 1 || text.length;
      if (text[i] === '{') group();
    } else if (/[pmbsw]/.test(letter)) {
      count++;
      if (text[i] === '{') group();
    } else return null;
  }
  return count;
}
