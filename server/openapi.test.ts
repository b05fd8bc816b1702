/** The OpenAPI document names every route, and docs/openapi.json equals that document. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { errorCatalogue } from '#shared/api/errors.ts';
import { type ApiDocument, buildApiDocument } from './api-docs/index.ts';
import { createApp } from './app.ts';
import type { Identity } from './identity/identity.ts';

/** Routes are only registered here, none is called, so their dependencies are left out. */
const unused = {} as never;
const app = createApp({
  env: parseEnv({}),
  logger: pino({ level: 'silent' }),
  secretKey: 'k'.repeat(32),
  mailer: unused,
  outages: unused,
  typesetter: unused,
  assistant: unused,
  turns: unused,
  exchanger: unused,
  strokeReader: null,
  conversions: {} as never,
  identity: {
    publicSettings: { url: '', anon_key: '', providers: { email: true, google: false } },
    registerRoutes() {},
  } as unknown as Identity,
  metrics: new Registry(),
  readiness: {},
});
const get = async (path: string) => app.request(path, {}, { incoming: { socket: {} }, outgoing: {} });

test('docs/openapi.json is the document that the server serves (vitest -u writes it)', async () => {
  const document = JSON.stringify(buildApiDocument(app), null, 2);
  await expect(`${document}\n`).toMatchFileSnapshot('../docs/openapi.json');
  const answer = await get('/api/v1/openapi.json');
  expect(await answer.json()).toEqual(JSON.parse(document));
});

test('every call under /api/v1 is described', async () => {
  const { paths } = (await (await get('/api/v1/openapi.json')).json()) as ApiDocument;
  const described = Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const registered = app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/v1/') && !path.includes('*'))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`)
    .filter((route) => route !== 'GET /api/v1/openapi.json');
  expect([...new Set(registered)].filter((route) => !described.includes(route))).toEqual([]);
  expect(described.length).toBeGreaterThan(10);
});

test('the page shows each call and each shape, and runs no script', async () => {
  const answer = await get('/api/docs');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await answer.text();
  expect(html).toContain('POST /api/v1/process');
  expect(html).toContain('id="shape-ProcessResponse"');
  expect(html).toMatch(
    /DELETE \/api\/v1\/account<\/code><\/h3>(?:(?!<section)[\s\S])*?Needs an access token/,
  );
  expect(html).toMatch(/GET \/api\/v1\/config<\/code><\/h3>(?:(?!<section)[\s\S])*?Open to anyone/);
  expect(html).not.toMatch(/<script|\son\w+=|style=/);
  for (const code of Object.keys(errorCatalogue)) expect(html).toContain(code);
  const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor!);
  expect(links.filter((anchor) => !html.includes(`id="${anchor}"`))).toEqual([]);
  expect((await get('/api/docs/style.css')).headers.get('content-type')).toMatch(/^text\/css/);
});
