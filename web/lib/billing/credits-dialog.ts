/** The dialog for an account with too few credits, as everything outside knows it: what is missing, and open it. */
import { createSharedValue } from '../hooks/shared-value.ts';

export interface CreditsNeed {
  kind: 'conversion' | 'assistant';
  /** What the work costs; null when only the server could have counted it and did not say. */
  required: number | null;
  /** What the account has; null when that is not known here. */
  available: number | null;
  /** Keeps what is on the desk; runs before the browser leaves for the payment page. */
  beforeLeaving?: () => Promise<void>;
}

const open = createSharedValue<CreditsNeed | null>(null);

export function openCreditsDialog(need: CreditsNeed): void {
  open.set(need);
}

export function closeCreditsDialog(): void {
  open.set(null);
}

/** What is missing while the dialog is open, else null. */
export function useCreditsDialog(): CreditsNeed | null {
  return open.use();
}
