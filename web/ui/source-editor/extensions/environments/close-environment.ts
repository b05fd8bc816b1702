/** Closing the brace of `\begin{x}` adds `\end{x}`; Enter after it opens an indented line between the two. */

import { isolateHistory } from '@codemirror/commands';
import { EditorSelection, type EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { listEnvironments } from '#latex/source/commands.ts';
import { lineIndex } from '../../lines/line-index.ts';
import { getStructure } from '../../lines/structure.ts';

export const indent = '  ';
const beginAtEnd = /\\begin\s*\{([^{}\\$%]+)\}$/;

/** Closes the environment whose `\begin{…}` ends at the cursor, if it has no end yet. */
export function closeEnvironmentAt(state: EditorState): TransactionSpec | null {
  const { main } = state.selection;
  if (!main.empty || state.selection.ranges.length > 1) return null;
  const line = state.doc.lineAt(main.head);
  const before = line.text.slice(0, main.head - line.from);
  const name = beginAtEnd.exec(before)?.[1];
  // there is already text after it: the author knows where it ends
  if (!name || line.text.slice(main.head - line.from).trim() !== '') return null;
  const isOpen = getStructure(state).open.some(
    ({ line: number, mark }) => number === line.number && mark.to === before.length,
  );
  // a surplus \end further down already closes it
  if (!isOpen) return null;
  const margin = /^\s*/.exec(line.text)![0];
  return {
    changes: { from: line.to, insert: `\n${margin}\\end{${name}}` },
    selection: EditorSelection.cursor(main.head),
    userEvent: 'input.complete',
  };
}

/** Enter after `\begin{…}` and its arguments: indents by one more level. */
export function enterEnvironment(state: EditorState): TransactionSpec | null {
  const { main } = state.selection;
  if (!main.empty || state.selection.ranges.length > 1 || state.readOnly) return null;
  const line = state.doc.lineAt(main.head);
  const mark = state.field(lineIndex).lines[line.number - 1]!.marks.findLast(({ kind }) => kind === 'begin');
  const column = main.head - line.from;
  if (!mark || mark.name.trim() === 'document' || column < mark.to) return null;
  if (!/^(?:\s|\[[^\]]*\]|\{[^{}]*\})*$/.test(line.text.slice(mark.to))) return null;
  const margin = /^\s*/.exec(line.text)![0];
  const isItems = listEnvironments.has(mark.name.trim());
  const isEmpty = getStructure(state)
    .pairsAt.get(line.number)
    ?.some(({ begin, end }) => begin.mark === mark && end.line === line.number + 1);
  const insert = `\n${margin}${indent}${isItems && isEmpty ? '\\item ' : ''}`;
  return {
    changes: { from: main.head, insert },
    selection: EditorSelection.cursor(main.head + insert.length),
    scrollIntoView: true,
    userEvent: 'input',
  };
}

const closer = EditorView.updateListener.of(({ transactions, view }) => {
  const closed = transactions.some((transaction) => {
    if (!transaction.isUserEvent('input.type')) return false;
    const { head } = transaction.newSelection.main;
    return transaction.newDoc.sliceString(head - 1, head) === '}';
  });
  if (!closed || view.state.readOnly || view.composing) return;
  const { state } = view;
  // dispatching inside an update is forbidden
  queueMicrotask(() => {
    const spec = view.state === state ? closeEnvironmentAt(state) : null;
    // a separate step: undo removes the \end without the word before it
    if (spec) view.dispatch({ ...spec, annotations: isolateHistory.of('full') });
  });
});

export const closeEnvironment: Extension = [
  closer,
  keymap.of([
    {
      key: 'Enter',
      run: (view) => {
        const spec = enterEnvironment(view.state);
        if (spec) view.dispatch(spec);
        return spec !== null;
      },
    },
  ]),
];
