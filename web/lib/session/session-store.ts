/**
 * Who is signed in, as this tab knows it. It has three sources: the stored session (read at the start, before any
 * library is loaded), the client library's events once it is loaded, and the storage event, which tells a tab that
 * has not loaded the library about the others.
 */
import type { AuthChangeEvent } from '@supabase/auth-js';
import {
  codeVerifierKey,
  describeSession,
  findStoredSession,
  type SessionLike,
  type SessionUser,
  storageKey,
} from './stored-session.ts';

export interface SessionState {
  /** `loading` until the page is hydrated; never for long, as no network is involved. */
  state: 'loading' | 'signed-out' | 'signed-in';
  user: SessionUser | null;
  /** Signed out, but the password was already correct: only the authenticator's code is missing. */
  needsCode: boolean;
}

/** Events of the client library: SIGNED_IN, SIGNED_OUT, TOKEN_REFRESHED, USER_UPDATED, PASSWORD_RECOVERY, … */
export type SessionEvent = AuthChangeEvent;
export type SessionEventListener = (event: SessionEvent, user: SessionUser | null) => void;

const loadingState: SessionState = { state: 'loading', user: null, needsCode: false };
const signedOut: SessionState = { state: 'signed-out', user: null, needsCode: false };

let current = loadingState;
let isStarted = false;
const subscribers = new Set<() => void>();
const eventListeners = new Set<SessionEventListener>();
const starters = new Set<() => void>();

export function getSessionState(): SessionState {
  if (typeof window !== 'undefined') start();
  return current;
}

/** During prerendering and the first render in the browser, nothing is known. */
export function getServerSessionState(): SessionState {
  return loadingState;
}

export function subscribeSession(subscriber: () => void): () => void {
  start();
  subscribers.add(subscriber);
  return () => subscribers.delete(subscriber);
}

/**
 * Calls `listener` at every session event, including those of other tabs. @returns a function that stops listening
 */
export function onSessionEvent(listener: SessionEventListener): () => void {
  start();
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

/** Runs `work` when the client library is needed: a session is stored, or a sign-in returns to this address. */
export function whenClientIsNeeded(work: () => void): void {
  starters.add(work);
}

/** Applies an event of the client library. */
export function applySessionEvent(event: SessionEvent, session: SessionLike | null): void {
  if (event === 'SIGNED_OUT' || session === null) put(null);
  // the session of a verified code lists no factors: read the stored one, written just before
  else put(event === 'MFA_CHALLENGE_VERIFIED' ? (findStoredSession() ?? session) : session);
  const user = current.user;
  for (const listener of [...eventListeners]) listener(event, user);
  window.dispatchEvent(new CustomEvent('inkproof:session', { detail: { event, userId: user?.id ?? null } }));
}

function put(session: SessionLike | null): void {
  const known = session && describeSession(session);
  const next: SessionState = !known
    ? signedOut
    : known.needsCode
      ? { state: 'signed-out', user: null, needsCode: true }
      : { state: 'signed-in', user: known.user, needsCode: false };
  const isSame =
    next.state === current.state &&
    next.user?.id === current.user?.id &&
    next.user?.email === current.user?.email &&
    next.needsCode === current.needsCode;
  if (isSame) return;
  current = next;
  document.documentElement.dataset.session = next.state === 'signed-in' ? 'in' : 'out';
  for (const subscriber of [...subscribers]) subscriber();
}

function start(): void {
  if (isStarted) return;
  isStarted = true;
  const stored = findStoredSession();
  put(stored);
  if (stored || isReturning()) needClient();
  window.addEventListener('storage', (event) => {
    // null: another tab cleared the whole storage
    if (event.key !== storageKey && event.key !== null) return;
    const session = findStoredSession();
    const wasKnown = current.user !== null || current.needsCode;
    put(session);
    if (session) needClient();
    if (session === null && wasKnown) applySessionEvent('SIGNED_OUT', null);
  });
}

function needClient(): void {
  // after all modules have loaded: the loader registers itself in get-client.ts
  queueMicrotask(() => {
    for (const work of starters) work();
  });
}

/** True if a sign-in started in this browser returns with its code in the address. */
function isReturning(): boolean {
  try {
    const query = new URLSearchParams(location.search);
    return query.has('code') && localStorage.getItem(codeVerifierKey) !== null;
  } catch {
    return false;
  }
}
