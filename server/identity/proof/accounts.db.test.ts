// What an account is protected from: strangers who try its address, sessions that outlive it, truncated
// passwords.
import { argon2Sync, randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import {
  makeAddress,
  sessionOf,
  startIdentityServer,
  testPassword,
  tokenOf,
  waitUntil,
} from '../../../test-support/product/identity.ts';

const product = await startIdentityServer();
afterAll(() => product.close());

describe('signing up with the address of somebody else', () => {
  /** Names and kinds of everything in a response: what a stranger could use to tell two responses apart. */
  function describeShape(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(describeShape);
    if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([name, part]) => [name, describeShape(part)]),
    );
  }

  test('gets the same answer as a new one, changes nothing, and notifies the owner by mail', async () => {
    const owner = await product.createAccount();
    const before = await product.sql('select * from auth.users where id = $1', [owner.id]);
    const fresh = await product.post('/signup', {
      email: makeAddress(),
      password: testPassword,
      data: { a: 1 },
    });
    const taken = await product.post('/signup', {
      email: owner.email,
      password: 'a guess of mine',
      data: { a: 1 },
    });
    expect(taken.status).toBe(fresh.status);
    expect(describeShape(taken.body)).toEqual(describeShape(fresh.body));
    expect(taken.body).not.toHaveProperty('access_token');
    expect(taken.body.id).not.toBe(owner.id);
    expect([...taken.headers.keys()].sort()).toEqual([...fresh.headers.keys()].sort());

    const mail = await product.mailbox.take(owner.email, null);
    expect(mail.subject).toBe('You already have an account');
    expect(await product.sql('select * from auth.users where id = $1', [owner.id])).toEqual(before);
    expect(
      (await product.open().auth.signInWithPassword({ email: owner.email, password: 'a guess of mine' }))
        .error?.code,
    ).toBe('invalid_credentials');
    await product.signIn(owner);
  });

  test('letter case does not make a second account', async () => {
    const owner = await product.createAccount();
    const { error } = await product
      .open()
      .auth.signUp({ email: owner.email.toUpperCase(), password: testPassword });
    expect(error).toBeNull();
    expect((await product.mailbox.take(owner.email, null)).subject).toBe('You already have an account');
    await product.signIn({ email: ` ${owner.email.toUpperCase()}`, password: owner.password });
  });

  const statusOf = async (email: string, passwords: string[]) =>
    Promise.all(
      passwords.map(
        async (password) =>
          (await product.open().auth.signInWithPassword({ email, password })).error?.code ?? 'signed in',
      ),
    );
  const follow = (token_hash: string, type: 'signup' | 'recovery' = 'signup') =>
    product.open().auth.verifyOtp({ token_hash, type });

  test.each([
    ['before', ['a stranger’s password', 'the owner’s password']],
    ['after', ['the owner’s password', 'a stranger’s password']],
  ])(
    'somebody else signs up %s the owner: the link of the owner’s sign-up sets the owner’s password',
    async (_, passwords) => {
      const email = makeAddress();
      const links = new Map<string, string>();
      const texts: string[] = [];
      for (const password of passwords) {
        const data = { from: password };
        await product.open().auth.signUp({ email, password, options: { data } });
        const mail = await product.mailbox.take(email, 'signup');
        links.set(password, tokenOf(mail));
        texts.push(mail.text);
      }
      const { data, error } = await follow(links.get('the owner’s password') ?? '');
      expect(error).toBeNull();
      expect(data.user?.user_metadata).toMatchObject({ from: 'the owner’s password', email_verified: true });
      expect((await follow(links.get('a stranger’s password') ?? '')).error?.code).toBe('otp_expired');
      expect(await statusOf(email, ['the owner’s password', 'a stranger’s password'])).toEqual([
        'signed in',
        'invalid_credentials',
      ]);
      expect(texts.map((text) => /more than once/.test(text))).toEqual([false, true]);
    },
  );

  test('following the links of several sign-ups at once: one opens the account, and only its password counts', async () => {
    const email = makeAddress();
    const passwords = ['the first password', 'the second password', 'the third password'];
    const links: string[] = [];
    for (const password of passwords) {
      await product.open().auth.signUp({ email, password });
      links.push(tokenOf(await product.mailbox.take(email, 'signup')));
    }
    const followed = await Promise.all(links.map((link) => follow(link)));
    const expected = followed.map(({ error }) => (error === null ? 'signed in' : 'invalid_credentials'));
    expect(expected.filter((one) => one === 'signed in')).toHaveLength(1);
    expect(await statusOf(email, passwords)).toEqual(expected);
  });

  test('a link sent again when several have signed up asks for a password and voids the others', async () => {
    const email = makeAddress();
    const links: string[] = [];
    for (const password of ['the first password', 'the second password']) {
      await product.open().auth.signUp({ email, password });
      links.push(tokenOf(await product.mailbox.take(email, 'signup')));
    }
    await product.open().auth.resend({ type: 'signup', email });
    const sent = await product.mailbox.take(email, 'recovery');
    expect([sent.subject, sent.link?.pathname]).toEqual(['Confirm your e-mail address', '/reset-password']);
    expect((await follow(tokenOf(sent), 'recovery')).error).toBeNull();
    for (const link of links) expect((await follow(link)).error?.code).toBe('otp_expired');
    expect(await statusOf(email, ['the first password', 'the second password'])).toEqual([
      'invalid_credentials',
      'invalid_credentials',
    ]);
  });

  test('a reset for an address without an account gets the same answer and sends nothing', async () => {
    const owner = await product.createAccount();
    const nobody = makeAddress();
    const answers = [
      await product.post('/recover', { email: owner.email }),
      await product.post('/recover', { email: nobody }),
      await product.post('/resend', { type: 'signup', email: nobody }),
      await product.post('/resend', { type: 'signup', email: owner.email }),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, {}]));
    await product.mailbox.take(owner.email, 'recovery');
    expect(product.mailbox.mails.filter(({ to }) => to === nobody)).toEqual([]);
  });
});

describe('passwords', () => {
  test('count in full: one that differs after the 72nd byte is another', async () => {
    const head = 'ä'.repeat(36);
    const account = await product.createAccount({ password: `${head}-mine` });
    const { error } = await product
      .open()
      .auth.signInWithPassword({ email: account.email, password: `${head}-else` });
    expect(error?.code).toBe('invalid_credentials');
    await product.signIn(account);
  });

  test('are the same in every Unicode form, and a hash of another form is renewed', async () => {
    const password = 'crème brûlée à la fraise';
    const account = await product.createAccount({ password: password.normalize('NFD') });
    await product.signIn({ ...account, password: password.normalize('NFC') });
    // as earlier hashes were made: from the bytes as typed
    const salt = randomBytes(16);
    const message = password.normalize('NFD');
    const tag = argon2Sync('argon2id', {
      message,
      nonce: salt,
      memory: 19_456,
      passes: 2,
      parallelism: 1,
      tagLength: 32,
    });
    const [inSalt, inTag] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
    const former = `$argon2id$v=19$m=19456,t=2,p=1$${inSalt}$${inTag}`;
    await product.sql('update auth.users set encrypted_password = $2 where id = $1', [account.id, former]);
    await product.signIn({ ...account, password: password.normalize('NFC') });
    await waitUntil(async () => {
      const [row] = await product.sql('select encrypted_password as hash from auth.users where id = $1', [
        account.id,
      ]);
      expect(row?.hash).not.toBe(former);
    });
    for (const form of ['NFC', 'NFD'])
      await product.signIn({ ...account, password: password.normalize(form) });
  });

  test('are stored as argon2id, each with its own salt', async () => {
    const accounts = [await product.createAccount(), await product.createAccount()];
    const rows = await product.sql<{ hash: string }>(
      'select encrypted_password as hash from auth.users where id = any($1)',
      [accounts.map(({ id }) => id)],
    );
    for (const { hash } of rows) expect(hash).toMatch(/^\$argon2id\$v=19\$m=\d{5,},t=\d+,p=\d+\$/);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2);
  });

  test('when one is changed, the other sessions end, and the owner is notified', async () => {
    const account = await product.createAccount();
    const other = await product.signIn(account);
    const { access_token: otherToken } = sessionOf(other);
    const { error } = await account.client.auth.updateUser({ password: 'a new one, also long' });
    expect(error).toBeNull();
    expect(await product.callApi(otherToken)).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    expect((await other.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    expect((await product.mailbox.take(account.email, null)).subject).toBe('Your password was changed');
    await product.signIn({ email: account.email, password: 'a new one, also long' });
    expect((await product.open().auth.signInWithPassword(account)).error?.code).toBe('invalid_credentials');
  });
});

test('the owner is notified of a sign-in from a new device, not from a known one', async () => {
  const { email } = await product.createAccount();
  const signIn = (agent: string, Cookie = '') =>
    product.post(
      '/token?grant_type=password',
      { email, password: testPassword },
      { Origin: product.url, 'User-Agent': agent, ...(Cookie ? { Cookie } : {}) },
    );
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const first = await signIn(firefox);
  const mail = await product.mailbox.take(email, null);
  expect(mail.subject).toBe('New sign-in to your account');
  expect(mail.text).toContain('Firefox on Linux');
  const cookie = (first.headers.getSetCookie()[0] ?? '').split(';')[0];
  await signIn(firefox, cookie);
  // another browser of the same kind, behind the same address, is another device
  await signIn(firefox);
  await product.mailbox.take(email, null);
  expect(
    product.mailbox.mails.filter(({ to, subject }) => to === email && /New sign-in/.test(subject)),
  ).toHaveLength(2);
});

test('a sign-in is recorded in the account', async () => {
  const account = await product.createAccount();
  await product.sql("update auth.users set last_sign_in_at = now() - interval '1 day' where id = $1", [
    account.id,
  ]);
  const before = Date.now();
  const client = await product.signIn(account);
  const noted = Date.parse((await client.auth.getUser()).data.user?.last_sign_in_at ?? '');
  expect(noted).toBeGreaterThanOrEqual(before);
});

describe('links', () => {
  test.each([
    ['/documents?folder=3', '/documents?folder=3'],
    ['https://evil.example/x', null],
    ['//evil.example/x', null],
    ['javascript:alert(1)', null],
    ['http://localhost@evil.example/', null],
  ])('lead to our own pages, and on to a path of ours: %s', async (wanted, expected) => {
    const { client, email } = await product.createAccount();
    const redirectTo = wanted.startsWith('/d') ? `${product.url}${wanted}` : wanted;
    await client.auth.resetPasswordForEmail(email, { redirectTo });
    const { link, html } = await product.mailbox.take(email, 'recovery');
    expect([link?.origin, link?.pathname]).toEqual([product.url, '/reset-password']);
    expect(link?.searchParams.get('redirect_to')).toBe(expected);
    expect(html).not.toContain('evil.example');
  });

  test('take nothing from the Host header', async () => {
    const { email } = await product.createAccount();
    const answer = await product.post(
      '/recover',
      { email },
      { 'X-Forwarded-Host': 'evil.example', Host: 'evil.example' },
    );
    expect(answer.status).toBe(200);
    expect((await product.mailbox.take(email, 'recovery')).link?.origin).toBe(product.url);
  });
});

describe('changing the address', () => {
  test('needs both mailboxes; only then the account has it, and the old one is notified', async () => {
    const account = await product.createAccount();
    const wanted = makeAddress();
    const { data } = await account.client.auth.updateUser({ email: wanted });
    expect(data.user).toMatchObject({ email: account.email, new_email: wanted });
    const [old, fresh] = await Promise.all([
      product.mailbox.take(account.email, 'email_change'),
      product.mailbox.take(wanted, 'email_change'),
    ]);
    const half = await product.open().auth.verifyOtp({ token_hash: tokenOf(fresh), type: 'email_change' });
    expect([half.error, half.data.session]).toEqual([null, null]);
    expect((await account.client.auth.getUser()).data.user?.email).toBe(account.email);
    const whole = await product.open().auth.verifyOtp({ token_hash: tokenOf(old), type: 'email_change' });
    expect(whole.error).toBeNull();
    await product.signIn({ email: wanted, password: account.password });
    expect((await product.open().auth.signInWithPassword(account)).error?.code).toBe('invalid_credentials');
    expect((await product.mailbox.take(account.email, null)).subject).toBe('Your e-mail address was changed');
  });

  test('to one that another account has is refused', async () => {
    const [one, two] = [await product.createAccount(), await product.createAccount()];
    const { error } = await one.client.auth.updateUser({ email: two.email });
    expect([error?.code, error?.status]).toEqual(['email_exists', 422]);
  });

  test('works for its own purpose only: a link of one kind is not valid for another', async () => {
    const account = await product.createAccount();
    await account.client.auth.resetPasswordForEmail(account.email);
    const token = tokenOf(await product.mailbox.take(account.email, 'recovery'));
    for (const type of ['signup', 'email_change'] as const)
      expect((await product.open().auth.verifyOtp({ token_hash: token, type })).error?.code).toBe(
        'otp_expired',
      );
    expect((await product.open().auth.verifyOtp({ token_hash: token, type: 'recovery' })).error).toBeNull();
  });
});

describe('a banned user', () => {
  test('is refused everywhere at once, and admitted when the ban is lifted or has expired', async () => {
    const account = await product.createAccount();
    const { access_token: token, refresh_token: refresh } = sessionOf(account.client);
    await account.client.auth.resetPasswordForEmail(account.email);
    const link = tokenOf(await product.mailbox.take(account.email, 'recovery'));
    await product.sql("update auth.users set banned_until = now() + interval '1 day' where id = $1", [
      account.id,
    ]);

    const refusals = {
      password: (await product.open().auth.signInWithPassword(account)).error,
      refresh: (await product.open().auth.refreshSession({ refresh_token: refresh })).error,
      link: (await product.open().auth.verifyOtp({ token_hash: link, type: 'recovery' })).error,
      user: (await account.client.auth.getUser()).error,
    };
    for (const [how, error] of Object.entries(refusals))
      expect([how, error?.code]).toEqual([how, 'user_banned']);
    expect(refusals.password?.message).toBe('User is banned');
    expect(await product.callApi(token)).toEqual({ status: 403, code: 'USER_BANNED' });
    const read = await product
      .open({ headers: { Authorization: `Bearer ${token}` } })
      .supabase.from('user_credits')
      .select();
    expect(read.data ?? []).toEqual([]);

    await product.sql("update auth.users set banned_until = now() - interval '1 second' where id = $1", [
      account.id,
    ]);
    await product.signIn(account);
  });
});

describe('a deleted user', () => {
  test('is refused at once with every token', async () => {
    const account = await product.createAccount();
    const { access_token: token, refresh_token: refresh } = sessionOf(account.client);
    await product.sql('delete from auth.users where id = $1', [account.id]);
    expect((await account.client.auth.getUser(token)).error).toMatchObject({ status: 403 });
    expect(await product.callApi(token)).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    expect((await product.open().auth.refreshSession({ refresh_token: refresh })).error?.code).toBe(
      'refresh_token_not_found',
    );
    expect((await product.open().auth.signInWithPassword(account)).error?.code).toBe('invalid_credentials');
  });
});
