/** Actions in progress: shown as done on top of the server's last state, and reverted by dropping them. */
import type { Patch } from './library-state.ts';

export interface PendingPatches {
  list(): readonly Patch[];
  subscribe(listener: () => void): () => void;
  /** @returns a function that drops it */
  add(patch: Patch): () => void;
}

export function createPendingPatches(): PendingPatches {
  let patches: readonly Patch[] = [];
  const listeners = new Set<() => void>();
  const put = (next: readonly Patch[]) => {
    patches = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    list: () => patches,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(patch) {
      put([...patches, patch]);
      return () => put(patches.filter((one) => one !== patch));
    },
  };
}
