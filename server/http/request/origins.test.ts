import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { answerError } from '../answer/answer-errors.ts';
import type { AppEnv } from '../types.ts';
import { ownOriginsOnly } from './origins.ts';

function createTestApp(env: { PUBLIC_URL: string; API_URL: string }) {
  const app = new OpenAPIHono<AppEnv>();
  app.onError(answerError);
  app.use('/api/*', ownOriginsOnly(env));
  app.all('/api/thing', (c) => c.text('done'));
  return app;
}

const together = { PUBLIC_URL: 'https://ink.example', API_URL: 'https://ink.example' };
const apart = { PUBLIC_URL: 'https://ink.example', API_URL: 'https://api.ink.example' };
const onThisMachine = { PUBLIC_URL: 'http://localhost:3000', API_URL: 'http://localhost:3000' };

const ourPage = 'https://ink.example';
test.each([
  // where, origin, method → accepted?, Access-Control-Allow-Origin
  [together, undefined, 'POST', true, null],
  [together, ourPage, 'POST', true, null],
  [together, ourPage, 'GET', true, null],
  [together, 'https://evil.example', 'POST', false, null],
  [together, 'https://evil.example', 'DELETE', false, null],
  [together, 'https://evil.example', 'GET', true, null],
  [together, 'https://ink.example.evil.example', 'POST', false, null],
  [together, 'https://sub.ink.example', 'POST', false, null],
  [together, 'http://ink.example', 'POST', false, null],
  [together, 'https://ink.example:8443', 'POST', false, null],
  [together, 'null', 'POST', false, null],
  [apart, ourPage, 'POST', true, ourPage],
  [apart, ourPage, 'GET', true, ourPage],
  [apart, 'https://api.ink.example', 'POST', true, null],
  [apart, 'https://evil.example', 'POST', false, null],
  [apart, 'https://evil.example', 'GET', true, null],
  [apart, 'null', 'PATCH', false, null],
  [apart, undefined, 'POST', true, null],
  [onThisMachine, 'http://localhost:3000', 'POST', true, null],
  [onThisMachine, 'http://127.0.0.1:3000', 'POST', true, null],
  [onThisMachine, 'http://[::1]:3000', 'POST', true, null],
  [onThisMachine, 'http://localhost:3001', 'POST', false, null],
  [onThisMachine, 'http://rebound.example:3000', 'POST', false, null],
])('%j: a page at %s may %s: %s, CORS %s', async (env, origin, method, isAccepted, allowed) => {
  const response = await createTestApp(env).request('/api/thing', {
    method,
    headers: origin ? { Origin: origin } : {},
  });
  expect(response.status).toBe(isAccepted ? 200 : 400);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe(allowed);
  expect(response.headers.get('Access-Control-Allow-Credentials')).toBe(allowed && 'true');
  if (!isAccepted) expect(await response.json()).toMatchObject({ code: 'INVALID_INPUT', source: 'user' });
});

test.each([
  [ourPage, ourPage],
  ['https://evil.example', null],
])('a preflight from %s is allowed only for %s', async (origin, allowed) => {
  const response = await createTestApp(apart).request('/api/thing', {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    },
  });
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe(allowed);
  expect(response.headers.has('Access-Control-Allow-Methods')).toBe(allowed !== null);
  expect(response.headers.get('Vary')).toContain('Origin');
});

test('a refused call’s answer can be read by our own page, with its Retry-After and request id', async () => {
  const app = createTestApp(apart);
  app.post('/api/fails', () => {
    throw new Error('a fault');
  });
  const response = await app.request('/api/fails', { method: 'POST', headers: { Origin: ourPage } });
  expect(response.status).toBe(500);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe(ourPage);
  expect(response.headers.get('Access-Control-Expose-Headers')).toMatch(/X-Request-Id.*Retry-After/);
});
