/**
 * Used by the document's page, once its editor is mounted:
 *
 *   const saver = openSaver({ userId, document, text: readEditor(view) });   // and saver.close() at the end
 *   extensions: tellSaver(() => saver)                                       // ./editor-text.ts
 *   const state = useSaverState(saver)                                       // ./use-saver-state.ts, for the page's top
 *   <MergeHost saver={saver} text={text} />                                  // ./merge/merge-host.tsx, above the text
 *
 * The page does nothing else to save: the saver waits for pauses, sends, retries, listens to the browser's events, stores
 * unsent text and restores it. A change that is not typed states its cause: `saver.edited('assistant')`.
 */

import type { SavedDocument, SourceMap } from '#shared/api/library.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { getDocument, getFigure } from '#web/lib/api/document-api.ts';
import { getSessionState, subscribeSession } from '#web/lib/session/session-store.ts';
import { onPrepareSignOut, onSignOut } from '#web/lib/session/sign-out.ts';
import type { KnownText } from '../saving/text-keeper.ts';
import { createSaver, type EditedText, type Saver, type SaverState } from './saver.ts';
import { sendSave } from './send-save.ts';
import { openTabs } from './tabs.ts';
import { openUnsentStore } from './unsent-store.ts';

interface OpenSaverOptions {
  /** The document's user: nothing is sent as, or shown to, anybody else. */
  userId: string;
  /** As loaded from the server, and shown in the editor. */
  document: { id: string; title: string; version: number; latex: string };
  /** The one of the document's files whose text it is; `version` and `latex` are that file's then. */
  file?: string;
  text: EditedText;
  /** Read at each save: the current source map. */
  readSourceMap?: () => SourceMap | null | undefined;
  /** Changes that another tab or device saved have been merged in: worth a short notice. */
  onMerged?: () => void;
}

/** A saver connected to the page's events: connection, sign-in and sign-out, hiding and closing. */
export function openSaver({ userId, document: saved, file, ...options }: OpenSaverOptions): Saver {
  const key = file === undefined ? saved.id : `${saved.id}/${file}`;
  const title = file === undefined ? saved.title : `${saved.title}: ${file}`;
  const saver = createSaver({
    ...options,
    known: { version: saved.version, latex: saved.latex },
    store: openUnsentStore(userId, { id: key, title }),
    openTabs: (onSaved) => openTabs(userId, key, onSaved),
    send: (save, how) => sendSave(userId, { id: saved.id, file }, save, how),
    load: async () => {
      if (getSessionState().user?.id !== userId) return null;
      const answer = await getDocument(saved.id);
      if (!answer.ok || file === undefined) return answer.ok ? answer.data : null;
      return loadFile(answer.data, file);
    },
  });
  const ends = new AbortController();
  const { signal } = ends;
  window.addEventListener('online', () => saver.resume(), { signal });
  window.addEventListener('pagehide', () => saver.leave(), { signal });
  // restored from the browser's back/forward cache
  window.addEventListener('pageshow', (event) => event.persisted && saver.resume(), { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') void saver.saveNow();
      else saver.resume();
    },
    { signal },
  );
  window.addEventListener(
    'beforeunload',
    (event) => {
      const { status, isKept } = saver.getState();
      if (status !== 'saved' && !isKept) event.preventDefault();
    },
    { signal },
  );
  const unsubscribeSession = subscribeSession(() => {
    if (getSessionState().user?.id === userId) saver.resume();
  });
  // while the session is still valid
  const forgetPreparation = onPrepareSignOut(saver.saveNow);
  const forgetSignOut = onSignOut(async () => {
    await saver.saveNow();
  });
  return {
    ...saver,
    close() {
      ends.abort();
      unsubscribeSession();
      forgetPreparation();
      forgetSignOut();
      return saver.close();
    },
  };
}

/** A file's text as it is on the server; null if it does not answer, or has none of this name. */
async function loadFile({ id, figures }: SavedDocument, file: string): Promise<KnownText | null> {
  const version = figures.find(({ name }) => name === file)?.version;
  const answer = version === undefined ? null : await getFigure(id, file);
  return version !== undefined && answer?.ok ? { version, latex: await answer.data.text() } : null;
}

/** The status text next to the title. */
export function describeSaver({ status, error, isKept }: SaverState): string {
  switch (status) {
    case 'saved':
      return 'Saved';
    case 'unsaved':
    case 'saving':
      return 'Saving…';
    case 'unreachable':
      return isKept ? 'Offline: kept on this device' : 'Offline: not saved anywhere';
    case 'signed-out':
      return isKept ? 'Signed out: kept on this device' : 'Signed out: not saved anywhere';
    case 'refused':
      return error ? describeError(error) : 'Not saved';
    case 'conflict':
      return 'Changed in two places';
  }
}
