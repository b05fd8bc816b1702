/** Reads `tabular` and similar environments. */
import { environmentArguments } from '../source/commands.ts';
import { readGroup, readOptional } from '../source/matches.ts';
import { scanLatex } from '../source/scan.ts';
import { splitTop } from './environments.ts';
import type { ReaderState } from './state.ts';
import type { Block, Cell } from './tree.ts';

const maxColumns = 60;

/** @param inner the text between begin and end, including arguments */
export function readTable(state: ReaderState, environment: string, inner: string): Block {
  const head = scanLatex(inner);
  let at = 0;
  for (let one = readOptional(head, at); one; one = readOptional(head, at)) at = one.close + 1;
  const hasWidth = environmentArguments(environment).length > 1;
  const first = readGroup(head, at);
  const columns = hasWidth && first ? readGroup(head, first.close + 1) : first;
  const aligns = columns ? readColumns(inner.slice(columns.start, columns.end)) : [];
  const body = columns ? inner.slice(head[columns.close]!.end) : inner;
  const tokens = scanLatex(body);
  const rows: Cell[][] = [];
  let headRows = 0;
  const lines = splitTop(
    body,
    tokens,
    (token) => token.kind === 'command' && /^(\\|tabularnewline)$/.test(token.name),
  );
  for (const { start, end } of lines) {
    const raw = body.slice(start, end).replace(/^\s*\[[^\]]*\]/, '');
    const isAfterRule = /^\s*\\(midrule|hline|endhead|endfirsthead)/.test(raw);
    // the first rule below a row ends the head
    if (isAfterRule && headRows === 0 && rows.length > 0 && rows.length <= 3) headRows = rows.length;
    const text = raw.replace(
      /\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)(?![A-Za-z])|\\addlinespace(?:\[[^\]]*\])?|\\(?:cline|cmidrule)(?:\([^)]*\))?\{[^}]*\}/g,
      '',
    );
    if (text.trim() === '') continue;
    rows.push(readRow(state, text, aligns));
  }
  const isRuled = /\\hline|\|/.test(inner.slice(0, 4000));
  return { kind: 'table', rows, headRows: headRows === rows.length ? 0 : headRows, isRuled };
}

function readRow(state: ReaderState, row: string, aligns: readonly Cell['align'][]): Cell[] {
  const tokens = scanLatex(row);
  let column = 0;
  return splitTop(row, tokens, (token) => token.kind === 'ampersand')
    .slice(0, maxColumns)
    .map(({ start, end }) => {
      const source = row.slice(start, end).trim();
      const inner = scanLatex(source);
      const isMulti = inner[0]?.kind === 'command' && inner[0].name === 'multicolumn';
      const span = isMulti ? readGroup(inner, 1) : null;
      const spec = span ? readGroup(inner, span.close + 1) : null;
      const content = spec ? readGroup(inner, spec.close + 1) : null;
      const text = (group: { start: number; end: number }) => source.slice(group.start, group.end);
      const columns = span ? Math.min(maxColumns, Math.max(1, Number.parseInt(text(span), 10) || 1)) : 1;
      const align = (spec ? readColumns(text(spec))[0] : aligns[column]) ?? 'left';
      column += columns;
      const blocks = state.readBlocks(content ? text(content) : source);
      return { blocks, columns, align };
    });
}

/** `|l|c@{}p{3cm}*{2}{r}` → left, center, left, right, right. */
function readColumns(spec: string): Cell['align'][] {
  const aligns: Cell['align'][] = [];
  const repeated = spec.replace(/\*\s*\{(\d{1,2})\}\s*\{([^{}]*)\}/g, (_, count: string, what: string) =>
    what.repeat(Math.min(Number(count), maxColumns)),
  );
  const bare = repeated.replace(/[@!><]\s*\{(?:[^{}]|\{[^{}]*\})*\}|\{[^{}]*\}|\[[^\]]*\]/g, '');
  for (const letter of bare) {
    if (letter === 'c') aligns.push('center');
    else if (letter === 'r' || letter === 'S') aligns.push('right');
    else if (/[lpmbXLJ]/.test(letter)) aligns.push('left');
  }
  return aligns.slice(0, maxColumns);
}
