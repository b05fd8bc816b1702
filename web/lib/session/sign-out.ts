/**
 * Ending a session: on request (`signOut`), and when the server says that it is over (`endSession`). A sign-out is
 * announced to the other tabs of this browser, which drop their work too; a session that merely ended drops nobody's
 * work.
 */
import { clearPendingAction } from '../pending-action.ts';
import { getClient } from './get-client.ts';
import { deleteStoredTokens, findStoredSession, storageKey } from './stored-session.ts';

type LeaveTask = () => void | Promise<void>;

const tasks = new Set<LeaveTask>();
const preparations = new Set<() => Promise<unknown>>();
/** How long a task may delay a sign-out, in ms. */
const timeoutMs = 3000;

let channel: BroadcastChannel | null = null;

/** Runs `task` when this browser signs out, in this tab or another, while the session is still valid here. */
export function onSignOut(task: LeaveTask): () => void {
  listenToOthers();
  tasks.add(task);
  return () => tasks.delete(task);
}

/** `task` sends the page's unsent data; it runs when the user is about to sign out. */
export function onPrepareSignOut(task: () => Promise<unknown>): () => void {
  preparations.add(task);
  return () => preparations.delete(task);
}

/** Call this before checking for unsent data and calling `signOut`. */
export async function prepareSignOut(): Promise<void> {
  await retryImport(Promise.all([...preparations].map((task) => task())));
}

/**
 * Signs out (specification, section 4): clears the pending action and the converter's state, signs out locally, then
 * globally if a session existed (a 403 is ignored), and removes the stored tokens. `onSignOut` listeners go to /.
 */
export async function signOut(): Promise<void> {
  await leave();
  listenToOthers()?.postMessage('signed-out');
  const client = await getClient().catch(() => null);
  const session = client && (await retryImport(client.auth.getSession()))?.data.session;
  const token = session?.access_token ?? findStoredSession()?.access_token;
  // without a stored session the library's local sign-out notifies the tabs without asking a server, so the token is
  // still valid for the global one after it
  deleteStoredTokens();
  await client?.auth.signOut({ scope: 'local' });
  if (client && token) {
    const ended = await retryImport(client.auth.admin.signOut(token, 'global'));
    const error = ended?.error;
    // for a 403 saying that the session no longer exists, the library raises an error with a status of its own
    const isIgnored = error?.status === 403 || error?.name === 'AuthSessionMissingError';
    if (error && !isIgnored) console.warn('Other sessions may still be open:', error.message);
  }
  deleteStoredTokens();
}

/** The server has rejected this session, so it ends here. What is on the screen stays. */
export async function endSession(): Promise<void> {
  deleteStoredTokens();
  const client = await getClient().catch(() => null);
  await client?.auth.signOut({ scope: 'local' });
}

async function leave(): Promise<void> {
  await retryImport(Promise.all([clearPendingAction(), ...[...tasks].map((task) => task())]));
  try {
    // conversions, drafts: everything about the user that this tab has stored
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('inkproof.')) sessionStorage.removeItem(key);
  } catch {
    // storage is blocked: then nothing was stored
  }
}

async function retryImport<T>(work: Promise<T>): Promise<T | null> {
  return Promise.race([
    work.catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null)),
  ]);
}

function listenToOthers(): BroadcastChannel | null {
  if (channel || typeof BroadcastChannel === 'undefined') return channel;
  channel = new BroadcastChannel(`${storageKey}-leave`);
  channel.onmessage = () => void leave();
  return channel;
}
