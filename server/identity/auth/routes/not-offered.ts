/** Sign-in methods of the protocol that this backend does not offer: each answers with Supabase's code for it. */
import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '#server/http/types.ts';
import { type AuthError, authError } from '../auth-error.ts';
import { readBody } from '../requests.ts';

const phoneDisabled = (message: string) => authError(400, 'phone_provider_disabled', message);

export function registerNotOffered(routes: Hono<AppEnv>): void {
  routes.post('/otp', async (c) => {
    const { phone } = await readBody(c, Contact);
    throw phone ? phoneDisabled('Phone logins are disabled') : otpDisabled();
  });
  routes.post('/magiclink', () => {
    throw otpDisabled();
  });
  routes.post('/sso', () => {
    throw authError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
  });
}

const otpDisabled = () => authError(422, 'otp_disabled', 'Sign-ins by e-mailed link or code are disabled');

const Contact = z.object({ email: z.string().nullish(), phone: z.string().nullish() });

/** Returns the error for a sign-up or login other than by address and password; null for those. */
export function refuseOtherWays(
  body: { email?: unknown; phone?: unknown; password?: unknown },
  what: 'signups' | 'logins',
): AuthError | null {
  const { email, phone, password } = body;
  if (email || Object.keys(body).length === 0) return null;
  if (phone) return phoneDisabled(`Phone ${what} are disabled`);
  if (what === 'signups' && !password)
    return authError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  return null;
}
