/**
 * The one purchase that may be starting on this page: its bundle, and why it could not start. A visitor's purchase
 * waits for the sign-in (pending-action.ts) and then continues by itself.
 */
import { useEffect } from 'react';
import { getBundle, type PaidBundleId } from '#shared/api/bundles.ts';
import { openAuthDialog } from '../auth-dialog.ts';
import { createSharedValue } from '../hooks/shared-value.ts';
import { clearPendingAction, savePendingAction } from '../pending-action.ts';
import { getSessionState } from '../session/session-store.ts';

export interface PurchaseState {
  /** Being started: the browser is about to leave for the payment page. */
  bundle: PaidBundleId | null;
  /** Why it could not start, shown to the user. */
  error: string | null;
}

const idle: PurchaseState = { bundle: null, error: null };

const purchase = createSharedValue(idle);

/** Goes to the payment page, asking a visitor to log in first. */
export async function buyBundle(bundle: PaidBundleId, beforeLeaving?: () => Promise<void>): Promise<void> {
  if (purchase.get().bundle !== null) return;
  if (getSessionState().state !== 'signed-in') return askToLogIn(bundle);
  purchase.set({ bundle, error: null });
  try {
    const { startCheckout } = await import('./checkout.ts');
    const started = await startCheckout(bundle, beforeLeaving);
    // the button stays busy until the browser has left
    if (started.kind === 'refused') purchase.set({ bundle: null, error: started.sentence });
  } catch {
    const error = 'The payment page could not be opened. Check your connection and try again.';
    purchase.set({ bundle: null, error });
  }
}

export function dismissPurchaseError(): void {
  purchase.set(idle);
}

export function usePurchase(): PurchaseState {
  useEffect(() => {
    // the browser's back button restored this page as it was left
    const handleShow = (event: PageTransitionEvent) => event.persisted && purchase.set(idle);
    addEventListener('pageshow', handleShow);
    return () => removeEventListener('pageshow', handleShow);
  }, []);
  return purchase.use();
}

async function askToLogIn(bundle: PaidBundleId): Promise<void> {
  // saved before the dialog opens: a sign-in may leave this page
  await savePendingAction({ kind: 'purchase', bundle });
  openAuthDialog('login', {
    message: `Log in or sign up to buy ${getBundle(bundle).title}. The payment page opens after that.`,
    pending: { onCancel: () => void clearPendingAction('purchase') },
  });
}
