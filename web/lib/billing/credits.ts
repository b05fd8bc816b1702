/**
 * The credits of the signed-in user, one copy for everything on the page that shows them. Read from their row
 * (specification, sections 3 and 7) while anything shows them, then pushed by realtime, and read again when something
 * here may have changed them (`refreshCredits`).
 */
import { useSyncExternalStore } from 'react';
import { followRow } from '../session/follow-row.ts';
import { getAccessToken } from '../session/get-client.ts';
import { fetchRow } from '../session/rows.ts';
import { getSessionState, subscribeSession } from '../session/session-store.ts';
import { useSession } from '../session/use-session.ts';

export interface Credits {
  /** Pages that can be converted. */
  conversion: number;
  /** AI conversations. */
  assistant: number;
  documentLimit: number;
}

export type CreditsState =
  /** Nobody is signed in. */
  | { kind: 'nobody' }
  | { kind: 'loading' }
  | { kind: 'known'; credits: Credits }
  /** They could not be read, and were not known before. */
  | { kind: 'failed' };

/** The default if the row has no limit, or could not be read (specification, section 9). */
export const defaultDocumentLimit = 200;

const nobody: CreditsState = { kind: 'nobody' };
const loading: CreditsState = { kind: 'loading' };

/** How long the connection outlives the last component that shows credits, in ms: screens change in between. */
const lingerMs = 5000;

let current: CreditsState = nobody;
let userId: string | null = null;
let unwatch: (() => void) | null = null;
let lingering: ReturnType<typeof setTimeout> | undefined;
let stopSession: (() => void) | null = null;
/** Number of the newest read: an older one that answers later is stale. */
let readCount = 0;
const subscribers = new Set<() => void>();

/** The credits, kept up to date while the component is mounted. */
export function useCredits(): CreditsState {
  const { state } = useSession();
  const known = useSyncExternalStore(
    subscribe,
    () => current,
    () => loading,
  );
  if (state === 'loading') return loading;
  return state === 'signed-out' ? nobody : known.kind === 'nobody' ? loading : known;
}

/** What is known now; null if nothing shows credits, or they are unknown. */
export function getKnownCredits(): Credits | null {
  return current.kind === 'known' ? current.credits : null;
}

/** Reads them again. @returns the credits, or null on failure; what is shown stays as it is then */
export async function refreshCredits(): Promise<Credits | null> {
  const { user } = getSessionState();
  if (user === null) return null;
  const read = ++readCount;
  const credits = await readCredits(user.id);
  const isOutOfDate = read !== readCount || getSessionState().user?.id !== user.id;
  // nothing shows them, so nothing would keep them up to date
  if (isOutOfDate || stopSession === null) return credits;
  if (credits !== null) put({ kind: 'known', credits });
  else if (current.kind !== 'known') put({ kind: 'failed' });
  return credits;
}

async function readCredits(id: string): Promise<Credits | null> {
  try {
    // an account without its row is an error
    const columns = 'conversion_credits,assistant_credits,document_limit';
    const address = `user_credits?select=${columns}&user_id=eq.${id}`;
    return describeCredits(await fetchRow(address, await getAccessToken()));
  } catch (cause) {
    console.warn('The credits could not be read', cause);
    return null;
  }
}

/** Parses a row of user_credits; null if it is not one. Exported for its test. */
export function describeCredits(row: unknown): Credits | null {
  if (typeof row !== 'object' || row === null) return null;
  const { conversion_credits, assistant_credits, document_limit } = row as Record<string, unknown>;
  if (typeof conversion_credits !== 'number' || typeof assistant_credits !== 'number') return null;
  return {
    conversion: conversion_credits,
    assistant: assistant_credits,
    documentLimit: typeof document_limit === 'number' ? document_limit : defaultDocumentLimit,
  };
}

function subscribe(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  clearTimeout(lingering);
  if (stopSession === null) {
    stopSession = subscribeSession(followSession);
    followSession();
  }
  return () => {
    subscribers.delete(subscriber);
    if (subscribers.size === 0) lingering = setTimeout(stop, lingerMs);
  };
}

function stop(): void {
  stopSession?.();
  stopSession = null;
  userId = null;
  unwatch?.();
  unwatch = null;
  put(nobody);
}

/** Another user is signed in, or nobody. */
function followSession(): void {
  const { user } = getSessionState();
  if ((user?.id ?? null) === userId) return;
  userId = user?.id ?? null;
  readCount++;
  unwatch?.();
  unwatch = null;
  put(userId === null ? nobody : loading);
  if (userId === null) return;
  void refreshCredits();
  unwatch = watch(userId);
}

function watch(id: string): () => void {
  return followRow({
    table: 'user_credits',
    filter: `user_id=eq.${id}`,
    onRow: (row) => {
      const credits = describeCredits(row);
      if (credits === null || userId !== id) return;
      // newer than any read in progress
      readCount++;
      put({ kind: 'known', credits });
    },
    onBack: () => void refreshCredits(),
  });
}

function put(next: CreditsState): void {
  current = next;
  for (const subscriber of [...subscribers]) subscriber();
}
