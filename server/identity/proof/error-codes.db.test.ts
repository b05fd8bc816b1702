// Every refusal as the client library reports it: its class, its code, its status.
import { Secret, TOTP } from 'otpauth';
import { afterAll, expect, test } from 'vitest';
import {
  claimsOf,
  makeAddress,
  sessionOf,
  startIdentityServer,
  testPassword,
  tokenOf,
} from '../../../test-support/product/identity.ts';

const product = await startIdentityServer();
const ada = await product.createAccount();
afterAll(() => product.close());

test('weak_password, with its reason', async () => {
  const { error } = await product.open().auth.signUp({ email: makeAddress(), password: 'short' });
  expect(error).toMatchObject({
    name: 'AuthWeakPasswordError',
    code: 'weak_password',
    status: 422,
    reasons: ['length'],
  });
  const changed = await ada.client.auth.updateUser({ password: 'short' });
  expect(changed.error).toMatchObject({ name: 'AuthWeakPasswordError', code: 'weak_password' });
});

test('weak_password: a common password, at a sign-up and at a change', async () => {
  for (const password of ['password', '12345678', 'Password1', 'qwertyuiop']) {
    const { error } = await product.open().auth.signUp({ email: makeAddress(), password });
    expect(error).toMatchObject({ code: 'weak_password', status: 422, reasons: ['pwned'] });
    expect(error?.message).toMatch(/most common/);
    const changed = await ada.client.auth.updateUser({ password });
    expect(changed.error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['pwned'] });
  }
});

test('reauthentication_needed: a new password needs the present one, or a recent sign-in', async () => {
  const account = await product.createAccount();
  await product.sql(
    "update auth.sessions set created_at = now() - interval '11 minutes' where user_id = $1",
    [account.id],
  );
  const change = (current_password?: string) =>
    account.client.auth.updateUser({
      password: 'a quite new password',
      ...(current_password ? { current_password } : {}),
    });
  expect((await change()).error).toMatchObject({ code: 'reauthentication_needed', status: 400 });
  expect((await change('not this one')).error).toMatchObject({ code: 'invalid_credentials' });
  await product.signIn(account);
  expect((await change(account.password)).error).toBeNull();
});

test('sign-in methods that are not offered answer with Supabase’s own codes', async () => {
  const { auth } = product.open();
  const phone = '+33612345678';
  const email = makeAddress();
  const outcomes = {
    anonymous: await auth.signInAnonymously(),
    phoneSignUp: await auth.signUp({ phone, password: testPassword }),
    phoneSignIn: await auth.signInWithPassword({ phone, password: testPassword }),
    phoneOtp: await auth.signInWithOtp({ phone }),
    phoneVerify: await auth.verifyOtp({ phone, token: '123456', type: 'sms' }),
    mailOtp: await auth.signInWithOtp({ email }),
    sso: await auth.signInWithSSO({ domain: 'example.com' }),
    idToken: await auth.signInWithIdToken({ provider: 'google', token: 'x' }),
    phoneChange: await ada.client.auth.updateUser({ phone }),
    phoneFactor: await ada.client.auth.mfa.enroll({ factorType: 'phone', phone }),
  };
  expect(
    Object.fromEntries(
      Object.entries(outcomes).map(([way, { error }]) => [way, [error?.code, error?.status]]),
    ),
  ).toEqual({
    anonymous: ['anonymous_provider_disabled', 422],
    phoneSignUp: ['phone_provider_disabled', 400],
    phoneSignIn: ['phone_provider_disabled', 400],
    phoneOtp: ['phone_provider_disabled', 400],
    phoneVerify: ['phone_provider_disabled', 400],
    mailOtp: ['otp_disabled', 422],
    sso: ['saml_provider_disabled', 404],
    idToken: ['provider_disabled', 400],
    phoneChange: ['phone_provider_disabled', 422],
    phoneFactor: ['mfa_phone_enroll_not_enabled', 422],
  });
});

test('other sites’ pages cannot make changes; programs and our own pages can', async () => {
  const { email } = await product.createAccount();
  const signIn = (headers: Record<string, string>) =>
    product.post('/token?grant_type=password', { email, password: testPassword }, headers);
  for (const Origin of ['https://evil.example', 'null', `${product.url}.evil.example`]) {
    expect([Origin, (await signIn({ Origin })).status]).toEqual([Origin, 400]);
    expect((await product.post('/recover', { email }, { Origin })).body.code).toBe('validation_failed');
  }
  expect((await signIn({ Origin: product.url })).status).toBe(200);
  expect((await signIn({})).status).toBe(200);
  const answer = await fetch(`${product.url}/auth/v1/settings`, {
    headers: { Origin: 'https://evil.example' },
  });
  expect(answer.status).toBe(200);
});

test('email_not_confirmed, only to those who know the password', async () => {
  const email = makeAddress();
  await product.open().auth.signUp({ email, password: testPassword });
  const right = await product.open().auth.signInWithPassword({ email, password: testPassword });
  expect(right.error).toMatchObject({ name: 'AuthApiError', code: 'email_not_confirmed', status: 400 });
  const wrong = await product.open().auth.signInWithPassword({ email, password: 'not this one' });
  expect(wrong.error).toMatchObject({ name: 'AuthApiError', code: 'invalid_credentials', status: 400 });
});

test('invalid_credentials: a wrong password and an unknown address get the same answer', async () => {
  const answers = await Promise.all(
    [ada.email, makeAddress()].map((email) =>
      product.open().auth.signInWithPassword({ email, password: 'not this one' }),
    ),
  );
  for (const { error } of answers)
    expect(error).toMatchObject({
      name: 'AuthApiError',
      code: 'invalid_credentials',
      status: 400,
      message: 'Invalid login credentials',
    });
});

test('session_not_found becomes “Auth session missing!”', async () => {
  const client = await product.signIn(ada);
  const { access_token: token } = sessionOf(client);
  await product.sql('delete from auth.sessions where id = $1', [claimsOf(token).session_id]);
  const { error } = await client.auth.getUser();
  expect(error).toMatchObject({ name: 'AuthSessionMissingError', message: 'Auth session missing!' });
  expect(client.events.at(-1)).toBe('SIGNED_OUT');
});

test('bad_jwt: a forged token, one signed with another key, one without signature', async () => {
  const [header, payload, signature] = sessionOf(ada.client).access_token.split('.') as [
    string,
    string,
    string,
  ];
  const claims = claimsOf(sessionOf(ada.client).access_token);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = [
    'nonsense',
    `${header}.${encode({ ...claims, sub: '00000000-0000-4000-8000-000000000000' })}.${signature}`,
    `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${encode({ alg: 'HS256', typ: 'JWT' })}.${payload}.${signature}`,
    `${header}.${payload}.${'A'.repeat(86)}`,
  ];
  for (const token of forged) {
    expect((await product.open().auth.getUser(token)).error).toMatchObject({
      name: 'AuthApiError',
      code: 'bad_jwt',
      status: 403,
    });
    expect(await product.callApi(token)).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  }
});

test('otp_expired: a link that never existed, an expired one, a replaced one', async () => {
  const follow = (token_hash: string) => product.open().auth.verifyOtp({ token_hash, type: 'recovery' });
  const without = await product.post('/verify', { type: 'recovery' });
  expect([without.status, without.body.code]).toEqual([403, 'otp_expired']);
  expect((await follow('never-was')).error).toMatchObject({
    name: 'AuthApiError',
    code: 'otp_expired',
    status: 403,
  });
  await ada.client.auth.resetPasswordForEmail(ada.email);
  const first = await product.mailbox.take(ada.email, 'recovery');
  await product.sql(
    `update auth.one_time_tokens set created_at = created_at - interval '2 hours', expires_at = expires_at - interval '2 hours'
     where user_id = $1`,
    [ada.id],
  );
  expect((await follow(first.link?.searchParams.get('token_hash') ?? '')).error?.code).toBe('otp_expired');
  await product.sql("update auth.users set recovery_sent_at = now() - interval '1 hour' where id = $1", [
    ada.id,
  ]);
  await ada.client.auth.resetPasswordForEmail(ada.email);
  const second = await product.mailbox.take(ada.email, 'recovery');
  await product.sql("update auth.users set recovery_sent_at = now() - interval '1 hour' where id = $1", [
    ada.id,
  ]);
  await ada.client.auth.resetPasswordForEmail(ada.email);
  const third = await product.mailbox.take(ada.email, 'recovery');
  expect((await follow(second.link?.searchParams.get('token_hash') ?? '')).error?.code).toBe('otp_expired');
  expect((await follow(third.link?.searchParams.get('token_hash') ?? '')).error).toBeNull();
});

test('a confirmation sent again replaces the first', async () => {
  const email = makeAddress();
  await product.open().auth.signUp({ email, password: testPassword });
  const first = tokenOf(await product.mailbox.take(email, 'signup'));
  expect((await product.open().auth.resend({ type: 'signup', email })).error).toBeNull();
  const second = tokenOf(await product.mailbox.take(email, 'signup'));
  const follow = (token_hash: string) => product.open().auth.verifyOtp({ token_hash, type: 'signup' });
  expect((await follow(first)).error?.code).toBe('otp_expired');
  expect((await follow(second)).error).toBeNull();
});

test('the word Bearer in any case, and no other word', async () => {
  const { access_token: token } = sessionOf(ada.client);
  const ask = async (authorization: string) =>
    (
      await fetch(`${product.url}/auth/v1/user`, {
        headers: { apikey: product.key, Authorization: authorization },
      })
    ).status;
  for (const word of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    expect(await ask(`${word} ${token}`)).toBe(200);
  for (const wrong of [`Basic ${token}`, token, `Bearer${token}`]) expect(await ask(wrong)).toBe(401);
});

test('an unknown provider', async () => {
  for (const provider of ['invented', 'github', 'google']) {
    const answer = await fetch(
      `${product.url}/auth/v1/authorize?provider=${provider}&code_challenge=${'c'.repeat(43)}&code_challenge_method=s256`,
      { redirect: 'manual' },
    );
    expect(answer.status).toBe(400);
    expect((await answer.json()).error_code).toMatch(
      /^(validation_failed|oauth_provider_not_supported|provider_disabled)$/,
    );
  }
});

test('an unverified factor can be removed without a second factor', async () => {
  const { client } = await product.createAccount();
  const enrolled = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (enrolled.error) throw enrolled.error;
  expect((await client.auth.mfa.unenroll({ factorId: enrolled.data.id })).error).toBeNull();
  expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
});

test('same_password', async () => {
  const { error } = await ada.client.auth.updateUser({ password: ada.password });
  expect(error).toMatchObject({ name: 'AuthApiError', code: 'same_password', status: 422 });
});

test('refresh_token_not_found', async () => {
  const { error } = await product.open().auth.refreshSession({ refresh_token: 'x' });
  expect(error).toMatchObject({ name: 'AuthApiError', code: 'refresh_token_not_found', status: 400 });
});

test('flow_state_not_found: a code that no sign-in has issued', async () => {
  const answer = await product.post('/token?grant_type=pkce', {
    auth_code: '5d4e36a4-3b2f-4b5e-9d5f-8f5f0a1b2c3d',
    code_verifier: 'v'.repeat(56),
  });
  expect([answer.status, answer.body.code]).toEqual([404, 'flow_state_not_found']);
});

test.each<[string, unknown]>([
  ['/signup', { email: 'no address', password: testPassword }],
  ['/signup', { email: `${'a'.repeat(330)}@example.com`, password: testPassword }],
  ['/signup', { password: testPassword }],
  ['/token?grant_type=password', { email: 7, password: testPassword }],
  ['/token?grant_type=refresh_token', {}],
  ['/token?grant_type=pkce', { auth_code: 'x' }],
  ['/recover', {}],
  ['/resend', { type: 'invented', email: 'ada@example.com' }],
  ['/resend', { type: 'sms', email: 'ada@example.com' }],
  ['/verify', { type: 'invented', token_hash: 'x' }],
])('validation_failed: %s %j', async (path, body) => {
  const answer = await product.post(path, body, { 'X-Supabase-Api-Version': '2024-01-01' });
  expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
  expect(answer.body.message).toEqual(expect.any(String));
});

test('e-mail and password are required before anything is sent', async () => {
  const { error } = await product.open().auth.signUp({ password: testPassword } as never);
  expect(error).toMatchObject({
    name: 'AuthInvalidCredentialsError',
    message: 'You must provide either an email or phone number and a password',
  });
});

test('bad_json, and a body that is too long', async () => {
  const send = (body: string) =>
    fetch(`${product.url}/auth/v1/signup`, {
      method: 'POST',
      headers: {
        apikey: product.key,
        'Content-Type': 'application/json',
        'X-Supabase-Api-Version': '2024-01-01',
      },
      body,
    });
  const broken = await send('{"email":');
  expect([broken.status, (await broken.json()).code]).toEqual([400, 'bad_json']);
  for (let time = 0; time < 3; time++)
    expect((await send(`{"email":"${'x'.repeat(1 << 20)}"}`)).status).toBe(413);
  // the connection of a refused request is not reused
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect((await send('{"email":')).status).toBe(400);
});

test('errors have one form for clients that name a version and those that do not', async () => {
  const body = { email: ada.email, password: 'not this one' };
  const versioned = await product.post('/token?grant_type=password', body, {
    'X-Supabase-Api-Version': '2024-01-01',
  });
  expect(versioned.body).toMatchObject({ code: 'invalid_credentials', message: expect.any(String) });
  expect(versioned.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01');
  const plain = await product.post('/token?grant_type=password', body);
  expect(plain.body).toMatchObject({ error_code: 'invalid_credentials', msg: expect.any(String) });
});

test('second factors: a wrong code, another person’s factor, a name used twice, aal2 required', async () => {
  const { client } = await product.createAccount();
  const { mfa } = client.auth;
  const enrolled = await mfa.enroll({ factorType: 'totp', friendlyName: 'telephone' });
  if (enrolled.error) throw enrolled.error;
  const factorId = enrolled.data.id;
  expect((await mfa.enroll({ factorType: 'totp', friendlyName: 'left unfinished' })).error).toBeNull();
  const again = await mfa.enroll({ factorType: 'totp', friendlyName: 'telephone' });
  expect(again.error).toMatchObject({ code: 'mfa_factor_name_conflict', status: 422 });
  const stranger = await ada.client.auth.mfa.challenge({ factorId });
  expect(stranger.error).toMatchObject({ code: 'mfa_factor_not_found', status: 404 });

  const challenge = await mfa.challenge({ factorId });
  if (challenge.error) throw challenge.error;
  const code = new TOTP({ secret: Secret.fromBase32(enrolled.data.totp.secret) });
  const right = code.generate();
  const wrong = await mfa.verify({
    factorId,
    challengeId: challenge.data.id,
    code: String((Number(right) + 1) % 1_000_000).padStart(6, '0'),
  });
  expect(wrong.error).toMatchObject({ code: 'mfa_verification_failed', status: 422 });
  await product.sql("update auth.mfa_challenges set created_at = now() - interval '1 hour' where id = $1", [
    challenge.data.id,
  ]);
  const late = await mfa.verify({ factorId, challengeId: challenge.data.id, code: right });
  expect(late.error).toMatchObject({ code: 'mfa_challenge_expired', status: 422 });
  const listed = JSON.stringify([(await mfa.listFactors()).data, (await client.auth.getUser()).data]);
  expect(listed).not.toContain(enrolled.data.totp.secret);
  const before = sessionOf(client);
  const otherSession = await product.signIn({
    email: claimsOf(before.access_token).email as string,
    password: testPassword,
  });
  const verified = await mfa.challengeAndVerify({ factorId, code: right });
  expect(verified.error).toBeNull();
  expect((await product.callApi(sessionOf(otherSession).access_token)).status).toBe(401);
  expect((await otherSession.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
  expect((await mfa.listFactors()).data?.all.map(({ id }) => id)).toEqual([factorId]);

  const email = claimsOf(before.access_token).email as string;
  const half = await product.signIn({ email, password: testPassword });
  expect((await half.auth.mfa.unenroll({ factorId })).error).toMatchObject({ code: 'insufficient_aal' });
  expect((await half.auth.updateUser({ password: 'a stolen password now' })).error).toMatchObject({
    code: 'insufficient_aal',
  });
});

test('the key set is public, and contains only public keys', async () => {
  const keys = await fetch(`${product.url}/auth/v1/.well-known/jwks.json`);
  const { keys: set } = await keys.json();
  expect(set.length).toBeGreaterThan(0);
  for (const key of set) {
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(key).not.toHaveProperty('d');
  }
});

test('/settings lists what is enabled', async () => {
  const settings = await (
    await fetch(`${product.url}/auth/v1/settings`, { headers: { apikey: product.key } })
  ).json();
  expect(settings).toMatchObject({
    external: { email: true, google: false, phone: false },
    disable_signup: false,
    mailer_autoconfirm: false,
  });
});
