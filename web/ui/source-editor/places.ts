/** Places in the source: reading the cursor, jumping, and listing changes. */
import type { ChangeSet } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { TextChange } from '#shared/api/compile-session.ts';

/** 1-based. */
export interface CursorPlace {
  line: number;
  column: number;
}

export function describeCursor({ state }: EditorView): CursorPlace {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  return { line: line.number, column: head - line.from + 1 };
}

/** Selects a range (offsets) and scrolls it to the middle. */
export function showStretch(editor: EditorView, from: number, to: number): void {
  editor.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  });
}

/** Puts the cursor at the start of a line, 1-based; of the last line if there are fewer. */
export function goToLine(editor: EditorView, number: number): void {
  const line = editor.state.doc.line(Math.max(1, Math.min(number, editor.state.doc.lines)));
  showStretch(editor, line.from, line.from);
  editor.focus();
}

/** With offsets in the text before the change. */
export function listChanges(changes: ChangeSet): TextChange[] {
  const list: TextChange[] = [];
  changes.iterChanges((from, to, _, __, insert) => list.push({ from, to, insert: insert.toString() }));
  return list;
}
