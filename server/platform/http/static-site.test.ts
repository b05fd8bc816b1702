import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseEnv } from '../env.ts';
import { answerError } from './answer-errors.ts';
import { securityHeaders } from './security-headers.ts';
import { registerSite } from './static-site.ts';
import type { AppEnv } from './types.ts';

const inline = 'window.ready = "yes";\n';
const page = `<!doctype html><head><meta name="api-url" content=""/></head><body><script>${inline}</script><script type="module" src="/assets/a-1.js"></script><script type="application/json">{}</script></body>`;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-site-'));
  mkdirSync(path.join(folder, 'client/assets'), { recursive: true });
  mkdirSync(path.join(folder, 'client/convert'));
  writeFileSync(path.join(folder, 'secret.txt'), 'outside');
  writeFileSync(path.join(folder, 'client/index.html'), page);
  writeFileSync(path.join(folder, 'client/convert/index.html'), `${page}<p>convert</p>`);
  writeFileSync(path.join(folder, 'client/__spa-fallback.html'), `${page}<p>fallback</p>`);
  writeFileSync(path.join(folder, 'client/assets/a-1.js'), `export const text = '${'x'.repeat(5000)}';`);
  writeFileSync(path.join(folder, 'client/favicon.svg'), '<svg/>');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function createTestApp(settings: Record<string, string> = {}, clientFolder = path.join(folder, 'client')) {
  const env = parseEnv({ PUBLIC_URL: 'https://ink.example', ...settings });
  const app = new OpenAPIHono<AppEnv>();
  app.onError(answerError);
  app.use(securityHeaders(env));
  registerSite(app, { env, clientFolder });
  return app;
}

test.each([
  ['/', 200, 'no-cache'],
  ['/convert', 200, 'no-cache'],
  ['/convert/', 200, 'no-cache'],
  ['/documents/0b0e/whatever', 200, 'no-cache'],
  ['/assets/a-1.js', 200, 'public, max-age=31536000, immutable'],
  ['/favicon.svg', 200, 'public, max-age=3600'],
  ['/assets/a-0.js', 404, 'no-store'],
  ['/api/v1/nothing', 404, 'no-store'],
  ['/../secret.txt', 404, 'no-store'],
  ['/%2e%2e/secret.txt', 404, 'no-store'],
  ['/assets/..%2f..%2fsecret.txt', 404, 'no-store'],
])('%s answers %s with Cache-Control %s', async (address, status, cacheControl) => {
  const response = await createTestApp().request(address);
  expect(response.status).toBe(status);
  expect(response.headers.get('Cache-Control')).toBe(cacheControl);
  expect(await response.text()).not.toContain('outside');
});

test('routes of the app begin with the fallback page, prerendered ones with their own', async () => {
  const app = createTestApp();
  expect(await (await app.request('/documents/1')).text()).toContain('<p>fallback</p>');
  expect(await (await app.request('/convert')).text()).toContain('<p>convert</p>');
});

test('the policy allows the page’s inline script by its hash, its form the online editor, and nothing unsafe', async () => {
  const app = createTestApp({
    ONLINE_EDITOR_URL: 'https://editor.example/docs',
    API_URL: 'https://api.ink.example/',
  });
  const policy = (await app.request('/')).headers.get('Content-Security-Policy')!;
  const rules = Object.fromEntries(
    policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
  );
  const hash = createHash('sha256').update(inline).digest('base64');
  expect(rules['script-src']).toEqual(["'self'", "'wasm-unsafe-eval'", `'sha256-${hash}'`]);
  expect(rules['form-action']).toEqual(["'self'", 'https://editor.example']);
  expect(rules['connect-src']).toContain('https://api.ink.example');
  expect(rules['default-src']).toEqual(["'self'"]);
  expect(rules['frame-ancestors']).toEqual(["'none'"]);
});

test('the page is told where the API is only when that is another origin', async () => {
  expect(await (await createTestApp().request('/')).text()).toContain('name="api-url" content=""');
  const apart = createTestApp({ API_URL: 'https://api.ink.example/' });
  expect(await (await apart.request('/')).text()).toContain(
    'name="api-url" content="https://api.ink.example"',
  );
});

test('files are compressed for those who ask, and answered with 304 to those who have them', async () => {
  const app = createTestApp();
  const plain = await app.request('/assets/a-1.js');
  const compressed = await app.request('/assets/a-1.js', { headers: { 'Accept-Encoding': 'gzip, br' } });
  expect(compressed.headers.get('Content-Encoding')).toBe('br');
  expect((await compressed.arrayBuffer()).byteLength).toBeLessThan(500);
  expect((await plain.arrayBuffer()).byteLength).toBeGreaterThan(5000);
  const etag = plain.headers.get('ETag')!;
  expect((await app.request('/assets/a-1.js', { headers: { 'If-None-Match': etag } })).status).toBe(304);
});

test('without a build, pages say how to get one', async () => {
  const response = await createTestApp({}, path.join(folder, 'nothing')).request('/convert');
  expect(response.status).toBe(503);
  expect(await response.text()).toMatch(/npm run build/);
});
