import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import type { AppEnv } from '../http/types.ts';
import { createMailer } from './create-mailer.ts';
import { describeInboxAddress, registerInbox } from './inbox-routes.ts';
import { maxKeptMails, openLocalInbox } from './local-inbox.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).toReversed()) close();
});

function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-inbox-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const mail = (to: string, subject = 'Confirm your address') => ({
  to,
  subject,
  text: 'text',
  html: '<!doctype html><html><head></head><body><a href="http://localhost/x?a=1&amp;b=2">Confirm</a><script>1</script></body></html>',
  purpose: 'signup',
});

async function startInbox(settings: Record<string, string> = {}) {
  const env = parseEnv({ DATA_DIR: makeFolder(), ...settings });
  const app = new OpenAPIHono<AppEnv>();
  registerInbox(app, { env });
  app.get('*', (c) => c.text('the site', 404));
  const server: Server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const mailer = createMailer(env, { logger: pino({ level: 'silent' }) });
  return { env, mailer, address: `http://127.0.0.1:${port}`, port };
}

test('mails of several processes share one inbox: the newest 100, readable only by their owner', async () => {
  const folder = path.join(makeFolder(), 'inbox');
  const processes = [openLocalInbox(folder), openLocalInbox(folder), openLocalInbox(folder)];
  await Promise.all(
    processes.flatMap((inbox, each) =>
      Array.from({ length: 40 }, (_, index) => inbox.send(mail(`p${each}n${index}@example.com`))),
    ),
  );
  await processes[0]!.send(mail('last@example.com'));
  const listed = await processes[1]!.list();
  expect(listed).toHaveLength(maxKeptMails);
  expect(listed[0]!.to).toBe('last@example.com');
  expect(readdirSync(folder)).toHaveLength(maxKeptMails);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
});

test('the page lists mails and shows one in a frame without scripts', async () => {
  const { mailer, address } = await startInbox();
  await mailer.send(mail('ada@example.com', 'First <b>'));
  await mailer.send(mail('grace@example.com', 'Second'));
  const list = await fetch(`${address}/inbox`);
  expect(list.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'/);
  const html = await list.text();
  expect(html).toContain('First &lt;b&gt;');
  expect(html.indexOf('Second')).toBeLessThan(html.indexOf('First'));
  const mails = (await (await fetch(`${address}/inbox/mails.json`)).json()) as { id: string; to: string }[];
  expect(mails.map(({ to }) => to)).toEqual(['grace@example.com', 'ada@example.com']);
  const some = (await (await fetch(`${address}/inbox/mails.json?to=Ada@example.com`)).json()) as unknown[];
  expect(some).toHaveLength(1);
  const shown = await (await fetch(`${address}/inbox/${mails[0]!.id}`)).text();
  const frame = /<iframe[^>]*>/.exec(shown)?.[0] ?? '';
  expect(frame).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  expect(frame).toContain('&amp;amp;b=2&quot;');
  expect(shown).not.toContain('<script');
});

test.each(['../../../etc/passwd', 'mails', '0000000000000000-000000000000', '%2e%2e%2fsecrets%2fsecret-key'])(
  'there is no mail %s',
  async (id) => {
    const { address } = await startInbox();
    expect((await fetch(`${address}/inbox/${id}`)).status).toBe(404);
  },
);

test.each<Record<string, string>>([
  { Host: 'inkproof.example' },
  { Host: 'localhost.evil.example:3000' },
  { Host: '127.0.0.1.evil.example' },
  { 'X-Forwarded-For': '127.0.0.1' },
  { 'X-Real-IP': '203.0.113.9' },
  { Forwarded: 'for=203.0.113.9' },
  { Via: '1.1 proxy' },
])('a call with %o is not answered', async (headers) => {
  const { mailer, port } = await startInbox();
  await mailer.send(mail('ada@example.com'));
  for (const page of ['/inbox', '/inbox/', '/inbox/mails.json']) {
    const answer = await call(port, page, headers);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('ada');
  }
});

test.each(['localhost:3000', '127.0.0.1', '[::1]:3000', 'app.localhost'])('a call to %s is', async (Host) => {
  const { port } = await startInbox();
  expect((await call(port, '/inbox', { Host })).status).toBe(200);
});

test.each([
  ['https://inkproof.example', {}],
  ['http://192.168.1.20:3000', {}],
  ['http://localhost:3000', { API_URL: 'https://api.inkproof.example' }],
  ['http://localhost:3000', { SMTP_URL: 'smtp://127.0.0.1:25' }],
])('at %s with %o there is no inbox', async (PUBLIC_URL, more: Record<string, string>) => {
  const { address, env } = await startInbox({ PUBLIC_URL, ...more });
  expect(describeInboxAddress(env)).toBeNull();
  expect(await (await fetch(`${address}/inbox`)).text()).toBe('the site');
  expect(await (await fetch(`${address}/inbox/mails.json`)).text()).toBe('the site');
});

test('its address is printed', () => {
  expect(describeInboxAddress(parseEnv({ PORT: '4000' }))).toBe('http://localhost:4000/inbox');
});

/** fetch() sets Host itself; this request does not. */
function call(port: number, page: string, headers: Record<string, string>) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: page, headers }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => {
        body += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}
