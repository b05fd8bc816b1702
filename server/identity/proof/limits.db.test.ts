// Limits as people meet them, and as those do who guess. One proxy in front is believed, so that each test comes
// from networks of its own.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Answer,
  type IdentityServer,
  makeAddress,
  startIdentityServer,
  type TestAccount,
  testPassword,
} from '../../../test-support/identity.ts';

let product: IdentityServer;
let ada: TestAccount;

beforeAll(async () => {
  product = await startIdentityServer({ AUTH_LIMIT_FACTOR: '1', TRUSTED_PROXIES: '1' });
  ada = await product.createAccount();
});
afterAll(() => product?.close());

const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Supabase-Api-Version': '2024-01-01' });

/** Repeats until it is refused for being too often; null when it never is, within 300 times. */
async function repeatUntilLimited(act: (time: number) => Promise<Answer>): Promise<Answer | null> {
  for (let time = 0; time < 300; time++) {
    const answer = await act(time);
    if (answer.status === 429) return answer;
  }
  return null;
}

/** As if whoever was counted under this limit had come a thousand times more. */
const spend = (limit: string) =>
  product.sql('update auth.rate_limits set points = points + 1000 where key like $1', [`${limit}:%`]);

const guess = (email: string, network: string) =>
  product.post('/token?grant_type=password', { email, password: 'a wrong guess' }, from(network));

test('guesses at one account from one network end in over_request_rate_limit, with Retry-After', async () => {
  const limited = await repeatUntilLimited(() => guess(ada.email, '192.0.2.1'));
  expect(limited?.body.code).toBe('over_request_rate_limit');
  expect(Number(limited?.headers.get('Retry-After'))).toBeGreaterThan(0);

  const client = product.open({ headers: { 'X-Forwarded-For': '192.0.2.1' } });
  const { error } = await client.auth.signInWithPassword({ email: ada.email, password: 'a wrong guess' });
  expect(error).toMatchObject({ name: 'AuthApiError', code: 'over_request_rate_limit', status: 429 });
});

test('the owner, from another network, signs in at once', async () => {
  await repeatUntilLimited(() => guess(ada.email, '192.0.2.2'));
  const owner = product.open({ headers: { 'X-Forwarded-For': '198.51.100.7' } });
  expect((await owner.auth.signInWithPassword(ada)).error).toBeNull();
});

test('the owner signs in also when the guesses come from many networks, from where they have been before', async () => {
  const home = { headers: { 'X-Forwarded-For': '198.51.100.7' } };
  expect((await product.open(home).auth.signInWithPassword(ada)).error).toBeNull();
  await guess(ada.email, '203.0.113.1');
  await spend('guessFromStrangers');
  expect((await guess(ada.email, '203.0.113.2')).status).toBe(429);
  expect((await product.open(home).auth.signInWithPassword(ada)).error).toBeNull();
});

test('an address that the caller writes into the header itself is not believed', async () => {
  const limited = await repeatUntilLimited((time) => guess(ada.email, `10.0.0.${time % 250}, 192.0.2.4`));
  expect(limited?.body.code).toBe('over_request_rate_limit');
});

test('mails to one address end in over_email_send_rate_limit, whether or not it has an account', async () => {
  const codes = [];
  for (const email of [ada.email, makeAddress()]) {
    const limited = await repeatUntilLimited((time) =>
      product.post('/recover', { email }, from(`192.0.2.${10 + (time % 200)}`)),
    );
    codes.push(limited?.body.code);
    expect(Number(limited?.headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  expect(codes).toEqual(['over_email_send_rate_limit', 'over_email_send_rate_limit']);
  expect(
    product.mailbox.mails.filter(({ to, subject }) => to === ada.email && /Reset/.test(subject)).length,
  ).toBeLessThan(10);
  const { error } = await product
    .open({ headers: { 'X-Forwarded-For': '192.0.2.240' } })
    .auth.resetPasswordForEmail(ada.email);
  expect(error).toMatchObject({ name: 'AuthApiError', code: 'over_email_send_rate_limit', status: 429 });
});

test('sign-ups from one network end; another network’s go on', async () => {
  const signUp = (network: string) =>
    product.post('/signup', { email: makeAddress(), password: testPassword }, from(network));
  const limited = await repeatUntilLimited(() => signUp('192.0.2.250'));
  expect(limited?.body.code).toMatch(/^over_(request|email_send)_rate_limit$/);
  expect((await signUp('192.0.2.251')).status).toBe(200);
});

test('refreshing with what is no token ends too, and real sessions of the same network are renewed meanwhile', async () => {
  const network = { 'X-Forwarded-For': '192.0.2.252' };
  const nonsense = () =>
    product.post(
      '/token?grant_type=refresh_token',
      { refresh_token: 'none' },
      from(network['X-Forwarded-For']),
    );
  expect((await nonsense()).status).toBe(400);
  await spend('refresh');
  expect((await nonsense()).body.code).toBe('over_request_rate_limit');
  const neighbour = product.open({ headers: network, storage: ada.client.storage });
  expect((await neighbour.auth.refreshSession()).error).toBeNull();
  expect(neighbour.events.at(-1)).toBe('TOKEN_REFRESHED');
});
