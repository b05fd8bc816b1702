/** A file's hash, computed once: files stay the same between the edits of a document. */
import { createHash } from 'node:crypto';

const known = new WeakMap<Uint8Array, string>();

export function hashAsset(bytes: Uint8Array): string {
  let hash = known.get(bytes);
  if (hash === undefined) {
    hash = createHash('sha256').update(bytes).digest('base64');
    known.set(bytes, hash);
  }
  return hash;
}
