/**
 * The public total of converted pages (specification, sections 3 and 7), read with the anonymous key. If somebody is
 * signed in, changes are pushed by realtime; otherwise the total is polled while the page is visible.
 */
import { fetchRow } from '../session/rows.ts';
import { getSessionState, subscribeSession } from '../session/session-store.ts';

/** Polling interval without realtime, in ms. */
const pollMs = 30_000;

/** @param onTotal called once the total is known, and at every change @returns a function that stops following */
export function followPageTotal(onTotal: (pages: number) => void): () => void {
  let isStopped = false;
  let shown: number | null = null;
  let stopPushes: (() => void) | null = null;

  const notify = (pages: number) => {
    if (isStopped || pages === shown) return;
    shown = pages;
    onTotal(pages);
  };
  const ask = async () => {
    try {
      notify(await fetchPageTotal());
    } catch (cause) {
      console.warn('The page total could not be read', cause);
    }
  };
  const askWhenSeen = () => {
    if (document.visibilityState === 'visible' && stopPushes === null) void ask();
  };
  const followSession = () => {
    const isSignedIn = getSessionState().state === 'signed-in';
    if (isSignedIn && stopPushes === null) stopPushes = listenForPushes(notify, ask);
    if (!isSignedIn && stopPushes !== null) {
      stopPushes();
      stopPushes = null;
    }
  };

  void ask();
  followSession();
  const stopSession = subscribeSession(followSession);
  const timer = setInterval(askWhenSeen, pollMs);
  document.addEventListener('visibilitychange', askWhenSeen);
  return () => {
    isStopped = true;
    stopSession();
    stopPushes?.();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', askWhenSeen);
  };
}

/** @throws Error when it cannot be read */
async function fetchPageTotal(): Promise<number> {
  const pages = readPages(await fetchRow('page_conversion_totals?select=net_pages&id=eq.1', null));
  if (pages === null) throw new Error('/rest/v1 answered another shape');
  return pages;
}

function readPages(row: unknown): number | null {
  if (typeof row !== 'object' || row === null || !('net_pages' in row)) return null;
  return typeof row.net_pages === 'number' ? row.net_pages : null;
}

function listenForPushes(onTotal: (pages: number) => void, ask: () => Promise<void>): () => void {
  let isEnded = false;
  let end: (() => void) | null = null;
  // on demand: the landing page loads this file
  import('../session/follow-row.ts').then(
    ({ followRow }) => {
      if (isEnded) return;
      end = followRow({
        table: 'page_conversion_totals',
        filter: 'id=eq.1',
        onRow: (row) => {
          const pages = readPages(row);
          if (pages !== null) onTotal(pages);
        },
        onBack: () => void ask(),
      });
    },
    (cause) => console.warn('The page total is not pushed here', cause),
  );
  return () => {
    isEnded = true;
    end?.();
  };
}
