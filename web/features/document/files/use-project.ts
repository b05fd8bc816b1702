/** The texts of a document of several files as the outline of each sees them, and the way to a line of any. */
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useEffect, useMemo, useRef } from 'react';
import { folderOf } from '#shared/api/file-name.ts';
import { readFigureText } from '#web/lib/figure-text.ts';
import { projectTexts } from '#web/ui/source-editor/extensions/surroundings.ts';
import { goToLine } from '#web/ui/source-editor/places.ts';
import { isTextFile } from '../figures/figure-names.ts';
import type { Figures } from '../figures/use-figures.ts';
import { findFileAt } from './file-paths.ts';
import type { OpenFiles } from './use-open-files.ts';

interface Options {
  figures: Figures;
  files: OpenFiles;
  /** The editor of the document's own text. */
  view: EditorView | null;
  onShowSource: () => void;
}

export interface Project {
  /** For the editor of a file; null for the document's own text. */
  extensionFor: (file: string | null) => Extension;
  jumpTo: (line: number, file: string | null) => Promise<void>;
}

export function useProject(options: Options): Project {
  const latest = useRef(options);
  latest.current = options;
  const listeners = useRef(new Set<() => void>());
  const { figures, files } = options;
  useEffect(() => {
    void files.current;
    void figures.files;
    for (const listener of [...listeners.current]) listener();
  }, [files.current, figures.files]);

  return useMemo(() => {
    const list = () => latest.current.figures.files ?? [];
    const jumpTo = async (line: number, file: string | null) => {
      const { files: open, view, onShowSource } = latest.current;
      onShowSource();
      const editor = file === open.current ? (open.view ?? view) : await open.show(file);
      if (editor) goToLine(editor, line);
    };
    const read = (file: string | null) => {
      if (file === null) return latest.current.view?.state.doc.toString() ?? null;
      const figure = list().find(({ name }) => name === file);
      return figure ? readFigureText(figure) : null;
    };
    const find = (file: string | null, line: string, at: number) => {
      const names = list().flatMap(({ name }) => (isTextFile(name) ? [name] : []));
      return findFileAt(line, at, names, folderOf(file ?? ''));
    };
    const onChange = (listener: () => void) => {
      listeners.current.add(listener);
      return () => void listeners.current.delete(listener);
    };
    return {
      jumpTo,
      extensionFor: (file) =>
        projectTexts.of({ file, read, find, show: (name, line) => void jumpTo(line, name), onChange }),
    };
  }, []);
}
