/** That this tab left for Google to prove who is there, in order to delete the account: found again on the way back. */
import { freshSessionMs } from '#shared/api/account.ts';

/** Under `inkproof.`, so that a sign-out clears it. */
const key = 'inkproof.delete-account';

export function noteDeletionIntent(): void {
  sessionStorage.setItem(key, String(Date.now()));
}

/** True once, as long as the sign-in of then is still fresh. */
export function takeDeletionIntent(): boolean {
  const noted = Number(sessionStorage.getItem(key) ?? 0);
  sessionStorage.removeItem(key);
  return Date.now() - noted < freshSessionMs;
}
