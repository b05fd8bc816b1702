import { isolateHistory } from '@codemirror/commands';
import { Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { listReplacements } from './merge-texts.ts';
import type { EditedText, Saver } from './saver.ts';

/**
 * The text of a CodeMirror editor. Changes from elsewhere move no cursor, and are left out of undo unless requested.
 */
export function readEditor(view: EditorView): EditedText {
  return {
    get: () => view.state.doc.toString(),
    set(given, { isUndoable }) {
      const shown = view.state.doc.toString();
      // as the editor counts them: a lone \r would add a line break
      const latex = given.replace(/\r\n?/g, '\n');
      const changes = listReplacements(shown, latex);
      if (changes.length === 0) return;
      view.dispatch({
        changes,
        annotations: [
          Transaction.remote.of(true),
          Transaction.addToHistory.of(isUndoable),
          // a step of its own, even right after a keystroke
          isolateHistory.of('full'),
        ],
      });
    },
  };
}

/** Reports every change by the user to the saver; `getSaver` may return null as long as there is none. */
export function tellSaver(getSaver: () => Saver | null) {
  return EditorView.updateListener.of((update) => {
    const isByHand = update.transactions.some(
      (transaction) => transaction.docChanged && !transaction.annotation(Transaction.remote),
    );
    if (isByHand) getSaver()?.edited();
  });
}
