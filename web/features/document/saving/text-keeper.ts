/**
 * Keeps a document's text saved on the server while it is edited. One save is in progress at a time; one whose
 * response was lost is repeated unchanged, with its own id, before anything newer, so that a save is never mistaken
 * for somebody else's. A text that was changed elsewhere is no longer saved until a person has merged both. What is
 * not acknowledged yet can be read (`unsaved`), to be kept in the browser.
 *
 *   text ──pause──► attempt ──saved──► base
 *                     │ └──no answer──► the same attempt, later
 *                     ├──conflict──► theirs (waits for `resolve`)
 *                     └──refused──► problem (waits for the next change, or a sign-in)
 */
import type { ErrorObject } from '#shared/api/errors.ts';
import type { LatexSave, SourceMap } from '#shared/api/library.ts';
import type { SaveResult } from '#web/lib/api/document-api.ts';

/** A text that the server has, or had. */
export interface KnownText {
  version: number;
  latex: string;
}

/** A save as it is sent, and repeated. */
export interface SaveAttempt {
  base_version: number;
  latex: string;
  save_id: string;
  cause: LatexSave['cause'];
  source_map?: SourceMap | null;
}

/** What would be lost if the page closed now. */
export interface UnsavedText {
  latex: string;
  /** The text that it was derived from. */
  base: KnownText;
  /** A save that may or may not have reached the server. */
  attempt: SaveAttempt | null;
}

type SaveStatus =
  | { kind: 'saved' }
  /** Changed, not sent yet. */
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  /** The server does not answer; retrying. */
  | { kind: 'unreachable' }
  /** It was changed elsewhere: nothing is sent until both texts are merged. */
  | { kind: 'conflict'; theirs: KnownText }
  | { kind: 'refused'; error: ErrorObject };

export interface TextKeeper {
  getStatus(): SaveStatus;
  /** Calls `listener` whenever the status, the version or the unsaved text changes. @returns the unsubscribe */
  subscribe(listener: () => void): () => void;
  /** The last acknowledged version. */
  version(): number;
  /** Null if the server has everything. */
  unsaved(): UnsavedText | null;
  /** Reports the new text. `cause`: of the next save. */
  change(latex: string, cause?: LatexSave['cause']): void;
  /** Sends what is unsaved without waiting for a pause. @returns whether the server now has everything */
  save(options?: { keepalive?: boolean }): Promise<boolean>;
  /** The server has this text as this version, and so does the editor. */
  adopt(known: KnownText): void;
  /** Both sides of a conflict have been seen: saves this text on top of theirs. */
  resolve(theirs: KnownText, latex: string): void;
  close(): void;
}

export interface TextKeeperOptions {
  /** What the server has. */
  base: KnownText;
  /** Unsaved text of another page, kept in the browser: continues from there. */
  unsaved?: UnsavedText | null;
  send: (save: SaveAttempt, options: { keepalive: boolean }) => Promise<SaveResult>;
  /** Read at each save: the current source map of the text. */
  readSourceMap?: () => SourceMap | null | undefined;
  /** The pause in typing before a save, in ms. */
  pauseMs?: number;
}

/** Without any pause, the text is saved this long after the first change, in ms. */
const longestWaitMs = 5_000;
const retryDelaysMs = [1_000, 2_000, 5_000, 10_000, 20_000];
const waitsForPerson = ['INVALID_INPUT', 'NOT_FOUND', 'UNAUTHORIZED', 'USER_BANNED'];
const emptyText: ErrorObject = {
  code: 'INVALID_INPUT',
  error: 'An empty document is not saved.',
  source: 'user',
};

export function createTextKeeper(options: TextKeeperOptions): TextKeeper {
  const { send, readSourceMap, pauseMs = 1_000 } = options;
  // the unsaved text may have arrived after all
  const left = options.unsaved?.latex === options.base.latex ? null : options.unsaved;
  let base = left?.base ?? options.base;
  let text = left?.latex ?? base.latex;
  let attempt: SaveAttempt | null = left?.attempt ?? null;
  let cause: LatexSave['cause'] = 'edit';
  let theirs: KnownText | null = null;
  let refusal: ErrorObject | null = null;
  let isSending = false;
  let sending: Promise<void> | null = null;
  let failures = 0;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first unsent change was made, ms since 1970. */
  let unsentSince: number | null = null;
  let status: SaveStatus = { kind: 'saved' };
  const listeners = new Set<() => void>();

  const isDone = () => attempt === null && text === base.latex;
  const readStatus = (): SaveStatus => {
    if (theirs) return { kind: 'conflict', theirs };
    if (refusal) return { kind: 'refused', error: refusal };
    if (failures > 0) return { kind: 'unreachable' };
    if (isSending) return { kind: 'saving' };
    return isDone() ? { kind: 'saved' } : { kind: 'unsaved' };
  };
  const notify = () => {
    status = readStatus();
    for (const listener of [...listeners]) listener();
  };

  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    if (isClosed || theirs) return;
    timer = setTimeout(() => void save(), delayMs);
  };
  const schedulePause = () => {
    const now = Date.now();
    unsentSince ??= now;
    schedule(Math.max(0, Math.min(pauseMs, unsentSince + longestWaitMs - now)));
  };

  const take = (sent: SaveAttempt, result: SaveResult) => {
    // the server's text has been replaced in the meantime: this response no longer matters
    if (attempt !== sent) return;
    switch (result.kind) {
      case 'saved':
        attempt = null;
        failures = 0;
        base = { version: result.version, latex: sent.latex };
        return;
      case 'conflict':
        attempt = null;
        failures = 0;
        if (result.current.latex === text) base = result.current;
        else theirs = result.current;
        return;
      case 'unreachable':
        failures++;
        return;
      case 'refused':
        if (!waitsForPerson.includes(result.error.code)) {
          failures++;
          return;
        }
        attempt = null;
        failures = 0;
        refusal = result.error;
    }
  };

  const sendOnce = async (keepalive: boolean) => {
    refusal = null;
    if (attempt === null) {
      if (text.trim() === '') {
        refusal = emptyText;
        return;
      }
      const sourceMap = readSourceMap?.();
      attempt = {
        base_version: base.version,
        latex: text,
        save_id: crypto.randomUUID(),
        cause,
        ...(sourceMap === undefined ? {} : { source_map: sourceMap }),
      };
      cause = 'edit';
    }
    unsentSince = null;
    const sent = attempt;
    isSending = true;
    notify();
    take(sent, await send(sent, { keepalive }));
  };

  const save = async ({ keepalive = false } = {}): Promise<boolean> => {
    clearTimeout(timer);
    // the save in progress has an older text: the newest follows it
    while (sending) await sending;
    if (isClosed || theirs || isDone()) return isDone();
    sending = sendOnce(keepalive).finally(() => {
      isSending = false;
      sending = null;
    });
    await sending;
    notify();
    if (isClosed) return isDone();
    if (failures > 0) schedule(retryDelaysMs[Math.min(failures, retryDelaysMs.length) - 1] ?? 0);
    else if (!isDone() && !theirs && !refusal) return save({ keepalive });
    return isDone();
  };

  const keeper: TextKeeper = {
    getStatus: () => status,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => base.version,
    unsaved: () => (isDone() ? null : { latex: text, base, attempt }),
    change(latex, nextCause) {
      if (latex === text) return;
      text = latex;
      if (nextCause) cause = nextCause;
      refusal = null;
      // a retry is scheduled anyway
      if (failures === 0) schedulePause();
      notify();
    },
    save,
    adopt(known) {
      base = known;
      text = known.latex;
      attempt = null;
      theirs = null;
      refusal = null;
      failures = 0;
      clearTimeout(timer);
      notify();
    },
    resolve(seen, latex) {
      base = seen;
      text = latex;
      attempt = null;
      theirs = null;
      cause = 'merge';
      notify();
      void save();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
  status = readStatus();
  if (!isDone()) schedule(0);
  return keeper;
}
