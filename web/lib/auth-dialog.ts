/** The login and sign-up dialog's interface to the rest of the app: opening it, and learning how it ended. */
import { createSharedValue } from './hooks/shared-value.ts';

export type AuthMode = 'login' | 'signup' | 'reset';

export interface AuthDialogState {
  mode: AuthMode;
  /** A sentence shown at the top: why the dialog opened by itself. */
  message: string | null;
  /** A failed sign-in elsewhere, as the provider reports it. */
  failure: { message: string; code?: string } | null;
  /** An action that waits for the sign-in; dropped if the dialog is closed without one. */
  pending: { onCancel: () => void } | null;
}

const open = createSharedValue<AuthDialogState | null>(null);

export function openAuthDialog(mode: AuthMode, options: Partial<Omit<AuthDialogState, 'mode'>> = {}): void {
  open.set({ message: null, failure: null, pending: null, ...options, mode });
}

/** `isCancelled`: the user closed it without signing in or up, so the waiting action is dropped. */
export function closeAuthDialog({ isCancelled }: { isCancelled: boolean }): void {
  const { pending } = open.get() ?? { pending: null };
  open.set(null);
  if (isCancelled) pending?.onCancel();
}

/** The open dialog's state, or null. */
export function useAuthDialog(): AuthDialogState | null {
  return open.use();
}
