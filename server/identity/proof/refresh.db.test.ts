// How a session is renewed and how it ends: the tick, retries, rotation, reuse, two clients at once, sign-out
// scopes.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type IdentityServer,
  race,
  sessionOf,
  startIdentityServer,
  type TestAccount,
  waitUntil,
} from '../../../test-support/product/identity.ts';
import type { IdentityClient } from '../../../test-support/product/identity-client.ts';
import { type Relay, startRelay } from '../../../test-support/stand-ins/identity-relay.ts';

/** auth-js, lib/constants.ts: how often the session is checked, … */
const tickMs = 30_000;
/** … and renewed when at most this many whole ticks remain. */
const tickThreshold = 3;

let product: IdentityServer;
let relay: Relay;
let ada: TestAccount;

beforeAll(async () => {
  product = await startIdentityServer();
  relay = await startRelay(product.url);
  ada = await product.createAccount();
});
afterAll(async () => {
  await product?.close();
  await relay?.close();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const refreshes = () => relay.requests.filter((line) => line.includes('grant_type=refresh_token')).length;

/** A browser that reaches the product through the relay, signed in. */
async function signInThroughRelay(autoRefreshToken = false): Promise<IdentityClient> {
  const client = product.open({ url: relay.address, autoRefreshToken });
  const { error } = await client.auth.signInWithPassword(ada);
  if (error) throw error;
  relay.requests.length = 0;
  return client;
}

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('the tick', () => {
  test('renews when 3 ticks of 30 s are left, not before', async () => {
    // only timers set by the client library from here on are faked; network and server keep theirs
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const client = await signInThroughRelay(true);
    const tick = async () => {
      await vi.advanceTimersByTimeAsync(tickMs);
      await client.auth.getSession();
    };
    client.store({ expires_at: secondsFromNow(((tickThreshold + 1) * tickMs) / 1000 + 10) });
    await tick();
    expect([refreshes(), client.events.filter((event) => event === 'TOKEN_REFRESHED')]).toEqual([0, []]);

    client.store({ expires_at: secondsFromNow((tickThreshold * tickMs) / 1000 + 10) });
    await tick();
    await waitUntil(() => expect(client.events.at(-1)).toBe('TOKEN_REFRESHED'));
    expect(refreshes()).toBe(1);
    expect(sessionOf(client).expires_at).toBeGreaterThan(secondsFromNow(3000));

    await tick();
    expect(refreshes()).toBe(1);
  });

  test('a page loaded with a session that has nearly expired renews it at once', async () => {
    const client = await signInThroughRelay();
    client.store({ expires_at: secondsFromNow(20) });
    const reloaded = product.open({ url: relay.address, storage: client.storage, autoRefreshToken: true });
    await waitUntil(() => expect(reloaded.events).toContain('TOKEN_REFRESHED'));
    expect(sessionOf(reloaded).expires_at).toBeGreaterThan(secondsFromNow(3000));
  });
});

describe('renewal failures', () => {
  test.each([502, 503, 504])('%s is retried, and the user stays signed in', async (status) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const client = await signInThroughRelay();
    relay.fail('/token', [status, status]);
    const { error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(refreshes()).toBe(3);
    expect(client.events.at(-1)).toBe('TOKEN_REFRESHED');
  });

  test('an unreachable network is retried, with the same token', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const client = await signInThroughRelay();
    relay.fail('/token', ['cut', 'cut']);
    expect((await client.auth.refreshSession()).error).toBeNull();
    expect(refreshes()).toBe(3);
    expect(client.events).not.toContain('SIGNED_OUT');
  });

  test('500 is not retried: the user is signed out', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const client = await signInThroughRelay();
    relay.fail('/token', [500]);
    expect((await client.auth.refreshSession()).error).not.toBeNull();
    expect(refreshes()).toBe(1);
    expect(client.events.at(-1)).toBe('SIGNED_OUT');
  });

  test('a session ended elsewhere signs out when it is renewed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const client = await signInThroughRelay(true);
    const other = await product.signIn(ada);
    await other.auth.signOut({ scope: 'others' });
    const { error } = await client.auth.refreshSession();
    expect(error).toMatchObject({ name: 'AuthApiError', code: 'refresh_token_not_found', status: 400 });
    expect(client.events.at(-1)).toBe('SIGNED_OUT');
    expect(client.stored()).toBeNull();
    expect((await other.auth.getUser()).data.user?.id).toBe(ada.id);
  });

  test('a token that was never issued is refused', async () => {
    const client = product.open();
    const { error } = await client.auth.refreshSession({ refresh_token: 'never-given' });
    expect(error).toMatchObject({ name: 'AuthApiError', code: 'refresh_token_not_found' });
  });
});

describe('rotation', () => {
  const refresh = (token: string) =>
    product.post('/token?grant_type=refresh_token', { refresh_token: token });
  const age = (client: IdentityClient) =>
    product.sql(
      `update auth.refresh_tokens set used_at = used_at - interval '1 hour', created_at = created_at - interval '1 hour'
       where session_id = $1`,
      [sessionIdOf(client)],
    );

  test('a token used again at once returns its successor: the first answer may have been lost', async () => {
    const client = await product.signIn(ada);
    const first = sessionOf(client).refresh_token;
    const [one, two] = [await refresh(first), await refresh(first)];
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(two.body.refresh_token).toBe(one.body.refresh_token);
    expect(one.body.refresh_token).not.toBe(first);
  });

  test('a token replaced twice within seconds also returns the newest: three tabs opening together', async () => {
    const client = await product.signIn(ada);
    const first = sessionOf(client).refresh_token;
    const second = (await refresh(first)).body.refresh_token;
    const third = (await refresh(String(second))).body.refresh_token;
    const again = await refresh(first);
    expect([again.status, again.body.refresh_token]).toEqual([200, third]);
  });

  test('a token used again later ends the whole session: somebody has a copy', async () => {
    const client = await product.signIn(ada);
    const tokens = [sessionOf(client).refresh_token];
    for (let turn = 0; turn < 3; turn++) {
      const { body } = await refresh(tokens.at(-1) ?? '');
      tokens.push(String(body.refresh_token));
      await age(client);
    }
    expect((await product.callApi(sessionOf(client).access_token)).status).toBe(200);
    const reused = await refresh(tokens[0] ?? '');
    expect([reused.status, reused.body.error_code ?? reused.body.code]).toEqual([
      400,
      'refresh_token_already_used',
    ]);
    for (const token of tokens.toReversed()) expect((await refresh(token)).status).toBe(400);
    expect((await product.callApi(sessionOf(client).access_token)).status).toBe(401);
    const other = await product.signIn(ada);
    expect((await other.auth.refreshSession()).error).toBeNull();
  });

  test('two tabs that renew at once both stay signed in, with the same token', async () => {
    const first = await product.signIn(ada);
    const second = product.open();
    await second.auth.getSession();
    for (const [key, value] of first.storage) second.storage.set(key, value);
    const [a, b] = await Promise.all([first.auth.refreshSession(), second.auth.refreshSession()]);
    expect([a.error, b.error]).toEqual([null, null]);
    expect(a.data.session?.refresh_token).toBe(b.data.session?.refresh_token);
    expect((await first.auth.refreshSession()).error).toBeNull();
  });

  test('20 renewals with one token at once make one successor', async () => {
    const client = await product.signIn(ada);
    const answers = await race(20, () => refresh(sessionOf(client).refresh_token));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    const rows = await product.sql('select 1 from auth.refresh_tokens where session_id = $1', [
      sessionIdOf(client),
    ]);
    expect(rows.length).toBe(2);
  });

  test('a session past its own expiry is not renewed, one before it is', async () => {
    const client = await product.signIn(ada);
    const setEnd = (seconds: number) =>
      product.sql('update auth.sessions set not_after = now() + make_interval(secs => $2) where id = $1', [
        sessionIdOf(client),
        seconds,
      ]);
    await setEnd(60);
    const renewed = await refresh(sessionOf(client).refresh_token);
    expect(renewed.status).toBe(200);
    await setEnd(-1);
    const late = await refresh(String(renewed.body.refresh_token));
    expect([late.status, late.body.error_code]).toEqual([400, 'session_expired']);
    expect((await product.callApi(sessionOf(client).access_token)).status).toBe(401);
  });

  test('tokens are not stored in readable form', async () => {
    const client = await product.signIn(ada);
    const { refresh_token: token } = sessionOf(client);
    const rows = await product.sql('select t::text as line from auth.refresh_tokens t');
    expect(rows.some(({ line }) => line.includes(token))).toBe(false);
  });
});

describe('signing out', () => {
  const lives = async (client: IdentityClient, token: string) =>
    (await product.callApi(token)).status === 200 && client.stored() !== null;

  test.each([
    ['local', [false, true, true]],
    ['others', [true, false, false]],
    ['global', [false, false, false]],
  ] as const)('%s', async (scope, expected) => {
    const account = await product.createAccount();
    const clients = [account.client, await product.signIn(account), await product.signIn(account)];
    const tokens = clients.map((client) => sessionOf(client).access_token);
    expect((await clients[0]?.auth.signOut({ scope }))?.error).toBeNull();
    const states = await Promise.all(
      clients.map(async (client, index) => {
        // a browser notices at its next request
        if (index > 0) await client.auth.getUser();
        return lives(client, tokens[index] ?? '');
      }),
    );
    expect(states).toEqual(expected);
  });

  test('logout answers 204 with an empty body, and 401 without a session', async () => {
    for (const scope of ['', '?scope=global', '?scope=local', '?scope=others']) {
      const { access_token: token } = sessionOf(await product.signIn(ada));
      const answer = await product.post(`/logout${scope}`, {}, { Authorization: `Bearer ${token}` });
      expect([answer.status, answer.body]).toEqual([204, {}]);
    }
    expect((await product.post('/logout', {})).status).toBe(401);
  });

  test('local and then global, as the logout button does: the refusal of the second is not an error', async () => {
    const client = await product.signIn(ada);
    const { access_token: token } = sessionOf(client);
    expect((await client.auth.signOut({ scope: 'local' })).error).toBeNull();
    const again = await product.post('/logout?scope=global', {}, { Authorization: `Bearer ${token}` });
    expect([again.status, again.body.error_code ?? again.body.code]).toEqual([403, 'session_not_found']);
    expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull();
  });
});

function sessionIdOf(client: IdentityClient): string {
  const payload = sessionOf(client).access_token.split('.')[1] ?? '';
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).session_id;
}
