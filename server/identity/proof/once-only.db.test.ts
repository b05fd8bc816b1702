// What may happen once happens once, also when it is asked for 20 times at the same moment.
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type IdentityServer,
  makeAddress,
  race,
  sessionOf,
  startIdentityServer,
  testPassword,
  tokenOf,
} from '../../../test-support/identity.ts';

let product: IdentityServer;

beforeAll(async () => {
  product = await startIdentityServer();
});
afterAll(() => product?.close());

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

test('one change of the address: either link counts once', async () => {
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
