/**
 * Connects an editor to the server so that nothing is lost. The text keeper (../saving) sends; around it:
 *
 *   editor ──edited──► keeper ──send──► server
 *              │          │  └─conflict──► both texts are merged, or wait in `conflict` for the user
 *              │          └─saved──► the other tabs of this browser, which follow if they have no changes of their own
 *              └─at most half a second later──► the browser's store, until the server has acknowledged it
 *
 * What another page of this user left in the store (it crashed, was closed offline, was signed out) is taken over
 * when the document is opened again: saved if its base is still the newest, otherwise shown next to the newest.
 */
import type { ErrorObject } from '#shared/api/errors.ts';
import type { LatexSave, SourceMap } from '#shared/api/library.ts';
import type { SaveResult } from '#web/lib/api/document-api.ts';
import {
  createTextKeeper,
  type KnownText,
  type SaveAttempt,
  type UnsavedText,
} from '../saving/text-keeper.ts';
import { joinAgreed, mergeTexts } from './merge-texts.ts';

/** An editor's text. */
export interface EditedText {
  get(): string;
  /** Changes only what differs, and keeps cursors in place. `isUndoable`: as one undo step. */
  set(latex: string, options: { isUndoable: boolean }): void;
}

/** Where unacknowledged text survives this page. Calls take effect in order. */
export interface UnsentStore {
  /** Replaces this saver's earlier text. `replaces`: the id of a text left by another page, which is now included. */
  put(unsent: UnsavedText, options?: { replaces?: string }): Promise<void>;
  /** Removes this saver's text; with an id, the text left by another page. */
  remove(id?: string): Promise<void>;
  /**
   * The texts of this document that closed pages left, oldest first; no other page takes them over while this one
   * lives.
   */
  takeLeft(): Promise<LeftText[]>;
  /** Releases what was not taken over. */
  close(): void;
}

export interface LeftText extends UnsavedText {
  id: string;
}

/** The other tabs of this browser with the same document. */
export interface OtherTabs {
  announce(saved: KnownText): void;
  close(): void;
}

export interface TextConflict {
  /** The text that both were derived from. */
  base: KnownText;
  theirs: KnownText;
  /** My text was found in this browser when the document was opened. */
  isFound: boolean;
}

export interface SaverState {
  /** `unreachable`: the server does not answer; retrying. `signed-out`: continues when this user signs in. */
  status: 'saved' | 'unsaved' | 'saving' | 'unreachable' | 'signed-out' | 'refused' | 'conflict';
  /** The version that the text was last saved as, or loaded from. */
  version: number;
  /** The reason for `refused` and `signed-out`. */
  error: ErrorObject | null;
  conflict: TextConflict | null;
  /** The browser has stored what the server does not have. False if its storage is full or blocked. */
  isKept: boolean;
}

export interface Saver {
  getState(): SaverState;
  /** Calls `listener` whenever the state changes. @returns the unsubscribe */
  subscribe(listener: () => void): () => void;
  /** The user changed the editor's text; cheap enough for every keystroke. `cause`: of the next save. */
  edited(cause?: LatexSave['cause']): void;
  /** Sends unsaved text now. @returns whether the server has everything */
  saveNow(): Promise<boolean>;
  /** The server has this text as its newest: shows it in the editor, as one undo step. */
  show(known: KnownText): void;
  /** Ends a conflict with the merged text. */
  resolve(latex: string): void;
  /** The connection or the user is back: sends what waits, and follows what others saved. */
  resume(): void;
  /** The page is being hidden or closed. */
  leave(): void;
  /** The editor is being closed. Unsent text is sent once more, and stays in the store if that fails. */
  close(): Promise<void>;
}

/** An edit is stored this long after it, in ms, and then as soon as the page is idle, but at most as long again. */
const keepMs = 250;

export interface SaverOptions {
  /** The text shown in the editor and known to the server. */
  known: KnownText;
  text: EditedText;
  send: (save: SaveAttempt, options: { keepalive: boolean }) => Promise<SaveResult>;
  /** Loads the server's current text; null if it does not answer. */
  load: () => Promise<KnownText | null>;
  store: UnsentStore;
  openTabs: (onSaved: (saved: KnownText) => void) => OtherTabs;
  readSourceMap?: () => SourceMap | null | undefined;
  /** Changes that another tab or device saved have been merged in. */
  onMerged?: () => void;
  /** The pause in typing before a save, in ms. */
  pauseMs?: number;
}

export function createSaver(options: SaverOptions): Saver {
  const { send, load, store, readSourceMap, onMerged, pauseMs } = options;
  let { text } = options;
  let isTouched = false;
  let nextCause: LatexSave['cause'] | undefined;
  let keepTimer: ReturnType<typeof setTimeout> | undefined;
  let stored: UnsavedText | null = null;
  let isKept = true;
  let conflict: TextConflict | null = null;
  /** The text being saved was found in the store: nobody has seen it together with later changes. */
  let isFound = false;
  let isClosing = false;
  let isMeeting = false;
  let left: LeftText[] = [];
  const listeners = new Set<() => void>();

  const sendAndTell: typeof send = async (save, how) => {
    const result = await send(save, how);
    if (result.kind === 'saved') tabs.announce({ version: result.version, latex: save.latex });
    return result;
  };
  const openKeeper = (base: KnownText, unsaved: UnsavedText | null = null) =>
    createTextKeeper({ base, unsaved, send: sendAndTell, readSourceMap, pauseMs });
  let keeper = openKeeper(options.known);
  let unsubscribe = keeper.subscribe(hearKeeper);
  const tabs = options.openTabs(hearTab);
  let state = readState();

  function readState(): SaverState {
    const is = keeper.getStatus();
    const error = is.kind === 'refused' ? is.error : null;
    const status =
      error?.code === 'UNAUTHORIZED' ? 'signed-out' : isTouched && is.kind === 'saved' ? 'unsaved' : is.kind;
    return { status, version: keeper.version(), error, conflict, isKept };
  }

  function notify() {
    const next = readState();
    const isSame = (Object.keys(next) as (keyof SaverState)[]).every((key) => next[key] === state[key]);
    if (isSame) return;
    state = next;
    for (const listener of [...listeners]) listener();
  }

  const isClean = () => !isTouched && conflict === null && keeper.getStatus().kind === 'saved';

  /** Passes the newest text to the keeper and the store. */
  function hand() {
    clearTimeout(keepTimer);
    keepTimer = undefined;
    if (!isTouched) return;
    isTouched = false;
    const cause = nextCause;
    nextCause = undefined;
    keeper.change(text.get(), cause);
  }

  function keep(replaces?: string) {
    const unsent = keeper.unsaved();
    const isSame =
      stored?.latex === unsent?.latex && stored?.base === unsent?.base && stored?.attempt === unsent?.attempt;
    if (isSame && replaces === undefined) return;
    stored = unsent;
    const work = unsent ? store.put(unsent, { replaces }) : store.remove(replaces);
    work.then(
      () => noteKept(true),
      () => noteKept(false),
    );
  }

  function noteKept(isItKept: boolean) {
    isKept = isItKept;
    notify();
  }

  function hearKeeper() {
    const status = keeper.getStatus();
    if (isMeeting) return;
    if (status.kind === 'conflict' && conflict === null) {
      isMeeting = true;
      hand();
      isMeeting = false;
      meet(status.theirs);
      return;
    }
    keep();
    if (status.kind === 'saved') isFound = false;
    notify();
    if (isClean()) takeOverLeft();
  }

  /** Handles a text that somebody else saved in the meantime. */
  function meet(theirs: KnownText) {
    const mine = keeper.unsaved();
    if (mine === null) return;
    const merged = joinAgreed(mergeTexts(mine.base.latex, mine.latex, theirs.latex));
    if (merged === null || (isFound && mine.latex !== theirs.latex)) {
      conflict = { base: mine.base, theirs, isFound };
      keep();
      notify();
      return;
    }
    settle(theirs, merged);
    onMerged?.();
  }

  function settle(theirs: KnownText, latex: string) {
    conflict = null;
    isFound = false;
    isTouched = false;
    text.set(latex, { isUndoable: false });
    keeper.resolve(theirs, latex);
  }

  function hearTab(saved: KnownText) {
    if (saved.version <= keeper.version() || !isClean()) return;
    keeper.adopt(saved);
    text.set(saved.latex, { isUndoable: false });
    notify();
  }

  function takeOverLeft() {
    const next = isClosing ? undefined : left.shift();
    if (next === undefined) return;
    const known = { version: keeper.version(), latex: text.get() };
    keeper.close();
    unsubscribe();
    isFound = true;
    keeper = openKeeper(known, next);
    unsubscribe = keeper.subscribe(hearKeeper);
    // both in one step, and before anything is awaited: no crash in between leaves it in neither place, or in both
    keep(next.id);
    if (keeper.unsaved()) text.set(next.latex, { isUndoable: false });
    else isFound = false;
    notify();
    if (isClean()) takeOverLeft();
  }

  async function saveNow(): Promise<boolean> {
    // do not wait forever for a user who never stops typing
    for (let round = 0; round < 5; round++) {
      hand();
      const isDone = await keeper.save();
      if (conflict || !isDone) return false;
      if (!isTouched) return true;
    }
    return false;
  }

  store.takeLeft().then(
    (found) => {
      left = found;
      if (isClean()) takeOverLeft();
    },
    () => noteKept(false),
  );

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    edited(cause) {
      if (isClosing) return;
      isTouched = true;
      nextCause = cause ?? nextCause;
      keepTimer ??= setTimeout(() => whenIdle(hand), keepMs);
      notify();
    },
    saveNow,
    show(known) {
      tabs.announce(known);
      hand();
      if (keeper.unsaved()) {
        // the user was quicker: the response to that save merges both
        void keeper.save();
        return;
      }
      keeper.adopt(known);
      text.set(known.latex, { isUndoable: true });
      notify();
    },
    resolve(latex) {
      if (conflict) settle(conflict.theirs, latex);
    },
    resume() {
      hand();
      if (keeper.unsaved()) void keeper.save();
      else
        void load().then((known) => {
          if (known) hearTab(known);
        });
    },
    leave() {
      hand();
      void keeper.save({ keepalive: true });
    },
    async close() {
      if (isClosing) return;
      hand();
      isClosing = true;
      const last = text.get();
      text = { get: () => last, set: () => {} };
      await saveNow();
      keeper.close();
      unsubscribe();
      tabs.close();
      store.close();
    },
  };
}

/** Reading a long text takes a moment: between two frames rather than within one. Safari has no such call. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: keepMs });
  else work();
}
