// Accounts in an external backend. No hosted Supabase is reachable from a test: a second product with the same protocol
// takes its place, on the same database, and this one only gets its address.
import { drizzle } from 'drizzle-orm/node-postgres';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPool } from '#server/database/pool.ts';
import {
  type IdentityServer,
  sessionOf,
  startIdentityServer,
  type TestAccount,
} from '../../../test-support/product/identity.ts';
import { startTestServer, type TestServer } from '../../../test-support/product/server.ts';
import { type Relay, startRelay } from '../../../test-support/stand-ins/identity-relay.ts';
import { createSealer } from '../auth/tokens/seal.ts';
import { createSigningKeys } from '../auth/tokens/signing-keys.ts';

const secretKey = 'the other side’s key, 32 characters or more';
const keySetPath = '/auth/v1/.well-known/jwks.json';

/**
 * Holds the accounts; known by the relay's address, so that requests for its key set can be counted and
 * blocked.
 */
let elsewhere: IdentityServer;
let relay: Relay;
/** The product under test. */
let product: TestServer;
let ada: TestAccount;

beforeAll(async () => {
  relay = await startRelay();
  elsewhere = await startIdentityServer({ API_URL: relay.address, SECRET_KEY: secretKey });
  relay.target = elsewhere.address;
  ada = await elsewhere.createAccount();
  product = await startProduct();
});
afterAll(async () => {
  await product?.close();
  await elsewhere?.close();
  await relay?.close();
});

function startProduct(): Promise<TestServer> {
  return startTestServer({
    DATABASE_URL: elsewhere.databaseUrl,
    SUPABASE_URL: relay.address,
    SUPABASE_ANON_KEY: elsewhere.key,
  });
}

const keySetRequests = () => relay.requests.filter((line) => line.includes(keySetPath)).length;

async function callApi(server: TestServer, token: string): Promise<{ status: number; code: string | null }> {
  const response = await fetch(new URL('/api/v1/account/sessions', server.address), {
    headers: { Authorization: `Bearer ${token}` },
  });
  return { status: response.status, code: (await response.json()).code ?? null };
}

describe('the product with SUPABASE_URL', () => {
  test('gives the browser that address and its key, and serves none of the protocol itself', async () => {
    const config = await (await fetch(new URL('/api/v1/config', product.address))).json();
    expect(config.identity).toMatchObject({ url: relay.address, anon_key: elsewhere.key });
    for (const path of ['/auth/v1/settings', keySetPath, '/rest/v1/user_credits?select=*']) {
      const answer = await fetch(new URL(path, product.address), { headers: { apikey: elsewhere.key } });
      // 503 where the pages have not been built
      expect([404, 503]).toContain(answer.status);
    }
  });

  test('accepts that project’s tokens, lists the sessions, and knows that credits were granted there', async () => {
    const token = sessionOf(ada.client).access_token;
    const response = await fetch(new URL('/api/v1/account/sessions', product.address), {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    expect((await response.json()).sessions).toMatchObject([{ is_current: true }]);
    const { data } = await ada.client.supabase.from('user_credits').select('conversion_credits').single();
    expect(data).toEqual({ conversion_credits: 10 });
  });

  test('requests the key set once in 10 minutes', async () => {
    const fresh = await startProduct();
    const token = sessionOf(ada.client).access_token;
    relay.requests.length = 0;
    for (let call = 0; call < 20; call++) expect((await callApi(fresh, token)).status).toBe(200);
    expect(keySetRequests()).toBe(1);
    try {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
      expect((await callApi(fresh, token)).status).toBe(200);
      expect(keySetRequests()).toBe(2);
    } finally {
      vi.useRealTimers();
      await fresh.close();
    }
  });

  test('keeps using its keys while the key set is unavailable', async () => {
    const token = sessionOf(ada.client).access_token;
    expect((await callApi(product, token)).status).toBe(200);
    try {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
      relay.fail(keySetPath, [503]);
      relay.requests.length = 0;
      expect((await callApi(product, token)).status).toBe(200);
      expect(keySetRequests()).toBe(1);
    } finally {
      vi.useRealTimers();
    }
    expect((await callApi(product, token)).status).toBe(200);
  });

  test('refuses users whose session has ended, who are banned, or who were deleted', async () => {
    const { client, id } = await elsewhere.createAccount();
    const token = sessionOf(client).access_token;
    expect((await callApi(product, token)).status).toBe(200);
    await elsewhere.sql("update auth.users set banned_until = now() + interval '1 day' where id = $1", [id]);
    expect(await callApi(product, token)).toEqual({ status: 403, code: 'USER_BANNED' });
    await elsewhere.sql('update auth.users set banned_until = null where id = $1', [id]);
    expect((await callApi(product, token)).status).toBe(200);
    await client.auth.signOut({ scope: 'local' });
    expect(await callApi(product, token)).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    await elsewhere.sql('delete from auth.users where id = $1', [id]);
    expect(await callApi(product, token)).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  });

  test('refuses a token signed by another product', async () => {
    const other = await startIdentityServer();
    const { client } = await other.createAccount();
    expect(await callApi(product, sessionOf(client).access_token)).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
    });
    await other.close();
  });

  test('a new key is found with the first token that it signed', async () => {
    const { client } = await elsewhere.createAccount();
    const old = sessionOf(client).access_token;
    const start = Date.now();
    const setMinutes = (minutes: number) =>
      vi.useFakeTimers({ toFake: ['Date'], now: start + minutes * 60_000 });
    const fresh = await startProduct();
    try {
      // the other side has just read its keys, then one of its processes changes them …
      setMinutes(25);
      await fetch(`${relay.address}${keySetPath}`);
      await rotateKeys();
      // … this side reads them before the rest of the other side notices
      setMinutes(30);
      expect((await callApi(fresh, old)).status).toBe(200);
      setMinutes(36);
      const { data } = await client.auth.refreshSession();
      const renewed = data.session?.access_token ?? '';
      expect(keyIdOf(renewed)).not.toBe(keyIdOf(old));
      relay.requests.length = 0;
      expect((await callApi(fresh, renewed)).status).toBe(200);
      expect(keySetRequests()).toBe(1);
      expect((await callApi(fresh, old)).status).toBe(200);
      expect(keySetRequests()).toBe(1);
    } finally {
      vi.useRealTimers();
      await fresh.close();
    }
  });
});

/** What another process of the other side does when a key is due. */
async function rotateKeys(): Promise<void> {
  const pool = createPool(elsewhere.databaseUrl);
  const keys = createSigningKeys({
    db: drizzle(pool),
    sealer: createSealer({ present: secretKey, former: [] }),
    logger: pino({ enabled: false }),
    tokenSeconds: 3600,
  });
  await keys.rotate();
  await pool.end();
}

function keyIdOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
}
