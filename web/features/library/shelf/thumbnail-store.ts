/**
 * First-page images, fetched with the user's token when they become visible, and kept as long as the tab is open: the
 * newest one of each document.
 */
import { getThumbnail } from '#web/lib/api/library-api.ts';

interface Thumbnail {
  version: number;
  url: string;
}

/** Images have about 15 KB each. */
const maxStored = 600;
const thumbnails = new Map<string, Thumbnail>();
const requests = new Map<string, Promise<string | null>>();

/** The cached image, of this version or an older one, to be shown until the new one is loaded. */
export function findThumbnail(id: string): Thumbnail | null {
  return thumbnails.get(id) ?? null;
}

/** @returns the image's address in this tab; null if it could not be loaded */
export function loadThumbnail(id: string, version: number): Promise<string | null> {
  const known = thumbnails.get(id);
  if (known?.version === version) return Promise.resolve(known.url);
  const key = `${id} ${version}`;
  const running = requests.get(key);
  if (running) return running;
  const loading = getThumbnail(id).then((answer) => {
    requests.delete(key);
    if (!answer.ok) return null;
    const url = URL.createObjectURL(answer.data);
    const before = thumbnails.get(id);
    if (before) URL.revokeObjectURL(before.url);
    // the newest last: the least recently fetched is dropped
    thumbnails.delete(id);
    thumbnails.set(id, { version, url });
    for (const [oldId, old] of thumbnails) {
      if (thumbnails.size <= maxStored) break;
      URL.revokeObjectURL(old.url);
      thumbnails.delete(oldId);
    }
    return url;
  });
  requests.set(key, loading);
  return loading;
}

/** Call when another user signs in: nothing of the last one may remain. */
export function forgetThumbnails(): void {
  for (const { url } of thumbnails.values()) URL.revokeObjectURL(url);
  thumbnails.clear();
}
