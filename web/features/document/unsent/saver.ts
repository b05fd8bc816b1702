/**
 * What stands between an editor and the server, so that nothing is lost. The text keeper (../saving) sends; around it:
 *
 *   editor ──edited──► keeper ──send──► server
 *              │          │  └─conflict──► both texts become one, or wait in `conflict` for a person
 *              │          └─saved──► the other tabs of this browser, which follow when they have nothing of their own
 *              └─at most 250 ms later──► the browser's store, until the server has acknowledged it
 *
 * What another page of this person left in the store (it crashed, was closed offline, was signed out) is taken over when
 * the document is opened again: saved when what it was made from is still the newest, else shown beside the newest.
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
  /** Changes what differs, and keeps cursors where they are. `isUndoable`: one step that Undo takes back. */
  set(latex: string, options: { isUndoable: boolean }): void;
}

/** Where what is not acknowledged yet survives this page. Its calls take effect in their order. */
export interface UnsentStore {
  /** In the place of what this saver kept before. `replaces`: what was left by another, which is in it now. */
  put(unsent: UnsavedText, options?: { replaces?: string }): Promise<void>;
  /** What this saver kept; with an id, what was left by another. */
  remove(id?: string): Promise<void>;
  /** What pages that are gone left of this document, oldest first; nobody else takes it over as long as this page lives. */
  takeLeft(): Promise<LeftText[]>;
  /** Gives back what was not taken over. */
  close(): void;
}

export interface LeftText extends UnsavedText {
  id: string;
}

/** The other tabs of this browser that have the same document open. */
export interface OtherTabs {
  tell(saved: KnownText): void;
  close(): void;
}

export interface TextConflict {
  /** What both were made from. */
  base: KnownText;
  theirs: KnownText;
  /** Mine was found in this browser when the document was opened. */
  isFound: boolean;
}

export interface SaverState {
  /** `unreachable`: the server does not answer and is asked again. `signed-out`: goes on when this person signs in. */
  status: 'saved' | 'unsaved' | 'saving' | 'unreachable' | 'signed-out' | 'refused' | 'conflict';
  /** The version that the text was last saved as, or loaded from. */
  version: number;
  /** With `refused` and `signed-out`: why. */
  error: ErrorObject | null;
  conflict: TextConflict | null;
  /** The browser has kept what the server has not. False when its storage is full or forbidden. */
  isKept: boolean;
}

export interface Saver {
  getState(): SaverState;
  /** Told whenever the state changes. @returns the unsubscribe */
  subscribe(listener: () => void): () => void;
  /** The editor's text was changed by a hand; cheap enough for every keystroke. `cause`: of the next save. */
  edited(cause?: LatexSave['cause']): void;
  /** Sends what there is, now. @returns whether the server has everything */
  saveNow(): Promise<boolean>;
  /** The server has this text as its newest: the editor shows it, as one step that Undo takes back. */
  show(known: KnownText): void;
  /** Ends a conflict with the text that a person has made of both. */
  resolve(latex: string): void;
  /** The connection is back, or the person: what waits is sent, and what others saved is followed. */
  resume(): void;
  /** The page is going away, for good or not. */
  leave(): void;
  /** The editor is going away. What is unsent is sent once more, and stays in the store if that fails. */
  close(): Promise<void>;
}

/** How long an edit may be kept nowhere, in ms. */
const keepMs = 250;

export interface SaverOptions {
  /** What the editor shows and the server has. */
  known: KnownText;
  text: EditedText;
  send: (save: SaveAttempt, options: { keepalive: boolean }) => Promise<SaveResult>;
  /** What the server has now; null when it does not answer. */
  load: () => Promise<KnownText | null>;
  store: UnsentStore;
  openTabs: (hear: (saved: KnownText) => void) => OtherTabs;
  readSourceMap?: () => SourceMap | null | undefined;
  /** The text has taken in what another tab or device saved meanwhile. */
  onMerged?: () => void;
  /** How long the hand rests before a save, in ms. */
  pauseMs?: number;
}

export function createSaver(options: SaverOptions): Saver {
  const { send, load, store, readSourceMap, onMerged, pauseMs } = options;
  let { text } = options;
  let isTouched = false;
  let nextCause: LatexSave['cause'] | undefined;
  let keepTimer: ReturnType<typeof setTimeout> | undefined;
  let kept: UnsavedText | null = null;
  let isKept = true;
  let conflict: TextConflict | null = null;
  /** What is being saved was found in the store: nobody has seen it together with what came after. */
  let isFound = false;
  let isClosing = false;
  let isMeeting = false;
  let left: LeftText[] = [];
  const listeners = new Set<() => void>();

  const sendAndTell: typeof send = async (save, how) => {
    const result = await send(save, how);
    if (result.kind === 'saved') tabs.tell({ version: result.version, latex: save.latex });
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

  function tell() {
    const next = readState();
    const isSame = (Object.keys(next) as (keyof SaverState)[]).every((key) => next[key] === state[key]);
    if (isSame) return;
    state = next;
    for (const listener of [...listeners]) listener();
  }

  const isClean = () => !isTouched && conflict === null && keeper.getStatus().kind === 'saved';

  /** The keeper gets the newest text, and the store too. */
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
      kept?.latex === unsent?.latex && kept?.base === unsent?.base && kept?.attempt === unsent?.attempt;
    if (isSame && replaces === undefined) return;
    kept = unsent;
    const work = unsent ? store.put(unsent, { replaces }) : store.remove(replaces);
    work.then(
      () => noteKept(true),
      () => noteKept(false),
    );
  }

  function noteKept(isItKept: boolean) {
    isKept = isItKept;
    tell();
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
    tell();
    if (isClean()) takeOverLeft();
  }

  /** Somebody else saved meanwhile. */
  function meet(theirs: KnownText) {
    const mine = keeper.unsaved();
    if (mine === null) return;
    const merged = joinAgreed(mergeTexts(mine.base.latex, mine.latex, theirs.latex));
    if (merged === null || (isFound && mine.latex !== theirs.latex)) {
      conflict = { base: mine.base, theirs, isFound };
      keep();
      tell();
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
    tell();
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
    // both in one step, and before anything is awaited: no crash in between leaves it in neither place, or twice
    keep(next.id);
    if (keeper.unsaved()) text.set(next.latex, { isUndoable: false });
    else isFound = false;
    tell();
    if (isClean()) takeOverLeft();
  }

  async function saveNow(): Promise<boolean> {
    // whoever writes on all the time is not waited for for ever
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
      keepTimer ??= setTimeout(hand, keepMs);
      tell();
    },
    saveNow,
    show(known) {
      tabs.tell(known);
      hand();
      if (keeper.unsaved()) {
        // a hand was quicker: the answer to its save brings both together
        void keeper.save();
        return;
      }
      keeper.adopt(known);
      text.set(known.latex, { isUndoable: true });
      tell();
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
