import { isolateHistory } from '@codemirror/commands';
import { diff } from '@codemirror/merge';
import { Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { EditedText, Saver } from './saver.ts';

/** How hard a difference is looked for: beyond it, stretches are replaced as a whole. */
const effort = { scanLimit: 500, timeout: 50 };

/** The text of a CodeMirror editor. What comes from elsewhere moves no cursor, and Undo leaves it alone unless told. */
export function readEditor(view: EditorView): EditedText {
  return {
    get: () => view.state.doc.toString(),
    set(given, { isUndoable }) {
      const shown = view.state.doc.toString();
      // as the editor counts them: a \r by itself would be a line break more
      const latex = given.replace(/\r\n?/g, '\n');
      const changes = diff(shown, latex, effort).map(({ fromA, toA, fromB, toB }) => ({
        from: fromA,
        to: toA,
        insert: latex.slice(fromB, toB),
      }));
      if (changes.length === 0) return;
      view.dispatch({
        changes,
        annotations: [
          Transaction.remote.of(true),
          Transaction.addToHistory.of(isUndoable),
          // a step of its own, also right after a key
          isolateHistory.of('full'),
        ],
      });
    },
  };
}

/** Tells the saver of every change by a hand; `getSaver` may answer null as long as there is none. */
export function tellSaver(getSaver: () => Saver | null) {
  return EditorView.updateListener.of((update) => {
    const isByHand = update.transactions.some(
      (transaction) => transaction.docChanged && !transaction.annotation(Transaction.remote),
    );
    if (isByHand) getSaver()?.edited();
  });
}
