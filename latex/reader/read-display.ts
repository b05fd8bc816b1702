/** Reads displayed formulas: rows, numbers and labels. */
import { displayRows, environmentArguments } from '../source/commands.ts';
import { readGroup } from '../source/matches.ts';
import { scanLatex } from '../source/scan.ts';
import { splitTop } from './environments.ts';
import type { ReaderState } from './state.ts';
import type { Block } from './tree.ts';

/** A formula without the specification of its columns. */
export const withoutColumns = (environment: string, inner: string): string =>
  environmentArguments(environment).length > 0 ? inner.replace(/^\s*\{[^{}]*\}/, '') : inner;

/** @param environment its name with a star if it has one; `[` for `\[…\]` and `$$…$$` */
export function readDisplay(state: ReaderState, environment: string, inner: string): Block {
  const bare = environment.replace('*', '');
  const kind = displayRows.get(environment) ?? 'one';
  const isNumbered = displayRows.has(environment) && bare !== 'displaymath' && !environment.endsWith('*');
  const source = withoutColumns(environment, inner);
  const tokens = scanLatex(source);
  const rows =
    kind === 'one' || bare === 'multline'
      ? [source]
      : splitTop(source, tokens, (token) => token.kind === 'command' && token.name === '\\').map(
          ({ start, end }) => source.slice(start, end),
        );
  while (rows.length > 1 && rows.at(-1)!.trim() === '') rows.pop();
  const ids: string[] = [];
  const numbers: (string | null)[] = [];
  const texts = rows.map((row) => {
    const taken = takeMarks(row);
    const isQuiet = taken.isQuiet || !isNumbered;
    const number = taken.tag ?? (isQuiet ? null : state.countPrinted('equation'));
    if (number !== null) {
      const id = state.newId();
      ids.push(id);
      for (const label of taken.labels) state.setLabel(label, { number, name: 'Equation', id });
    }
    numbers.push(number);
    return taken.rest;
  });
  const numbered = numbers.filter((number) => number !== null);
  const isOne = numbered.length <= 1;
  const body = texts
    .map((text, row) => {
      // with several numbers, each stays at its row
      const number = isOne || numbers[row] === null ? '' : ` \\qquad\\text{(${numbers[row]})}`;
      return `${text.trim().replace(/^\[[^\]]*\]/, '')}${number}`;
    })
    .join(' \\\\\n');
  return { kind: 'formula', tex: wrap(kind, body, bare), number: isOne ? (numbered[0] ?? null) : null, ids };
}

function wrap(kind: 'one' | 'aligned' | 'gathered' | 'array', body: string, environment: string): string {
  if (kind === 'one') return body;
  if (kind === 'array') return `\\begin{array}{rcl}\n${body}\n\\end{array}`;
  if (environment === 'gather' && !/\\\\/.test(body)) return body;
  return `\\begin{${kind}}\n${body}\n\\end{${kind}}`;
}

/** Removes labels, tags and `\notag` from a row. */
function takeMarks(row: string): { rest: string; labels: string[]; tag: string | null; isQuiet: boolean } {
  const labels: string[] = [];
  let tag: string | null = null;
  let isQuiet = false;
  let rest = '';
  let copied = 0;
  const tokens = scanLatex(row);
  tokens.forEach((token, index) => {
    if (token.kind === 'comment') {
      rest += row.slice(copied, token.start);
      copied = token.end;
      return;
    }
    if (token.kind !== 'command' || token.start < copied) return;
    const name = token.name.replace('*', '');
    if (name === 'notag' || name === 'nonumber') isQuiet = true;
    else if (name !== 'label' && name !== 'tag') return;
    const group = name === 'label' || name === 'tag' ? readGroup(tokens, index + 1) : null;
    if (group && name === 'label') labels.push(row.slice(group.start, group.end).trim());
    if (group && name === 'tag') tag = row.slice(group.start, group.end).replace(/[${}]/g, '').trim();
    rest += row.slice(copied, token.start);
    copied = group ? tokens[group.close]!.end : token.end;
  });
  return { rest: (rest + row.slice(copied)).trim(), labels, tag, isQuiet };
}
