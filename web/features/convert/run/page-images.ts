/**
 * Images of a conversion's pages, shown next to the result. The server keeps them only while it works, so each is
 * fetched when its page is read and kept here, in IndexedDB, until the result is dismissed.
 */
import { getPageImage } from './conversion-api.ts';

const databaseName = 'inkproof';
const storeName = 'page-images';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('IndexedDB is blocked'));
  });
}

async function withStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const request = work(database.transaction(storeName, mode).objectStore(storeName));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    database.close();
  }
}

/** Key range of one conversion's pages. `\uffff` sorts after every page number. */
function rangeOf(conversionId: string): IDBKeyRange {
  return IDBKeyRange.bound(`${conversionId}/`, `${conversionId}/\uffff`);
}

const inMemory = new Map<string, Blob>();

/** The page's image, stored or fetched now; null if neither is possible (any more). */
export async function findPageImage(conversionId: string, page: number): Promise<Blob | null> {
  const key = `${conversionId}/${page}`;
  const known = inMemory.get(key);
  if (known) return known;
  // private windows of some browsers block IndexedDB: then they are kept in memory only
  const stored = await withStore<Blob | undefined>('readonly', (store) => store.get(key)).catch(
    () => undefined,
  );
  if (stored) {
    inMemory.set(key, stored);
    return stored;
  }
  const fetched = await getPageImage(conversionId, page);
  if (!fetched.ok) return null;
  inMemory.set(key, fetched.data);
  await withStore('readwrite', (store) => store.put(fetched.data, key)).catch(() => undefined);
  return fetched.data;
}

export async function deletePageImages(conversionId: string): Promise<void> {
  for (const key of inMemory.keys()) if (key.startsWith(`${conversionId}/`)) inMemory.delete(key);
  await withStore('readwrite', (store) => store.delete(rangeOf(conversionId))).catch(() => undefined);
}
