/** What the formatting bar inserts: tables, figures, formulas, links, citations and references. */
import { snippet } from '@codemirror/autocomplete';
import { EditorSelection, type EditorState, type Transaction, type TransactionSpec } from '@codemirror/state';
import { getLineIndex } from '../lines/line-index.ts';
import { getStructure } from '../lines/structure.ts';
import type { LabelTarget } from '../lines/targets.ts';
import { findFormula } from '../lines/tokens.ts';

const event = { scrollIntoView: true, userEvent: 'input.format' } as const;

/**
 * The change that loads those of these packages that the document does not load yet. None in a fragment without
 * a preamble.
 */
export function loadPackages(state: EditorState, names: readonly string[]): TransactionSpec {
  const { packages, body } = getStructure(state);
  const missing = names.filter((name) => !packages.includes(name));
  if (missing.length === 0 || !body.begin) return {};
  const { from } = state.doc.line(body.begin.line);
  return { changes: { from, insert: missing.map((name) => `\\usepackage{${name}}\n`).join('') } };
}

/** Where a block goes: on lines of its own, in the document's body, and not within a formula. */
function findBlockPlace(state: EditorState): { at: number; isBlank: boolean } {
  const { doc } = state;
  let at = state.selection.main.to;
  at = findFormula(state, at)?.to ?? at;
  const { begin, end } = getStructure(state).body;
  if (begin && end && end.line > begin.line) {
    const first = doc.line(begin.line).to;
    const last = doc.line(end.line).from - 1;
    at = Math.max(first, Math.min(at, last));
  }
  const line = doc.lineAt(at);
  return { at: line.to, isBlank: line.text.trim() === '' };
}

/**
 * Inserts a block with fields to be filled in (`#{…}`, as in CodeMirror's snippets): Tab goes from one to the
 * next. One undo step, including the packages it needs.
 */
function insertBlock(
  state: EditorState,
  lines: readonly string[],
  packages: readonly string[],
): TransactionSpec[] {
  const { at, isBlank } = findBlockPlace(state);
  const made: Transaction[] = [];
  // the snippet repeats the indentation of its line
  snippet((isBlank ? '' : '\n') + lines.join('\n'))(
    { state, dispatch: (transaction: Transaction) => made.push(transaction) },
    null,
    at,
    at,
  );
  const { changes, selection, effects } = made[0]!;
  return [{ changes, ...(selection ? { selection } : {}), effects, ...event }, loadPackages(state, packages)];
}

/** A table with a caption, its rows separated as booktabs does. */
export function insertTable(state: EditorState, rows: number, columns: number): TransactionSpec[] {
  const cells = (text: string) => Array.from({ length: columns }, () => `#{${text}}`).join(' & ');
  const head = Array.from({ length: columns }, (_, index) => `#{Column ${index + 1}}`).join(' & ');
  return insertBlock(
    state,
    [
      '\\begin{table}[htbp]',
      '  \\centering',
      '  \\caption{#{Caption}}',
      `  \\begin{tabular}{${'l'.repeat(columns)}}`,
      '    \\toprule',
      `    ${head} \\\\`,
      ...(rows > 1 ? ['    \\midrule'] : []),
      ...Array.from({ length: rows - 1 }, () => `    ${cells('')} \\\\`),
      '    \\bottomrule',
      '  \\end{tabular}',
      '\\end{table}',
    ],
    ['booktabs'],
  );
}

/** A floating figure with a caption and a label. */
export function insertFigure(state: EditorState, name: string): TransactionSpec[] {
  const stem = name.replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9-]+/g, '-');
  return insertBlock(
    state,
    [
      '\\begin{figure}[htbp]',
      '  \\centering',
      `  \\includegraphics[width=0.8\\linewidth]{${name}}`,
      '  \\caption{#{Caption}}',
      `  \\label{fig:${stem}}`,
      '\\end{figure}',
    ],
    ['graphicx'],
  );
}

/** A numbered formula, with the selected text as its content. */
export function insertEquation(state: EditorState): TransactionSpec[] {
  return insertBlock(state, ['\\begin{equation}', '  #{}', '\\end{equation}'], []);
}

/** Selected words become a link whose address is to be typed; a selected address becomes a link as it is. */
export function insertLink(state: EditorState): TransactionSpec[] {
  const { main } = state.selection;
  const text = state.sliceDoc(main.from, main.to);
  const isAddress = /^https?:\/\/[^\s{}\\]+$/.test(text);
  const before = isAddress ? '\\url{' : '\\href{';
  const between = isAddress ? '' : '}{';
  const changes = [
    { from: main.from, insert: before + between },
    { from: main.to, insert: '}' },
  ];
  const at = main.from + before.length;
  return [
    { changes, selection: EditorSelection.cursor(isAddress ? main.to + before.length + 1 : at), ...event },
    loadPackages(state, ['hyperref']),
  ];
}

/** Cites an entry at the cursor; within a `\cite{…}` it joins the others. */
export function insertCitation(state: EditorState, key: string): TransactionSpec[] {
  const { packages } = getStructure(state);
  const command = packages.includes('biblatex') ? 'autocite' : packages.includes('natbib') ? 'citep' : 'cite';
  return [joinList(state, 'citation', key) ?? insertCommand(state, `\\${command}{${key}}`)];
}

/** Refers to a label, as the document's packages allow. */
export function insertReference(state: EditorState, { name, kind }: LabelTarget): TransactionSpec[] {
  const { packages } = getStructure(state);
  const isEquation = kind === 'formula' && packages.includes('amsmath');
  const command = packages.includes('cleveref') ? 'cref' : isEquation ? 'eqref' : 'ref';
  const joined = command === 'cref' ? joinList(state, 'reference', name) : null;
  return [joined ?? insertCommand(state, `\\${command}{${name}}`)];
}

function insertCommand(state: EditorState, insert: string): TransactionSpec {
  const { to } = state.selection.main;
  // selected words stay: the reference follows them
  return {
    changes: { from: to, insert },
    selection: EditorSelection.cursor(to + insert.length),
    ...event,
  };
}

/** Adds to the list of keys that the cursor is in. */
function joinList(state: EditorState, kind: 'citation' | 'reference', key: string): TransactionSpec | null {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const column = head - line.from;
  const marks = getLineIndex(state).lines[line.number - 1]!.marks.filter((mark) => mark.kind === kind);
  const here = marks.find(({ from, to }) => from < column && column < to);
  if (!here) return null;
  const last = marks.findLast(({ from }) => from === here.from)!;
  const at = line.from + last.nameTo;
  const insert = `, ${key}`;
  return { changes: { from: at, insert }, selection: EditorSelection.cursor(at + insert.length), ...event };
}
