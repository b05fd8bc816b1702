/** Public routes: settings, health, the key set. */
import type { Hono } from 'hono';
import type { AppEnv } from '#server/http/types.ts';
import type { AuthCore } from '../core.ts';

export function registerPublicRoutes(routes: Hono<AppEnv>, core: AuthCore): void {
  routes.get('/health', (c) =>
    c.json({ name: 'Inkproof', version: 'v2', description: 'Accounts and sessions' }),
  );

  routes.get('/settings', (c) =>
    c.json({
      external: {
        email: true,
        google: core.env.GOOGLE_CLIENT_ID !== undefined,
        phone: false,
        anonymous_users: false,
      },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      saml_enabled: false,
      mfa_enabled: true,
    }),
  );

  routes.get('/.well-known/jwks.json', async (c) => {
    c.header('Cache-Control', 'public, max-age=600');
    return c.json(await core.keys.publish());
  });
}
