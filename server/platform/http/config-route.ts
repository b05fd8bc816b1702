/** GET /api/v1/config: the explicit public part of the settings. */
import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { PublicConfig } from '#shared/api/documents.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from './types.ts';

const route = createRoute({
  method: 'get',
  path: '/api/v1/config',
  summary: 'What the browser needs to know of this installation',
  responses: {
    200: { description: 'The public settings', content: { 'application/json': { schema: PublicConfig } } },
  },
});

export function registerConfigRoute(app: OpenAPIHono<AppEnv>, { env }: { env: Env }): void {
  const config: PublicConfig = {
    reader: env.hasVisionModel ? 'vision-model' : 'embedded',
    online_editor_url: env.ONLINE_EDITOR_URL,
    support_email: env.SUPPORT_EMAIL,
  };
  app.openapi(route, (c) => c.json(config, 200));
}
