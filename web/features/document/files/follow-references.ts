import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { folderOf } from '#shared/api/file-name.ts';
import type { EditorCommand } from '#web/ui/source-editor/editor-commands.ts';
import { isTextFile } from '../figures/figure-names.ts';
import { findFileAt } from './file-paths.ts';
import type { OpenFiles } from './use-open-files.ts';

const openKey = 'F12';

interface Options {
  /** The file whose text is edited; null for the document's own text. */
  file: string | null;
  listNames: () => readonly string[];
  onOpen: (name: string) => void;
}

/** Opens the text file that is named at this place. @returns whether one is */
function openAt(view: EditorView, at: number, { file, listNames, onOpen }: Options): boolean {
  const names = listNames().filter(isTextFile);
  const name = findFileAt(view.state.doc.toString(), at, names, folderOf(file ?? ''));
  if (name !== null) onOpen(name);
  return name !== null;
}

/** F12, or a click with Ctrl or ⌘, on the name of a file opens it. */
export function followReferences(options: Options): Extension {
  return [
    keymap.of([{ key: openKey, run: (view) => openAt(view, view.state.selection.main.head, options) }]),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at === null || !openAt(view, at, options)) return false;
        event.preventDefault();
        return true;
      },
    }),
  ];
}

/** For the command palette and the sheet of keys; none in a document of one text. */
export function listFileCommands(files: OpenFiles, names: readonly string[]): EditorCommand[] {
  if (!names.some(isTextFile)) return [];
  const options = {
    file: files.current,
    listNames: () => names,
    onOpen: (name: string) => void files.show(name),
  };
  return [
    {
      title: 'Open the file at the cursor',
      keys: openKey,
      run: (view) => openAt(view, view.state.selection.main.head, options),
    },
  ];
}
