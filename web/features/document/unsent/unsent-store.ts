/**
 * Texts that the server has not acknowledged, in this browser's IndexedDB: one row a page that is open, by account and
 * document. Each page holds a lock as long as it lives, however it ends; a row whose lock is free was left.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { UnsavedText } from '../saving/text-keeper.ts';
import type { LeftText, UnsentStore } from './saver.ts';

interface Row {
  /** Of the saver that wrote it. */
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
/** A page that was just reloaded may still be on its way out: so long its lock is waited for, in ms. */
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

/** Holds the lock until it is told to stop, if it can be had in time. @returns how to give it back, or null */
function hold(id: string, waitMs?: number): Promise<(() => void) | null> {
  // not there where the page is not served securely: then whatever is found counts as left, and is sent twice at worst
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

  /** Within the same task when the database is open: a page that is going away gets no other. */
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
        // not when the page has got round to it: it may be gone
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
          // somebody may have taken it over, or the page got its answer while it was waited for
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

/** Of this person, in this browser: the titles of documents with text that the server has not got. */
export async function listUnsentTitles(userId: string): Promise<string[]> {
  if (!(await isDatabaseThere())) return [];
  const rows = await (await open()).getAllFromIndex('texts', 'user', userId);
  return [...new Set(rows.map((row) => row.title))];
}

/** Takes what this person has not sent out of this browser. */
export async function deleteUnsent(userId: string): Promise<void> {
  if (!(await isDatabaseThere())) return;
  const step = (await open()).transaction('texts', 'readwrite');
  const ids = await step.store.index('user').getAllKeys(userId);
  await Promise.all([...ids.map((id) => step.store.delete(id)), step.done]);
}

/** Asked first, for opening the database would create it for everybody. A browser that cannot tell is taken to have it. */
async function isDatabaseThere(): Promise<boolean> {
  const databases = await indexedDB.databases?.().catch(() => null);
  return databases?.some((database) => database.name === databaseName) ?? true;
}
