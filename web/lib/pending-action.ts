/**
 * What a visitor was about to do when asked to sign in: kept in this browser, so that it goes on after the sign-in,
 * also when that left the page (Google) or happened in another tab (the link in the confirmation mail). One at a time;
 * taken by exactly one tab; gone after use, after a sign-out, and after 24 hours.
 */
import { maxFileBytes, maxFiles, maxPages } from '#shared/api/limits.ts';

/** A conversion that waits: the files, and the pages of them in the document's order. */
export interface PendingConversion {
  kind: 'convert';
  files: File[];
  items: {
    /** Index into `files`. */
    file: number;
    /** 0-based. */
    pageIndex: number;
    /** Clockwise, in degrees. */
    rotation: 0 | 90 | 180 | 270;
  }[];
}

interface Kept {
  id: string;
  /** ms since 1970 */
  createdAt: number;
  action: PendingConversion;
}

const databaseName = 'inkproof-pending';
const storeName = 'actions';
const onlyKey = 'current';
const lifetimeMs = 24 * 3_600_000;
/** Names, in this tab, the action that was begun here; survives a sign-in elsewhere and back. */
const ownKey = 'inkproof.pending';

/** Keeps an action in the place of any earlier one. @returns false when it could not be kept (too large, storage full) */
export async function savePendingAction(action: PendingConversion): Promise<boolean> {
  const isTooLarge =
    action.files.length > maxFiles ||
    action.items.length > maxPages ||
    action.files.some((file) => file.size > maxFileBytes);
  if (isTooLarge) return false;
  const kept: Kept = { id: crypto.randomUUID(), createdAt: Date.now(), action };
  try {
    await withStore((store) => store.put(kept, onlyKey));
    sessionStorage.setItem(ownKey, kept.id);
    return true;
  } catch {
    return false;
  }
}

/** Takes the action out, for this tab to go on with; null when there is none or another tab took it. */
export async function takePendingAction(): Promise<PendingConversion | null> {
  forgetOwn();
  try {
    const kept = await withStore<Kept | undefined>((store) => {
      const found: IDBRequest<Kept | undefined> = store.get(onlyKey);
      // in the same transaction: two tabs never both get it
      found.onsuccess = () => store.delete(onlyKey);
      return found;
    });
    return kept && Date.now() - kept.createdAt < lifetimeMs ? kept.action : null;
  } catch {
    return null;
  }
}

/** True in the tab where the waiting action was begun, also after a reload. */
export function isPendingActionOwn(): boolean {
  try {
    return sessionStorage.getItem(ownKey) !== null;
  } catch {
    return false;
  }
}

export async function clearPendingAction(): Promise<void> {
  forgetOwn();
  // asked first: opening the database would create it for everybody who ever signs out
  const databases = await indexedDB.databases?.().catch(() => null);
  if (databases && !databases.some((database) => database.name === databaseName)) return;
  await withStore((store) => store.delete(onlyKey)).catch(() => undefined);
}

function forgetOwn(): void {
  try {
    sessionStorage.removeItem(ownKey);
  } catch {
    // storage is forbidden: then nothing was kept
  }
}

async function withStore<T>(work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('IndexedDB is blocked'));
  });
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, 'readwrite');
      const request = work(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}
