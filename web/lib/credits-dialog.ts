/** The dialog for an account with too few credits, as everything outside knows it: what is missing, and open it. */
import { useSyncExternalStore } from 'react';

export interface CreditsNeed {
  kind: 'conversion' | 'assistant';
  /** What the work costs; null when only the server could have counted it and did not say. */
  required: number | null;
  /** What the account has; null when that is not known here. */
  available: number | null;
  /** Keeps what is on the desk; runs before the browser leaves for the payment page. */
  beforeLeaving?: () => Promise<void>;
}

let current: CreditsNeed | null = null;
const subscribers = new Set<() => void>();

export function openCreditsDialog(need: CreditsNeed): void {
  put(need);
}

export function closeCreditsDialog(): void {
  put(null);
}

/** What is missing while the dialog is open, else null. */
export function useCreditsDialog(): CreditsNeed | null {
  return useSyncExternalStore(
    (subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    () => current,
    () => null,
  );
}

function put(next: CreditsNeed | null): void {
  current = next;
  for (const subscriber of [...subscribers]) subscriber();
}
