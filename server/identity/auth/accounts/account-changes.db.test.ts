// Changes to an account, over plain HTTP: who is notified, what stops working, and what an onlooker can learn.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthRig, goodPassword, startAuthRig } from '../testing.ts';

let rig: AuthRig;
beforeAll(async () => {
  rig = await startAuthRig({ REDIRECT_URLS: 'https://partner.example.org/back' });
});
afterAll(() => rig.close());

/** The same answer, apart from ids and times. */
function shapeOf(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replace(/[a-z]+@example\.com/g, 'address'),
  );
}

test('signing up with a taken address is answered as for a new one, even twice; its owner is notified', async () => {
  await rig.createUser('taken@example.com');
  const ask = (email: string) =>
    rig.call('POST', '/signup', {
      body: { email, password: 'an attacker’s own', data: { z: 1, aa: 2, y: 3 } },
    });
  const fresh = await ask('fresh@example.com');
  const freshAgain = await ask('fresh@example.com');
  const taken = await ask('taken@example.com');
  const takenAgain = await ask('taken@example.com');
  for (const answer of [freshAgain, taken, takenAgain]) {
    expect(answer.status).toBe(fresh.status);
    expect(shapeOf(answer.body)).toEqual(shapeOf(fresh.body));
    expect(JSON.stringify(shapeOf(answer.body))).toBe(JSON.stringify(shapeOf(fresh.body)));
  }
  // a changed id or an unchanged time would give the difference away
  expect(freshAgain.body.id).toBe(fresh.body.id);
  expect(takenAgain.body.id).toBe(taken.body.id);
  for (const [first, second] of [
    [fresh, freshAgain],
    [taken, takenAgain],
  ])
    expect(Date.parse(second?.body.created_at)).toBeGreaterThan(Date.parse(first?.body.created_at));

  const mails = await rig.mailsTo('taken@example.com', 3);
  expect(mails.map(({ purpose }) => purpose)).toEqual(['signup', 'account_exists', 'account_exists']);
  expect((await rig.signIn('taken@example.com', goodPassword)).status).toBe(200);
  expect((await rig.signIn('taken@example.com', 'an attacker’s own')).status).toBe(400);
});

test('a new password ends the other sessions, keeps this one, and voids reset links', async () => {
  const here = await rig.createUser('grace@example.com');
  const there = (await rig.signIn('grace@example.com', goodPassword)).body;
  await rig.call('POST', '/recover', { body: { email: 'grace@example.com' } });
  const reset = await rig.tokenFrom('grace@example.com', 'recovery', 2);
  const put = (body: object) => rig.call('PUT', '/user', { token: here.access_token, body });

  expect(await put({ password: 'short' })).toMatchObject({
    status: 422,
    body: { code: 'weak_password', weak_password: { reasons: ['length'] } },
  });
  expect(await put({ password: goodPassword })).toMatchObject({
    status: 422,
    body: { code: 'same_password' },
  });
  expect(await put({ password: 'a new password', current_password: 'not it' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_credentials' },
  });
  const long = `${'long pass phrase '.repeat(6)} of 102 characters`;
  expect((await put({ password: long, current_password: goodPassword })).status).toBe(200);

  expect((await rig.call('GET', '/user', { token: there.access_token })).body.code).toBe('session_not_found');
  expect((await rig.refresh(there.refresh_token)).body.code).toBe('refresh_token_not_found');
  expect((await rig.call('GET', '/user', { token: here.access_token })).status).toBe(200);
  expect((await rig.refresh(here.refresh_token)).status).toBe(200);
  const void_ = await rig.call('POST', '/verify', { body: { type: 'recovery', token_hash: reset } });
  expect(void_.body.code).toBe('otp_expired');
  expect((await rig.signIn('grace@example.com', long.slice(0, 72))).status).toBe(400);
  expect((await rig.signIn('grace@example.com', long)).status).toBe(200);
  const mails = await rig.mailsTo('grace@example.com', 3);
  expect(mails.at(-1)?.purpose).toBe('password_changed');
});

test('a new address is set once both have confirmed; the former one is notified, and its links are void', async () => {
  const session = await rig.createUser('old@example.com');
  const { access_token: token } = session;
  await rig.createUser('other@example.com');
  expect(await rig.call('PUT', '/user', { token, body: { email: 'Other@example.com' } })).toMatchObject({
    status: 422,
    body: { code: 'email_exists' },
  });
  const response = await rig.call('PUT', '/user', { token, body: { email: 'new@example.com' } });
  expect(response.body).toMatchObject({ email: 'old@example.com', new_email: 'new@example.com' });
  const forNew = await rig.tokenFrom('new@example.com', 'email_change_new');
  const forOld = await rig.tokenFrom('old@example.com', 'email_change_current', 2);
  const verify = (type: string, token_hash: string) =>
    rig.call('POST', '/verify', { body: { type, token_hash } });
  // valid for its own purpose only, and still valid after an attempt for another
  expect((await verify('signup', forNew)).body.code).toBe('otp_expired');
  expect((await verify('email_change', forNew)).body).toEqual({ code: 200, msg: expect.any(String) });
  expect((await verify('email_change', forNew)).body.code).toBe('otp_expired');
  expect((await rig.signIn('old@example.com', goodPassword)).status).toBe(200);
  await rig.call('POST', '/recover', { body: { email: 'old@example.com' } });
  const reset = await rig.tokenFrom('old@example.com', 'recovery', 3);

  const done = await verify('email_change', forOld);
  expect(done.body.user).toMatchObject({ email: 'new@example.com', id: session.user.id });
  expect((await rig.signIn('new@example.com', goodPassword)).status).toBe(200);
  expect((await rig.signIn('old@example.com', goodPassword)).body.code).toBe('invalid_credentials');
  expect((await verify('recovery', reset)).body.code).toBe('otp_expired');
  const mails = await rig.mailsTo('old@example.com', 4);
  expect(mails.at(-1)).toMatchObject({
    purpose: 'email_changed',
    text: expect.stringContaining('new@example.com'),
  });
});

test('someone who created an account without owning the mailbox gains nothing from its owner’s reset', async () => {
  await rig.signUp('victim@example.com', 'the attacker’s password');
  await rig.call('POST', '/recover', { body: { email: 'victim@example.com' } });
  const token_hash = await rig.tokenFrom('victim@example.com', 'recovery', 2);
  const owner = await rig.call('POST', '/verify', { body: { type: 'recovery', token_hash } });
  expect(owner.status).toBe(200);
  expect((await rig.signIn('victim@example.com', 'the attacker’s password')).body.code).toBe(
    'invalid_credentials',
  );
});

test('links expire', async () => {
  await rig.signUp('late@example.com', goodPassword);
  const token_hash = await rig.tokenFrom('late@example.com', 'signup');
  await rig.sql.query("UPDATE auth.one_time_tokens SET expires_at = now() - interval '1 second'");
  const verified = await rig.call('POST', '/verify', { body: { type: 'signup', token_hash } });
  expect(verified).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
});

test('links lead to our own pages, whatever host and return address the request names', async () => {
  await rig.call('POST', '/signup?redirect_to=https%3A%2F%2Fevil.example%2F', {
    body: { email: 'linked@example.com', password: goodPassword },
    headers: { 'X-Forwarded-Host': 'evil.example' },
  });
  const [mail] = await rig.mailsTo('linked@example.com');
  expect(mail?.text).toContain(
    `http://localhost:${new URL(rig.server.address).port}/auth/confirm?token_hash=`,
  );
  expect(`${mail?.text}${mail?.html}`).not.toContain('evil.example');
});

test('requests for mail are answered the same whether or not the account exists', async () => {
  for (const [path, body] of [
    ['/recover', { email: 'nobody@example.com' }],
    ['/resend', { type: 'signup', email: 'nobody@example.com' }],
    ['/resend', { type: 'email_change', email: 'nobody@example.com' }],
  ] as const)
    expect(await rig.call('POST', path, { body })).toMatchObject({ status: 200, body: {} });
});

test('logging out: this session, the others, all', async () => {
  const first = await rig.createUser('out@example.com');
  const second = (await rig.signIn('out@example.com', goodPassword)).body;
  const third = (await rig.signIn('out@example.com', goodPassword)).body;
  const isIn = async (session: { access_token: string }) =>
    (await rig.call('GET', '/user', { token: session.access_token })).status === 200;
  const leave = (session: { access_token: string }, scope: string) =>
    rig.call('POST', `/logout?scope=${scope}`, { token: session.access_token });
  expect((await leave(first, 'elsewhere')).body.code).toBe('validation_failed');
  expect((await leave(first, 'local')).status).toBe(204);
  expect([await isIn(first), await isIn(second), await isIn(third)]).toEqual([false, true, true]);
  await leave(second, 'others');
  expect([await isIn(second), await isIn(third)]).toEqual([true, false]);
  await leave(second, 'global');
  expect(await isIn(second)).toBe(false);
});

test('only our pages and those of REDIRECT_URLS may call from a browser', async () => {
  const preflight = (origin: string) =>
    rig.call('OPTIONS', '/token', {
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });
  for (const origin of [rig.server.address, 'https://partner.example.org']) {
    const { headers } = await preflight(origin);
    expect(headers.get('Access-Control-Allow-Origin')).toBe(origin);
    for (const name of ['authorization', 'apikey', 'x-client-info', 'x-supabase-api-version', 'content-type'])
      expect(headers.get('Access-Control-Allow-Headers')).toContain(name);
    const answer = await rig.call('GET', '/user', { headers: { Origin: origin } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('x-supabase-api-version');
    expect(answer.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01');
  }
  for (const origin of ['https://evil.example', 'null', 'https://partner.example.org.evil.example']) {
    expect((await preflight(origin)).headers.get('Access-Control-Allow-Origin')).toBeNull();
    const answer = await rig.call('GET', '/settings', { headers: { Origin: origin } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
  }
});

test.each([
  ['not json', '{', 'bad_json'],
  ['an array', '[]', 'validation_failed'],
  ['no address', '{"password":"correct horse"}', 'validation_failed'],
  ['an address that is none', '{"email":"ada","password":"correct horse"}', 'validation_failed'],
  ['an address as an object', '{"email":{"$ne":""},"password":"correct horse"}', 'validation_failed'],
  [
    'metadata without end',
    JSON.stringify({ email: 'a@example.com', password: goodPassword, data: { a: 'x'.repeat(9000) } }),
    'validation_failed',
  ],
  ['a plus alias', '{"email":"ada+1@gmail.com","password":"correct horse"}', 'email_address_invalid'],
])('a sign-up with %s is rejected with its code', async (_what, body, code) => {
  const answer = await rig.call('POST', '/signup', { body });
  expect(answer).toMatchObject({ status: 400, body: { code, error_code: code } });
  expect(answer.body.msg).toBe(answer.body.message);
});
