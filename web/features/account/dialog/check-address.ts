/** The sign-up rule that needs the server's list: whether an address is disposable. */
import { AddressVerdict } from '#shared/api/account.ts';
import { callJson } from '#web/lib/api/api-client.ts';

/**
 * The sentence that refuses the address, or null; also null if the server cannot be reached, because it decides at
 * sign-up anyway.
 */
export async function checkAddress(email: string, signal: AbortSignal): Promise<string | null> {
  const answer = await callJson('POST /check-address', AddressVerdict, {
    json: { email },
    signal,
    isPublic: true,
  }).catch(() => null);
  return answer?.ok && !answer.data.ok ? answer.data.error : null;
}
