// Concurrent requests: what may happen once happens once, even if requested 20 times; and if one request ends what
// another starts, in whichever order, no session is left that should have ended.
import { Secret, TOTP } from 'otpauth';
import { afterAll, expect, test } from 'vitest';
import {
  type Answer,
  makeAddress,
  race,
  sessionOf,
  startIdentityServer,
  testPassword,
  tokenOf,
} from '../../../test-support/product/identity.ts';

const product = await startIdentityServer();
afterAll(() => product.close());

/** Follows one link 20 times at once, as 20 clients do. */
const followAtOnce = (token: string, type: 'signup' | 'recovery' | 'email_change') =>
  race(20, () => product.open().auth.verifyOtp({ token_hash: token, type }));

test('one reset link', async () => {
  const { client, email } = await product.createAccount();
  await client.auth.resetPasswordForEmail(email);
  const token = tokenOf(await product.mailbox.take(email, 'recovery'));
  const results = await followAtOnce(token, 'recovery');
  expect(results.filter(({ data }) => data.session !== null).length).toBe(1);
  expect(results.flatMap(({ error }) => (error ? [error.code] : []))).toEqual(Array(19).fill('otp_expired'));
});

test('one confirmation of a sign-up, and one grant of free credits', async () => {
  const email = makeAddress();
  const { data } = await product.open().auth.signUp({ email, password: testPassword });
  const token = tokenOf(await product.mailbox.take(email, 'signup'));
  const results = await followAtOnce(token, 'signup');
  const winners = results.filter(({ data: { session } }) => session !== null);
  expect(winners.length).toBe(1);
  expect(winners[0]?.data.user?.id).toBe(data.user?.id);
  expect(results.flatMap(({ error }) => (error ? [error.code] : []))).toEqual(Array(19).fill('otp_expired'));
  const credits = await product.sql(
    'select conversion_credits, assistant_credits, document_limit from user_credits where user_id = $1',
    [data.user?.id],
  );
  expect(credits).toEqual([{ conversion_credits: 10, assistant_credits: 5, document_limit: 200 }]);
  const grants = await product.sql('select kind from credit_entries where user_id = $1', [data.user?.id]);
  expect(grants).toEqual([{ kind: 'grant' }]);
});

test('one change of the address: each link counts once', async () => {
  const { client, email, id } = await product.createAccount();
  const wanted = makeAddress();
  expect((await client.auth.updateUser({ email: wanted })).error).toBeNull();
  const current = tokenOf(await product.mailbox.take(email, 'email_change'));
  const first = await followAtOnce(current, 'email_change');
  expect(first.filter(({ error }) => error === null).length).toBe(1);
  expect(await product.sql('select email from auth.users where id = $1', [id])).toEqual([{ email }]);

  const replacement = tokenOf(await product.mailbox.take(wanted, 'email_change'));
  const second = await followAtOnce(replacement, 'email_change');
  expect(second.filter(({ error }) => error === null).length).toBe(1);
  expect(second.flatMap(({ error }) => (error ? [error.code] : []))).toEqual(Array(19).fill('otp_expired'));
  expect(await product.sql('select email from auth.users where id = $1', [id])).toEqual([{ email: wanted }]);
});

test('one code of a second factor', async () => {
  const { client } = await product.createAccount();
  const enrolled = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (enrolled.error) throw enrolled.error;
  const { id, totp } = enrolled.data;
  const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate();
  const bearer = { Authorization: `Bearer ${sessionOf(client).access_token}` };
  const challenges = await race(20, () => product.post(`/factors/${id}/challenge`, {}, bearer));
  const answers = await race(20, (index) =>
    product.post(`/factors/${id}/verify`, { challenge_id: challenges[index]?.body.id, code }, bearer),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  expect(
    answers
      .filter(({ status }) => status !== 200)
      .map(({ body }) => body.code)
      .filter((found) => found !== 'mfa_verification_failed'),
  ).toEqual([]);
});

test('one sign-up of one address makes one account', async () => {
  const email = makeAddress();
  const answers = await race(10, () => product.post('/signup', { email, password: testPassword }));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect((await product.sql('select 1 from auth.users where email = $1', [email])).length).toBe(1);
});

const refresh = (refresh_token: string) => product.post('/token?grant_type=refresh_token', { refresh_token });
const signIn = (email: string, password: string) =>
  product.post('/token?grant_type=password', { email, password });

/** As `./inkproof user ban` does it. */
async function ban(id: string): Promise<void> {
  await product.sql(
    `with banned as (update auth.users set banned_until = now() + interval '1 day' where id = $1 returning id)
     select from banned`,
    [id],
  );
  await product.sql('delete from auth.sessions where user_id = $1', [id]);
}

/** No token in the responses is valid. */
async function expectWorthless(answers: Answer[]): Promise<void> {
  for (const { body } of answers) {
    if (typeof body.access_token !== 'string') continue;
    expect([401, 403]).toContain((await product.callApi(body.access_token)).status);
    expect((await refresh(String(body.refresh_token))).status).toBe(400);
  }
}

test('a ban during renewals and sign-ins leaves no session', async () => {
  for (let round = 0; round < 4; round++) {
    const { client, id, email } = await product.createAccount();
    const token = sessionOf(client).refresh_token;
    const [, ...answers] = await Promise.all([
      ban(id),
      refresh(token),
      signIn(email, testPassword),
      refresh(token),
    ]);
    await expectWorthless(answers);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
  }
});

test('a new password during others’ renewals and sign-ins leaves only the session that set it', async () => {
  for (let round = 0; round < 3; round++) {
    const account = await product.createAccount();
    const thief = await product.signIn(account);
    const [changed, ...answers] = await Promise.all([
      account.client.auth.updateUser({ password: `another password ${round}` }),
      refresh(sessionOf(thief).refresh_token),
      signIn(account.email, testPassword),
      refresh(sessionOf(thief).refresh_token),
    ]);
    expect(changed.error).toBeNull();
    await expectWorthless(answers);
    expect((await account.client.auth.refreshSession()).error).toBeNull();
    const left = await product.sql('select count(*)::int from auth.sessions where user_id = $1', [
      account.id,
    ]);
    expect(left).toEqual([{ count: 1 }]);
  }
});

test('two new passwords at once: one wins, and the session that set it stays', async () => {
  const account = await product.createAccount();
  const other = await product.signIn(account);
  const passwords = ['the first of two', 'the second of two'];
  const changes = await Promise.all(
    [account.client, other].map((client, index) => client.auth.updateUser({ password: passwords[index] })),
  );
  const winners = changes.flatMap(({ error }, index) => (error === null ? [index] : []));
  expect(winners).toHaveLength(1);
  const statuses = await Promise.all(passwords.map(async (one) => (await signIn(account.email, one)).status));
  expect(statuses[winners[0] ?? 0]).toBe(200);
  expect(statuses[1 - (winners[0] ?? 0)]).toBe(400);
});

test('two new addresses at once: one is recorded, and no link of the other changes the account', async () => {
  const account = await product.createAccount();
  const wanted = [makeAddress(), makeAddress()];
  await Promise.all(wanted.map((email) => account.client.auth.updateUser({ email })));
  const [row] = await product.sql<{ email_change: string }>(
    'select email_change from auth.users where id = $1',
    [account.id],
  );
  const lost = wanted.find((email) => email !== row?.email_change) ?? '';
  const links = product.mailbox.mails.filter(({ to }) => to === lost);
  for (const mail of links) {
    const token_hash = tokenOf(mail);
    expect((await product.post('/verify', { type: 'email_change', token_hash })).status).toBe(403);
  }
});

test('confirming during a deletion: a deleted account stays deleted', async () => {
  for (let round = 0; round < 4; round++) {
    const email = makeAddress();
    await product.post('/signup', { email, password: testPassword });
    const token_hash = tokenOf(await product.mailbox.take(email, 'signup'));
    const [confirmed] = await Promise.all([
      product.post('/verify', { type: 'signup', token_hash }),
      product.sql('delete from auth.users where email = $1', [email]),
    ]);
    expect([200, 403]).toContain(confirmed.status);
    await expectWorthless([confirmed]);
    expect((await signIn(email, testPassword)).body.code).toBe('invalid_credentials');
  }
});
