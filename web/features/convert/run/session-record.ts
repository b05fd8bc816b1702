/**
 * What survives a reload: this tab's conversion, and the user's unsaved edits. Stored per tab, so that two tabs can
 * convert at the same time. Page images are kept in IndexedDB by page-images.ts.
 */
import type { Draft } from './converter-actions.ts';

export interface SessionRecord {
  conversionId: string;
  documentName: string;
}

const recordKey = 'inkproof.conversion';
const draftKey = 'inkproof.draft';

export function findSessionRecord(): SessionRecord | null {
  try {
    const record: unknown = JSON.parse(sessionStorage.getItem(recordKey) ?? 'null');
    if (typeof record !== 'object' || record === null) return null;
    const { conversionId, documentName } = record as Record<string, unknown>;
    return typeof conversionId === 'string' && typeof documentName === 'string'
      ? { conversionId, documentName }
      : null;
  } catch {
    return null;
  }
}

export function saveSessionRecord(record: SessionRecord): void {
  write(recordKey, JSON.stringify(record));
}

/** The user's changes to the result of this conversion; null if there are none. */
export function findDraft(conversionId: string): Draft | null {
  try {
    const stored = sessionStorage.getItem(draftKey);
    // written only by saveDraft, in this tab
    return stored?.startsWith(`${conversionId}\n`) ? JSON.parse(stored.slice(conversionId.length + 1)) : null;
  } catch {
    return null;
  }
}

export function saveDraft(conversionId: string, draft: Draft): void {
  write(draftKey, `${conversionId}\n${JSON.stringify(draft)}`);
}

export function deleteSession(): void {
  remove(recordKey);
  remove(draftKey);
}

function write(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // full or blocked: then a reload starts afresh
  }
}

function remove(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // blocked: then there is nothing to remove
  }
}
