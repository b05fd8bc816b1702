/** The preamble in the documents' source editor; loaded on demand with its section. */
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { composeExtensions } from '../../../../ui/source-editor/compose-extensions.ts';

interface PreambleEditorProps {
  /** The initial text. */
  value: string;
  /** The lines that do not compile, 1-based. */
  faults: readonly { place: number; message: string }[];
  onChange: (text: string) => void;
}

export function PreambleEditor({ value, faults, onChange }: PreambleEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const first = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;

  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          // before the editor's own label: the first one wins
          EditorView.contentAttributes.of({ 'aria-label': 'Your preamble' }),
          composeExtensions({ keys: keymap.of([]), listFigures: () => [] }),
          placeholder('\\usepackage{booktabs}\n\\newcommand{\\norm}[1]{\\lVert #1 \\rVert}'),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { doc } = editor.state;
    editor.dispatch(
      setDiagnostics(
        editor.state,
        faults
          .filter((fault) => fault.place <= doc.lines)
          .map((fault) => {
            const { from, to } = doc.line(fault.place);
            return { from, to, severity: 'error', message: fault.message };
          }),
      ),
    );
  }, [faults]);

  return (
    <div
      ref={place}
      className="h-44 overflow-hidden rounded-lg border border-edge bg-page focus-within:outline-2 focus-within:outline-focus [&_.cm-editor]:h-full"
    />
  );
}
