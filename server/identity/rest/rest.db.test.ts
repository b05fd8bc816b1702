/** What strangers may try on /rest/v1, over HTTP against the whole product. */
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type IdentityServer,
  startIdentityServer,
  type TestAccount,
} from '../../../test-support/product/identity.ts';

let product: IdentityServer;
let ada: TestAccount;
let bob: TestAccount;
let token: string;
beforeAll(async () => {
  product = await startIdentityServer();
  [ada, bob] = await Promise.all([product.createAccount(), product.createAccount()]);
  token = (await ada.client.auth.getSession()).data.session?.access_token ?? '';
});
afterAll(() => product?.close());

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await fetch(`${product.url}/rest/v1/${path}`, {
    method,
    headers: { apikey: product.key, ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null, headers: answer.headers };
}
const asAda = (path: string, headers: Record<string, string> = {}) =>
  ask(path, { Authorization: `Bearer ${token}`, ...headers });
const own = () => ({ user_id: ada.id, conversion_credits: 10, assistant_credits: 5, document_limit: 200 });

test('one’s own row, in the requested columns', async () => {
  expect((await asAda('user_credits?select=*')).body).toEqual([own()]);
  expect((await asAda('user_credits?select=conversion_credits, document_limit')).body).toEqual([
    { conversion_credits: 10, document_limit: 200 },
  ]);
  const one = await asAda(`user_credits?user_id=eq.${ada.id}`, {
    Accept: 'application/vnd.pgrst.object+json',
  });
  expect([one.body, one.headers.get('content-type')]).toEqual([
    own(),
    'application/vnd.pgrst.object+json; charset=utf-8',
  ]);
});

test.each([
  ['eq.10', 1],
  ['neq.10', 0],
  ['gt.9', 1],
  ['gte.11', 0],
  ['lt.11', 1],
  ['lte.9', 0],
  ['in.(9,10,11)', 1],
  ['in.()', 0],
  ['in.("10")', 1],
  ['is.null', 0],
  ['not.is.null', 1],
  ['not.eq.10', 0],
  ['not.in.(1,2)', 1],
])('filter %s', async (filter, rows) => {
  expect((await asAda(`user_credits?conversion_credits=${filter}`)).body).toHaveLength(rows);
});

test('order, limit, offset, ranges and counts as clients expect them', async () => {
  expect((await asAda('user_credits?order=user_id.desc.nullslast,document_limit&limit=5')).body).toHaveLength(
    1,
  );
  expect((await asAda('user_credits?limit=0')).body).toEqual([]);
  const counted = await asAda('user_credits', { Prefer: 'count=exact', Range: '0-0' });
  expect([counted.status, counted.headers.get('content-range')]).toEqual([200, '0-0/1']);
  const beyond = await asAda('user_credits?offset=7', { Prefer: 'count=exact' });
  expect([beyond.status, beyond.body.code, beyond.headers.get('content-range')]).toEqual([
    416,
    'PGRST103',
    '*/1',
  ]);
  const head = await ask('page_conversion_totals?select=*', { Prefer: 'count=exact' }, 'HEAD');
  expect([head.status, head.body, head.headers.get('content-range')]).toEqual([200, null, '0-0/1']);
  expect((await asAda('user_credits', { Range: '5-2' })).status).toBe(416);
});

test('errors as PostgREST reports them', async () => {
  const code = async (answer: ReturnType<typeof ask>) => {
    const { status, body } = await answer;
    return [status, body.code];
  };
  expect(await code(ask('nothing'))).toEqual([404, 'PGRST205']);
  expect(await code(ask('credit_entries'))).toEqual([404, 'PGRST205']);
  expect(await code(ask('rpc/hook_before_user_created'))).toEqual([404, 'PGRST202']);
  expect(await code(ask('user_credits'))).toEqual([401, '42501']);
  expect(await code(asAda('user_credits?nothing=eq.1'))).toEqual([400, '42703']);
  expect(await code(asAda('user_credits?select=nothing'))).toEqual([400, '42703']);
  // the table's name means the whole row
  for (const place of ['select=user_credits', 'user_credits=eq.x', 'order=user_credits'])
    expect(await code(asAda(`user_credits?${place}`)), place).toEqual([400, 'PGRST100']);
  expect(await code(asAda('user_credits?user_id=eq.me'))).toEqual([400, '22P02']);
  expect(await code(asAda('user_credits?user_id=like.a'))).toEqual([400, 'PGRST100']);
  expect(await code(asAda('user_credits', { 'Accept-Profile': 'auth' }))).toEqual([406, 'PGRST106']);
  expect(await code(asAda('user_credits', { Accept: 'text/csv' }))).toEqual([406, 'PGRST107']);
  expect(
    await code(asAda('user_credits?user_id=is.null', { Accept: 'application/vnd.pgrst.object+json' })),
  ).toEqual([406, 'PGRST116']);
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
    expect(await code(ask('page_conversion_totals', {}, method))).toEqual([405, 'PGRST117']);
});

const injections = [
  '1;DROP TABLE user_credits',
  "1'; DROP TABLE user_credits; --",
  '1" OR "1"="1',
  'user_id) OR (1=1',
  '*,(select encrypted_password from auth.users limit 1)',
  'auth.users',
  'user_id::text',
  'a:user_id',
  'users(*)',
  'user_id->>x',
  "'||set_config('role','postgres',false)||'",
  '1 UNION SELECT id FROM auth.users',
  'pg_sleep(10)',
  '$1',
  '\u0000',
  '\\',
  'ｕser_id',
];
test.each(injections)('%j causes no injection, wherever it appears', async (attack) => {
  const given = encodeURIComponent(attack);
  const places = [
    `user_credits?select=${given}`,
    `user_credits?select=user_id,${given}`,
    `user_credits?${given}=eq.1`,
    `user_credits?user_id=eq.${given}`,
    `user_credits?user_id=in.(${given})`,
    `user_credits?user_id=not.in.("${given}")`,
    `user_credits?user_id=is.${given}`,
    `user_credits?user_id=${given}`,
    `user_credits?order=${given}`,
    `user_credits?order=user_id.${given}`,
    `user_credits?limit=${given}`,
    `user_credits?offset=${given}`,
    given,
    `user_credits;${given}`,
  ];
  for (const place of places) {
    const { status, body } = await asAda(place);
    expect([400, 404], `${place}: ${JSON.stringify(body)}`).toContain(status);
    expect(JSON.stringify(body)).not.toMatch(/argon2/);
  }
  for (const headers of [{ Range: attack }, { Prefer: attack }, { 'Accept-Profile': attack }]) {
    if (/[^\x20-\x7e]/.test(attack)) continue;
    const { status, body } = await asAda('user_credits', headers as unknown as Record<string, string>);
    if (status === 200) expect(body).toEqual([own()]);
    else expect([400, 406, 416]).toContain(status);
  }
  expect((await asAda('user_credits')).body).toEqual([own()]);
});

test('no filter reveals another user’s row', async () => {
  for (const path of [
    `user_credits?user_id=eq.${bob.id}`,
    `user_credits?user_id=neq.${ada.id}`,
    `user_credits?user_id=in.(${bob.id})`,
    `user_credits?user_id=not.in.(${ada.id})`,
    'user_credits?offset=1',
  ])
    expect((await asAda(path)).body, path).toEqual([]);
  const count = await asAda('user_credits', { Prefer: 'count=exact' });
  expect(count.headers.get('content-range')).toBe('0-0/1');
});

test('a token that is not ours identifies nobody', async () => {
  const claims = {
    sub: bob.id,
    role: 'service_role',
    aud: 'authenticated',
    session_id: crypto.randomUUID(),
    email: bob.email,
  };
  const { privateKey } = await generateKeyPair('ES256');
  const issuer = `${product.url}/auth/v1`;
  const sign = (header: { alg: string; kid?: string }, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(claims)
      .setProtectedHeader(header)
      .setIssuer(issuer)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const [head, body, signature] = token.split('.');
  const kid = JSON.parse(Buffer.from(head ?? '', 'base64url').toString()).kid as string;
  const own = JSON.parse(Buffer.from(body ?? '', 'base64url').toString()) as object;
  const forgeries = [
    await sign({ alg: 'ES256', kid }, privateKey),
    await sign({ alg: 'HS256', kid }, Buffer.from(product.key.padEnd(32, '0'))),
    `${encode({ alg: 'none' })}.${encode({ ...own, sub: bob.id })}.`,
    `${head}.${encode({ ...own, sub: bob.id })}.${signature}`,
    `${head}.${encode({ ...own, role: 'service_role' })}.${signature}`,
    `${head}.${body}.`,
    'x'.repeat(4000),
  ];
  for (const forged of forgeries) {
    const { status, body: answer } = await ask('user_credits', { Authorization: `Bearer ${forged}` });
    expect([status, answer.code]).toEqual([401, 'PGRST301']);
  }
});

test('huge numbers and long lists are answered or rejected at once', async () => {
  for (const path of ['user_credits?limit=999999999999999', 'user_credits?limit=5&offset=0'])
    expect((await asAda(path)).body, path).toEqual([own()]);
  expect((await asAda('user_credits?offset=999999999999999')).body).toEqual([]);
  for (const path of [
    'user_credits?limit=99999999999999999999999',
    'user_credits?limit=-1',
    'user_credits?offset=1e3',
  ])
    expect((await asAda(path)).body.code, path).toBe('PGRST100');
  const list = Array.from({ length: 1500 }, (_, n) => n).join(',');
  expect((await asAda(`user_credits?conversion_credits=in.(${list})`)).body).toEqual([own()]);
  expect(
    (await asAda(`user_credits?${Array.from({ length: 60 }, () => 'conversion_credits=eq.10').join('&')}`))
      .body.code,
  ).toBe('PGRST100');
  expect(
    (await asAda(`user_credits?conversion_credits=in.${'('.repeat(3000)}${')'.repeat(3000)}`)).status,
  ).toBe(400);
});

test('a page on another site reads nothing; ours may', async () => {
  const from = (origin: string) => ask('page_conversion_totals', { Origin: origin });
  expect((await from('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  expect((await from(product.url)).headers.get('access-control-allow-origin')).toBe(product.url);
});
