import type { EditorView } from '@codemirror/view';
import type { LogMessage } from '#shared/api/errors.ts';

/** What panels beside the text may ask and do. Offsets are UTF-16 into the text as it is now. */
export interface DocumentDesk {
  documentId: string;
  /** The version that the text was last saved as, or loaded from. */
  version(): number;
  getText(): string;
  /** Null when nothing is selected. */
  getSelection(): { from: number; to: number } | null;
  /** In the order of the text, without overlap. One step of undo; `label` says what it did, for screen readers. */
  replace(changes: readonly { from: number; to: number; insert: string }[], label: string): void;
  goTo(offset: number, options?: { select?: number }): void;
  /** Told after every change of the text; who listens waits for a pause itself. @returns the unsubscribe */
  onText(listener: () => void): () => void;
  figures(): readonly { name: string }[];
  /** The messages of the newest compile that ended. */
  messages(): readonly LogMessage[];
  /** For marks and highlights of one's own; null until the source is on screen. */
  view(): EditorView | null;
}
