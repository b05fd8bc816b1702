import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ForgeTools,
  type OidcStandIn,
  startOidcStandIn,
} from '../../../../test-support/stand-ins/oidc-stand-in.ts';
import { createGoogleClient, type GoogleClient } from './google-client.ts';

let provider: OidcStandIn;
let google: GoogleClient;

const redirectUri = 'http://localhost:3000/auth/v1/callback';
const checks = { state: 'state-state-state', nonce: 'nonce-nonce-nonce', codeVerifier: 'v'.repeat(43) };

beforeAll(async () => {
  provider = await startOidcStandIn();
  const { issuer, clientId, clientSecret } = provider;
  google = createGoogleClient({ issuer, clientId, clientSecret, redirectUri });
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = { sub: '1066', email: 'ada@example.com', email_verified: true };
  provider.forge = null;
});

/** Signs in; `given` is what this side believes it requested. */
async function signIn(given = checks) {
  const back = await provider.consent(await google.describeAuthorizeUrl(checks));
  return google.exchange(back.search, given);
}

test('a valid token identifies the user; neither name nor picture is requested', async () => {
  expect(await signIn()).toEqual({
    kind: 'verified',
    profile: { sub: '1066', email: 'ada@example.com', isEmailVerified: true, issuer: provider.issuer },
  });
  const url = new URL(await google.describeAuthorizeUrl(checks));
  expect(url.searchParams.get('scope')).toBe('openid email');
  expect(url.searchParams.get('redirect_uri')).toBe(redirectUri);
});

const hour = 3600;
const without = (claims: ForgeTools['claims'], name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));

test.each<[string, (tools: ForgeTools) => Promise<string>]>([
  ['of another issuer', ({ sign, claims }) => sign({ ...claims, iss: 'https://accounts.google.com' })],
  ['without an issuer', ({ sign, claims }) => sign(without(claims, 'iss'))],
  [
    'for another client',
    ({ sign, claims }) => sign({ ...claims, aud: 'somebody-else', azp: 'somebody-else' }),
  ],
  [
    'for several clients, given to another',
    ({ sign, claims }) =>
      sign({ ...claims, aud: [String(claims.aud), 'somebody-else'], azp: 'somebody-else' }),
  ],
  ['given to another client', ({ sign, claims }) => sign({ ...claims, azp: 'somebody-else' })],
  ['without an audience', ({ sign, claims }) => sign(without(claims, 'aud'))],
  [
    'signed with a key that is not published',
    ({ sign, claims, otherKey }) => sign(claims, { key: otherKey }),
  ],
  [
    'signed with an unknown key',
    ({ sign, claims, otherKey }) => sign(claims, { key: otherKey, header: { kid: 'other' } }),
  ],
  [
    'changed after it was signed',
    async ({ sign, claims }) => {
      const [header, , signature] = (await sign(claims)).split('.');
      const body = Buffer.from(JSON.stringify({ ...claims, email: 'eve@example.com' })).toString('base64url');
      return [header, body, signature].join('.');
    },
  ],
  ['without a signature', async ({ claims, unsigned }) => unsigned(claims)],
  [
    'signed with the public key as a shared secret',
    ({ sign, claims, publicPem }) => sign(claims, { key: publicPem, header: { alg: 'HS256' } }),
  ],
  [
    'signed with the client secret',
    ({ sign, claims }) =>
      sign(claims, {
        key: new TextEncoder().encode(provider.clientSecret.padEnd(32, '0')),
        header: { alg: 'HS256' },
      }),
  ],
  [
    'that has ended',
    ({ sign, claims }) =>
      sign({ ...claims, iat: Number(claims.iat) - 2 * hour, exp: Number(claims.iat) - hour }),
  ],
  ['without an end', ({ sign, claims }) => sign(without(claims, 'exp'))],
  [
    'from the future',
    ({ sign, claims }) =>
      sign({ ...claims, iat: Number(claims.iat) + hour, exp: Number(claims.iat) + 2 * hour }),
  ],
  ['that holds only later', ({ sign, claims }) => sign({ ...claims, nbf: Number(claims.iat) + hour })],
  ['of another sign-in', ({ sign, claims }) => sign({ ...claims, nonce: 'another' })],
  ['without a nonce', ({ sign, claims }) => sign(without(claims, 'nonce'))],
  [
    'that belongs to another access token',
    ({ sign, claims }) => sign({ ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
  ],
  ['that names nobody', ({ sign, claims }) => sign(without(claims, 'sub'))],
  ['that names an empty account', ({ sign, claims }) => sign({ ...claims, sub: '' })],
  ['whose account is a number', ({ sign, claims }) => sign({ ...claims, sub: 1066 as unknown as string })],
  ['that is none', async () => 'not a token'],
])('a token %s is rejected', async (_name, forge) => {
  provider.forge = forge;
  expect(await signIn()).toMatchObject({ kind: 'refused' });
});

test.each([['false'], ['true'], [false], [1], [null], [undefined]])(
  'email_verified %j does not count as verified',
  async (value) => {
    provider.person.email_verified = value;
    expect(await signIn()).toMatchObject({ kind: 'verified', profile: { isEmailVerified: false } });
  },
);

test.each([
  ['a state that was not sent', { ...checks, state: 'another' }],
  ['another verifier', { ...checks, codeVerifier: 'w'.repeat(43) }],
])('%s is rejected', async (_name, given) => {
  expect(await signIn(given)).toMatchObject({ kind: 'refused' });
});

test('a code works once', async () => {
  const back = await provider.consent(await google.describeAuthorizeUrl(checks));
  expect(await google.exchange(back.search, checks)).toMatchObject({ kind: 'verified' });
  expect(await google.exchange(back.search, checks)).toMatchObject({ kind: 'refused' });
});

test('an unavailable provider is distinguished from one that refuses', async () => {
  const away = createGoogleClient({
    issuer: 'http://127.0.0.1:1',
    clientId: 'a',
    clientSecret: 'b',
    redirectUri,
  });
  expect(await away.exchange('?code=a&state=b', checks)).toMatchObject({ kind: 'unreachable' });
});

test('an issuer may use plain http only on this machine', () => {
  const options = { clientId: 'a', clientSecret: 'b', redirectUri };
  expect(() => createGoogleClient({ ...options, issuer: 'http://accounts.google.com' })).toThrow('https:');
  expect(() => createGoogleClient({ ...options, issuer: 'https://accounts.google.com' })).not.toThrow();
});
