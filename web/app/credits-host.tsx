import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type CreditsNeed, closeCreditsDialog, useCreditsDialog } from '#web/lib/billing/credits-dialog.ts';
import { buyBundle, usePurchase } from '#web/lib/billing/purchase.ts';
import { isPendingActionOwn, takePendingAction } from '#web/lib/pending-action.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { DialogOnItsWay } from '#web/ui/dialogs/dialog-on-its-way.tsx';

const load = () => import('#web/features/billing/dialog/credits-dialog.tsx');
const CreditsDialog = lazy(async () => ({ default: (await retryImport(load)).CreditsDialog }));

/** Hosts the dialog for too few credits, and resumes a purchase that waited for a sign-in. */
export function CreditsHost() {
  const need = useCreditsDialog();
  const { pathname } = useLocation();
  useResumePurchase();
  // leaving a page closes its dialog
  const openedAt = useRef(pathname);
  useEffect(() => {
    if (openedAt.current !== pathname) closeCreditsDialog();
    openedAt.current = pathname;
  }, [pathname]);

  // keeps its content while it closes
  const last = useRef<CreditsNeed | null>(null);
  if (need) last.current = need;
  if (!last.current) return null;
  return (
    <Suspense fallback={need && <DialogOnItsWay onClose={closeCreditsDialog} />}>
      <CreditsDialog need={last.current} isOpen={need !== null} />
    </Suspense>
  );
}

/**
 * Continues to the payment page once the visitor who pressed "Login to purchase" is signed in: in the tab where it
 * was pressed, even if that left for Google or the confirmation mail was opened in another one.
 */
function useResumePurchase(): void {
  const { state } = useSession();
  const { error } = usePurchase();
  const navigate = useNavigate();
  const isResumed = useRef(false);
  useEffect(() => {
    if (state !== 'signed-in' || !isPendingActionOwn('purchase')) return;
    void takePendingAction('purchase').then((taken) => {
      if (!taken) return;
      isResumed.current = true;
      return buyBundle(taken.bundle);
    });
  }, [state]);
  // the page where the purchase was started shows why it could not continue
  useEffect(() => {
    if (error === null || !isResumed.current) return;
    isResumed.current = false;
    if (location.pathname !== '/pricing') void navigate('/pricing');
  }, [error, navigate]);
}
