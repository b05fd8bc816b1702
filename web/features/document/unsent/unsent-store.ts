/**
 * Texts that the server has not acknowledged, in this browser's IndexedDB: one row per open page, by account and
 * document. Each page holds a lock as long as it lives, however it ends; a row whose lock is free was left behind.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { UnsavedText } from '../saving/text-keeper.ts';
import type { LeftText, UnsentStore } from './saver.ts';

interface Row {
  /** The id of the saver that wrote it. */
  id: string;
  userId: string;
  documentId: string;
  title: string;
  unsent: UnsavedText;
  /** ms since 1970 */
  changedAt: number;
}

interface Schema extends DBSchema {
  texts: { key: string; value: Row; indexes: { user: string; document: [string, string] } };
}

const databaseName = 'inkproof-unsent';
/** How long to wait for the lock of a page that may still be closing after a reload, in ms. */
const patienceMs = 1_000;

let opened: IDBPDatabase<Schema> | null = null;
let opening: Promise<IDBPDatabase<Schema>> | null = null;

function open(): Promise<IDBPDatabase<Schema>> {
  opening ??= openDB<Schema>(databaseName, 1, {
    upgrade(database) {
      const texts = database.createObjectStore('texts', { keyPath: 'id' });
      texts.createIndex('user', 'userId');
      texts.createIndex('document', ['userId', 'documentId']);
    },
    // the browser closes it when its data is cleared
    terminated: forget,
    blocking: () => {
      opened?.close();
      forget();
    },
  })
    .then((database) => {
      opened = database;
      return database;
    })
    .catch((cause) => {
      forget();
      throw cause;
    });
  return opening;
}

function forget(): void {
  opened = null;
  opening = null;
}

function lockName(id: string): string {
  return `inkproof-unsent-${id}`;
}

/** Holds the lock until told to release it, if it can be acquired in time. @returns how to release it, or null */
function hold(id: string, waitMs?: number): Promise<(() => void) | null> {
  // missing in insecure contexts: then every row found counts as left behind, and is sent twice at worst
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    const signal = waitMs === undefined ? undefined : AbortSignal.timeout(waitMs);
    navigator.locks
      .request(lockName(id), { signal }, () => new Promise<void>((release) => resolve(release)))
      .catch(() => resolve(null));
  });
}

export function openUnsentStore(
  userId: string,
  { id: documentId, title }: { id: string; title: string },
): UnsentStore {
  const id = crypto.randomUUID();
  const releases: (() => void)[] = [];
  let isClosed = false;
  const keepRelease = (release: (() => void) | null) => {
    if (release && isClosed) release();
    else if (release) releases.push(release);
    return release !== null;
  };
  const locked = hold(id).then(keepRelease);

  /** Writes within the same task if the database is open: a closing page gets no other. */
  const write = (work: (database: IDBPDatabase<Schema>) => Promise<unknown>): Promise<void> =>
    (opened ? work(opened) : Promise.all([open(), locked]).then(([database]) => work(database))).then(
      () => {},
    );

  return {
    put: (unsent, { replaces } = {}) =>
      write((database) => {
        const step = database.transaction('texts', 'readwrite');
        const row: Row = { id, userId, documentId, title, unsent, changedAt: Date.now() };
        const done = [step.store.put(row), replaces && step.store.delete(replaces), step.done];
        // at once: the page may be gone before it commits by itself
        step.commit();
        return Promise.all(done);
      }),
    remove: (left) =>
      write((database) => {
        const step = database.transaction('texts', 'readwrite');
        return Promise.all([step.store.delete(id), left && step.store.delete(left), step.done]);
      }),
    async takeLeft() {
      const database = await open();
      await locked;
      const rows = await database.getAllFromIndex('texts', 'document', [userId, documentId]);
      const taken = await Promise.all(
        rows.map(async (row): Promise<(LeftText & { changedAt: number }) | null> => {
          if (row.id === id || !keepRelease(await hold(row.id, patienceMs))) return null;
          // while waiting, somebody may have taken it over, or the page may have received its response
          const now = await database.get('texts', row.id);
          return now ? { ...now.unsent, id: now.id, changedAt: now.changedAt } : null;
        }),
      );
      return taken.filter((one) => one !== null).toSorted((one, other) => one.changedAt - other.changedAt);
    },
    close() {
      isClosed = true;
      for (const release of releases.splice(0)) release();
    },
  };
}

/** Titles of this user's documents with text in this browser that the server does not have. */
export async function listUnsentTitles(userId: string): Promise<string[]> {
  if (!(await isDatabaseThere())) return [];
  const rows = await (await open()).getAllFromIndex('texts', 'user', userId);
  return [...new Set(rows.map((row) => row.title))];
}

/** Deletes this user's unsent texts from this browser. */
export async function deleteUnsent(userId: string): Promise<void> {
  if (!(await isDatabaseThere())) return;
  const step = (await open()).transaction('texts', 'readwrite');
  const ids = await step.store.index('user').getAllKeys(userId);
  await Promise.all([...ids.map((id) => step.store.delete(id)), step.done]);
}

/**
 * Checked first, because opening the database would create it for everybody. A browser that cannot tell is assumed to
 * have it.
 */
async function isDatabaseThere(): Promise<boolean> {
  const databases = await indexedDB.databases?.().catch(() => null);
  return databases?.some((database) => database.name === databaseName) ?? true;
}
