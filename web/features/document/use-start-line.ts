import type { EditorView } from '@codemirror/view';
import { useEffect } from 'react';
import { goToLine } from '#web/ui/source-editor/places.ts';

interface Options {
  /** The editor of the document's own text. */
  view: EditorView | null;
  /** 1-based; null for the beginning. */
  line: number | null;
  /** The file that the line is in; null for the document's own text. */
  file: string | null;
  /** The files are loaded. */
  hasFiles: boolean;
  showFile: (file: string) => Promise<EditorView | null>;
}

/** Goes to the line that an opened document starts at. */
export function useStartLine({ view, line, file, hasFiles, showFile }: Options): void {
  useEffect(() => {
    if (line === null || !view || (file !== null && !hasFiles)) return;
    if (file === null) goToLine(view, line);
    else void showFile(file).then((editor) => editor && goToLine(editor, line));
  }, [view, line, file, hasFiles, showFile]);
}
