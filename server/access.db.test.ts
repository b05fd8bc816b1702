/** Calls every route as each caller it must refuse. The routes are listed by the app itself, not copied here. */
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import {
  type IdentityServer,
  sessionOf,
  startIdentityServer,
  type TestAccount,
} from '../test-support/product/identity.ts';
import { startTestServer } from '../test-support/product/server.ts';
import { createApp } from './app.ts';
import { type Access, allow, findAccess } from './http/access.ts';
import type { Identity } from './identity/identity.ts';

const unused = {} as never;
/** Routes are only registered and listed here; none is called. */
const app = createApp({
  env: parseEnv({}),
  logger: pino({ level: 'silent' }),
  secretKey: 'k'.repeat(32),
  typesetter: unused,
  assistant: unused,
  turns: unused,
  exchanger: unused,
  strokeReader: null,
  conversions: {} as never,
  mailer: unused,
  outages: unused,
  metrics: new Registry(),
  readiness: {},
  identity: {
    publicSettings: { url: '', anon_key: '', providers: { email: true, google: false } },
    // declares one of its own, like the real rooms that speak another protocol
    registerRoutes(target: typeof app) {
      target.post('/auth/v1/token', (c) => c.body(null));
    },
  } as unknown as Identity,
});

interface Route {
  name: string;
  method: string;
  path: string;
  access: Access | undefined;
}

function listRoutes(target: Pick<typeof app, 'routes'>): Route[] {
  // middleware applies to every method and a whole folder
  const own = target.routes.filter(
    ({ method, path, handler }) =>
      findAccess(handler) !== undefined || !(method === 'ALL' && path.endsWith('*')),
  );
  const groups = Map.groupBy(own, ({ method, path }) => `${method} ${path}`);
  return [...groups].map(([name, handlers]) => ({
    name,
    method: handlers[0]!.method,
    path: handlers[0]!.path,
    access: handlers.map(({ handler }) => findAccess(handler)).find((access) => access !== undefined),
  }));
}

const routes = listRoutes(app);
const named = (access: Access) => routes.filter((route) => route.access === access);
const withIds = routes.filter(({ path }) => path.startsWith('/api/') && /:(id|name|number)/.test(path));

let product: IdentityServer;
let ada: TestAccount;
let eve: TestAccount;
/** Whole Authorization headers. */
const tokens = { ada: '', eve: '', banned: '', ended: '', expired: '' };
const adas = { conversion: randomUUID(), session: '', document: '', folder: '' };
type Ids = Partial<Record<keyof typeof adas, string>>;

/** Request bodies, for calls that are not understood without one. */
const bodies: Record<string, unknown> = {
  'PATCH /api/v1/folders/:id': { name: 'Mine' },
  'PATCH /api/v1/documents/:id': { title: 'Mine' },
  'PUT /api/v1/documents/:id/latex': { base_version: 1, latex: 'mine' },
  'PUT /api/v1/documents/:id/figures/:name/text': { base_version: 1, latex: 'mine' },
  'PATCH /api/v1/documents/:id/versions/:number': { name: 'Mine' },
  'POST /api/v1/documents/:id/versions/:number/restore': { base_version: 1 },
  'POST /api/v1/documents/:id/conversation': {
    request_id: randomUUID(),
    message: 'What does it say?',
    latex: 'mine',
    base_version: 1,
  },
  'PUT /api/v1/documents/:id/conversation/:request_id/decision': { accepted: 1, rejected: 0 },
};
const queries: Record<string, string> = {
  'GET /api/v1/documents/:id/compare': '?from=1&to=1',
  'GET /api/v1/documents/:id/export': '?format=tex',
};

beforeAll(async () => {
  product = await startIdentityServer({ ROLES: 'web' });
  [ada, eve] = [await product.createAccount(), await product.createAccount()];
  const bearer = async (account: TestAccount) =>
    `Bearer ${sessionOf(await product.signIn(account)).access_token}`;
  tokens.ada = `Bearer ${sessionOf(ada.client).access_token}`;
  tokens.eve = `Bearer ${sessionOf(eve.client).access_token}`;
  const banned = await product.createAccount();
  tokens.banned = await bearer(banned);
  await product.sql('UPDATE auth.users SET banned_until = $1 WHERE id = $2', ['2999-01-01', banned.id]);
  const leaving = await product.signIn(ada);
  tokens.ended = `Bearer ${sessionOf(leaving).access_token}`;
  await leaving.auth.signOut({ scope: 'local' });
  tokens.expired = await issueExpired(ada);
  const sessions = await product.sql<{ id: string }>('SELECT id FROM auth.sessions WHERE user_id = $1', [
    ada.id,
  ]);
  adas.session = sessions[0]!.id;
  await insertConversion(adas.conversion, ada.id);
  adas.document = await createAs(ada, '/documents', { title: 'Secret', latex: 'Secret of Ada' });
  adas.folder = await createAs(ada, '/folders', { name: 'Secret' });
});
afterAll(() => product?.close());

/** @returns the new thing's id */
async function createAs(account: TestAccount, path: string, body: object): Promise<string> {
  const answer = await product.call(account, 'POST', path, body);
  return ((await answer.json()) as { id: string }).id;
}

/** A token of the same installation, from a process that issues them with a short life, after it has expired. */
async function issueExpired({ email, password }: TestAccount): Promise<string> {
  const short = await startTestServer({
    DATABASE_URL: product.databaseUrl,
    PUBLIC_URL: product.url,
    ACCESS_TOKEN_SECONDS: '5',
  });
  try {
    const answer = await fetch(new URL('/auth/v1/token?grant_type=password', short.address), {
      method: 'POST',
      headers: { apikey: product.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const header = `Bearer ${token}`;
    const ask = async () =>
      (await call({ method: 'GET', path: '/api/v1/account/sessions' }, { token: header })).status;
    expect(await ask()).toBe(200);
    // waits for the token to expire
    for (let tries = 0; tries < 60 && (await ask()) === 200; tries++) await sleep(500);
    expect(await ask()).toBe(401);
    return header;
  } finally {
    await short.close();
  }
}

async function insertConversion(id: string, callerId: string): Promise<void> {
  await product.sql(
    `INSERT INTO conversions (id, caller_id, state, page_count, files, drawings, ended_at, work_files_gone_at)
     VALUES ($1, $2, 'failed', 1, '[]', 'figure', now(), now())`,
    [id, callerId],
  );
  await product.sql(
    `INSERT INTO conversion_pages (conversion_id, number, file_index, page_index, state, error)
     VALUES ($1, 1, 0, 0, 'failed', '{"code":"GENERATION_FAILED","error":"x","source":"server"}')`,
    [id],
  );
}

interface Call {
  token?: string;
  cookie?: string;
  ids?: Ids;
}

function pickId(path: string, ids: Ids): string {
  if (path.includes('/sessions/')) return ids.session ?? '';
  if (path.includes('/documents/')) return ids.document ?? '';
  return (path.includes('/folders/') ? ids.folder : ids.conversion) ?? '';
}

async function call(route: { method: string; path: string }, { token, cookie, ids = adas }: Call = {}) {
  const name = `${route.method} ${route.path}`;
  const target = `${route.path}${queries[name] ?? ''}`
    .replace(':id', pickId(route.path, ids))
    .replace(':number', '1')
    .replace(':name', 'figure-p1-1.png')
    .replace(':ended_at', '2026-01-01T12:00:00.000Z')
    .replace(/\*$/, 'nothing-here');
  const answer = await fetch(new URL(target, product.address), {
    method: route.method,
    headers: {
      ...(token ? { Authorization: token } : {}),
      ...(cookie ? { Cookie: cookie } : {}),
      ...(bodies[name] ? { 'Content-Type': 'application/json' } : {}),
    },
    body: bodies[name] ? JSON.stringify(bodies[name]) : undefined,
  });
  const text = await answer.text();
  return {
    status: answer.status,
    code: /^\{.*"code":"(\w+)"/.exec(text)?.[1] ?? null,
    text,
    headers: answer.headers,
  };
}

test('every route declares who may call it', () => {
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter(({ access }) => access === undefined).map(({ name }) => name)).toEqual([]);
  // only a few routes have rules of their own, each known by name
  expect(
    named('own-rule').map(({ path }) => path.replace(/^(\/auth\/v1|\/rest\/v1|\/inbox).*/, '$1')),
  ).toEqual(expect.arrayContaining(['/metrics', '/auth/v1']));
  expect(
    named('own-rule').filter(
      ({ path }) =>
        !/^\/(metrics$|auth\/v1\/|rest\/v1\/|inbox(\/|$)|local-checkout\/|api\/v1\/stripe\/webhook$)/.test(
          path,
        ),
    ),
  ).toEqual([]);
});

test('an undeclared route is detected', () => {
  const careless = { routes: [...app.routes, { method: 'GET', path: '/api/v1/secret', handler: () => {} }] };
  const found = listRoutes(careless as never).filter(({ access }) => access === undefined);
  expect(found.map(({ name }) => name)).toEqual(['GET /api/v1/secret']);
  expect(findAccess(allow('user'))).toBe('user');
});

describe('for signed-in users', () => {
  test.each(named('user'))('$name is denied to anybody else', async (route) => {
    const nobody = await call(route);
    expect([nobody.status, nobody.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(nobody.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(nobody.headers.get('Set-Cookie')).toBeNull();
    const anonymous = await call(route, { token: `Bearer ${product.key}` });
    expect([anonymous.status, anonymous.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe('an invalid token', () => {
  const gated = [...named('user'), ...named('visitor'), ...named('visitor-without-database')];
  const garbage: [string, string][] = [
    ['no token at all', 'Bearer x'],
    ['a token without signature', `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"x"}')}.`],
  ];

  test.each(gated)('is rejected by $name', async (route) => {
    const wrong = [
      ...garbage,
      ['another signature', `${tokens.ada.slice(0, -4)}AAAA`],
      ['expired', tokens.expired],
      ['of a session that is over', tokens.ended],
    ] as const;
    for (const [name, token] of wrong) {
      const answer = await call(route, { token });
      expect([name, answer.status, answer.code]).toEqual([name, 401, 'UNAUTHORIZED']);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
    }
  });

  test.each(gated)('of a banned user is rejected by $name with its own message', async (route) => {
    const answer = await call(route, { token: tokens.banned });
    expect([answer.status, answer.code]).toEqual([403, 'USER_BANNED']);
    expect(answer.text).toContain('There appears to be an issue with your account.');
  });

  test.each(named('anyone').filter(({ method }) => method === 'GET'))(
    'is ignored by $name',
    async (route) => {
      const [without, withOne] = [await call(route), await call(route, { token: tokens.expired })];
      expect(withOne.status).toBe(without.status);
      expect(withOne.headers.get('Set-Cookie')).toBeNull();
    },
  );
});

describe('another user’s data', () => {
  test.each(withIds)('looks as if it did not exist: $name', async (route) => {
    const nowhere = {
      conversion: randomUUID(),
      session: randomUUID(),
      document: randomUUID(),
      folder: randomUUID(),
    };
    const visitor = route.access?.startsWith('visitor') ? [undefined] : [];
    for (const token of [tokens.eve, ...visitor]) {
      const foreign = await call(route, { token });
      const missing = await call(route, { token, ids: nowhere });
      expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    }
  });

  test('still belongs to its owner after all that', async () => {
    const own = await call({ method: 'GET', path: '/api/v1/conversions/:id' }, { token: tokens.ada });
    expect(own.status).toBe(200);
    const sessions = await call({ method: 'GET', path: '/api/v1/account/sessions' }, { token: tokens.ada });
    expect(sessions.text).toContain(adas.session);
    const document = await call({ method: 'GET', path: '/api/v1/documents/:id' }, { token: tokens.ada });
    expect(JSON.parse(document.text)).toMatchObject({
      title: 'Secret',
      latex: 'Secret of Ada',
      version: 1,
      trashed_at: null,
    });
    const folder = await call({ method: 'GET', path: '/api/v1/folders/:id' }, { token: tokens.ada });
    expect(JSON.parse(folder.text)).toMatchObject({ name: 'Secret' });
  });
});

describe('a visitor who signs in', () => {
  const one = { method: 'GET', path: '/api/v1/conversions/:id' };

  test('keeps access in this browser to earlier conversions, and no account gains it', async () => {
    const cookie = (await call(one)).headers.get('Set-Cookie')!.split(';')[0]!;
    const visitorId = cookie.split('=')[1]!.slice(0, 22);
    const ids = { conversion: randomUUID(), session: '' };
    await insertConversion(ids.conversion, visitorId);

    expect((await call(one, { cookie, ids })).status).toBe(200);
    expect((await call(one, { cookie, ids, token: tokens.ada })).status).toBe(200);
    // the same account in another browser, then another account
    expect((await call(one, { ids, token: tokens.ada })).status).toBe(404);
    expect((await call(one, { ids, token: tokens.eve })).status).toBe(404);
    // the account's conversions are not visible to the browser when signed out
    expect((await call(one, { cookie })).status).toBe(404);
    expect((await call(one, { cookie, token: tokens.eve })).status).toBe(404);
    // signed out again, and dismissed while signed in
    expect((await call(one, { cookie, ids })).status).toBe(200);
    expect((await call({ ...one, method: 'DELETE' }, { cookie, ids, token: tokens.ada })).status).toBe(204);
    expect((await call(one, { cookie, ids })).status).toBe(404);
  });

  test('converts for the account, in any browser', async () => {
    const form = new FormData();
    form.append('file', await openAsBlob('fixtures/pdf/physics-mechanics-tikz.pdf'), 'notes.pdf');
    const answer = await fetch(new URL('/api/v1/process', product.address), {
      method: 'POST',
      body: form,
      headers: { Accept: 'text/event-stream', Authorization: tokens.ada },
    });
    let received = '';
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      received += part;
      if (received.includes('\n\n')) break;
    }
    const ids = { conversion: /"conversion_id":"([^"]+)"/.exec(received)![1]!, session: '' };
    expect(await product.sql('SELECT caller_id FROM conversions WHERE id = $1', [ids.conversion])).toEqual([
      { caller_id: ada.id },
    ]);
    const elsewhere = `Bearer ${sessionOf(await product.signIn(ada)).access_token}`;
    expect((await call(one, { ids, token: elsewhere })).status).toBe(200);
    expect((await call(one, { ids, token: tokens.eve })).status).toBe(404);
    expect((await call(one, { ids, cookie: answer.headers.get('Set-Cookie') ?? '' })).status).toBe(404);
    expect((await call({ ...one, method: 'DELETE' }, { ids, token: elsewhere })).status).toBe(204);
  });

  test('with a forged cookie sees nothing', async () => {
    const ids = { conversion: randomUUID(), session: '' };
    await insertConversion(ids.conversion, 'A'.repeat(22));
    const cookie = `inkproof_visitor=${'A'.repeat(22)}.${'A'.repeat(43)}`;
    expect((await call(one, { cookie, ids, token: tokens.ada })).status).toBe(404);
  });
});
