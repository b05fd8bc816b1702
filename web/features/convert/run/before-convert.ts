import type { ErrorObject } from '#shared/api/errors.ts';
import { type AuthMode, openAuthDialog } from '../../../lib/auth-dialog.ts';
import { getKnownCredits } from '../../../lib/billing/credits.ts';
import { openCreditsDialog } from '../../../lib/billing/credits-dialog.ts';
import { getSessionState } from '../../../lib/session/session-store.ts';
import type { TrayState } from '../tray/tray-state.ts';
import { forgetWaiting, keepForPurchase, keepWaiting } from './resume-conversion.ts';

export type Permission =
  | { kind: 'allowed' }
  | { kind: 'refused'; error: ErrorObject }
  /** A sign-in was requested, after which the conversion starts by itself (use-resume.ts); or credits are missing. */
  | { kind: 'waiting' };

interface Request {
  /** The pages to convert. */
  tray: TrayState;
  /** The number of pages it will read; null if only the server can count them. */
  pageCount: number | null;
}

/**
 * Runs before every conversion: the only place that asks for an account, and that checks the credits known here. The
 * server has the last word on both.
 */
export async function beforeConvert({ tray, pageCount }: Request): Promise<Permission> {
  if (getSessionState().state === 'signed-in') {
    const available = getKnownCredits()?.conversion ?? null;
    if (available === null || pageCount === null || pageCount <= available) return { kind: 'allowed' };
    const beforeLeaving = () => keepForPurchase(tray);
    openCreditsDialog({ kind: 'conversion', required: pageCount, available, beforeLeaving });
    return { kind: 'waiting' };
  }
  await waitForSignIn(tray, 'signup', 'You need an account to convert.');
  return { kind: 'waiting' };
}

/** Asks for a sign-in, after which the conversion starts by itself. */
export async function waitForSignIn(tray: TrayState, mode: AuthMode, reason: string): Promise<void> {
  // saved before the dialog opens: a sign-in may leave this page
  await keepWaiting(tray);
  openAuthDialog(mode, {
    message: `${reason} Your pages stay in the converter.`,
    pending: { onCancel: forgetWaiting },
  });
}
