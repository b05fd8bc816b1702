/**
 * Leaving: on request (`signOut`), and when the server says that the session is over (`endSession`). A sign-out is told
 * to the other tabs of this browser, which leave their work too; a session that merely ended takes nobody's work away.
 */
import { clearPendingAction } from '../pending-action.ts';
import { getSupabase } from './get-supabase.ts';
import { deleteStoredTokens, findStoredSession, storageKey } from './stored-session.ts';

type LeaveTask = () => void | Promise<void>;

const tasks = new Set<LeaveTask>();
const preparations = new Set<() => Promise<unknown>>();
/** How long anything may hold up a sign-out, in ms. */
const patienceMs = 3000;

let channel: BroadcastChannel | null = null;

/** `task` runs when this browser signs out, in this tab or another, while the session still holds here. */
export function onSignOut(task: LeaveTask): () => void {
  listenToOthers();
  tasks.add(task);
  return () => tasks.delete(task);
}

/** `task` sends what this page has not sent yet; it runs when somebody is about to sign out. */
export function onPrepareSignOut(task: () => Promise<unknown>): () => void {
  preparations.add(task);
  return () => preparations.delete(task);
}

/** To be called before `signOut` by whoever asks whether something would stay unsent. */
export async function prepareSignOut(): Promise<void> {
  await retryImport(Promise.all([...preparations].map((task) => task())));
}

/**
 * Signs out (specification, section 4): clears the pending action and the converter's state, signs out locally, then
 * globally if a session existed (a 403 is ignored), removes the stored tokens. What listens with `onSignOut` goes to /.
 */
export async function signOut(): Promise<void> {
  await leave();
  listenToOthers()?.postMessage('signed-out');
  const client = await getSupabase().catch(() => null);
  const session = client && (await retryImport(client.auth.getSession()))?.data.session;
  const token = session?.access_token ?? findStoredSession()?.access_token;
  // without a stored session the library's local sign-out tells the tabs and asks no server, so the token still
  // holds for the global one after it
  deleteStoredTokens();
  await client?.auth.signOut({ scope: 'local' });
  if (client && token) {
    const ended = await retryImport(client.auth.admin.signOut(token, 'global'));
    const error = ended?.error;
    // of a 403 that says the session is gone the library makes an error with a status of its own
    const isIgnored = error?.status === 403 || error?.name === 'AuthSessionMissingError';
    if (error && !isIgnored) console.warn('Other sessions may still be open:', error.message);
  }
  deleteStoredTokens();
}

/** The server refuses this session: it is over here. What is on the screen stays. */
export async function endSession(): Promise<void> {
  deleteStoredTokens();
  const client = await getSupabase().catch(() => null);
  await client?.auth.signOut({ scope: 'local' });
}

async function leave(): Promise<void> {
  await retryImport(Promise.all([clearPendingAction(), ...[...tasks].map((task) => task())]));
  try {
    // conversions, drafts: everything this tab remembers of the person
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('inkproof.')) sessionStorage.removeItem(key);
  } catch {
    // storage is forbidden: then nothing was kept
  }
}

async function retryImport<T>(work: Promise<T>): Promise<T | null> {
  return Promise.race([
    work.catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null)),
  ]);
}

function listenToOthers(): BroadcastChannel | null {
  if (channel || typeof BroadcastChannel === 'undefined') return channel;
  channel = new BroadcastChannel(`${storageKey}-leave`);
  channel.onmessage = () => void leave();
  return channel;
}
