/** Loads the client library when it is first needed, and passes its events to the session store. */
import type { IdentityClient } from './create-client.ts';
import { getIdentityConfig } from './identity-config.ts';
import { applySessionEvent, whenClientIsNeeded } from './session-store.ts';
import { findStoredSession } from './stored-session.ts';

let loading: Promise<IdentityClient> | null = null;

/**
 * The page's one client. Loading it takes a network round trip at the first sign-in, and none for a visitor who never
 * signs in.
 * @throws Error if the server or the chunk cannot be reached; the next call retries
 */
export function getClient(): Promise<IdentityClient> {
  loading ??= load().catch((cause) => {
    loading = null;
    throw cause;
  });
  return loading;
}

async function load(): Promise<IdentityClient> {
  const [{ createClient }, config] = await Promise.all([import('./create-client.ts'), getIdentityConfig()]);
  const client = createClient(config);
  client.auth.onAuthStateChange(applySessionEvent);
  return client;
}

/**
 * The session's access token, refreshed when it is about to expire; null if nobody is signed in. Loads nothing for a
 * visitor.
 */
export async function getAccessToken(): Promise<string | null> {
  if (findStoredSession() === null) return null;
  try {
    const client = await getClient();
    const { data } = await client.auth.getSession();
    return data.session?.access_token ?? null;
  } catch {
    // the library cannot be loaded now, but the stored token may still be valid
    return findStoredSession()?.access_token ?? null;
  }
}

whenClientIsNeeded(() => {
  getClient().catch((cause) => console.warn('The session could not be loaded yet', cause));
});
