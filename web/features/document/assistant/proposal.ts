/**
 * The one open proposal: an undecided change by the assistant. While there is an editor its parts live in the editor,
 * which moves them with the text.
 */
import type { EditorView } from '@codemirror/view';
import type { ProposedChange } from '#shared/api/assistant.ts';
import type { EditorHandle } from '../editor-handle.ts';
import { findChanges, findHunks, type Hunk, moveHunks } from './hunks.ts';
import { dropHunks, goToHunk, preparePlace, readProposal, showProposal } from './proposal-marks.ts';

export interface OpenProposal {
  requestId: string;
  change: ProposedChange;
  /** Parts that can be accepted, in document order. */
  hunks: readonly Hunk[];
  /** Parts whose own text has been changed in the meantime. */
  lost: readonly Hunk[];
  current: number | null;
  /** The initial number of parts, and the decisions so far. */
  total: number;
  accepted: number;
  rejected: number;
}

export interface ProposalDeps {
  handle: EditorHandle;
  /** Called when the proposal, the text or the selection has changed. */
  onUpdate: () => void;
  /** Called when nothing is left to decide. */
  onDecided: (requestId: string, decision: { accepted: number; rejected: number }) => void;
}

export class Proposal {
  #deps: ProposalDeps;
  #open: OpenProposal | null = null;
  /** `open` as last read, as long as nothing has changed. */
  #snapshot: OpenProposal | null = null;
  /** The editor that shows it. */
  #shownIn: EditorView | null = null;

  constructor(deps: ProposalDeps) {
    this.#deps = deps;
  }

  /** Lets the editor show proposals, and reports its selection. */
  prepare(): void {
    const view = this.#deps.handle.view();
    if (!view) return;
    preparePlace(view, {
      onAccept: (ids) => this.accept(ids),
      onReject: (ids) => this.reject(ids),
      onUpdate: this.#deps.onUpdate,
    });
    // the editor was recreated
    if (this.#open && this.#shownIn !== view) this.#show(view, this.#open);
  }

  /** Null if none is open. */
  read(): OpenProposal | null {
    const open = this.#open;
    const view = this.#deps.handle.view();
    if (!open || !view) return open;
    const { hunks, lost, current } = readProposal(view);
    const last = this.#snapshot;
    const isSame =
      last?.hunks === hunks &&
      last.lost === lost &&
      last.current === current &&
      last.accepted === open.accepted;
    if (isSame && last.rejected === open.rejected && last.requestId === open.requestId) return last;
    this.#snapshot = { ...open, hunks, lost, current };
    return this.#snapshot;
  }

  /** Opens the change on the current text, which may have changed since the question was sent. */
  open(requestId: string, change: ProposedChange): void {
    const view = this.#deps.handle.view();
    if (!view || this.#open?.requestId === requestId) return;
    this.prepare();
    const text = this.#deps.handle.getText();
    const made = findHunks(change.before, change.latex);
    const moved =
      text === change.before ? { hunks: made, lost: [] } : moveHunks(made, findChanges(change.before, text));
    this.#open = { requestId, change, ...moved, current: null, total: made.length, accepted: 0, rejected: 0 };
    this.#show(view, moved);
    this.#deps.onUpdate();
  }

  #show(view: EditorView, shown: Pick<OpenProposal, 'hunks' | 'lost'>): void {
    this.#shownIn = view;
    showProposal(view, shown);
  }

  /** Accepts parts in a single undo step. */
  accept(ids: readonly number[]): void {
    const view = this.#deps.handle.view();
    const open = this.read();
    if (!view || !open) return;
    const taken = open.hunks.filter(({ id }) => ids.includes(id));
    if (taken.length === 0) return;
    // removed first, so that the change of the text affects only the others
    dropHunks(view, ids);
    const edits = taken.flatMap(({ edits }) => edits);
    const label = taken.length === 1 ? 'Change accepted' : `${taken.length} changes accepted`;
    this.#deps.handle.replace(edits, label, 'assistant');
    this.#count({ accepted: taken.length, rejected: 0 });
  }

  reject(ids: readonly number[]): void {
    const view = this.#deps.handle.view();
    const open = this.read();
    if (!view || !open) return;
    const count = [...open.hunks, ...open.lost].filter(({ id }) => ids.includes(id)).length;
    dropHunks(view, ids);
    this.#count({ accepted: 0, rejected: count });
  }

  goTo(id: number): void {
    const view = this.#deps.handle.view();
    const hunk = this.read()?.hunks.find((one) => one.id === id);
    if (!view || !hunk) return;
    // shows the source where panes are shown one at a time
    this.#deps.handle.goTo(hunk.from);
    goToHunk(view, id);
  }

  /** Removes it from the editor without a decision. */
  close(): void {
    const view = this.#deps.handle.view();
    const wasOpen = this.#open !== null;
    this.#open = null;
    this.#snapshot = null;
    if (wasOpen && view) this.#show(view, { hunks: [], lost: [] });
    this.#deps.onUpdate();
  }

  #count({ accepted, rejected }: { accepted: number; rejected: number }): void {
    if (!this.#open) return;
    this.#open = {
      ...this.#open,
      accepted: this.#open.accepted + accepted,
      rejected: this.#open.rejected + rejected,
    };
    const left = this.read();
    // parts that no longer fit are reported, and removed with the last decidable one
    if (left && left.hunks.length === 0) {
      const { requestId, total } = left;
      const taken = left.accepted;
      this.close();
      this.#deps.onDecided(requestId, { accepted: taken, rejected: total - taken });
    } else this.#deps.onUpdate();
  }
}
