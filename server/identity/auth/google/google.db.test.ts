// Sign-in by Google, over HTTP with the client library, against a provider on loopback.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type IdentityServer,
  makeAddress,
  sessionOf,
  startIdentityServer,
  testPassword,
} from '../../../../test-support/product/identity.ts';
import type { IdentityClient } from '../../../../test-support/product/identity-client.ts';
import {
  type ForgeTools,
  type OidcStandIn,
  startOidcStandIn,
} from '../../../../test-support/stand-ins/oidc-stand-in.ts';

let provider: OidcStandIn;
let product: IdentityServer;

beforeAll(async () => {
  provider = await startOidcStandIn();
  product = await startIdentityServer({
    GOOGLE_CLIENT_ID: provider.clientId,
    GOOGLE_CLIENT_SECRET: provider.clientSecret,
    GOOGLE_ISSUER: provider.issuer,
  });
});
afterAll(async () => {
  await product.close();
  await provider.close();
});
afterEach(() => {
  provider.forge = null;
  provider.refuseWith = null;
});

interface Visit {
  status: number;
  location: URL;
  /** Name and value of the cookies that were set. */
  cookies: string[];
  setCookie: string[];
}

/** One step of a browser: a navigation with these cookies, redirects not followed. */
async function visit(url: string | URL, cookies: string[] = []): Promise<Visit> {
  const answer = await fetch(url, { redirect: 'manual', headers: { Cookie: cookies.join('; ') } });
  const setCookie = answer.headers.getSetCookie();
  return {
    status: answer.status,
    location: new URL(answer.headers.get('Location') ?? 'about:blank'),
    cookies: setCookie.map((one) => one.split(';')[0] ?? ''),
    setCookie,
  };
}

/** Where the client library sends the browser; then the provider's redirect back, not yet followed. */
async function begin(client: IdentityClient, path = '/convert?tab=1') {
  const { data, error } = await client.auth.signInWithOAuth({
    provider: 'google',
    options: { redirectTo: new URL(path, product.address).href, skipBrowserRedirect: true },
  });
  if (error || !data.url) throw error ?? new Error('no address');
  const authorize = new URL(data.url);
  // with it the answer is JSON, for callers that navigate themselves
  authorize.searchParams.delete('skip_http_redirect');
  const { location, cookies, setCookie } = await visit(authorize);
  return { authorize, callback: await provider.consent(location.href), cookies, setCookie };
}

/** The whole round trip: where the browser ends up. */
async function signIn(client: IdentityClient): Promise<URL> {
  const { callback, cookies } = await begin(client);
  return (await visit(callback, cookies)).location;
}

function asPerson(email: string, more: Record<string, unknown> = {}): string {
  const sub = `google-${email}`;
  provider.person = { sub, email, email_verified: true, ...more };
  return sub;
}

const countAccounts = async () =>
  Number((await product.sql<{ count: string }>('SELECT count(*) FROM auth.users'))[0]?.count);
const countSessions = async () =>
  Number((await product.sql<{ count: string }>('SELECT count(*) FROM auth.sessions'))[0]?.count);

test('a new user signs in, returns to the same page, and has an account with free credits', async () => {
  const email = makeAddress();
  const sub = asPerson(email);
  const client = product.open();
  const { callback, cookies, setCookie } = await begin(client);
  expect(setCookie[0]).toMatch(/; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  const back = await visit(callback, cookies);
  expect(back.setCookie[0]).toContain('Max-Age=0');
  expect(back.location.origin).toBe(new URL(product.address).origin);
  expect(back.location.pathname + back.location.search).toMatch(/^\/convert\?tab=1&code=[\w-]+$/);
  const { data, error } = await client.auth.exchangeCodeForSession(
    back.location.searchParams.get('code') ?? '',
  );
  expect(error).toBeNull();
  expect(client.events).toContain('SIGNED_IN');
  expect(data.user).toMatchObject({ email, app_metadata: { provider: 'google', providers: ['google'] } });
  expect(data.user?.identities?.map(({ provider: name, id }) => [name, id])).toEqual([['google', sub]]);
  expect((await product.callApi(sessionOf(client).access_token)).status).toBe(200);
  const credits = await product.sql('SELECT conversion_credits FROM user_credits WHERE user_id = $1', [
    data.user?.id,
  ]);
  expect(credits).toEqual([{ conversion_credits: 10 }]);

  // the same Google account later, with another address there: the same account here
  asPerson(makeAddress(), { sub });
  const again = product.open();
  const second = await again.auth.exchangeCodeForSession(
    (await signIn(again)).searchParams.get('code') ?? '',
  );
  expect(second.data.user).toMatchObject({ id: data.user?.id, email });
});

test('an account with a confirmed address gets Google as another sign-in method, and can remove it again', async () => {
  const ada = await product.createAccount();
  asPerson(ada.email.toUpperCase());
  const client = product.open();
  const { data } = await client.auth.exchangeCodeForSession(
    (await signIn(client)).searchParams.get('code') ?? '',
  );
  expect(data.user?.id).toBe(ada.id);
  expect(data.user?.app_metadata.providers).toEqual(['email', 'google']);
  expect((await product.signIn(ada)).stored()).not.toBeNull();

  const identities = (await client.auth.getUserIdentities()).data?.identities ?? [];
  const google = identities.find((one) => one.provider === 'google');
  expect((await client.auth.unlinkIdentity(google!)).error).toBeNull();
  const left = (await client.auth.getUserIdentities()).data?.identities ?? [];
  expect(left.map((one) => one.provider)).toEqual(['email']);
  expect((await client.auth.unlinkIdentity(left[0]!)).error).toMatchObject({
    code: 'single_identity_not_deletable',
  });
  const eve = await product.createAccount();
  expect((await eve.client.auth.unlinkIdentity(left[0]!)).error).toMatchObject({
    code: 'identity_not_found',
  });
});

test('a user from Google who sets a password can sign in either way, and remove Google', async () => {
  const email = makeAddress();
  asPerson(email);
  const client = product.open();
  await client.auth.exchangeCodeForSession((await signIn(client)).searchParams.get('code') ?? '');
  expect((await client.auth.updateUser({ password: testPassword })).error).toBeNull();
  const byPassword = await product.signIn({ email, password: testPassword });
  const { data } = await byPassword.auth.getUser();
  expect(data.user?.app_metadata).toMatchObject({ provider: 'google', providers: ['google', 'email'] });
  expect(data.user?.identities?.map(({ provider: name }) => name)).toEqual(['google', 'email']);
  const google = data.user?.identities?.[0];
  expect(google && (await byPassword.auth.unlinkIdentity(google)).error).toBeNull();
  await product.signIn({ email, password: testPassword });
});

test('someone who signed up with another’s address does not share the account with its owner', async () => {
  const email = makeAddress();
  const eve = product.open();
  await eve.auth.signUp({ email, password: testPassword, options: { data: { note: 'from eve' } } });
  const link = (await product.mailbox.take(email, 'signup')).link?.searchParams.get('token_hash') ?? '';
  asPerson(email);
  const client = product.open();
  const { data } = await client.auth.exchangeCodeForSession(
    (await signIn(client)).searchParams.get('code') ?? '',
  );
  expect(data.user?.identities?.map(({ provider: name }) => name)).toEqual(['google']);
  expect(data.user?.user_metadata).not.toHaveProperty('note');
  expect((await eve.auth.signInWithPassword({ email, password: testPassword })).error).toMatchObject({
    code: 'invalid_credentials',
  });
  expect((await eve.auth.verifyOtp({ token_hash: link, type: 'signup' })).error).toMatchObject({
    code: 'otp_expired',
  });
});

const hour = 3600;
const without = (claims: ForgeTools['claims'], name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));

test.each<[string, string, (tools: ForgeTools) => Promise<string>]>([
  [
    'another issuer',
    'bad_oauth_callback',
    ({ sign, claims }) => sign({ ...claims, iss: 'https://accounts.google.com' }),
  ],
  ['another audience', 'bad_oauth_callback', ({ sign, claims }) => sign({ ...claims, aud: 'somebody-else' })],
  [
    'another authorized party',
    'bad_oauth_callback',
    ({ sign, claims }) => sign({ ...claims, azp: 'somebody-else' }),
  ],
  ['a bad signature', 'bad_oauth_callback', ({ sign, claims, otherKey }) => sign(claims, { key: otherKey })],
  [
    'an unknown key',
    'bad_oauth_callback',
    ({ sign, claims, otherKey }) => sign(claims, { key: otherKey, header: { kid: 'other' } }),
  ],
  ['no signature', 'bad_oauth_callback', async ({ claims, unsigned }) => unsigned(claims)],
  [
    'the public key as a secret',
    'bad_oauth_callback',
    ({ sign, claims, publicPem }) => sign(claims, { key: publicPem, header: { alg: 'HS256' } }),
  ],
  [
    'an end in the past',
    'bad_oauth_callback',
    ({ sign, claims }) =>
      sign({ ...claims, exp: Number(claims.iat) - hour, iat: Number(claims.iat) - 2 * hour }),
  ],
  ['another nonce', 'bad_oauth_callback', ({ sign, claims }) => sign({ ...claims, nonce: 'another' })],
  [
    'another access token’s hash',
    'bad_oauth_callback',
    ({ sign, claims }) => sign({ ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
  ],
  ['no subject', 'bad_oauth_callback', ({ sign, claims }) => sign(without(claims, 'sub'))],
  [
    'an unverified address',
    'provider_email_needs_verification',
    ({ sign, claims }) => sign({ ...claims, email_verified: false }),
  ],
  [
    'a verification that is only said',
    'provider_email_needs_verification',
    ({ sign, claims }) => sign({ ...claims, email_verified: 'true' }),
  ],
  [
    'no word on verification',
    'provider_email_needs_verification',
    ({ sign, claims }) => sign(without(claims, 'email_verified')),
  ],
  ['no address', 'provider_email_needs_verification', ({ sign, claims }) => sign(without(claims, 'email'))],
  [
    'a temporary address',
    'email_address_invalid',
    ({ sign, claims }) => sign({ ...claims, email: 'ada@mailinator.com' }),
  ],
])('with %s (%s) there is no sign-in, no session and no account', async (_name, code, forge) => {
  asPerson(makeAddress());
  provider.forge = forge;
  const before = [await countAccounts(), await countSessions()];
  const back = await signIn(product.open());
  expect(back.pathname).toBe('/convert');
  expect(back.searchParams.get('code')).toBeNull();
  expect(back.searchParams.get('error_code')).toBe(code);
  expect(back.searchParams.get('error_description')).toBeTruthy();
  expect([await countAccounts(), await countSessions()]).toEqual(before);
});

test('an unverified Google address is never linked to an existing account', async () => {
  const ada = await product.createAccount();
  for (const email_verified of [false, 'false', 'true', undefined]) {
    asPerson(ada.email, { email_verified });
    const back = await signIn(product.open());
    expect(back.searchParams.get('error_code')).toBe('provider_email_needs_verification');
  }
  const ways = await product.sql('SELECT provider FROM auth.identities WHERE user_id = $1', [ada.id]);
  expect(ways).toEqual([{ provider: 'email' }]);
});

test('a callback works once, in the browser that started the sign-in, within ten minutes', async () => {
  asPerson(makeAddress());
  const before = [await countAccounts(), await countSessions()];
  const mine = await begin(product.open());
  const other = await begin(product.open());
  const otherName = other.cookies[0]?.split('=')[0];
  const mineValue = mine.cookies[0]?.split('=')[1];
  const forged = new URL(mine.callback);
  forged.searchParams.set('state', 'x'.repeat(43));
  for (const [callback, cookies] of [
    [mine.callback, []],
    [mine.callback, other.cookies],
    [mine.callback, [`${mine.cookies[0]?.split('=')[0]}=${other.cookies[0]?.split('=')[1]}`]],
    [other.callback, [`${otherName}=${mineValue}`]],
    [forged, mine.cookies],
    [new URL('/auth/v1/callback?code=abc', product.url), mine.cookies],
  ] as const) {
    const { location } = await visit(callback, [...cookies]);
    expect(location.searchParams.get('error_code')).toBe('bad_oauth_state');
    expect(location.pathname).toBe('/');
  }
  expect([await countAccounts(), await countSessions()]).toEqual(before);

  const late = await begin(product.open());
  await product.sql("UPDATE auth.flow_state SET created_at = created_at - interval '601 seconds'");
  expect((await visit(late.callback, late.cookies)).location.searchParams.get('error_code')).toBe(
    'bad_oauth_state',
  );
  await product.sql("UPDATE auth.flow_state SET created_at = created_at + interval '601 seconds'");

  // the others' attempts have used nothing up
  const [first, ...further] = await Promise.all(
    Array.from({ length: 5 }, () => visit(mine.callback, mine.cookies)),
  ).then((all) =>
    all.toSorted(
      (a, b) => Number(b.location.searchParams.has('code')) - Number(a.location.searchParams.has('code')),
    ),
  );
  expect(first?.location.searchParams.get('code')).toBeTruthy();
  for (const { location } of further) expect(location.searchParams.get('error_code')).toBe('bad_oauth_state');
});

test('the client’s code works once, and only with the verifier of the tab that started', async () => {
  asPerson(makeAddress());
  const client = product.open();
  const code = (await signIn(client)).searchParams.get('code') ?? '';
  const eve = product.open();
  await begin(eve);
  expect((await eve.auth.exchangeCodeForSession(code)).error).toMatchObject({ code: 'bad_code_verifier' });
  // a code that somebody else has tried is no longer valid
  expect((await client.auth.exchangeCodeForSession(code)).error).toMatchObject({
    code: 'flow_state_not_found',
  });
  const again = (await signIn(client)).searchParams.get('code') ?? '';
  const verifier = [...client.storage].find(([key]) => key.endsWith('code-verifier'))?.[1] ?? '';
  expect((await client.auth.exchangeCodeForSession(again)).error).toBeNull();
  const replay = await product.post('/token?grant_type=pkce', {
    auth_code: again,
    code_verifier: JSON.parse(verifier),
  });
  expect(replay.body).toMatchObject({ code: 'flow_state_not_found' });
});

test('Google’s code is not exchanged a second time', async () => {
  asPerson(makeAddress());
  const first = await begin(product.open());
  const second = await begin(product.open());
  expect((await visit(first.callback, first.cookies)).location.searchParams.has('code')).toBe(true);
  // the used code in another flow of the same browser
  const mixed = new URL(second.callback);
  mixed.searchParams.set('code', first.callback.searchParams.get('code') ?? '');
  const back = (await visit(mixed, second.cookies)).location;
  expect(back.searchParams.get('error_code')).toBe('bad_oauth_callback');
});

test('banned users, and those who decline at Google, are told so on the page they came from', async () => {
  const ada = await product.createAccount();
  asPerson(ada.email);
  await product.sql("UPDATE auth.users SET banned_until = now() + interval '1 day' WHERE id = $1", [ada.id]);
  const back = await signIn(product.open());
  expect(back.searchParams.get('error_code')).toBe('user_banned');
  expect(back.searchParams.get('error_description')).toBe('User is banned');
  provider.refuseWith = 'access_denied';
  const cancelled = await signIn(product.open());
  expect(cancelled.pathname).toBe('/convert');
  expect(cancelled.searchParams.get('error')).toBe('access_denied');
});

test.each([
  'https://evil.example/',
  '//evil.example/x',
  'https://evil.example@localhost/',
  'javascript:alert(1)',
])('a sign-in never ends at %s', async (redirectTo) => {
  asPerson(makeAddress());
  const query = new URLSearchParams({
    provider: 'google',
    redirect_to: redirectTo,
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 's256',
  });
  const { location, cookies } = await visit(`${product.url}/auth/v1/authorize?${query}`);
  const back = await visit(await provider.consent(location.href), cookies);
  expect(back.location.host).toBe(new URL(product.url).host);
});

test('without PKCE, or for another provider, nothing is started', async () => {
  const ask = async (query: string) =>
    (await fetch(`${product.url}/auth/v1/authorize?${query}`, { redirect: 'manual' })).json();
  expect(await ask('provider=google')).toMatchObject({ code: 'validation_failed' });
  expect(
    await ask(`provider=github&code_challenge=${'c'.repeat(43)}&code_challenge_method=s256`),
  ).toMatchObject({ code: 'validation_failed' });
  const url = `provider=google&skip_http_redirect=true&code_challenge=${'c'.repeat(43)}&code_challenge_method=s256`;
  expect(new URL((await ask(url)).url).origin).toBe(provider.issuer);
});

test('the log contains no names', () => {
  expect(product.readLog()).toContain('a sign-in by Google was refused');
  expect(product.readLog()).not.toMatch(/@example\.com|mailinator|id_token|google-ada/);
});
