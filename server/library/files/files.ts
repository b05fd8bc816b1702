/** Storage keys of documents' files: one prefix per document, so that deleting it is one call. Keys are never reused. */
import { createHash, randomUUID } from 'node:crypto';

/** The prefix of all documents' files. */
export const documentsPrefix = 'documents/';

export function documentPrefix(id: string): string {
  return `${documentsPrefix}${id}/`;
}

/**
 * Figures and pages that `cleanFile` has processed are below `clean/`; `clean-stored-files.ts` moves older ones there.
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

/** The document that a storage key belongs to; null for any other key. */
export function documentIdOfKey(key: string): string | null {
  return /^documents\/([^/]+)\//.exec(key)?.[1] ?? null;
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
