/** GET /api/v1/config: the explicit public part of the settings. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '#platform/env.ts';
import { PublicConfig } from '#shared/api/documents.ts';
import { createRoute } from '../access.ts';
import type { AppEnv } from '../types.ts';

const route = createRoute('anyone', {
  method: 'get',
  path: '/api/v1/config',
  summary: 'What the browser needs to know about this installation',
  responses: {
    200: { description: 'The public settings', content: { 'application/json': { schema: PublicConfig } } },
  },
});

export function registerConfigRoute(
  app: OpenAPIHono<AppEnv>,
  deps: { env: Env; identity: { publicSettings: PublicConfig['identity'] }; inboxAddress: string | null },
): void {
  const { env, identity, inboxAddress } = deps;
  const config: PublicConfig = {
    reader: env.hasVisionModel ? 'vision-model' : 'embedded',
    online_editor_url: env.ONLINE_EDITOR_URL,
    support_email: env.SUPPORT_EMAIL,
    inbox_url: inboxAddress,
    identity: identity.publicSettings,
  };
  app.openapi(route, (c) => c.json(config, 200));
}
