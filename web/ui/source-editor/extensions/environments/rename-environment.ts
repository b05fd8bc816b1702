/** Typing in the name of `\begin{…}` changes the name of its `\end{…}` too, and the other way round. */
import { type ChangeSpec, EditorState, type Extension, type Transaction } from '@codemirror/state';
import { getStructure } from '../../lines/structure.ts';

/** The characters allowed in a name; a brace or a line break ends it. */
const nameText = /^[\p{L}\p{N}*:@_ -]*$/u;

export const renameEnvironment: Extension = EditorState.transactionFilter.of((transaction) => {
  const isTyped = transaction.isUserEvent('input') || transaction.isUserEvent('delete');
  if (!transaction.docChanged || !isTyped) return transaction;
  const mirrored = mirror(transaction);
  // both use positions in the text before the change
  return mirrored.length ? [transaction, { changes: mirrored }] : transaction;
});

function mirror(transaction: Transaction): ChangeSpec[] {
  const { startState: state, changes } = transaction;
  const edits: { from: number; to: number; insert: string }[] = [];
  changes.iterChanges((from, to, _, __, insert) => edits.push({ from, to, insert: insert.toString() }));
  // with several cursors, each end may have one
  if (edits.length !== 1) return [];
  const { from, to, insert } = edits[0]!;
  if (!nameText.test(insert)) return [];
  const line = state.doc.lineAt(from);
  const column = from - line.from;
  const pairs = getStructure(state).pairsAt.get(line.number) ?? [];
  for (const { begin, end } of pairs)
    for (const [here, there] of [
      [begin, end],
      [end, begin],
    ] as const) {
      const { nameFrom, nameTo } = here.mark;
      if (here.line !== line.number || column < nameFrom || to - line.from > nameTo) continue;
      const start = state.doc.line(there.line).from + there.mark.nameFrom + column - nameFrom;
      return [{ from: start, to: start + to - from, insert }];
    }
  return [];
}
