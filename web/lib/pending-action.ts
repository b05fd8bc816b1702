/**
 * What a visitor was about to do when asked to sign in, stored in this browser so that it continues after the
 * sign-in, even if that left the page (Google) or happened in another tab (the link in the confirmation mail).
 * One per kind; taken by exactly one tab; deleted after use, after a sign-out, and when it expires.
 */
import type { PaidBundleId } from '#shared/api/bundles.ts';
import { maxFileBytes, maxFiles, maxPages } from '#shared/api/limits.ts';

/** A conversion that waits: the files, and which of their pages, in document order. */
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
  /** Credits are being bought for it: it is restored afterwards, and starts when the user says so. */
  isForPurchase?: boolean;
}

/** A bundle to be bought: the payment page opens after the sign-in. */
interface PendingPurchase {
  kind: 'purchase';
  bundle: PaidBundleId;
}

/** A result to be saved: the converter shows it again and continues. */
interface PendingSave {
  kind: 'save';
  conversionId: string;
  title: string;
  withImages: boolean;
}

/** LaTeX dropped on the converter, which the library imports. */
interface PendingImport {
  kind: 'import';
  files: File[];
}

export type PendingAction = PendingConversion | PendingPurchase | PendingSave | PendingImport;
export type PendingKind = PendingAction['kind'];
type ActionOf<Kind extends PendingKind> = Extract<PendingAction, { kind: Kind }>;

interface StoredAction {
  id: string;
  /** ms since 1970 */
  createdAt: number;
  action: PendingAction;
}

const databaseName = 'inkproof-pending';
const storeName = 'actions';
/** How long each kind waits, in ms. Nobody is sent to a payment page long after requesting it. */
const lifetimesMs: Record<PendingKind, number> = {
  convert: 24 * 3_600_000,
  purchase: 3_600_000,
  save: 3_600_000,
  import: 3_600_000,
};
const kinds = Object.keys(lifetimesMs) as PendingKind[];

/** Identifies, in this tab, the action that was started here; survives leaving for a sign-in and returning. */
function ownKey(kind: PendingKind): string {
  return `inkproof.pending.${kind}`;
}

/**
 * Stores an action, replacing any earlier one of its kind. @returns false if it could not be stored (too large,
 * storage full)
 */
export async function savePendingAction(action: PendingAction): Promise<boolean> {
  if (action.kind === 'convert' && isTooLarge(action)) return false;
  const stored: StoredAction = { id: crypto.randomUUID(), createdAt: Date.now(), action };
  try {
    await withStore((store) => store.put(stored, action.kind));
    sessionStorage.setItem(ownKey(action.kind), stored.id);
    return true;
  } catch {
    return false;
  }
}

function isTooLarge({ files, items }: PendingConversion): boolean {
  return files.length > maxFiles || items.length > maxPages || files.some((file) => file.size > maxFileBytes);
}

/** The waiting action, or null. It keeps waiting. */
export async function findPendingAction<Kind extends PendingKind>(
  kind: Kind,
): Promise<ActionOf<Kind> | null> {
  if (!(await isDatabaseThere())) return null;
  try {
    return actionOf(kind, await withStore<StoredAction | undefined>((store) => store.get(kind)));
  } catch {
    return null;
  }
}

/** Takes the action, for this tab to continue; null if there is none or another tab took it. */
export async function takePendingAction<Kind extends PendingKind>(
  kind: Kind,
): Promise<ActionOf<Kind> | null> {
  forgetOwn(kind);
  if (!(await isDatabaseThere())) return null;
  try {
    const stored = await withStore<StoredAction | undefined>((store) => {
      const found: IDBRequest<StoredAction | undefined> = store.get(kind);
      // in the same transaction: two tabs never both get it
      found.onsuccess = () => store.delete(kind);
      return found;
    });
    return actionOf(kind, stored);
  } catch {
    return null;
  }
}

function actionOf<Kind extends PendingKind>(
  kind: Kind,
  stored: StoredAction | undefined,
): ActionOf<Kind> | null {
  const isAlive = stored !== undefined && Date.now() - stored.createdAt < lifetimesMs[kind];
  return isAlive && stored.action.kind === kind ? (stored.action as ActionOf<Kind>) : null;
}

/** True in the tab where the waiting action was started, even after a reload. */
export function isPendingActionOwn(kind: PendingKind): boolean {
  try {
    return sessionStorage.getItem(ownKey(kind)) !== null;
  } catch {
    return false;
  }
}

/** Drops the action of this kind; without a kind, all of them. */
export async function clearPendingAction(kind?: PendingKind): Promise<void> {
  for (const one of kind ? [kind] : kinds) forgetOwn(one);
  if (!(await isDatabaseThere())) return;
  await withStore((store) => (kind ? store.delete(kind) : store.clear())).catch(() => undefined);
}

/**
 * Checked first, because opening the database would create it for everybody. A browser that cannot tell is assumed to
 * have it.
 */
async function isDatabaseThere(): Promise<boolean> {
  const databases = await indexedDB.databases?.().catch(() => null);
  return databases?.some((database) => database.name === databaseName) ?? true;
}

function forgetOwn(kind: PendingKind): void {
  try {
    sessionStorage.removeItem(ownKey(kind));
  } catch {
    // storage is blocked: then nothing was kept
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
