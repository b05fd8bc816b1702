/** Fixes for tables, alignments and floats. */
import { readGroup, readOptional } from '../../source/matches.ts';
import type { SourceText } from '../../source/source-text.ts';
import type { Fixer, Proposal } from '../rule.ts';
import { cut, insertAt, renameOnLine, tokenAt, toPreamble } from './edits.ts';

/** A row with more cells than the table has columns: superfluous & removed, or columns added. */
export const fixColumns: Fixer = ({ shownLine, line: reported }, source) => {
  const line = reported ?? shownLine;
  if (line === null) return null;
  const { tokens, spots } = source.annotated;
  const limit = source.endOf(line);
  const last = tokens.findLastIndex(
    (token, index) =>
      token.start <= limit && token.kind === 'ampersand' && spots[index]!.environment !== null,
  );
  const environment = last < 0 ? null : spots[last]!.environment;
  if (environment === null) return null;
  const begin = tokens.findLastIndex(
    (token, index) => index < last && token.kind === 'begin' && token.name === environment,
  );
  const rows = listRows(source, begin);
  const spec = readColumns(source, begin, environment);
  const usual = spec?.count ?? mostUsual(rows.map((row) => row.length + 1));
  // for a table that is read as a whole, the error is at its end
  const wide = rows.filter((row) => row.length + 1 > usual && tokens[row[0]!]!.start <= limit).at(-1);
  if (!wide) return null;
  const cutAt = (index: number): Proposal => ({
    title: 'Remove this &',
    edits: [cut(tokens[index]!.start, tokens[index]!.end)],
  });
  const isEmpty = (index: number) =>
    /^\s*(?:&|\\\\)/.test(source.text.slice(tokens[index]!.end)) ||
    /&\s*$/.test(source.text.slice(Math.max(0, tokens[index]!.start - 80), tokens[index]!.start));
  const proposals = [...wide.filter(isEmpty).slice(0, 2).map(cutAt)];
  const missing = wide.length + 1 - usual;
  if (spec && missing <= 20)
    proposals.push({
      title: missing === 1 ? 'Add a column' : `Add ${missing} columns`,
      edits: [insertAt(spec.end, 'l'.repeat(missing))],
    });
  const edit =
    /^[pbvBV]?matrix$/.test(environment) &&
    wide.length > 9 &&
    toPreamble(source, '\\setcounter{MaxMatrixCols}{30}');
  if (edit) proposals.push({ title: 'Allow 30 columns', edits: [edit] });
  return [...proposals, cutAt(wide.at(-1)!)];
};

/** The ampersands of each row of an environment, without those of nested ones. */
function listRows(source: SourceText, begin: number): number[][] {
  const { tokens } = source.annotated;
  const rows: number[][] = [[]];
  let depth = 0;
  for (let index = begin + 1; index < tokens.length; index++) {
    const { kind, name } = tokens[index]!;
    if (kind === 'begin' || kind === 'open') depth++;
    else if (kind === 'end' || kind === 'close') depth--;
    if (depth < 0) break;
    if (depth > 0) continue;
    if (kind === 'ampersand') rows.at(-1)!.push(index);
    else if (kind === 'command' && (name === '\\' || name === 'tabularnewline')) rows.push([]);
  }
  return rows;
}

function readColumns(
  source: SourceText,
  begin: number,
  environment: string,
): { count: number; end: number } | null {
  if (!/^(?:tabular|array|longtable|tabularx|tabular\*)$/.test(environment)) return null;
  const { tokens } = source.annotated;
  let spec = readGroup(tokens, (readOptional(tokens, begin + 1)?.close ?? begin) + 1);
  // the width is the first argument
  if (spec && /^tabular[x*]$/.test(environment)) spec = readGroup(tokens, spec.close + 1);
  if (!spec) return null;
  const inner = source.text.slice(spec.start, spec.end);
  const repeated = inner.replace(/\*\{(\d+)\}\{([^{}]{0,300})\}/g, (_, times, what) =>
    what.repeat(Math.min(50, Number(times))),
  );
  const count =
    repeated.replace(/[@!><]\{[^}]{0,300}\}|\{[^}]{0,300}\}/g, '').match(/[lcrpmbXS]/g)?.length ?? 0;
  let { end } = spec;
  while (end > spec.start && /[|\s]/.test(source.text[end - 1]!)) end--;
  return count === 0 ? null : { count, end };
}

function mostUsual(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 1;
}

/** An & that separates no cells: escaped in text; in a formula it is more likely superfluous. */
export const escapeAmpersand: Fixer = ({ line, before }, source) => {
  const after = source.offsetAfter(line, before);
  const at = after === null ? -1 : source.text.lastIndexOf('&', after - 1);
  if (line === null || at < source.startOf(line) || source.text[at - 1] === '\\') return null;
  const { tokens, spots } = source.annotated;
  const escaped = { title: 'Write \\&', edits: [insertAt(at, '\\')] };
  const remove = { title: 'Remove this &', edits: [cut(at, at + 1)] };
  return spots[tokenAt(tokens, at)]?.mode === 'math' ? [remove, escaped] : [escaped, remove];
};

export const endRow: Fixer = ({ line }, source) => {
  const at =
    line === null ? -1 : source.lineText(line).search(/\\(?:hline|toprule|midrule|bottomrule|cline)\b/);
  if (line === null || at < 0) return null;
  return { title: 'End the row before it', edits: [insertAt(source.startOf(line) + at, '\\\\ ')] };
};

export const fixCaption: Fixer = (complaint, source) => {
  const edit = toPreamble(source, '\\usepackage{caption}');
  const moved = renameOnLine(complaint, source, '\\caption{', '\\captionof{figure}{', 'Use \\captionof');
  return moved && edit ? { title: moved.title, edits: [...moved.edits, edit] } : null;
};
