import type { EditorView } from '@codemirror/view';
import type { LogMessage } from '#shared/api/errors.ts';
import type { LatexSave, SourceMap } from '#shared/api/library.ts';

/** What panels beside the text may ask and do. Offsets are UTF-16 into the text as it is now. */
export interface EditorHandle {
  documentId: string;
  /** The version that the text was last saved as, or loaded from. */
  version(): number;
  getText(): string;
  /** Null when nothing is selected. */
  getSelection(): { from: number; to: number } | null;
  /**
   * In the order of the text, without overlap. One step of undo; `label` says what it did, for screen readers.
   * `cause`: what the history will say of it; an edit by default.
   */
  replace(
    changes: readonly { from: number; to: number; insert: string }[],
    label: string,
    cause?: LatexSave['cause'],
  ): void;
  goTo(offset: number, options?: { select?: number }): void;
  /** Told after every change of the text; who listens waits for a pause itself. @returns the unsubscribe */
  onText(listener: () => void): () => void;
  figures(): readonly { name: string }[];
  /** The messages of the newest compile that ended. */
  messages(): readonly LogMessage[];
  /** For marks and highlights of one's own; null until the source is on screen. */
  view(): EditorView | null;
  /** Saves what is not saved yet. @returns whether the server has everything now */
  save(): Promise<boolean>;
  /** The server has made this text the newest version (a restore): it comes in as one step of undo, and is not sent. */
  adopt(known: { version: number; latex: string }): void;
  /** `read` is asked with each save for where the lines come from now; one at a time. @returns the detach */
  attachSourceMap(read: () => SourceMap | null): () => void;
}
