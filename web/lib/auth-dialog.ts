/** The login and sign-up dialog as everything outside knows it: open it, and hear when it is done. */
import { createSharedValue } from './hooks/shared-value.ts';

export type AuthMode = 'login' | 'signup' | 'reset';

export interface AuthDialogState {
  mode: AuthMode;
  /** A sentence shown on top: why the dialog opened by itself. */
  message: string | null;
  /** A sign-in elsewhere that did not work, as the provider tells it. */
  failure: { message: string; code?: string } | null;
  /** Something waits for the sign-in; dropped when the dialog is closed without one. */
  pending: { onGiveUp: () => void } | null;
}

const open = createSharedValue<AuthDialogState | null>(null);

export function openAuthDialog(mode: AuthMode, options: Partial<Omit<AuthDialogState, 'mode'>> = {}): void {
  open.set({ message: null, failure: null, pending: null, ...options, mode });
}

/** `isGivenUp`: the person closed it without signing in or up, so what waits for it does no longer. */
export function closeAuthDialog({ isGivenUp }: { isGivenUp: boolean }): void {
  const { pending } = open.get() ?? { pending: null };
  open.set(null);
  if (isGivenUp) pending?.onGiveUp();
}

/** The dialog as it is open now, else null. */
export function useAuthDialog(): AuthDialogState | null {
  return open.use();
}
