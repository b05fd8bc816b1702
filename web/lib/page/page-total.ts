/**
 * The public total of converted pages (specification, sections 3 and 7). Starts with one plain fetch to /rest/v1 with
 * the anonymous key, without loading the client library for it. If somebody is signed in, the library is loaded
 * anyway, and changes are pushed by realtime; otherwise the total is polled while the page is visible.
 */
import { getSupabase } from '../session/get-supabase.ts';
import { getIdentityConfig } from '../session/identity-config.ts';
import { getSessionState, subscribeSession } from '../session/session-store.ts';

/** Polling interval without realtime, in ms. */
const pollMs = 30_000;

let channelCount = 0;

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
  const { url, anonKey } = await getIdentityConfig();
  const response = await fetch(`${url}/rest/v1/page_conversion_totals?select=net_pages&id=eq.1`, {
    // one object, and 406 where the row is missing
    headers: { apikey: anonKey, Accept: 'application/vnd.pgrst.object+json' },
  });
  if (!response.ok) throw new Error(`/rest/v1 answered ${response.status}`);
  const pages = readPages(await response.json());
  if (pages === null) throw new Error('/rest/v1 answered another shape');
  return pages;
}

function readPages(row: unknown): number | null {
  if (typeof row !== 'object' || row === null || !('net_pages' in row)) return null;
  return typeof row.net_pages === 'number' ? row.net_pages : null;
}

function listenForPushes(onTotal: (pages: number) => void, ask: () => Promise<void>): () => void {
  let isStopped = false;
  let leave: (() => void) | null = null;
  const listen = async () => {
    const client = await getSupabase();
    if (isStopped) return;
    let hasBeenAway = false;
    const filter = {
      event: '*',
      schema: 'public',
      table: 'page_conversion_totals',
      filter: 'id=eq.1',
    } as const;
    const channel = client
      // a new name each time: the library would return the channel that is being closed
      .channel(`page-total-${++channelCount}`)
      .on('postgres_changes', filter, ({ new: row }) => {
        const pages = readPages(row);
        if (pages !== null) onTotal(pages);
      })
      .subscribe((status) => {
        if (status !== 'SUBSCRIBED') hasBeenAway = true;
        else if (hasBeenAway) void ask();
      });
    leave = () => void client.removeChannel(channel);
  };
  listen().catch((cause) => console.warn('The page total is not pushed here', cause));
  return () => {
    isStopped = true;
    leave?.();
  };
}
