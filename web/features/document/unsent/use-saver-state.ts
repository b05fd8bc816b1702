import { useSyncExternalStore } from 'react';
import type { Saver, SaverState } from './saver.ts';

/** Null until there is a saver. */
export function useSaverState(saver: Saver | null): SaverState | null {
  return useSyncExternalStore(
    saver ? saver.subscribe : subscribeToNothing,
    () => saver?.getState() ?? null,
    () => null,
  );
}

function subscribeToNothing(): () => void {
  return () => {};
}
