/**
 * Who is signed in, as this tab knows it. Three sources agree on it: the stored session (read at the start, before any
 * library is loaded), the client library's own events once it is, and the storage event, by which a tab that has not
 * loaded the library hears of the others.
 */
import type { AuthChangeEvent } from '@supabase/supabase-js';
import {
  codeVerifierKey,
  describeSession,
  findStoredSession,
  type SessionLike,
  type SessionUser,
  storageKey,
} from './stored-session.ts';

export interface SessionState {
  /** `loading` until the page is alive in a browser; never for long, no network is asked. */
  state: 'loading' | 'signed-out' | 'signed-in';
  user: SessionUser | null;
  /** Signed out, but the password was right already: what is missing is the authenticator's code. */
  needsCode: boolean;
}

/** The events of the client library: SIGNED_IN, SIGNED_OUT, TOKEN_REFRESHED, USER_UPDATED, PASSWORD_RECOVERY, … */
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

/** Prerendered pages and the first render in the browser know nothing. */
export function getServerSessionState(): SessionState {
  return loadingState;
}

export function subscribeSession(subscriber: () => void): () => void {
  start();
  subscribers.add(subscriber);
  return () => subscribers.delete(subscriber);
}

/** Hears every session event of this tab, those of other tabs included. @returns a function that stops listening */
export function onSessionEvent(listener: SessionEventListener): () => void {
  start();
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

/** `work` runs when the client library is needed: a session is stored, or a sign-in comes back to this address. */
export function whenClientIsNeeded(work: () => void): void {
  starters.add(work);
}

/** Takes over what an event of the client library says. */
export function applySessionEvent(event: SessionEvent, session: SessionLike | null): void {
  if (event === 'SIGNED_OUT' || session === null) put(null);
  // what a verified code answers has no factors listed: the stored session, written just before, is asked
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
    // null: another tab emptied the whole storage
    if (event.key !== storageKey && event.key !== null) return;
    const session = findStoredSession();
    const wasKnown = current.user !== null || current.needsCode;
    put(session);
    if (session) needClient();
    if (session === null && wasKnown) applySessionEvent('SIGNED_OUT', null);
  });
}

function needClient(): void {
  // after the module graph is complete: the loader registers itself in get-supabase.ts
  queueMicrotask(() => {
    for (const work of starters) work();
  });
}

/** A sign-in that began in this browser comes back with its code in the address. */
function isReturning(): boolean {
  try {
    const query = new URLSearchParams(location.search);
    return query.has('code') && localStorage.getItem(codeVerifierKey) !== null;
  } catch {
    return false;
  }
}
