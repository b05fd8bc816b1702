/**
 * A conversion that waits for a sign-in, or for credits that are being bought. It is remembered twice: in this page, whose desk still holds everything, and in
 * the browser's storage (pending-action.ts), for the page that comes back from Google or the tab that the link in the
 * confirmation mail opened. Exactly one of them goes on.
 */
import {
  clearPendingAction,
  type PendingConversion,
  savePendingAction,
  takePendingAction,
} from '../../../lib/pending-action.ts';
import { packTray } from '../tray/pack-tray.ts';
import type { TrayState } from '../tray/tray-state.ts';

/** What this page waits with; `isKept` false where the browser could not keep the files, so that this page alone has them. */
let waiting: { isKept: boolean } | null = null;

export async function keepWaiting(tray: TrayState): Promise<void> {
  waiting = { isKept: await savePendingAction(packTray(tray)) };
}

/** Keeps what is on the desk while the browser is on the payment page. */
export async function keepForPurchase(tray: TrayState): Promise<void> {
  if (tray.items.length > 0) await savePendingAction({ ...packTray(tray), isForPurchase: true });
}

/** The desk was filled from the browser's storage: this page waits now, or has back what a purchase was made for. */
export function waitWithKept({ isForPurchase = false }: PendingConversion): void {
  if (isForPurchase) void clearPendingAction('convert');
  else waiting = { isKept: true };
}

export function forgetWaiting(): void {
  waiting = null;
  void clearPendingAction('convert');
}

/** True once for the page that is to go on. */
export async function takeWaiting(): Promise<boolean> {
  if (waiting === null) return false;
  const { isKept } = waiting;
  waiting = null;
  const taken = await takePendingAction('convert');
  return taken !== null || !isKept;
}
