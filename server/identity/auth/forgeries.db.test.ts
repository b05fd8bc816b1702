// Access tokens that somebody made up, tried at /auth/v1 and at the API.
import { createHmac, createPublicKey, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthRig, startAuthRig } from './testing.ts';
import { createSealer } from './tokens/seal.ts';

// what test-support/product/server.ts starts servers with
const secretKey = 'a key for tests, 32 characters or more';

let rig: AuthRig;
let session: Awaited<ReturnType<AuthRig['createUser']>>;
let claims: Record<string, unknown>;
let publicJwk: JWK;
let kid: string;

beforeAll(async () => {
  rig = await startAuthRig();
  session = await rig.createUser('ada@example.com');
  const [, payload = ''] = session.access_token.split('.');
  claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const { body } = await rig.call('GET', '/.well-known/jwks.json');
  publicJwk = body.keys[0];
  kid = publicJwk.kid ?? '';
});
afterAll(() => rig.close());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signed by the installation's own key: what only it can make. */
async function signGenuine(changes: Record<string, unknown>): Promise<string> {
  const { rows } = await rig.sql.query(
    'SELECT kid, sealed_private_jwk FROM auth.signing_keys WHERE retired_at IS NULL',
  );
  const text = createSealer({ present: secretKey, former: [] }).open(
    'signing-key',
    rows[0].sealed_private_jwk,
    rows[0].kid,
  );
  const key = await importJWK(JSON.parse(text ?? ''), 'ES256');
  return new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .sign(key);
}

const now = () => Math.floor(Date.now() / 1000);

const forgeries: Record<string, () => Promise<string> | string> = {
  'alg none': () => `${encode({ alg: 'none', kid })}.${encode(claims)}.`,
  'alg None with its signature kept': () =>
    `${encode({ alg: 'None', kid })}.${encode(claims)}.${session.access_token.split('.')[2]}`,
  'HS256 with the public key as the secret': () => {
    const pem = createPublicKey({ key: publicJwk as never, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    const body = `${encode({ alg: 'HS256', kid })}.${encode(claims)}`;
    return `${body}.${createHmac('sha256', pem).update(body).digest('base64url')}`;
  },
  'HS256 with the key set’s JSON as the secret': () => {
    const body = `${encode({ alg: 'HS256', kid })}.${encode(claims)}`;
    return `${body}.${createHmac('sha256', JSON.stringify(publicJwk)).update(body).digest('base64url')}`;
  },
  'another key under our id': async () => {
    const { privateKey } = await generateKeyPair('ES256');
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
  },
  'a key that the token itself brings along': async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', jwk, jku: 'http://127.0.0.1:9/' })
      .sign(privateKey);
  },
  'an unknown key id': async () => {
    const { privateKey } = await generateKeyPair('ES256');
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: randomUUID() }).sign(privateKey);
  },
  'a key id of the file system': async () => {
    const { privateKey } = await generateKeyPair('ES256');
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: "../../dev/null' OR 1=1 --" })
      .sign(privateKey);
  },
  'claims changed under a signature of ours': () => {
    const [header, , signature] = session.access_token.split('.');
    return `${header}.${encode({ ...claims, sub: randomUUID() })}.${signature}`;
  },
  'another issuer': () => signGenuine({ iss: 'https://elsewhere.example/auth/v1' }),
  'another audience': () => signGenuine({ aud: 'admin' }),
  'the role service_role': () => signGenuine({ role: 'service_role' }),
  'one that has ended': () => signGenuine({ iat: now() - 7200, exp: now() - 1 }),
  'one that never ends': () => signGenuine({ exp: undefined }),
  'one that begins later': () => signGenuine({ nbf: now() + 3600 }),
  'no session': () => signGenuine({ session_id: undefined }),
  'a session id that is none': () => signGenuine({ session_id: "' OR true --" }),
  'no token at all': () => 'undefined',
  'a very long one': () => `${session.access_token}${'a'.repeat(6000)}`,
};

describe.each(Object.entries(forgeries))('%s', (_name, forge) => {
  test('is rejected', async () => {
    const token = await forge();
    expect(await rig.call('GET', '/user', { token })).toMatchObject({
      status: 403,
      body: { code: 'bad_jwt' },
    });
    const api = await fetch(`${rig.server.address}/api/v1/account/sessions`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(api.status).toBe(401);
  });
});

test('the genuine one is accepted, as is one signed here', async () => {
  expect((await rig.call('GET', '/user', { token: session.access_token })).status).toBe(200);
  expect((await rig.call('GET', '/user', { token: await signGenuine({}) })).status).toBe(200);
});

test('one with another person’s session id has no session', async () => {
  const other = await rig.createUser('grace@example.com');
  const token = await signGenuine({ sub: other.user.id });
  expect(await rig.call('GET', '/user', { token })).toMatchObject({ body: { code: 'session_not_found' } });
});

test('no token gives no_authorization, and so does the public key', async () => {
  expect(await rig.call('GET', '/user')).toMatchObject({ status: 401, body: { code: 'no_authorization' } });
  const config = await (await fetch(`${rig.server.address}/api/v1/config`)).json();
  const anon = await rig.call('GET', '/user', { token: config.identity.anon_key });
  expect(anon).toMatchObject({ status: 403, body: { code: 'bad_jwt' } });
});

test('no keys, tokens or passwords are readable in the database', async () => {
  const { rows } = await rig.sql.query(
    `SELECT (SELECT string_agg(k::text, '') FROM auth.signing_keys k) || (SELECT string_agg(r::text, '') FROM auth.refresh_tokens r)
         || (SELECT string_agg(u::text, '') FROM auth.users u) || (SELECT string_agg(l::text, '') FROM auth.rate_limits l) AS everything`,
  );
  const everything = rows[0].everything as string;
  expect(everything).not.toContain('"d"');
  expect(everything).not.toContain(session.refresh_token);
  expect(everything).not.toContain('correct horse');
  const { rows: limits } = await rig.sql.query('SELECT key FROM auth.rate_limits');
  expect(limits.length).toBeGreaterThan(0);
  expect(JSON.stringify(limits)).not.toMatch(/example\.com|127\.0\.0\.1/);
  const log = rig.server.readLog();
  expect(log).not.toMatch(/ada@example|correct horse/);
  expect(log).not.toContain(session.refresh_token);
});
