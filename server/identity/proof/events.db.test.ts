// Every event that a session reports (specification, section 4), seen by the client library over HTTP.
import { Secret, TOTP } from 'otpauth';
import { afterAll, expect, test } from 'vitest';
import {
  claimsOf,
  makeAddress,
  sessionOf,
  startIdentityServer,
  type TestAccount,
  testPassword,
  tokenOf,
  waitUntil,
} from '../../../test-support/product/identity.ts';

const product = await startIdentityServer();
afterAll(() => product.close());
let ada: TestAccount;

test('INITIAL_SESSION without a session: a visitor', async () => {
  const visitor = product.open();
  await waitUntil(() => expect(visitor.events).toEqual(['INITIAL_SESSION']));
  expect(visitor.sessions).toEqual([null]);
  expect((await visitor.auth.getUser()).error).toMatchObject({
    name: 'AuthSessionMissingError',
    message: 'Auth session missing!',
  });
});

test('signing up reports nothing before the address is confirmed; the link in the mail then reports SIGNED_IN', async () => {
  const email = makeAddress();
  const client = product.open();
  await client.auth.getSession();
  const { data, error } = await client.auth.signUp({ email, password: testPassword });
  expect([error, data.session]).toEqual([null, null]);
  expect(data.user).toMatchObject({ email, role: 'authenticated', aud: 'authenticated' });
  expect(client.events).toEqual(['INITIAL_SESSION']);

  const mail = await product.mailbox.take(email, 'signup');
  expect(mail.link?.href).toMatch(/^http:\/\/localhost:\d+\/auth\/confirm\?/);
  const verified = await client.auth.verifyOtp({ token_hash: tokenOf(mail), type: 'signup' });
  expect(verified.error).toBeNull();
  expect(client.events).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
  expect(sessionOf(client)).toMatchObject({ token_type: 'bearer', user: { email } });
  ada = { client, id: verified.data.user?.id ?? '', email, password: testPassword };
});

test('the session has the specified fields, and its token states who signed in and how', async () => {
  const session = sessionOf(ada.client);
  expect(session.expires_in).toBe(3600);
  const { data, error } = await ada.client.auth.getClaims();
  expect(error).toBeNull();
  expect(data?.header).toMatchObject({ alg: 'ES256' });
  expect(session.expires_at).toBe(data?.claims.exp);
  expect((data?.claims.exp ?? 0) - (data?.claims.iat ?? 0)).toBe(3600);
  expect(data?.claims).toMatchObject({
    sub: ada.id,
    email: ada.email,
    role: 'authenticated',
    aud: 'authenticated',
    aal: 'aal1',
    iss: `${product.url}/auth/v1`,
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    is_anonymous: false,
  });
});

test('INITIAL_SESSION with a session: the page is reloaded', async () => {
  const reloaded = product.open({ storage: ada.client.storage });
  await waitUntil(() => expect(reloaded.events).toContain('INITIAL_SESSION'));
  expect(reloaded.sessions[reloaded.events.indexOf('INITIAL_SESSION')]?.user.id).toBe(ada.id);
});

test('TOKEN_REFRESHED: new tokens of the same session', async () => {
  const before = sessionOf(ada.client);
  const { data, error } = await ada.client.auth.refreshSession();
  expect(error).toBeNull();
  expect(ada.client.events.at(-1)).toBe('TOKEN_REFRESHED');
  expect(data.session?.refresh_token).not.toBe(before.refresh_token);
  expect(claimsOf(data.session?.access_token).session_id).toBe(claimsOf(before.access_token).session_id);
});

test('USER_UPDATED: what users change about themselves is stored', async () => {
  const { data, error } = await ada.client.auth.updateUser({ data: { name: 'Ada' } });
  expect(error).toBeNull();
  expect(data.user?.user_metadata).toMatchObject({ name: 'Ada' });
  expect(ada.client.events.at(-1)).toBe('USER_UPDATED');
  expect((await ada.client.auth.getUser()).data.user?.user_metadata).toMatchObject({ name: 'Ada' });
});

test('MFA_CHALLENGE_VERIFIED: a second factor raises the session to aal2, and a refresh keeps it there', async () => {
  const { auth, events } = ada.client;
  const enrolled = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'telephone' });
  if (enrolled.error) throw enrolled.error;
  const { id, totp } = enrolled.data;
  expect(totp.qr_code).toContain('<svg');
  expect(totp.uri).toMatch(/^otpauth:\/\/totp\//);
  const challenge = await auth.mfa.challenge({ factorId: id });
  if (challenge.error) throw challenge.error;
  const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate();
  const verified = await auth.mfa.verify({ factorId: id, challengeId: challenge.data.id, code });
  expect(verified.error).toBeNull();
  expect(events.at(-1)).toBe('MFA_CHALLENGE_VERIFIED');
  expect(claimsOf(sessionOf(ada.client).access_token)).toMatchObject({
    aal: 'aal2',
    amr: expect.arrayContaining([expect.objectContaining({ method: 'totp' })]),
  });
  expect((await auth.mfa.listFactors()).data?.totp.map((factor) => factor.id)).toEqual([id]);
  await auth.refreshSession();
  expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
  });
  expect((await auth.mfa.unenroll({ factorId: id })).error).toBeNull();
  await auth.refreshSession();
  expect(claimsOf(sessionOf(ada.client).access_token)).toMatchObject({ aal: 'aal1' });
});

test('PASSWORD_RECOVERY: the link in the mail signs in on any device, and the new password is valid', async () => {
  const { error } = await ada.client.auth.resetPasswordForEmail(ada.email, {
    redirectTo: `${product.url}/reset-password`,
  });
  expect(error).toBeNull();
  const mail = await product.mailbox.take(ada.email, 'recovery');
  expect(mail.link?.pathname).toBe('/reset-password');
  const otherDevice = product.open();
  await otherDevice.auth.getSession();
  const verified = await otherDevice.auth.verifyOtp({ token_hash: tokenOf(mail), type: 'recovery' });
  expect(verified.error).toBeNull();
  expect(otherDevice.events).toEqual(['INITIAL_SESSION', 'PASSWORD_RECOVERY']);

  const changed = await otherDevice.auth.updateUser({ password: 'another horse, another staple' });
  expect(changed.error).toBeNull();
  ada.password = 'another horse, another staple';
  const fresh = await product.signIn(ada);
  expect(fresh.events).toContain('SIGNED_IN');
});

test('SIGNED_OUT: nothing stays in the browser', async () => {
  const client = await product.signIn(ada);
  const { access_token: token } = sessionOf(client);
  expect((await product.callApi(token)).status).toBe(200);
  expect((await client.auth.signOut({ scope: 'local' })).error).toBeNull();
  expect(client.events.at(-1)).toBe('SIGNED_OUT');
  expect([...client.storage.keys()]).toEqual([]);
  expect(await product.callApi(token)).toEqual({ status: 401, code: 'UNAUTHORIZED' });
});

test('every event in the specification was seen', () => {
  expect(new Set(ada.client.events)).toEqual(
    new Set(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'MFA_CHALLENGE_VERIFIED']),
  );
});
