/**
 * A sign-in that left the page (Google) returns to it: with a code, which the client library exchanges, or with an
 * error in the address. The tab remembers that it left, so that a crafted link cannot put text into our dialog.
 */
import { getClient } from './get-client.ts';

const leftKey = 'inkproof.left-for-google';

export function rememberLeaving(): void {
  try {
    sessionStorage.setItem(leftKey, '1');
  } catch {
    // storage is blocked: then an error is not explained on return
  }
}

/** Why the sign-in that this tab left for failed; null if it did not leave, or the sign-in succeeded. */
export async function findReturnFailure(): Promise<{ message: string; code?: string } | null> {
  try {
    if (sessionStorage.getItem(leftKey) === null) return null;
    sessionStorage.removeItem(leftKey);
  } catch {
    return null;
  }
  const query = new URLSearchParams(location.search);
  const fragment = new URLSearchParams(location.hash.slice(1));
  const message = query.get('error_description') ?? fragment.get('error_description') ?? query.get('error');
  if (message !== null) {
    const code = query.get('error_code') ?? fragment.get('error_code') ?? undefined;
    history.replaceState(history.state, '', location.pathname);
    return { message, code };
  }
  // returned with the browser's back button
  if (!query.has('code')) return null;
  const { error } = await (await getClient()).auth.initialize();
  return error;
}
