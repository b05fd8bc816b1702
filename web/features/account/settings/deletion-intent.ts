/** Remembers that this tab left for Google to prove the user's identity before deleting the account. */
import { freshSessionMs } from '#shared/api/account.ts';

/** Has the prefix `inkproof.`, so that a sign-out clears it. */
const key = 'inkproof.delete-account';

export function noteDeletionIntent(): void {
  sessionStorage.setItem(key, String(Date.now()));
}

/** True once, as long as that sign-in is still fresh. */
export function takeDeletionIntent(): boolean {
  const noted = Number(sessionStorage.getItem(key) ?? 0);
  sessionStorage.removeItem(key);
  return Date.now() - noted < freshSessionMs;
}
