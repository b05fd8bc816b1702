import { lazy, Suspense, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import {
  type AuthDialogState,
  closeAuthDialog,
  openAuthDialog,
  useAuthDialog,
} from '#web/lib/auth-dialog.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { findReturnFailure } from '#web/lib/session/return.ts';
import { onSignOut } from '#web/lib/session/sign-out.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { DialogOnItsWay } from '#web/ui/dialogs/dialog-on-its-way.tsx';

const load = () => import('#web/features/account/dialog/auth-dialog.tsx');
const AuthDialog = lazy(async () => ({ default: (await retryImport(load)).AuthDialog }));

/** Preloads the dialog's code: called when the pointer nears a button that opens it. */
export function prepareAuthDialog(): void {
  // retried when the dialog is opened
  load().catch(() => undefined);
}

const cancel = () => closeAuthDialog({ isCancelled: true });

/**
 * Hosts the login and sign-up dialog, wherever it is opened from. Also goes to / after a sign-out, and explains a
 * sign-in that returns from Google without success or with a code still missing.
 */
export function AuthDialogHost() {
  const dialog = useAuthDialog();
  const { needsCode } = useSession();
  const navigate = useNavigate();
  const isBack = useRef(false);

  useEffect(() => onSignOut(() => void navigate('/')), [navigate]);

  useEffect(() => {
    isBack.current = new URLSearchParams(location.search).has('code');
    findReturnFailure().then(
      (failure) => failure && openAuthDialog('login', { failure }),
      () => undefined,
    );
  }, []);
  useEffect(() => {
    if (needsCode && isBack.current) openAuthDialog('login');
  }, [needsCode]);

  // keeps its content while it closes
  const last = useRef<{ state: AuthDialogState; count: number } | null>(null);
  if (dialog && dialog !== last.current?.state)
    last.current = { state: dialog, count: (last.current?.count ?? 0) + 1 };
  if (!last.current) return null;
  return (
    <Suspense fallback={dialog && <DialogOnItsWay onClose={cancel} />}>
      <AuthDialog key={last.current.count} {...last.current.state} isOpen={dialog !== null} />
    </Suspense>
  );
}
