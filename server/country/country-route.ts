/** GET /api/v1/country: the caller's country, for prices in the right currency. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Registry } from 'prom-client';
import type { Env } from '#platform/env.ts';
import { CountryResponse } from '#shared/api/checkout.ts';
import { createRoute } from '../http/access.ts';
import { getClientAddress } from '../http/request/client-address.ts';
import type { AppEnv } from '../http/types.ts';
import { createCountryFinder } from './country-finder.ts';

const route = createRoute('anyone', {
  method: 'get',
  path: '/api/v1/country',
  operationId: 'getCountry',
  tags: ['Credits'],
  summary: 'The caller’s country',
  description:
    'Found from the caller’s address, which is neither stored nor logged. Null if it could not be found: prices are then in euro, unless the site’s host name contains uk or gb.',
  responses: {
    200: {
      description: 'The country, or null',
      content: { 'application/json': { schema: CountryResponse } },
    },
  },
});

export interface CountryRouteDeps {
  env: Pick<Env, 'GEOIP_URLS' | 'TRUSTED_PROXIES'>;
  secretKey: string;
  metrics: Registry;
  /** Time limit per service, in ms. */
  serviceTimeoutMs?: number;
}

export function registerCountryRoute(app: OpenAPIHono<AppEnv>, deps: CountryRouteDeps): void {
  const { env, secretKey, metrics, serviceTimeoutMs } = deps;
  const finder = createCountryFinder({ services: env.GEOIP_URLS, secretKey, metrics, serviceTimeoutMs });
  app.openapi(route, async (c) => {
    const country = await finder.find(getClientAddress(c.env.incoming, env.TRUSTED_PROXIES));
    // a different network may be in a different country, and a browser's cache travels with it
    return c.json({ country }, 200, { 'Cache-Control': 'no-store' });
  });
}
