/**
 * Texts that the server has not acknowledged, in this browser's IndexedDB: one row per open page, by account and
 * document. Each page holds a lock as long as it lives, however it ends; a row whose lock is free was left behind.
 * What is written while somebody types is small: differences to a text that is stored beside the row once.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import type { UnsavedText } from '../saving/text-keeper.ts';
import { type PackedUnsent, packUnsent, unpackUnsent } from './pack-unsent.ts';
import type { LeftText, UnsentStore } from './saver.ts';

interface Row {
  /** The id of the saver that wrote it. */
  id: string;
  userId: string;
  documentId: string;
  title: string;
  unsent: PackedUnsent;
  /** ms since 1970 */
  changedAt: number;
}

/** The row of the first version of the database, with whole texts. */
type FirstRow = Omit<Row, 'unsent'> & { unsent: UnsavedText };

interface Schema extends DBSchema {
  texts: { key: string; value: Row; indexes: { user: string; document: [string, string] } };
  /** What the rows' differences refer to, by the same id. */
  anchors: { key: string; value: { id: string; latex: string } };
}

const stores = ['texts', 'anchors'] as const;
type Step = IDBPTransaction<Schema, [...typeof stores], 'readwrite'>;

const databaseName = 'inkproof-unsent';
/** A longer difference, in characters, is stored against the newest text that the server has. */
const longestDifference = 20_000;
/** How long to wait for the lock of a page that may still be closing after a reload, in ms. */
const patienceMs = 1_000;

let opened: IDBPDatabase<Schema> | null = null;
let opening: Promise<IDBPDatabase<Schema>> | null = null;

function open(): Promise<IDBPDatabase<Schema>> {
  opening ??= openDB<Schema>(databaseName, 2, {
    async upgrade(database, oldVersion, _, step) {
      const anchors = database.createObjectStore('anchors', { keyPath: 'id' });
      if (oldVersion === 0) {
        const texts = database.createObjectStore('texts', { keyPath: 'id' });
        texts.createIndex('user', 'userId');
        texts.createIndex('document', ['userId', 'documentId']);
        return;
      }
      const texts = step.objectStore('texts');
      for (const { unsent, ...row } of (await texts.getAll()) as unknown as FirstRow[]) {
        const { latex } = unsent.base;
        void texts.put({ ...row, unsent: packUnsent(unsent, latex) });
        void anchors.put({ id: row.id, latex });
      }
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
  /** The text known to be stored beside the row, and in which database: the browser's data may be cleared. */
  let anchor: { latex: string; in: IDBPDatabase<Schema> } | null = null;
  let writeCount = 0;
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
      write(async (database) => {
        const step = database.transaction(stores, 'readwrite');
        const known = anchor?.in === database ? anchor.latex : null;
        let latex = known ?? unsent.base.latex;
        let packed = packUnsent(unsent, latex);
        if (packed.latex.insert.length > longestDifference && latex !== unsent.base.latex) {
          latex = unsent.base.latex;
          packed = packUnsent(unsent, latex);
        }
        const row: Row = { id, userId, documentId, title, unsent: packed, changedAt: Date.now() };
        const done: Promise<unknown>[] = [step.objectStore('texts').put(row)];
        if (latex !== known) done.push(step.objectStore('anchors').put({ id, latex }));
        if (replaces !== undefined) done.push(...removeFrom(step, replaces));
        const count = ++writeCount;
        // at once: the page may be gone before it commits by itself
        step.commit();
        await Promise.all([...done, step.done]);
        // a later write may have removed it
        if (count === writeCount) anchor = { latex, in: database };
      }),
    remove: (left) =>
      write((database) => {
        anchor = null;
        writeCount++;
        const step = database.transaction(stores, 'readwrite');
        return Promise.all([
          ...removeFrom(step, id),
          ...(left === undefined ? [] : removeFrom(step, left)),
          step.done,
        ]);
      }),
    async takeLeft() {
      const database = await open();
      await locked;
      const rows = await database.getAllFromIndex('texts', 'document', [userId, documentId]);
      const taken = await Promise.all(
        rows.map(async (row): Promise<(LeftText & { changedAt: number }) | null> => {
          if (row.id === id || !keepRelease(await hold(row.id, patienceMs))) return null;
          // while waiting, somebody may have taken it over, or the page may have received its response
          const step = database.transaction(stores);
          const [now, stored] = await Promise.all([
            step.objectStore('texts').get(row.id),
            step.objectStore('anchors').get(row.id),
          ]);
          if (!now || !stored) return null;
          return { ...unpackUnsent(now.unsent, stored.latex), id: now.id, changedAt: now.changedAt };
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
  const step = (await open()).transaction(stores, 'readwrite');
  const ids = await step.objectStore('texts').index('user').getAllKeys(userId);
  await Promise.all([...ids.flatMap((id) => removeFrom(step, id)), step.done]);
}

function removeFrom(step: Step, id: string): Promise<void>[] {
  return stores.map((name) => step.objectStore(name).delete(id));
}

/**
 * Checked first, because opening the database would create it for everybody. A browser that cannot tell is assumed to
 * have it.
 */
async function isDatabaseThere(): Promise<boolean> {
  const databases = await indexedDB.databases?.().catch(() => null);
  return databases?.some((database) => database.name === databaseName) ?? true;
}
