import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useMemo, useRef, useState } from 'react';
import { applySplices } from '#latex/source/splice.ts';
import type { TextChange } from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import { readInk } from '#web/lib/api/ink-api.ts';
import { composeExtensions } from '#web/ui/source-editor/compose-extensions.ts';
import type { EditorCommand } from '#web/ui/source-editor/editor-commands.ts';
import {
  type Citation,
  citations,
  figures,
  inkReading,
} from '#web/ui/source-editor/extensions/surroundings.ts';
import { type CursorPlace, describeCursor, listChanges } from '#web/ui/source-editor/places.ts';
import { SourceFrame } from '#web/ui/source-editor/source-frame.tsx';
import { pictureDrop } from './picture-drop.ts';

interface SourcePaneProps {
  /** The initial text; afterwards the editor owns it. */
  latex: string;
  /** Further extensions of the page. Read once. */
  extensions: Extension;
  figureNames: readonly string[];
  /** Empty while they are loaded. */
  figures: readonly Figure[];
  /** Entries of the document's bibliographies. */
  citations: readonly Citation[];
  /** The page's commands, for the command palette. */
  commands: readonly EditorCommand[];
  /** Called with null when the editor is destroyed. */
  onView: (view: EditorView | null) => void;
  onChange: (latex: string, changes: TextChange[]) => void;
  /** Locates a place on the page. `isExplicit`: by its shortcut; otherwise by a double click. */
  onLocate: (place: CursorPlace, isExplicit: boolean) => void;
  onSave: () => void;
  /** Dropped or pasted pictures, and where in the text. */
  onPictures: (files: File[], at: number) => void;
}

/** The source editor and its panels. */
export function SourcePane(props: SourcePaneProps) {
  const { latex, extensions, commands, onView } = props;
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const first = useRef({ latex, extensions, onView });

  useEffect(() => {
    if (!place.current) return;
    const { latex: doc, extensions: around, onView: tell } = first.current;
    const locate = (editor: EditorView, isExplicit: boolean) => {
      latest.current.onLocate(describeCursor(editor), isExplicit);
      return true;
    };
    const save = () => {
      latest.current.onSave();
      return true;
    };
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc,
        extensions: [
          composeExtensions({
            keys: keymap.of([
              { key: 'Shift-Mod-Enter', run: (source) => locate(source, true), preventDefault: true },
              { key: 'Mod-Enter', run: (source) => locate(source, true), preventDefault: true },
              { key: 'Mod-s', run: save, preventDefault: true },
            ]),
            listFigures: () => latest.current.figureNames,
          }),
          EditorView.domEventHandlers({
            blur: () => void save(),
            dblclick: (_, source) => {
              // the browser selects the double-clicked word first
              setTimeout(() => locate(source, false));
            },
          }),
          inkReading.of(readInk),
          citations.of(() => latest.current.citations),
          figures.of(() => latest.current.figures),
          pictureDrop((files, at) => latest.current.onPictures(files, at)),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            const changes = listChanges(update.changes);
            const splices = changes.map(({ from, to, insert }) => ({ start: from, end: to, text: insert }));
            // reading a long text line by line takes longer than a key may
            text = applySplices(text, splices).text;
            latest.current.onChange(text, changes);
          }),
          around,
        ],
      }),
    });
    let text = editor.state.doc.toString();
    setView(editor);
    tell(editor);
    return () => {
      tell(null);
      setView(null);
      editor.destroy();
    };
  }, []);

  const allCommands = useMemo(
    (): EditorCommand[] => [
      { title: 'Save now', keys: 'Mod-s', run: () => latest.current.onSave() },
      {
        title: 'Show this line on the page',
        keys: 'Mod-Enter',
        run: (editor) => latest.current.onLocate(describeCursor(editor), true),
      },
      ...commands,
    ],
    [commands],
  );

  // the same element as long as it shows the same: every new page renders the screen around it
  return useMemo(
    () => (
      <SourceFrame
        view={view}
        isReadOnly={false}
        commands={allCommands}
        onPictures={(files, at) => latest.current.onPictures(files, at)}
      >
        <div ref={place} className="relative min-h-0 min-w-0 flex-1" />
      </SourceFrame>
    ),
    [view, allCommands],
  );
}
