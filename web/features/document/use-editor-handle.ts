import { isolateHistory } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { useMemo, useRef } from 'react';
import type { LogMessage } from '#shared/api/errors.ts';
import type { SourceMap } from '#shared/api/library.ts';
import { showStretch } from '../../ui/source-editor/places.ts';
import type { EditorHandle } from './editor-handle.ts';
import type { Saver } from './unsent/saver.ts';

interface Parts {
  documentId: string;
  /** The document as opened, used before there is an editor. */
  opened: { version: number; latex: string };
  view: EditorView | null;
  saver: Saver | null;
  figures: readonly { name: string }[];
  messages: readonly LogMessage[];
  /** Shows the source. */
  onShowSource: () => void;
}

export interface OpenedDocument {
  handle: EditorHandle;
  /** Reports every change of the text. */
  tellText: () => void;
  /** The source map sent with a save; undefined leaves the server's unchanged. */
  readSourceMap: () => SourceMap | null | undefined;
}

/** Applies changes as one step of undo; `label` describes it for screen readers. */
export function insertChanges(
  view: EditorView,
  changes: readonly { from: number; to: number; insert: string }[],
  label: string,
): void {
  view.dispatch({
    changes,
    annotations: isolateHistory.of('full'),
    effects: EditorView.announce.of(label),
    userEvent: 'input.replace',
  });
}

/** The handle of an opened document: the same object as long as the page exists. */
export function useEditorHandle(parts: Parts): OpenedDocument {
  const latest = useRef(parts);
  latest.current = parts;
  const { documentId } = parts;
  return useMemo((): OpenedDocument => {
    const listeners = new Set<() => void>();
    let readMap: (() => SourceMap | null) | null = null;
    const getText = () => latest.current.view?.state.doc.toString() ?? latest.current.opened.latex;
    return {
      tellText: () => {
        for (const listener of [...listeners]) listener();
      },
      readSourceMap: () => readMap?.(),
      handle: {
        documentId,
        version: () => latest.current.saver?.getState().version ?? latest.current.opened.version,
        getText,
        getSelection() {
          const main = latest.current.view?.state.selection.main;
          return main && !main.empty ? { from: main.from, to: main.to } : null;
        },
        replace(changes, label, cause) {
          const { view, saver } = latest.current;
          if (!view || changes.length === 0) return;
          insertChanges(view, changes, label);
          if (cause) saver?.edited(cause);
        },
        goTo(offset, { select = 0 } = {}) {
          const { view, onShowSource } = latest.current;
          if (!view) return;
          const { length } = view.state.doc;
          onShowSource();
          showStretch(view, Math.min(offset, length), Math.min(offset + select, length));
          view.focus();
        },
        onText(listener) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
        figures: () => latest.current.figures,
        messages: () => latest.current.messages,
        view: () => latest.current.view,
        save: async () => (await latest.current.saver?.saveNow()) ?? true,
        adopt: (known) => latest.current.saver?.show(known),
        attachSourceMap(read) {
          readMap = read;
          return () => {
            if (readMap === read) readMap = null;
          };
        },
      },
    };
  }, [documentId]);
}
