import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { folderOf } from '#shared/api/file-name.ts';
import { findFileAt } from './file-paths.ts';

interface Options {
  /** The file whose text is edited; null for the document's own text. */
  file: string | null;
  listNames: () => readonly string[];
  onOpen: (name: string) => void;
}

/** F12, or a click with Ctrl or ⌘, on the name of a file opens it. */
export function followReferences({ file, listNames, onOpen }: Options): Extension {
  const openAt = (view: EditorView, at: number) => {
    const name = findFileAt(view.state.doc.toString(), at, listNames(), folderOf(file ?? ''));
    if (name !== null) onOpen(name);
    return name !== null;
  };
  return [
    keymap.of([{ key: 'F12', run: (view) => openAt(view, view.state.selection.main.head) }]),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at === null || !openAt(view, at)) return false;
        event.preventDefault();
        return true;
      },
    }),
  ];
}
