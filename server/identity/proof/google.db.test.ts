// Signing in with Google through the client library: PKCE from the button to the session, and every failure
// that the browser or a stranger can cause. The tests in auth/google cover invalid ID tokens.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type IdentityServer,
  makeAddress,
  race,
  sessionOf,
  startIdentityServer,
  waitUntil,
} from '../../../test-support/product/identity.ts';
import type { IdentityClient } from '../../../test-support/product/identity-client.ts';
import { type OidcStandIn, startOidcStandIn } from '../../../test-support/stand-ins/oidc-stand-in.ts';

let google: OidcStandIn;
let product: IdentityServer;
let people = 0;

beforeAll(async () => {
  google = await startOidcStandIn();
  product = await startIdentityServer({
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    GOOGLE_ISSUER: google.issuer,
  });
});
afterAll(async () => {
  await product?.close();
  await google?.close();
});
beforeEach(() => {
  google.person = { sub: `google-${++people}`, email: makeAddress(), email_verified: true };
});

/** Presses the button; `extra` is what a stranger might add to the address. */
async function leaveForGoogle(
  client: IdentityClient,
  redirectTo = `${product.url}/convert`,
  extra = '',
): Promise<{ toGoogle: URL; cookie: string }> {
  const { data, error } = await client.auth.signInWithOAuth({ provider: 'google', options: { redirectTo } });
  if (error) throw error;
  const answer = await fetch(`${data.url}${extra}`, { redirect: 'manual' });
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
  return { toGoogle: new URL(answer.headers.get('Location') ?? ''), cookie: cookie.join('; ') };
}

/** Follows the address that Google sends the browser back to: where the product then redirects it. */
async function comeBack(callback: URL, cookie: string): Promise<URL> {
  const answer = await fetch(callback, { redirect: 'manual', headers: { Cookie: cookie } });
  return new URL(answer.headers.get('Location') ?? `data:,${answer.status}`);
}

async function obtainCode(client: IdentityClient): Promise<string> {
  const { toGoogle, cookie } = await leaveForGoogle(client);
  const landed = await comeBack(await google.consent(toGoogle.href), cookie);
  return landed.searchParams.get('code') ?? '';
}

test('from the button to SIGNED_IN, back on the same page', async () => {
  const client = product.open();
  await client.auth.getSession();
  const { toGoogle, cookie } = await leaveForGoogle(client);
  expect(toGoogle.origin).toBe(google.issuer);
  const landed = await comeBack(await google.consent(toGoogle.href), cookie);
  expect([landed.origin, landed.pathname]).toEqual([product.url, '/convert']);
  const { error } = await client.auth.exchangeCodeForSession(landed.searchParams.get('code') ?? '');
  expect(error).toBeNull();
  expect(client.events).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
  expect(sessionOf(client).user).toMatchObject({
    email: google.person.email,
    app_metadata: { provider: 'google' },
  });
  expect((await product.callApi(sessionOf(client).access_token)).status).toBe(200);
  const credits = await product.sql('select conversion_credits from user_credits where user_id = $1', [
    sessionOf(client).user.id,
  ]);
  expect(credits).toEqual([{ conversion_credits: 10 }]);
});

test('one code exchanged 20 times at once: exactly one succeeds', async () => {
  const client = product.open();
  const code = await obtainCode(client);
  const verifier = String(JSON.parse(client.storage.get('session-code-verifier') ?? '""')).split('/')[0];
  const answers = await race(20, () =>
    product.post('/token?grant_type=pkce', { auth_code: code, code_verifier: verifier }),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error_code)).toEqual(
    Array(19).fill('flow_state_not_found'),
  );
});

test('bad_code_verifier: the code alone is useless, and used up by the attempt', async () => {
  const owner = product.open();
  const code = await obtainCode(owner);
  const thief = product.open();
  await leaveForGoogle(thief);
  const stolen = await thief.auth.exchangeCodeForSession(code);
  expect(stolen.error).toMatchObject({ name: 'AuthApiError', code: 'bad_code_verifier', status: 400 });
  expect((await owner.auth.exchangeCodeForSession(code)).error).toMatchObject({
    name: 'AuthApiError',
    code: 'flow_state_not_found',
    status: 404,
  });
  const elsewhere = await product.open().auth.exchangeCodeForSession(code);
  expect(elsewhere.error).toMatchObject({ name: 'AuthPKCECodeVerifierMissingError' });
});

test('flow_state_expired: a code that was not used in time', async () => {
  const client = product.open();
  const code = await obtainCode(client);
  await product.sql("update auth.flow_state set auth_code_issued_at = now() - interval '1 hour'");
  const { error } = await client.auth.exchangeCodeForSession(code);
  expect(error).toMatchObject({ code: 'flow_state_expired' });
});

test('a callback that this browser did not start signs nobody in', async () => {
  const { toGoogle, cookie: own } = await leaveForGoogle(product.open());
  const { cookie } = await leaveForGoogle(product.open());
  const callback = await google.consent(toGoogle.href);
  const before = google.exchanges;
  for (const carried of ['', cookie, `${own.split('=')[0]}=${cookie.split('=')[1]}`]) {
    const landed = await comeBack(callback, carried);
    expect(landed.searchParams.get('code')).toBeNull();
  }
  const invented = new URL(callback);
  invented.searchParams.set('state', 'invented');
  expect((await comeBack(invented, cookie)).searchParams.get('code')).toBeNull();
  expect(google.exchanges).toBe(before);
});

test('the same callback a second time gives no second code', async () => {
  const { toGoogle, cookie } = await leaveForGoogle(product.open());
  const callback = await google.consent(toGoogle.href);
  expect((await comeBack(callback, cookie)).searchParams.get('code')).not.toBeNull();
  expect((await comeBack(callback, cookie)).searchParams.get('code')).toBeNull();
});

test('callers cannot choose client, state, nonce or callback address', async () => {
  const extra =
    '&client_id=mine&state=mine&nonce=mine&redirect_uri=https://evil.example/&response_type=token';
  const { toGoogle } = await leaveForGoogle(product.open(), undefined, extra);
  expect(toGoogle.searchParams.get('client_id')).toBe(google.clientId);
  expect(toGoogle.searchParams.get('redirect_uri')).toBe(`${product.url}/auth/v1/callback`);
  expect(toGoogle.searchParams.get('response_type')).toBe('code');
  expect(toGoogle.href).not.toMatch(/mine|evil/);
});

test.each([
  'https://evil.example/convert',
  'http://localhost:1/convert',
  'https://localhost/convert',
  '//evil.example',
  'javascript:alert(1)',
])('no sign-in returns to another site’s page: %s', async (redirectTo) => {
  const { toGoogle, cookie } = await leaveForGoogle(product.open(), redirectTo);
  const landed = await comeBack(await google.consent(toGoogle.href), cookie);
  expect(landed.origin).toBe(product.url);
});

test('an address that Google has not verified is not linked; a verified one is linked to its account', async () => {
  const owner = await product.createAccount();
  google.person = { sub: 'a-stranger', email: owner.email, email_verified: false };
  const stranger = await leaveForGoogle(product.open());
  const refused = await comeBack(await google.consent(stranger.toGoogle.href), stranger.cookie);
  expect(refused.searchParams.get('code')).toBeNull();
  expect(refused.href).toContain('provider_email_needs_verification');

  google.person = { sub: 'the-owner', email: owner.email.toUpperCase(), email_verified: true };
  const client = product.open();
  await client.auth.exchangeCodeForSession(await obtainCode(client));
  expect(sessionOf(client).user.id).toBe(owner.id);
  await product.signIn(owner);
  const toldOf = () =>
    product.mailbox.mails.filter(
      ({ to, subject }) => to === owner.email && subject === 'Google was linked to your account',
    );
  await waitUntil(() => expect(toldOf()).toHaveLength(1));
  // the next sign-in links nothing
  await product.open().auth.exchangeCodeForSession(await obtainCode(client));
  expect(toldOf()).toHaveLength(1);
});

test('someone who signed up with another’s address cannot get back in once its owner has signed in with Google', async () => {
  const email = makeAddress();
  const password = 'waiting for the owner';
  await product.open().auth.signUp({ email, password });
  const early = await product.mailbox.take(email, 'signup');
  google.person = { sub: 'the-real-one', email, email_verified: true };
  const client = product.open();
  await client.auth.exchangeCodeForSession(await obtainCode(client));
  expect(sessionOf(client).user.email).toBe(email);
  expect((await product.open().auth.signInWithPassword({ email, password })).error?.code).toBe(
    'invalid_credentials',
  );
  const link = early.link?.searchParams.get('token_hash') ?? '';
  expect((await product.open().auth.verifyOtp({ token_hash: link, type: 'signup' })).error?.code).toBe(
    'otp_expired',
  );
});

test('user_banned is reported to the page as an error', async () => {
  const client = product.open();
  await client.auth.exchangeCodeForSession(await obtainCode(client));
  await product.sql("update auth.users set banned_until = now() + interval '1 day' where id = $1", [
    sessionOf(client).user.id,
  ]);
  const { toGoogle, cookie } = await leaveForGoogle(product.open());
  const landed = await comeBack(await google.consent(toGoogle.href), cookie);
  expect(landed.href).toContain('error_code=user_banned');
  expect(landed.searchParams.get('code')).toBeNull();
});

test.each([
  ['code_challenge=abc&code_challenge_method=s256'],
  [`code_challenge=${'@'.repeat(43)}&code_challenge_method=s256`],
  [`code_challenge=${'c'.repeat(43)}&code_challenge_method=none`],
  [`code_challenge=${'c'.repeat(43)}`],
  ['code_challenge_method=s256'],
])('validation_failed: %s', async (query) => {
  const answer = await fetch(`${product.url}/auth/v1/authorize?provider=google&${query}`, {
    redirect: 'manual',
  });
  expect([answer.status, (await answer.json()).error_code]).toEqual([400, 'validation_failed']);
});
