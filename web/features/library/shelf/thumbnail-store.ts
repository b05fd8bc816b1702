/**
 * First-page images, fetched with the user's token when they become visible, and kept as long as the tab is open: the
 * newest one of each document.
 */
import { getThumbnail } from '#web/lib/api/library-api.ts';

interface Kept {
  version: number;
  url: string;
}

/** Images have about 15 KB each. */
const maxKept = 600;
const kept = new Map<string, Kept>();
const asked = new Map<string, Promise<string | null>>();

/** The cached image, of this version or an older one, to be shown until the new one is loaded. */
export function findThumbnail(id: string): Kept | null {
  return kept.get(id) ?? null;
}

/** @returns the image's address in this tab; null if it could not be loaded */
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
    // the newest last: the least recently fetched is dropped
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

/** Call when another user signs in: nothing of the last one may remain. */
export function forgetThumbnails(): void {
  for (const { url } of kept.values()) URL.revokeObjectURL(url);
  kept.clear();
}
