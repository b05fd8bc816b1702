// Malicious requests: bodies that no form makes, rights that nobody granted, addresses that look alike. Every
// one is refused, never a server error, and none of it reaches the log.
import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import {
  type Answer,
  makeAddress,
  sessionOf,
  startIdentityServer,
  testPassword,
  tokenOf,
} from '../../../test-support/product/identity.ts';

/** Part of everything that is sent, so that the log can be searched for it. */
const marker = 'zqmarkerqz';
const product = await startIdentityServer();
const [ada, eve] = await Promise.all([product.createAccount(), product.createAccount()]);
afterAll(() => product.close());

/** A call to /auth/v1 with exactly this body, as eve. */
async function send(method: string, path: string, body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${product.url}/auth/v1${path}`, {
    method,
    headers: {
      apikey: product.key,
      Authorization: `Bearer ${sessionOf(eve.client).access_token}`,
      'Content-Type': 'application/json',
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const loginWith = (email: string) =>
  send('POST', '/token?grant_type=password', `{"email":${email},"password":"x"}`);

test('a body with wrong types, invalid characters or endless nesting is refused', async () => {
  const nul = `"${marker}\\u0000@example.com"`;
  const lone = `"\\ud800${marker}"`;
  const deep = (depth: number) => `${'['.repeat(depth)}"${marker}"${']'.repeat(depth)}`;
  const long = JSON.stringify(`${marker}${'x'.repeat(20_000)}@example.com`);
  const odd = [
    '[]',
    '{}',
    '1',
    'null',
    'true',
    '["a@example.com"]',
    '{"$ne":null}',
    nul,
    lone,
    long,
    deep(1_500),
  ];
  for (const value of odd) {
    expect((await loginWith(value)).status, value).toBe(400);
    for (const [method, path, body] of [
      ['POST', '/signup', `{"email":${value},"password":"long enough"}`],
      [
        'POST',
        '/signup',
        `{"email":"${makeAddress()}","password":"long enough","data":{"a":${value},"__proto__":1}}`,
      ],
      ['POST', '/signup', value],
      ['POST', '/recover', `{"email":${value}}`],
      ['POST', '/resend', `{"type":"signup","email":${value}}`],
      ['POST', '/verify', `{"type":"signup","token_hash":${value}}`],
      ['POST', '/token?grant_type=refresh_token', `{"refresh_token":${value}}`],
      ['POST', '/token?grant_type=pkce', `{"auth_code":${value},"code_verifier":${value}}`],
      ['PUT', '/user', `{"data":{"a":${value}}}`],
      ['PUT', '/user', `{"email":${value}}`],
      ['PUT', '/user', `{"current_password":${value}}`],
      ['POST', '/factors', `{"factor_type":"totp","friendly_name":${value},"issuer":${value}}`],
    ] as const) {
      const { status, text } = await send(method, path, body);
      expect(status, `${method} ${path} ${body.slice(0, 100)}: ${text}`).toBeLessThan(500);
    }
  }
  for (const body of ['', '{', '\u0000', deep(16_000)])
    expect((await send('POST', '/signup', body)).status, body.slice(0, 20)).toBe(400);
  expect(product.readLog()).not.toContain(marker);
});

test('an upgrade to an unknown address ends only its own connection', async () => {
  const { hostname, port } = new URL(product.address);
  for (const target of ['//', '///', 'http://', '/\\', '//[', '/realtime/v1/websocket?vsn=%']) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
      socket.resume();
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
    });
  }
  expect((await fetch(new URL('/healthz', product.address))).status).toBe(200);
});

test('rights cannot be requested: role, confirmation, server metadata, ids', async () => {
  const forged = {
    id: ada.id,
    role: 'service_role',
    aud: 'service',
    is_super_admin: true,
    email_confirmed_at: '2020-01-01T00:00:00Z',
    confirmed_at: '2020-01-01T00:00:00Z',
    banned_until: null,
    app_metadata: { role: 'admin', providers: ['google'] },
    raw_app_meta_data: { role: 'admin' },
    user_metadata: { role: 'admin' },
  };
  const email = makeAddress();
  const made = await product.post('/signup', { ...forged, email, password: testPassword, data: forged });
  const [row] = await product.sql(
    'select id, role, aud, email_confirmed_at, raw_app_meta_data from auth.users where email = $1',
    [email],
  );
  expect(made.status).toBe(200);
  expect(row).toMatchObject({
    role: 'authenticated',
    aud: 'authenticated',
    email_confirmed_at: null,
    raw_app_meta_data: { provider: 'email', providers: ['email'] },
  });
  expect(row?.id).not.toBe(ada.id);

  const { status } = await send('PUT', '/user', JSON.stringify({ ...forged, data: forged }));
  expect(status).toBe(200);
  const { data } = await eve.client.auth.refreshSession();
  const claims = JSON.parse(
    Buffer.from(data.session?.access_token.split('.')[1] ?? '', 'base64url').toString(),
  );
  expect(claims).toMatchObject({
    sub: eve.id,
    role: 'authenticated',
    aud: 'authenticated',
    app_metadata: { provider: 'email', providers: ['email'] },
  });
  expect(data.user).toMatchObject({ id: eve.id, role: 'authenticated' });
});

test('a token of another kind opens nothing', async () => {
  const recover = async () => {
    await product.post('/recover', { email: ada.email });
    return tokenOf(await product.mailbox.take(ada.email, 'recovery'));
  };
  const token_hash = await recover();
  for (const type of ['signup', 'email', 'email_change', 'magiclink', 'invite', 'sms', 'phone_change'])
    expect((await product.post('/verify', { type, token_hash })).status, type).toBeGreaterThanOrEqual(400);
  const theirs = sessionOf(ada.client);
  for (const bearer of [
    product.key,
    theirs.refresh_token,
    token_hash,
    '',
    'null',
    `${theirs.access_token}x`,
  ]) {
    const headers = { Authorization: `Bearer ${bearer}`, apikey: product.key };
    const answers = [
      await fetch(`${product.url}/auth/v1/user`, { headers }),
      await fetch(new URL('/api/v1/account/sessions', product.address), { headers }),
    ];
    for (const answer of answers) expect([401, 403], bearer.slice(0, 12)).toContain(answer.status);
  }
  for (const refresh_token of [theirs.access_token, token_hash, product.key])
    expect((await product.post('/token?grant_type=refresh_token', { refresh_token })).status).toBe(400);
  // after all of that, the link still works
  expect((await product.post('/verify', { type: 'recovery', token_hash })).status).toBe(200);
});

test('no request reveals whether an address has an account', async () => {
  const strip = ({ status, body, headers }: Answer) => ({
    status,
    body: JSON.stringify(body)
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replace(/ada-[0-9a-f]{10}@example\.com/g, 'address'),
    headers: [...headers]
      .filter(([name]) => !['date', 'x-request-id'].includes(name))
      .map(([name, value]) => `${name}: ${name === 'content-length' ? '' : value}`),
  });
  const unconfirmed = makeAddress();
  await product.post('/signup', { email: unconfirmed, password: testPassword });
  for (const [path, body] of [
    ['/signup', { password: 'somebody else’s choice' }],
    ['/recover', {}],
    ['/resend', { type: 'signup' }],
    ['/resend', { type: 'email_change' }],
    ['/token?grant_type=password', { password: 'a wrong guess' }],
  ] as const) {
    const nobody = strip(await product.post(path, { email: makeAddress(), ...body }));
    for (const email of [eve.email, unconfirmed])
      expect(strip(await product.post(path, { email, ...body })), path).toEqual(nobody);
  }
});

test('addresses that look alike are one account or refused, never a second account of the same person', async () => {
  const id = makeAddress().slice(4, 14);
  const email = `mike-${id}@example.com`;
  await product.createAccount({ email });
  const twins = [
    email.toUpperCase(),
    ` ${email}\t`,
    email.replace('k', '\u212a'),
    email.replace('mike', 'm\u0130ke'),
    email.replace('mike', 'm\u0456ke'),
    email.replace('e-', 'e\u0301-'),
    email.replace('e-', '\u00e9-'),
    email.replace('example', 'ex\u00aample'),
    `${email}.`,
    email.replace('@', '\uff20'),
    `"${email.replace('@', '"@')}`,
    email.replace('@', '@\u200b'),
    `${email}\r\nBcc: eve@example.com`,
    `Mike <${email}>`,
    `${email},eve@example.com`,
  ];
  for (const twin of twins) await product.post('/signup', { email: twin, password: testPassword });
  const rows = await product.sql('select email from auth.users where email like $1', [`%${id}%`]);
  expect(rows).toEqual([{ email }]);
  const others = product.mailbox.mails.filter((mail) => mail.to.includes(id) && mail.to !== email);
  expect(others).toEqual([]);
});

test('a disposable address cannot be changed to, either', async () => {
  const email = `${makeAddress().split('@')[0]}@mailinator.com`;
  const changed = await eve.client.auth.updateUser({ email });
  expect(changed.error).toMatchObject({ code: 'email_address_invalid' });
});

test('free credits come once per mailbox: not again in another spelling, nor after a change of address', async () => {
  const name = makeAddress().slice(4, 14);
  const creditsOf = async (id: string) =>
    (await product.sql('select conversion_credits from user_credits where user_id = $1', [id]))[0];
  const first = await product.createAccount({ email: `${name}@gmail.com` });
  expect(await creditsOf(first.id)).toEqual({ conversion_credits: 10 });
  await product.sql('delete from auth.users where id = $1', [first.id]);
  const second = await product.createAccount({ email: `${name[0]}.${name.slice(1)}@googlemail.com` });
  expect(await creditsOf(second.id)).toEqual({ conversion_credits: 0 });
  // as an external Supabase changes an address: it applies no rules
  await product.sql('update auth.users set email = $2 where id = $1', [second.id, `${name}@mailinator.com`]);
  expect(await creditsOf(second.id)).toEqual({ conversion_credits: 0 });
});

test('two accounts that change to one address at once: one gets it, the other is refused', async () => {
  const wanted = makeAddress();
  const movers = await Promise.all([product.createAccount(), product.createAccount()]);
  const links: string[] = [];
  for (const mover of movers) {
    const { error } = await mover.client.auth.updateUser({ email: wanted });
    expect(error).toBeNull();
    const agreed = await product.post('/verify', {
      type: 'email_change',
      token_hash: tokenOf(await product.mailbox.take(mover.email, 'email_change')),
    });
    expect(agreed.status).toBe(200);
    links.push(tokenOf(await product.mailbox.take(wanted, 'email_change')));
  }
  const answers = await Promise.all(
    links.map((token_hash) => product.post('/verify', { type: 'email_change', token_hash })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(await product.sql('select count(*)::int from auth.users where email = $1', [wanted])).toEqual([
    { count: 1 },
  ]);
});

test('a mailbox that can be written in many ways cannot be flooded by many requests', async () => {
  const limited = await startIdentityServer({ AUTH_LIMIT_FACTOR: '1', TRUSTED_PROXIES: '1' });
  try {
    const name = makeAddress().slice(4, 14);
    const statuses: number[] = [];
    for (let dot = 1; dot < name.length; dot++)
      for (const domain of ['gmail.com', 'googlemail.com']) {
        const email = `${name.slice(0, dot)}.${name.slice(dot)}@${domain}`;
        const from = { 'X-Forwarded-For': `203.0.113.${statuses.length}` };
        statuses.push((await limited.post('/signup', { email, password: testPassword }, from)).status);
      }
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.at(-1)).toBe(429);
    // flooding a mailbox with sign-ups must not use up the mails that its owner needs
    const owner = { email: `${name}@gmail.com` };
    const recovery = await limited.post('/recover', owner, { 'X-Forwarded-For': '198.51.100.1' });
    expect(recovery.status).toBe(200);
  } finally {
    await limited.close();
  }
});

test('the log of all this contains no names and no secrets', async () => {
  const log = product.readLog();
  const session = sessionOf(ada.client);
  for (const secret of [ada.email, eve.email, testPassword, session.refresh_token, session.access_token])
    expect(log).not.toContain(secret);
  for (const pattern of [/token_hash/, /@example\.com/, /argon2/, /eyJ[\w-]{10}/])
    expect(log).not.toMatch(pattern);
});
