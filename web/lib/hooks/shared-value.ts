/** A value that any component may follow and any code may set, for example what is open or in progress. */
import { useSyncExternalStore } from 'react';

export interface SharedValue<T> {
  get: () => T;
  set: (next: T) => void;
  /** The value, re-rendering when it is set; `initial` during prerendering. */
  use: () => T;
}

export function createSharedValue<T>(initial: T): SharedValue<T> {
  let current = initial;
  const subscribers = new Set<() => void>();
  const subscribe = (subscriber: () => void) => {
    subscribers.add(subscriber);
    return () => subscribers.delete(subscriber);
  };
  const get = () => current;
  return {
    get,
    set(next) {
      current = next;
      for (const subscriber of [...subscribers]) subscriber();
    },
    use: () => useSyncExternalStore(subscribe, get, () => initial),
  };
}
