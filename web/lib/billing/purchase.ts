/**
 * The one purchase that may be beginning on this page: which bundle, and why it could not begin. A visitor's waits for
 * the sign-in (pending-action.ts) and then goes on by itself.
 */
import { useEffect } from 'react';
import { getBundle, type PaidBundleId } from '#shared/api/bundles.ts';
import { openAuthDialog } from '../auth-dialog.ts';
import { createSharedValue } from '../hooks/shared-value.ts';
import { clearPendingAction, savePendingAction } from '../pending-action.ts';
import { getSessionState } from '../session/session-store.ts';

export interface PurchaseState {
  /** Being begun: the browser leaves for the payment page in a moment. */
  bundle: PaidBundleId | null;
  /** Why one could not begin, for people. */
  error: string | null;
}

const idle: PurchaseState = { bundle: null, error: null };

const purchase = createSharedValue(idle);

/** Goes to the payment page; a visitor is asked to log in first. */
export async function buyBundle(bundle: PaidBundleId, beforeLeaving?: () => Promise<void>): Promise<void> {
  if (purchase.get().bundle !== null) return;
  if (getSessionState().state !== 'signed-in') return askToLogIn(bundle);
  purchase.set({ bundle, error: null });
  try {
    const { startCheckout } = await import('./checkout.ts');
    const started = await startCheckout(bundle, beforeLeaving);
    // while the browser is on its way the button stays busy
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
    // back from the payment page by the browser's own button: this page was kept as it was left
    const handleShow = (event: PageTransitionEvent) => event.persisted && purchase.set(idle);
    addEventListener('pageshow', handleShow);
    return () => removeEventListener('pageshow', handleShow);
  }, []);
  return purchase.use();
}

async function askToLogIn(bundle: PaidBundleId): Promise<void> {
  // kept before the dialog opens: a sign-in may leave this page
  await savePendingAction({ kind: 'purchase', bundle });
  openAuthDialog('login', {
    message: `Log in or sign up to buy ${getBundle(bundle).title}. The payment page opens after that.`,
    pending: { onGiveUp: () => void clearPendingAction('purchase') },
  });
}
