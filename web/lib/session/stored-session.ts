/**
 * The session as stored in this browser: what auth-js writes under `storageKey`. Read without the client library, so
 * that a page knows who is signed in before (and without) loading it. Never verified here: the server decides.
 */

/** The localStorage key of auth-js' session; also the name of its BroadcastChannel. */
export const storageKey = 'inkproof-auth';
/** The key of the PKCE verifier while a sign-in elsewhere (Google) is in progress. */
export const codeVerifierKey = `${storageKey}-code-verifier`;

export interface SessionUser {
  /** `auth.users.id`, a UUID. */
  id: string;
  email: string;
}

/** The parts of a session used here; auth-js' `Session` has this shape and more. */
export interface SessionLike {
  access_token: string;
  user: { id: string; email?: string; factors?: { status: string }[] };
}

export interface KnownSession {
  user: SessionUser;
  /** The password was correct, but the account also requires a code from its authenticator app. */
  needsCode: boolean;
}

/**
 * Runs in the head before the first paint, so that the header never jumps: `data-session` is `in` or `out`. While a
 * sign-in elsewhere is in progress there is `data-signing-in`.
 */
export const applySessionScript = `try{var d=document.documentElement.dataset;d.session=localStorage.getItem('${storageKey}')?'in':'out';if(localStorage.getItem('${codeVerifierKey}'))d.signingIn=''}catch(e){}`;

export function describeSession(session: SessionLike): KnownSession {
  const { id, email = '', factors = [] } = session.user;
  const hasFactor = factors.some((factor) => factor.status === 'verified');
  return { user: { id, email }, needsCode: hasFactor && readLevel(session.access_token) !== 'aal2' };
}

/** The session in this browser's storage; null if there is none, or it cannot be parsed. */
export function findStoredSession(): SessionLike | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    return isSession(stored) ? stored : null;
  } catch {
    return null;
  }
}

/** Removes all tokens from this browser's storage. */
export function deleteStoredTokens(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(storageKey)) localStorage.removeItem(key);
  } catch {
    // storage is blocked: then nothing was stored
  }
}

function isSession(value: unknown): value is SessionLike {
  if (typeof value !== 'object' || value === null) return false;
  const { access_token, user } = value as Partial<SessionLike>;
  return typeof access_token === 'string' && typeof user === 'object' && typeof user?.id === 'string';
}

/** The token's assurance level; `aal1` if it has none. */
function readLevel(token: string): string {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return (claims as { aal?: string }).aal ?? 'aal1';
  } catch {
    return 'aal1';
  }
}
