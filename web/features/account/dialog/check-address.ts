/** The part of the sign-up rules that needs the server's list: whether an address is a disposable one. */
import { AddressVerdict } from '#shared/api/account.ts';
import { callJson } from '#web/lib/api/api-client.ts';

/** The sentence that refuses the address, or null; also null when the server cannot be asked, for it decides at sign-up anyway. */
export async function checkAddress(email: string, signal: AbortSignal): Promise<string | null> {
  const asked = await callJson('/check-address', AddressVerdict, {
    json: { email },
    signal,
    isPublic: true,
  }).catch(() => null);
  return asked?.ok && !asked.data.ok ? asked.data.error : null;
}
