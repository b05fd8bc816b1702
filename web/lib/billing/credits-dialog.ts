/** The interface of the dialog for too few credits: what is missing, and opening it. */
import { createSharedValue } from '../hooks/shared-value.ts';

export interface CreditsNeed {
  kind: 'conversion' | 'assistant';
  /** What the work costs; null if only the server could have counted and did not say. */
  required: number | null;
  /** What the account has; null if unknown here. */
  available: number | null;
  /** Saves the converter's pages; runs before the browser leaves for the payment page. */
  beforeLeaving?: () => Promise<void>;
}

const open = createSharedValue<CreditsNeed | null>(null);

export function openCreditsDialog(need: CreditsNeed): void {
  open.set(need);
}

export function closeCreditsDialog(): void {
  open.set(null);
}

/** What is missing while the dialog is open; null otherwise. */
export function useCreditsDialog(): CreditsNeed | null {
  return open.use();
}
