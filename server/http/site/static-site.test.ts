import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { answerError } from '../answer/answer-errors.ts';
import { securityHeaders } from '../answer/security-headers.ts';
import type { AppEnv } from '../types.ts';
import { registerSite } from './static-site.ts';

const inline = 'window.ready = "yes";\n';
const page = `<!doctype html><head><meta name="api-url" content=""/></head><body><script>${inline}</script><script type="module" src="/assets/a-1.js"></script><script type="application/json">{}</script></body>`;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-site-'));
  mkdirSync(path.join(folder, 'client/assets'), { recursive: true });
  mkdirSync(path.join(folder, 'client/convert'));
  writeFileSync(path.join(folder, 'secret.txt'), 'outside');
  writeFileSync(path.join(folder, 'client/index.html'), page);
  writeFileSync(
    path.join(folder, 'client/convert/index.html'),
    `${page}<link rel="canonical" href="https://inkproof.example/convert"/><p>convert</p>`,
  );
  writeFileSync(path.join(folder, 'client/__spa-fallback.html'), `${page}<p>fallback</p>`);
  writeFileSync(path.join(folder, 'client/assets/a-1.js'), `export const text = '${'x'.repeat(5000)}';`);
  writeFileSync(path.join(folder, 'client/favicon.svg'), '<svg/>');
  writeFileSync(path.join(folder, 'client/film.mp4'), '0123456789');
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
  ['/upload', 200, 'no-cache'],
  ['/upload/', 200, 'no-cache'],
  ['/documents/0b0e/no/such/page', 404, 'no-cache'],
  ['/convert/nothing', 404, 'no-cache'],
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
  const head = await createTestApp().request(address, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([status, '']);
});

test('routes of the app begin with the fallback page, prerendered ones with their own', async () => {
  const app = createTestApp();
  expect(await (await app.request('/upload')).text()).toContain('<p>fallback</p>');
  const unknown = await app.request('/nothing/1', { headers: { 'If-None-Match': '*' } });
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('<p>fallback</p>')]);
  expect(unknown.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
  expect(await (await app.request('/convert')).text()).toContain('<p>convert</p>');
});

test('the policy allows the page’s inline script by its hash, its form the online editor, and nothing unsafe', async () => {
  const app = createTestApp({
    ONLINE_EDITOR_URL: 'https://editor.example/docs',
    API_URL: 'https://api.ink.example/',
    SUPABASE_URL: 'https://accounts.ink.example/',
    SUPABASE_ANON_KEY: 'public',
    DATABASE_URL: 'postgres://localhost/ink',
    SECRET_KEY: 'k'.repeat(32),
  });
  const policy = (await app.request('/')).headers.get('Content-Security-Policy')!;
  const rules = Object.fromEntries(
    policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
  );
  const hash = createHash('sha256').update(inline).digest('base64');
  expect(rules['script-src']).toEqual(["'self'", "'wasm-unsafe-eval'", `'sha256-${hash}'`]);
  expect(rules['form-action']).toEqual(["'self'", 'https://editor.example']);
  expect(rules['connect-src']).toEqual([
    "'self'",
    'blob:',
    'data:',
    'https://api.ink.example',
    'wss://api.ink.example',
    'https://accounts.ink.example',
    'wss://accounts.ink.example',
  ]);
  expect(rules['default-src']).toEqual(["'self'"]);
  expect(rules['frame-ancestors']).toEqual(["'none'"]);
  expect(rules['frame-src']).toEqual(['blob:']);
});

test('a page that anyone with its address can open is kept from search engines and other sites', async () => {
  const read = async (address: string) => {
    const { headers } = await createTestApp().request(address);
    return [headers.get('X-Robots-Tag'), headers.get('Referrer-Policy')];
  };
  expect(await read('/shared/dG9rZW4')).toEqual(['noindex, nofollow', 'no-referrer']);
  expect(await read('/shared/dG9rZW4/')).toEqual(['noindex, nofollow', 'no-referrer']);
  expect(await read('/convert')).toEqual([null, 'strict-origin-when-cross-origin']);
});

test('search engines may index built pages, and not those without content', async () => {
  const app = createTestApp();
  const read = async (address: string) => (await app.request(address)).headers.get('X-Robots-Tag');
  expect(await read('/')).toBeNull();
  expect(await read('/documents')).toBe('noindex');
  expect(await read('/nothing')).toBe('noindex');
  const sitemap = await app.request('/sitemap.xml');
  expect(sitemap.headers.get('Content-Type')).toContain('application/xml');
  expect((await sitemap.text()).match(/<loc>[^<]*/g)).toEqual(['<loc>https://ink.example/convert']);
  expect(await (await app.request('/robots.txt')).text()).toContain('https://ink.example/sitemap.xml');
});

test('the page contains the API’s address only if that is another origin', async () => {
  expect(await (await createTestApp().request('/')).text()).toContain('name="api-url" content=""');
  const apart = createTestApp({ API_URL: 'https://api.ink.example/' });
  expect(await (await apart.request('/')).text()).toContain(
    'name="api-url" content="https://api.ink.example"',
  );
});

test('files are compressed for clients that accept it, and answered with 304 to those that have them', async () => {
  const app = createTestApp();
  const plain = await app.request('/assets/a-1.js');
  const compressed = await app.request('/assets/a-1.js', { headers: { 'Accept-Encoding': 'gzip, br' } });
  expect(compressed.headers.get('Content-Encoding')).toBe('br');
  expect((await compressed.arrayBuffer()).byteLength).toBeLessThan(500);
  expect((await plain.arrayBuffer()).byteLength).toBeGreaterThan(5000);
  const etag = plain.headers.get('ETag')!;
  expect((await app.request('/assets/a-1.js', { headers: { 'If-None-Match': etag } })).status).toBe(304);
});

test.each([
  // Range → status, body, Content-Range
  ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
  ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
  ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  ['bytes=5-2', 200, '0123456789', null],
  ['bytes=0-1,4-5', 200, '0123456789', null],
  ['lines=0-1', 200, '0123456789', null],
])('of a file, %s is answered with %s %j', async (range, status, body, contentRange) => {
  const response = await createTestApp().request('/film.mp4', { headers: { Range: range } });
  expect([response.status, await response.text()]).toEqual([status, body]);
  expect(response.headers.get('Content-Range')).toBe(contentRange);
  if (status !== 416) expect(response.headers.get('Content-Length')).toBe(String(body.length));
});

test('a range is sent only of the version that the caller knows; compressed files have ranges too, pages have none', async () => {
  const app = createTestApp();
  const ask = async (address: string, headers: Record<string, string> = {}) =>
    (await app.request(address, { headers: { Range: 'bytes=0-0', ...headers } })).status;
  const whole = await app.request('/film.mp4');
  expect(whole.headers.get('Accept-Ranges')).toBe('bytes');
  expect(await ask('/film.mp4', { 'If-Range': whole.headers.get('ETag')! })).toBe(206);
  expect(await ask('/film.mp4', { 'If-Range': '"another"' })).toBe(200);
  expect(await ask('/film.mp4', { 'If-Range': 'Wed, 21 Oct 2026 07:28:00 GMT' })).toBe(200);
  const script = await app.request('/assets/a-1.js', {
    headers: { Range: 'bytes=0-5', 'Accept-Encoding': 'br' },
  });
  expect([script.status, await script.text(), script.headers.get('Content-Encoding')]).toEqual([
    206,
    'export',
    null,
  ]);
  expect(await ask('/convert')).toBe(200);
});

test('without a build, pages say how to make one', async () => {
  const response = await createTestApp({}, path.join(folder, 'nothing')).request('/convert');
  expect(response.status).toBe(503);
  expect(await response.text()).toMatch(/npm run build/);
});
