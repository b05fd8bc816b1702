import { describeError, type ErrorObject } from '#shared/api/errors.ts';
import { getIdentityConfig } from '#web/lib/session/identity-config.ts';

/** The catalogue's sentence; where it names the support address, this installation's. */
export async function describeRefusal(error: ErrorObject): Promise<string> {
  const config = await getIdentityConfig().catch(() => null);
  return describeError(error, config?.supportEmail) || 'Unexpected error occurred.';
}
