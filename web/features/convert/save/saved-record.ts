/** Where a result was saved, remembered as long as this tab shows it. */

export interface SavedRecord {
  conversionId: string;
  /** The id of the first save: sent twice, it is carried out once. */
  saveId: string;
  /** Null until the first save is acknowledged. */
  document: SavedDocumentRecord | null;
}

export interface SavedDocumentRecord {
  id: string;
  title: string;
  version: number;
  hasImages: boolean;
}

/** Has the prefix of what a sign-out removes. */
const storageKey = 'inkproof.saved-result';

export function findSavedRecord(conversionId: string): SavedRecord | null {
  try {
    // written only by keepSavedRecord, in this tab
    const record = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as SavedRecord | null;
    return record?.conversionId === conversionId ? record : null;
  } catch {
    return null;
  }
}

export function keepSavedRecord(record: SavedRecord): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(record));
  } catch {
    // storage is blocked: it lasts as long as the result is on the screen
  }
}
