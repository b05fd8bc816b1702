import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthRig, goodPassword, startAuthRig } from './testing.ts';

let rig: AuthRig;
beforeAll(async () => {
  rig = await startAuthRig();
});
afterAll(() => rig.close());

test('sign up, follow the link, read oneself, sign in, refresh, log out', async () => {
  const made = await rig.signUp('Ada@Example.com', goodPassword);
  expect(made).toMatchObject({ status: 200, body: { email: 'ada@example.com', role: 'authenticated' } });
  expect(made.body).not.toHaveProperty('access_token');
  expect(await rig.signIn('ada@example.com', goodPassword)).toMatchObject({
    status: 400,
    body: { code: 'email_not_confirmed', error_code: 'email_not_confirmed' },
  });

  const token_hash = await rig.tokenFrom('ada@example.com', 'signup');
  const verified = await rig.call('POST', '/verify', { body: { type: 'signup', token_hash } });
  expect(verified).toMatchObject({
    status: 200,
    body: { token_type: 'bearer', expires_in: 3600, user: { id: made.body.id, email: 'ada@example.com' } },
  });
  const again = await rig.call('POST', '/verify', { body: { type: 'signup', token_hash } });
  expect(again).toMatchObject({ status: 403, body: { code: 'otp_expired' } });

  const session = await rig.signIn('ADA@example.com', goodPassword);
  expect(session.status).toBe(200);
  expect(session.headers.get('Cache-Control')).toBe('no-store');
  const me = await rig.call('GET', '/user', { token: session.body.access_token });
  expect(me.body).toMatchObject({ id: made.body.id, app_metadata: { providers: ['email'] } });
  expect(JSON.stringify(me.body)).not.toContain('argon2');

  const refreshed = await rig.refresh(session.body.refresh_token);
  expect(refreshed.status).toBe(200);
  expect(refreshed.body.refresh_token).not.toBe(session.body.refresh_token);

  const out = await rig.call('POST', '/logout?scope=local', { token: refreshed.body.access_token });
  expect(out.status).toBe(204);
  expect(await rig.call('GET', '/user', { token: refreshed.body.access_token })).toMatchObject({
    status: 403,
    body: { code: 'session_not_found' },
  });
  expect(await rig.refresh(refreshed.body.refresh_token)).toMatchObject({
    body: { code: 'refresh_token_not_found' },
  });
  // the session that the link opened is another one
  const other = await rig.call('GET', '/user', { token: verified.body.access_token });
  expect(other.status).toBe(200);
});
