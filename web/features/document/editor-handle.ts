import type { EditorView } from '@codemirror/view';
import type { LogMessage } from '#shared/api/errors.ts';
import type { LatexSave, SourceMap } from '#shared/api/library.ts';

/** What the panels can query and do. Offsets are UTF-16 into the current text. */
export interface EditorHandle {
  documentId: string;
  /** The version that the text was last saved as, or loaded from. */
  version(): number;
  getText(): string;
  /** Null when nothing is selected. */
  getSelection(): { from: number; to: number } | null;
  /**
   * Applies changes in document order, without overlap, as one undo step; `label` describes it for screen readers.
   * `cause`: shown in the history; an edit by default.
   */
  replace(
    changes: readonly { from: number; to: number; insert: string }[],
    label: string,
    cause?: LatexSave['cause'],
  ): void;
  goTo(offset: number, options?: { select?: number }): void;
  /**
   * Calls `listener` after every change of the text; the listener does its own debouncing. @returns the unsubscribe
   */
  onText(listener: () => void): () => void;
  figures(): readonly { name: string }[];
  /** The messages of the last finished compile. */
  messages(): readonly LogMessage[];
  /** For the caller's own marks and highlights; null until the source is mounted. */
  view(): EditorView | null;
  /** Saves what is not saved yet. @returns whether the server now has everything */
  save(): Promise<boolean>;
  /**
   * The server has made this text the newest version (a restore): applies it as one undo step, without sending it.
   */
  adopt(known: { version: number; latex: string }): void;
  /** Each save calls `read` for the current source map; one reader at a time. @returns the detach */
  attachSourceMap(read: () => SourceMap | null): () => void;
}
