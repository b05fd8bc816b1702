/** Where a document's files lie in the storage: one prefix each, so that forgetting it is one call. Keys are never used twice. */
import { createHash, randomUUID } from 'node:crypto';

/** Everything that documents keep. */
export const documentsPrefix = 'documents/';

export function documentPrefix(id: string): string {
  return `${documentsPrefix}${id}/`;
}

/**
 * Figures and pages are below `clean/` when they have been through `cleanFile`; `clean-stored-files.ts` moves those that
 * were stored before there was such a thing.
 */
export function newFigureKey(id: string): string {
  return `${documentPrefix(id)}${cleanFolder}figures/${randomUUID()}`;
}

export function newPageKey(id: string): string {
  return `${documentPrefix(id)}${cleanFolder}pages/${randomUUID()}`;
}

export const cleanFolder = 'clean/';

export function newPdfKey(id: string): string {
  return `${documentPrefix(id)}compiled/${randomUUID()}.pdf`;
}

export function newThumbnailKey(id: string): string {
  return `${documentPrefix(id)}compiled/${randomUUID()}.webp`;
}

/** The document a storage key belongs to; null for anything else. */
export function documentIdOfKey(key: string): string | null {
  return /^documents\/([^/]+)\//.exec(key)?.[1] ?? null;
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
