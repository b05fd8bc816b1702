// Second factors, over HTTP with the client library.
import { Secret, TOTP } from 'otpauth';
import { afterAll, expect, test } from 'vitest';
import {
  sessionOf,
  startIdentityServer,
  type TestAccount,
  waitUntil,
} from '../../../../test-support/product/identity.ts';
import type { IdentityClient } from '../../../../test-support/product/identity-client.ts';

const product = await startIdentityServer();
afterAll(() => product.close());

interface Factor {
  id: string;
  secret: string;
}

async function enrol(client: IdentityClient, friendlyName?: string): Promise<Factor> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) throw error;
  return { id: data.id, secret: data.totp.secret };
}

/** The code of `offset` steps from now. */
const codeOf = (factor: Factor, offset = 0) =>
  new TOTP({ secret: Secret.fromBase32(factor.secret) }).generate({
    timestamp: Date.now() + offset * 30_000,
  });

async function give(client: IdentityClient, factor: Factor, code = codeOf(factor)) {
  const challenge = await client.auth.mfa.challenge({ factorId: factor.id });
  if (challenge.error) throw challenge.error;
  return client.auth.mfa.verify({ factorId: factor.id, challengeId: challenge.data.id, code });
}

/** Finishes the enrolment as if it had been a while ago, so that the present code is fresh. */
async function finish(client: IdentityClient, factor: Factor): Promise<void> {
  const { error } = await give(client, factor);
  if (error) throw error;
  await product.sql('UPDATE auth.mfa_factors SET last_step = last_step - 1 WHERE id = $1', [factor.id]);
}

/** An account with a verified factor. */
async function createProtected(): Promise<TestAccount & { factor: Factor }> {
  const account = await product.createAccount();
  const factor = await enrol(account.client, 'telephone');
  await finish(account.client, factor);
  return { ...account, factor };
}

const callApi = async (client: IdentityClient) => product.callApi(sessionOf(client).access_token);

test('after the first code, a password alone is not enough; with a code it is', async () => {
  const ada = await product.createAccount();
  const elsewhere = await product.signIn(ada);
  const factor = await enrol(ada.client, 'telephone');
  // enrolment is not finished: nothing has changed
  expect((await callApi(await product.signIn(ada))).status).toBe(200);
  await finish(ada.client, factor);
  expect((await callApi(ada.client)).status).toBe(200);
  // sessions without the second factor have ended
  expect((await callApi(elsewhere)).status).toBe(401);
  expect((await elsewhere.auth.refreshSession()).error).not.toBeNull();
  expect((await product.mailbox.take(ada.email, null)).subject).toBe('Two-factor authentication is on');

  const client = await product.signIn(ada);
  expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  });
  expect((await callApi(client)).status).toBe(401);
  expect((await client.auth.updateUser({ password: 'another password entirely' })).error).toMatchObject({
    code: 'insufficient_aal',
  });
  expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
    code: 'insufficient_aal',
  });
  expect((await client.auth.mfa.unenroll({ factorId: factor.id })).error).toMatchObject({
    code: 'insufficient_aal',
  });
  // a refresh does not raise the level
  await client.auth.refreshSession();
  expect((await callApi(client)).status).toBe(401);

  const given = await give(client, factor);
  expect(given.error).toBeNull();
  expect((await callApi(client)).status).toBe(200);
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
  expect(data?.currentLevel).toBe('aal2');
  expect(
    data?.currentAuthenticationMethods.map((one) => (typeof one === 'string' ? one : one.method)),
  ).toEqual(expect.arrayContaining(['password', 'totp']));
});

test('a code works once, in all sessions, even concurrently', async () => {
  const ada = await createProtected();
  const clients = await Promise.all(Array.from({ length: 4 }, () => product.signIn(ada)));
  const code = codeOf(ada.factor);
  const challenges = await Promise.all(
    clients.map((client) => client.auth.mfa.challenge({ factorId: ada.factor.id })),
  );
  const answers = await Promise.all(
    clients.map((client, index) =>
      client.auth.mfa.verify({
        factorId: ada.factor.id,
        challengeId: challenges[index]?.data?.id ?? '',
        code,
      }),
    ),
  );
  expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  expect((await give(await product.signIn(ada), ada.factor, code)).error).toMatchObject({
    code: 'mfa_verification_failed',
  });
});

test('a challenge works once, for its factor, for five minutes; a typo does not use it up', async () => {
  const ada = await createProtected();
  const client = await product.signIn(ada);
  const { mfa } = client.auth;
  const factorId = ada.factor.id;
  const challengeId = (await mfa.challenge({ factorId })).data?.id ?? '';
  const wrong = await mfa.verify({ factorId, challengeId, code: '000000' });
  expect(wrong.error).toMatchObject({ code: 'mfa_verification_failed' });
  const eve = await createProtected();
  const foreign = (await eve.client.auth.mfa.challenge({ factorId: eve.factor.id })).data?.id ?? '';
  for (const other of [foreign, 'no-uuid', '00000000-0000-4000-8000-000000000000'])
    expect(
      (await mfa.verify({ factorId, challengeId: other, code: codeOf(ada.factor) })).error,
    ).toMatchObject({
      code: 'mfa_challenge_expired',
    });
  const late = (await mfa.challenge({ factorId })).data?.id ?? '';
  await product.sql(
    "UPDATE auth.mfa_challenges SET created_at = created_at - interval '301 seconds' WHERE id = $1",
    [late],
  );
  expect((await mfa.verify({ factorId, challengeId: late, code: codeOf(ada.factor) })).error).toMatchObject({
    code: 'mfa_challenge_expired',
  });
  expect((await mfa.verify({ factorId, challengeId, code: codeOf(ada.factor) })).error).toBeNull();
  expect((await mfa.verify({ factorId, challengeId, code: codeOf(ada.factor, 1) })).error).toMatchObject({
    code: 'mfa_challenge_expired',
  });
});

test('nobody can access another user’s factor', async () => {
  const ada = await createProtected();
  const eve = await product.createAccount();
  const { mfa } = eve.client.auth;
  const factorId = ada.factor.id;
  expect((await mfa.challenge({ factorId })).error).toMatchObject({ code: 'mfa_factor_not_found' });
  expect((await mfa.unenroll({ factorId })).error).toMatchObject({ code: 'mfa_factor_not_found' });
  const challengeId = (await ada.client.auth.mfa.challenge({ factorId })).data?.id ?? '';
  expect((await mfa.verify({ factorId, challengeId, code: codeOf(ada.factor) })).error).toMatchObject({
    code: 'mfa_factor_not_found',
  });
  expect((await mfa.unenroll({ factorId: 'no-uuid' })).error).toMatchObject({ code: 'mfa_factor_not_found' });
});

test('after the last factor is removed, a password is enough again, and the owner is notified', async () => {
  const ada = await createProtected();
  await product.mailbox.take(ada.email, null);
  expect((await ada.client.auth.mfa.unenroll({ factorId: ada.factor.id })).error).toBeNull();
  expect((await product.mailbox.take(ada.email, null)).subject).toBe('An authenticator app was removed');
  expect((await callApi(await product.signIn(ada))).status).toBe(200);
  // the session no longer counts as verified by a factor enrolled later
  await ada.client.auth.refreshSession();
  expect((await ada.client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal1',
  });
});

test('recovery codes are shown once, each works once instead of the app, and new ones require a code', async () => {
  const ada = await createProtected();
  const ask = async (client: IdentityClient, method: 'GET' | 'POST') => {
    const answer = await fetch(`${product.url}/auth/v1/factors/recovery-codes`, {
      method,
      headers: { apikey: product.key, Authorization: `Bearer ${sessionOf(client).access_token}` },
    });
    const body = (await answer.json()) as { code?: string; codes?: string[]; left?: number };
    return { status: answer.status, ...body };
  };
  const made = await ask(ada.client, 'POST');
  expect(made).toMatchObject({ status: 200, left: 10 });
  const codes = made.codes ?? [];
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([0-9a-hj-km-np-tv-z]{4}-){3}[0-9a-hj-km-np-tv-z]{4}$/);
  expect(await ask(ada.client, 'GET')).toEqual({ status: 200, left: 10, total: 10 });
  const stored = JSON.stringify(await product.sql('SELECT * FROM auth.recovery_codes'));
  for (const code of codes) expect(stored).not.toContain(code);

  // the phone is lost: a code as written down, in any spelling
  const lost = await product.signIn(ada);
  expect((await ask(lost, 'GET')).status).toBe(401);
  expect((await give(lost, ada.factor, '0000-0000-0000-0000')).error).toMatchObject({
    code: 'mfa_verification_failed',
  });
  expect(
    (await give(lost, ada.factor, (codes[0] ?? '').toUpperCase().replaceAll('-', ' '))).error,
  ).toBeNull();
  expect((await callApi(lost)).status).toBe(200);
  const isUsed = ({ to, subject }: { to: string; subject: string }) =>
    to === ada.email && subject === 'A recovery code was used';
  await waitUntil(() => expect(product.mailbox.mails.filter(isUsed)).toHaveLength(1));
  expect(product.mailbox.mails.find(isUsed)?.text).toContain('9 codes are left');
  expect(await ask(lost, 'GET')).toMatchObject({ left: 9 });
  // somebody who obtained one cannot create others: they would outlast the intrusion
  expect(await ask(lost, 'POST')).toMatchObject({ status: 400, code: 'reauthentication_needed' });

  const again = await product.signIn(ada);
  expect((await give(again, ada.factor, codes[0])).error).toMatchObject({ code: 'mfa_verification_failed' });
  const eve = await createProtected();
  expect((await give(await product.signIn(eve), eve.factor, codes[1])).error).toMatchObject({
    code: 'mfa_verification_failed',
  });
  const both = await Promise.all(
    [await product.signIn(ada), await product.signIn(ada)].map((client) =>
      give(client, ada.factor, codes[2]),
    ),
  );
  expect(both.filter(({ error }) => error === null)).toHaveLength(1);

  // new ones void the old; removing the last app deletes them
  const next = await ask(ada.client, 'POST');
  expect(next).toMatchObject({ status: 200, left: 10 });
  expect((await give(await product.signIn(ada), ada.factor, codes[3])).error).not.toBeNull();
  expect((await ada.client.auth.mfa.unenroll({ factorId: ada.factor.id })).error).toBeNull();
  await ada.client.auth.refreshSession();
  expect(await ask(ada.client, 'GET')).toMatchObject({ left: 0, total: 0 });
});

test('factor names are unique, and there are at most ten', async () => {
  const ada = await product.createAccount();
  await enrol(ada.client, 'telephone');
  expect(
    (await ada.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'telephone' })).error,
  ).toMatchObject({
    code: 'mfa_factor_name_conflict',
  });
  for (let count = 1; count < 10; count++) await enrol(ada.client);
  expect((await ada.client.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
    code: 'too_many_enrolled_mfa_factors',
  });
});

test('secrets are encrypted in the database, and none is in the log', async () => {
  const ada = await createProtected();
  const [row] = await product.sql<{ secret: string }>('SELECT secret FROM auth.mfa_factors WHERE id = $1', [
    ada.factor.id,
  ]);
  expect(row?.secret).toMatch(/^[\w-]{60,}$/);
  expect(row?.secret).not.toContain(ada.factor.secret);
  expect(Buffer.from(row?.secret ?? '', 'base64url').toString('latin1')).not.toContain(ada.factor.secret);
  expect(product.readLog()).not.toContain(ada.factor.secret);
});

test('guessing codes is limited; existing sessions are unaffected', async () => {
  const strict = await startIdentityServer({ AUTH_LIMIT_FACTOR: '1' });
  try {
    const ada = await strict.createAccount();
    const factor = await enrol(ada.client);
    expect((await give(ada.client, factor)).error).toBeNull();
    const thief = await strict.signIn(ada);
    const challengeId = (await thief.auth.mfa.challenge({ factorId: factor.id })).data?.id ?? '';
    const headers = { Authorization: `Bearer ${sessionOf(thief).access_token}` };
    const guesses = [];
    for (let count = 0; count < 12; count++)
      guesses.push(
        await strict.post(
          `/factors/${factor.id}/verify`,
          { challenge_id: challengeId, code: '000000' },
          headers,
        ),
      );
    expect(guesses[0]?.body.code).toBe('mfa_verification_failed');
    const last = guesses.at(-1);
    expect(last?.status).toBe(429);
    expect(last?.body.code).toBe('over_request_rate_limit');
    expect(Number(last?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await strict.callApi(sessionOf(ada.client).access_token)).status).toBe(200);
    expect((await ada.client.auth.refreshSession()).error).toBeNull();
  } finally {
    await strict.close();
  }
});
