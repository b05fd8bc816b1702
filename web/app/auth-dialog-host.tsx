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

/** Fetches the dialog's code: called when a hand comes near a button that opens it. */
export function prepareAuthDialog(): void {
  // asked again when it is opened
  load().catch(() => undefined);
}

const giveUp = () => closeAuthDialog({ isGivenUp: true });

/**
 * Where the login and sign-up dialog appears, whoever asks for it. Also here: the way to / after a sign-out, and what
 * is said when a sign-in comes back from Google without success or with a code still to give.
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

  // while it closes it still shows what it showed
  const last = useRef<{ state: AuthDialogState; count: number } | null>(null);
  if (dialog && dialog !== last.current?.state)
    last.current = { state: dialog, count: (last.current?.count ?? 0) + 1 };
  if (!last.current) return null;
  return (
    <Suspense fallback={dialog && <DialogOnItsWay onClose={giveUp} />}>
      <AuthDialog key={last.current.count} {...last.current.state} isOpen={dialog !== null} />
    </Suspense>
  );
}
