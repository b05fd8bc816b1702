/**
 * Pictures of first pages, fetched with the person's token when they come into sight, and kept while the tab is open: one
 * of each document, the newest.
 */
import { getThumbnail } from '#web/lib/api/library-api.ts';

interface Kept {
  version: number;
  url: string;
}

/** Pictures are some 15 KB each. */
const maxKept = 600;
const kept = new Map<string, Kept>();
const asked = new Map<string, Promise<string | null>>();

/** What is here already: the one of this version, else an older one, to be shown until the new one is here. */
export function findThumbnail(id: string): Kept | null {
  return kept.get(id) ?? null;
}

/** @returns the picture's address in this tab; null when it could not be had */
export function loadThumbnail(id: string, version: number): Promise<string | null> {
  const known = kept.get(id);
  if (known?.version === version) return Promise.resolve(known.url);
  const key = `${id} ${version}`;
  const running = asked.get(key);
  if (running) return running;
  const loading = getThumbnail(id).then((answer) => {
    asked.delete(key);
    if (!answer.ok) return null;
    const url = URL.createObjectURL(answer.data);
    const before = kept.get(id);
    if (before) URL.revokeObjectURL(before.url);
    // the newest last: what is dropped is what was fetched longest ago
    kept.delete(id);
    kept.set(id, { version, url });
    for (const [oldId, old] of kept) {
      if (kept.size <= maxKept) break;
      URL.revokeObjectURL(old.url);
      kept.delete(oldId);
    }
    return url;
  });
  asked.set(key, loading);
  return loading;
}

/** Nothing of one person is left for the next. */
export function forgetThumbnails(): void {
  for (const { url } of kept.values()) URL.revokeObjectURL(url);
  kept.clear();
}
