/**
 * A conversion that waits for a sign-in, or for credits that are being bought. It is stored twice: in this page,
 * whose tray is still complete, and in the browser's storage (pending-action.ts), for the page that returns from
 * Google or the tab opened by the link in the confirmation mail. Exactly one of them continues.
 */
import {
  clearPendingAction,
  type PendingConversion,
  savePendingAction,
  takePendingAction,
} from '../../../lib/pending-action.ts';
import { packTray } from '../tray/pack-tray.ts';
import type { TrayState } from '../tray/tray-state.ts';

/**
 * The conversion that this page waits with; `isKept` is false if the browser could not store the files, so that only
 * this page has them.
 */
let waiting: { isStored: boolean } | null = null;

export async function keepWaiting(tray: TrayState): Promise<void> {
  waiting = { isStored: await savePendingAction(packTray(tray)) };
}

/** Stores the tray while the browser is on the payment page. */
export async function keepForPurchase(tray: TrayState): Promise<void> {
  if (tray.items.length > 0) await savePendingAction({ ...packTray(tray), isForPurchase: true });
}

/** The tray was restored from the browser's storage: this page now waits, or shows what a purchase was made for. */
export function waitWithPending({ isForPurchase = false }: PendingConversion): void {
  if (isForPurchase) void clearPendingAction('convert');
  else waiting = { isStored: true };
}

export function forgetWaiting(): void {
  waiting = null;
  void clearPendingAction('convert');
}

/** True once, for the page that is to continue. */
export async function takeWaiting(): Promise<boolean> {
  if (waiting === null) return false;
  const { isStored } = waiting;
  waiting = null;
  const taken = await takePendingAction('convert');
  return taken !== null || !isStored;
}
