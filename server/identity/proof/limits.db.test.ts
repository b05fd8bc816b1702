// Limits as ordinary users and attackers meet them. One proxy in front is believed, so that each test can use
// networks of its own.
import { afterAll, expect, test } from 'vitest';
import { runsWhole } from '../../../test-support/matrix.ts';
import {
  type Answer,
  makeAddress,
  startIdentityServer,
  testPassword,
  tokenOf,
} from '../../../test-support/product/identity.ts';

const product = await startIdentityServer({ AUTH_LIMIT_FACTOR: '1', TRUSTED_PROXIES: '1' });
const ada = await product.createAccount();
afterAll(() => product.close());

const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Supabase-Api-Version': '2024-01-01' });

/** Repeats until it is refused with 429; null if it never is, within 300 times. */
async function repeatUntilLimited(act: (time: number) => Promise<Answer>): Promise<Answer | null> {
  for (let time = 0; time < 300; time++) {
    const answer = await act(time);
    if (answer.status === 429) return answer;
  }
  return null;
}

/** As if everyone counted under this limit had made a thousand calls more. */
const spend = (limit: string) =>
  product.sql('update auth.rate_limits set points = points + 1000 where key like $1', [`${limit}:%`]);

/** The same for the caller counted under it last. */
const spendNewest = (limit: string) =>
  product.sql(
    `update auth.rate_limits set points = points + 2000
      where key = (select key from auth.rate_limits where key like $1 order by expire desc limit 1)`,
    [`${limit}:%`],
  );

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

test('the owner can sign in, from a known network, even if guesses come from many networks', async () => {
  const home = { headers: { 'X-Forwarded-For': '198.51.100.7' } };
  expect((await product.open(home).auth.signInWithPassword(ada)).error).toBeNull();
  await guess(ada.email, '203.0.113.1');
  await spend('guessFromStrangers');
  expect((await guess(ada.email, '203.0.113.2')).status).toBe(429);
  expect((await product.open(home).auth.signInWithPassword(ada)).error).toBeNull();
});

test('an address that callers write into the header themselves is not believed', async () => {
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

/** A whole run uses 300 people and 100 networks, which takes a minute; a class and some networks show the same. */
const isWhole = runsWhole(import.meta.filename);
const people = isWhole ? 300 : 30;
const strangers = isWhole ? 100 : 10;

const tally = (answers: Answer[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((status) => [
      status,
      answers.filter((answer) => answer.status === status).length,
    ]),
  );

test('a class signs up, confirms and logs in from one address, all at the same time', async () => {
  const room = from('198.51.100.50');
  const emails = Array.from({ length: people }, makeAddress);
  const all = (act: (email: string) => Promise<Answer>) => Promise.all(emails.map(act));
  const signedUp = await all((email) => product.post('/signup', { email, password: testPassword }, room));
  expect(tally(signedUp)).toEqual({ 200: people });
  const confirmed = await all(async (email) => {
    const token_hash = tokenOf(await product.mailbox.take(email, 'signup'));
    return product.post('/verify', { type: 'signup', token_hash }, room);
  });
  expect(tally(confirmed)).toEqual({ 200: people });
  const signIn = (email: string) =>
    product.post('/token?grant_type=password', { email, password: testPassword }, room);
  expect(tally(await all(signIn))).toEqual({ 200: people });
  // and somebody guessing passwords does not lock the others out
  const guesses = await Promise.all(
    Array.from({ length: 30 }, (_, time) => guess(emails[time % 2] ?? '', '198.51.100.50')),
  );
  expect(tally(guesses)).toEqual({ 400: 20, 429: 10 });
  expect(tally(await Promise.all(emails.slice(2, 8).map(signIn)))).toEqual({ 200: 6 });
});

test('sign-ups from one network are limited; another network can go on, but not one of the same IPv6 site', async () => {
  const signUp = async (network: string) =>
    (await product.post('/signup', { email: makeAddress(), password: testPassword }, from(network))).status;
  expect(await signUp('192.0.2.250')).toBe(200);
  await spendNewest('signUp');
  expect(await signUp('192.0.2.250')).toBe(429);
  expect(await signUp('192.0.2.251')).toBe(200);
  expect(await signUp('2001:db8:77:1::1')).toBe(200);
  await spendNewest('signUpFromSite');
  expect([await signUp('2001:db8:77:2::1'), await signUp('2001:db8:78:2::1')]).toEqual([429, 200]);
});

test('trying a password on many accounts from one network or one IPv6 site is limited, for strangers to an account', async () => {
  const account = await product.createAccount();
  const owner = product.open({ headers: { 'X-Forwarded-For': '192.0.2.60' } });
  expect((await owner.auth.signInWithPassword(account)).error).toBeNull();
  const spray = async (network: string) => (await guess(makeAddress(), network)).status;
  expect(await spray('192.0.2.60')).toBe(400);
  await spendNewest('wrongFrom');
  // neither a made-up address in the header nor the next account helps
  expect(await spray('192.0.2.60')).toBe(429);
  expect(await spray('10.9.8.7, 192.0.2.60')).toBe(429);
  expect(await spray('192.0.2.61')).toBe(400);
  // users known to the network can still sign in
  expect((await owner.auth.signInWithPassword(account)).error).toBeNull();
  expect(await spray('2001:db8:99:1::1')).toBe(400);
  await spendNewest('wrongFromSite');
  expect([await spray('2001:db8:99:2::1'), await spray('2001:db8:98:2::1')]).toEqual([429, 400]);
});

test('many networks guess at one account: its owner can sign in with a known device, from anywhere', async () => {
  const { email } = await product.createAccount();
  const browser = { Origin: product.url };
  const signIn = (network: string, headers: Record<string, string>) =>
    product.post(
      '/token?grant_type=password',
      { email, password: testPassword },
      { ...from(network), ...browser, ...headers },
    );
  const first = await signIn('198.51.100.80', {});
  const [cookie = ''] = (first.headers.getSetCookie()[0] ?? '').split(';');
  expect(first.headers.getSetCookie()[0]).toMatch(/^inkproof_device=.*HttpOnly; SameSite=Lax$/);
  const guesses: Answer[] = [];
  for (let network = 1; network <= strangers; network++)
    guesses.push(...(await Promise.all([1, 2].map(() => guess(email, `203.0.114.${network}`)))));
  if (isWhole) expect(tally(guesses)).toEqual({ 400: 100, 429: 100 });
  else await spendNewest('guessFromStrangers');
  expect((await guess(email, '203.0.114.200')).status).toBe(429);
  // a correct password from a stranger looks the same as a guess; from the owner's device it does not
  expect((await signIn('203.0.114.201', {})).status).toBe(429);
  const madeUp = `inkproof_device=${'x'.repeat(43)}`;
  expect((await signIn('203.0.114.201', { Cookie: madeUp })).status).toBe(429);
  expect((await signIn('203.0.114.201', { Cookie: cookie })).status).toBe(200);
});

test('refreshing with invalid tokens is limited too, while real sessions of the same network are renewed', async () => {
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
