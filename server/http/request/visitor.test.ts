import type { IncomingMessage } from 'node:http';
import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { allow } from '../access.ts';
import type { AppEnv } from '../types.ts';
import { provideIdentification } from './identify-caller.ts';
import { readVisitor, signVisitor, visitorCookie } from './visitor.ts';

const key = 'k'.repeat(32);

function createTestApp(publicUrl: string) {
  const app = new OpenAPIHono<AppEnv>();
  const identity = {
    publicSettings: { anon_key: 'anon' },
    verifyToken: async () => ({ ok: false, reason: 'invalid' }) as const,
  };
  app.use(
    provideIdentification({ env: { PUBLIC_URL: publicUrl, TRUSTED_PROXIES: 0 }, secretKey: key, identity }),
  );
  app.get('/', allow('visitor'), (c) => c.text(c.get('caller').id));
  return app;
}

async function visit(cookie?: string, publicUrl = 'http://localhost:3000') {
  const incoming = { socket: { remoteAddress: '203.0.113.9' }, headers: {} } as IncomingMessage;
  const response = await createTestApp(publicUrl).request(
    '/',
    { headers: cookie ? { Cookie: cookie } : {} },
    { incoming },
  );
  return { id: await response.text(), setCookie: response.headers.get('Set-Cookie') };
}

test('a newcomer gets an id and a cookie, and is recognised by it the next time', async () => {
  const first = await visit();
  expect(first.setCookie).toMatch(
    /^inkproof_visitor=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const again = await visit(first.setCookie!.split(';')[0]);
  expect(again).toEqual({ id: first.id, setCookie: null });
  expect((await visit()).id).not.toBe(first.id);
});

test('over https the cookie is Secure', async () => {
  expect((await visit(undefined, 'https://ink.example')).setCookie).toMatch(/; Secure/);
});

const victim = 'AAAAAAAAAAAAAAAAAAAAAA';
const good = signVisitor(victim, key);
test.each([
  ['the id alone', victim],
  ['an empty signature', `${victim}.`],
  ['another key’s signature', signVisitor(victim, 'x'.repeat(32))],
  ['another id’s signature', `${victim}.${signVisitor('BBBBBBBBBBBBBBBBBBBBBB', key).slice(23)}`],
  ['a changed last character', `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`],
  ['a longer one', `${good}A`],
  ['an id of another form', signVisitor('../../../../etc/passwd', key)],
  ['nothing', ''],
])('a forged cookie (%s) counts as none', async (_, value) => {
  expect(readVisitor(value, key)).toBeNull();
  const { id, setCookie } = await visit(`${visitorCookie}=${value}`);
  expect(id).not.toBe(victim);
  expect(setCookie).toContain(id);
});
