/**
 * The one proposal that is open: a change the assistant has made and nobody has decided on yet. Its parts live in the
 * editor while there is one, so that they move with what is typed.
 */
import type { EditorView } from '@codemirror/view';
import type { ProposedChange } from '#shared/api/assistant.ts';
import type { EditorHandle } from '../editor-handle.ts';
import { findChanges, findHunks, type Hunk, moveHunks } from './hunks.ts';
import { dropHunks, goToHunk, preparePlace, readProposal, showProposal } from './proposal-marks.ts';

export interface OpenProposal {
  requestId: string;
  change: ProposedChange;
  /** Parts that can be accepted, in the order of the text. */
  hunks: readonly Hunk[];
  /** Parts whose own text was changed meanwhile. */
  lost: readonly Hunk[];
  current: number | null;
  /** Parts there were at first, and what was decided so far. */
  total: number;
  accepted: number;
  rejected: number;
}

export interface ProposalDeps {
  handle: EditorHandle;
  /** The proposal, the text or the selection has changed. */
  onUpdate: () => void;
  /** Nothing of it is left to decide. */
  onDecided: (requestId: string, decision: { accepted: number; rejected: number }) => void;
}

export class Proposal {
  #deps: ProposalDeps;
  #open: OpenProposal | null = null;
  /** `open` as it was last read, for as long as nothing has changed. */
  #snapshot: OpenProposal | null = null;
  /** The editor that shows it. */
  #shownIn: EditorView | null = null;

  constructor(deps: ProposalDeps) {
    this.#deps = deps;
  }

  /** Sees to it that the editor can show proposals, and tells of its selection. */
  prepare(): void {
    const view = this.#deps.handle.view();
    if (!view) return;
    preparePlace(view, {
      onAccept: (ids) => this.accept(ids),
      onReject: (ids) => this.reject(ids),
      onUpdate: this.#deps.onUpdate,
    });
    // an editor that was made anew
    if (this.#open && this.#shownIn !== view) this.#show(view, this.#open);
  }

  /** Null while none is open. */
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

  /** Opens it on the text as it is now, which may have become another since it was sent. */
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

  /** One step of undo, whatever number of parts it is. */
  accept(ids: readonly number[]): void {
    const view = this.#deps.handle.view();
    const open = this.read();
    if (!view || !open) return;
    const taken = open.hunks.filter(({ id }) => ids.includes(id));
    if (taken.length === 0) return;
    // decided first: what the text does then concerns the others
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
    // brings the source into sight where panes are shown one at a time
    this.#deps.handle.goTo(hunk.from);
    goToHunk(view, id);
  }

  /** Takes it off the editor without a decision. */
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
    // those that fit no more are told, and go with the last that could be decided
    if (left && left.hunks.length === 0) {
      const { requestId, total } = left;
      const taken = left.accepted;
      this.close();
      this.#deps.onDecided(requestId, { accepted: taken, rejected: total - taken });
    } else this.#deps.onUpdate();
  }
}
