// The operator's account commands, first without a server, then next to a running one.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommandHere } from '../../../test-support/product/run-command.ts';
import {
  runInkproof,
  type ServeProcess,
  startServeProcess,
} from '../../../test-support/product/serve-process.ts';

const email = 'ada@example.com';
const password = 'ink on paper, twice';
let dataDir: string;
let server: ServeProcess;

beforeAll(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-user-'));
  chmodSync(dataDir, 0o711);
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const user = (args: string[]) => runCommandHere(['user', ...args], { DATA_DIR: dataDir });

/** The result of a sign-in: the access token, or the error's code. */
async function signIn(address: string): Promise<string> {
  const config = await (await fetch(new URL('/api/v1/config', server.address))).json();
  const answer = await fetch(new URL('/auth/v1/token?grant_type=password', server.address), {
    method: 'POST',
    headers: { apikey: config.identity.anon_key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: address, password }),
  });
  const body = (await answer.json()) as { access_token?: string; error_code?: string; code?: string };
  return body.access_token ?? body.error_code ?? body.code ?? '';
}

async function askApi(token: string): Promise<[number, string | undefined]> {
  const answer = await fetch(new URL('/api/v1/account/sessions', server.address), {
    headers: { Authorization: `Bearer ${token}` },
  });
  return [answer.status, ((await answer.json()) as { code?: string }).code];
}

/**
 * Sets up an authenticator app for the account. @returns the generator of its codes, and a session that has
 * used one
 */
async function setUpFactor(address: string) {
  const token = await signIn(address);
  const { id, totp } = await callIdentity(token, '/factors', { factor_type: 'totp' });
  const app = new TOTP({ secret: Secret.fromBase32(totp.secret) });
  return { id, app, full: await giveCode(token, id, app.generate()) };
}

/** @returns the access token obtained with the code */
async function giveCode(token: string, factor: string, code: string): Promise<string> {
  const { id: challenge_id } = await callIdentity(token, `/factors/${factor}/challenge`, {});
  return (await callIdentity(token, `/factors/${factor}/verify`, { challenge_id, code })).access_token;
}

async function callIdentity(token: string | null, path: string, body: object) {
  const config = await (await fetch(new URL('/api/v1/config', server.address))).json();
  const answer = await fetch(new URL(`/auth/v1${path}`, server.address), {
    method: 'POST',
    headers: { apikey: config.identity.anon_key, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  return answer.json();
}

test('without a server an account is created, and is there when one starts', async () => {
  expect((await user(['list'])).stdout).toBe('There are no accounts yet.\n');
  const created = await runInkproof(
    ['user', 'create', email, '--password', '-', '--confirmed'],
    { DATA_DIR: dataDir },
    `${password}\n`,
  );
  expect(created).toEqual({ code: 0, stdout: `Created ${email}. It can sign in.\n`, stderr: '' });
  server = await startServeProcess({ DATA_DIR: dataDir, AUTH_LIMIT_FACTOR: '100' });
  expect(await askApi(await signIn(email))).toEqual([200, undefined]);
});

describe('while a server is running', () => {
  test('ban ends sessions and prevents sign-in until unban', async () => {
    const token = await signIn(email);
    const banned = await user(['ban', email, '--until', '2999-01-31']);
    expect(banned).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('until 2999-01-31T00:00:00.000Z'),
    });
    expect((await askApi(token))[0]).toBeGreaterThan(400);
    expect(await signIn(email)).toBe('user_banned');
    expect((await user(['list'])).stdout).toMatch(/^ada@example\.com .* confirmed .* email {2}banned\n$/);
    expect(await user(['unban', email])).toMatchObject({ code: 0, stdout: `${email} can sign in again.\n` });
    expect(await askApi(await signIn(email))).toEqual([200, undefined]);
  });

  test('an unconfirmed account waits for its mail, or for confirm', async () => {
    const address = 'grace@example.com';
    const created = await user(['create', address, '--password', password]);
    expect(created.stdout).toContain(`./inkproof user confirm ${address}`);
    expect(await signIn(address)).toBe('email_not_confirmed');
    expect((await user(['confirm', address])).stdout).toBe(`Confirmed ${address}. It can sign in.\n`);
    expect(await askApi(await signIn(address))).toEqual([200, undefined]);
    // of two sign-ups with different passwords, nobody knows which is the person's
    await callIdentity(null, '/signup', { email: 'twice@example.com', password });
    await callIdentity(null, '/signup', { email: 'twice@example.com', password: 'of somebody else' });
    expect((await user(['confirm', 'twice@example.com'])).stdout).toContain('none of the passwords is valid');
    expect(await signIn('twice@example.com')).toBe('invalid_credentials');
    expect((await user(['delete', 'twice@example.com', '--yes'])).code).toBe(0);
    const lines = (await user(['list', '--json'])).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).email).sort()).toEqual([email, address]);
  });

  test('remove-factor helps someone who has lost their phone, ends sessions, and notifies them', async () => {
    const { full } = await setUpFactor(email);
    expect(await askApi(full)).toEqual([200, undefined]);
    expect((await askApi(await signIn(email)))[0]).toBe(401);

    const removed = await user(['remove-factor', email]);
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('signs in without a code') });
    expect((await askApi(full))[0]).toBe(401);
    expect(await askApi(await signIn(email))).toEqual([200, undefined]);
    const mails = await (await fetch(new URL(`/inbox/mails.json?to=${email}`, server.address))).json();
    expect(mails[0]).toMatchObject({ subject: 'An authenticator app was removed' });
    expect((await user(['remove-factor', email])).stdout).toContain('has no authenticator app');
  });

  test('limit sets how many documents may be stored from then on', async () => {
    const token = await signIn(email);
    const save = async () => {
      const answer = await fetch(new URL('/api/v1/documents', server.address), {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ title: 'Heat', latex: 'Heat flows.' }),
      });
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    expect(await save()).toEqual([201, undefined]);
    expect(await user(['limit', email, '1'])).toEqual({
      code: 0,
      stdout: `${email} may store 1 document.\n`,
      stderr: '',
    });
    expect(await save()).toEqual([403, 'DOCUMENT_LIMIT_EXCEEDED']);
    expect((await user(['limit', email, '2'])).code).toBe(0);
    expect(await save()).toEqual([201, undefined]);
  });

  test('delete requires --yes, and leaves nothing to sign in to', async () => {
    const refused = await user(['delete', email]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    const token = await signIn(email);
    const deleted = await user(['delete', email, '--yes']);
    expect(deleted).toMatchObject({
      code: 0,
      stdout: `Deleted ${email} with its documents, files and sessions.\n`,
    });
    expect(await askApi(token)).toEqual([401, 'UNAUTHORIZED']);
    expect(await signIn(email)).toBe('invalid_credentials');
    expect((await user(['list'])).stdout).not.toContain(email);
  });

  test.each([
    [['ban', 'nobody@example.com'], 'There is no account with the address nobody@example.com.'],
    [['ban', 'grace@example.com', '--until', 'soon'], '“soon” is not a date.'],
    [['limit', 'grace@example.com', 'many'], 'whole number'],
    [['ban', 'grace@example.com', '--until', '2001-01-01'], 'is in the past'],
    [['create', 'grace@example.com', '--password', password], 'already'],
    [['create', 'hopper@example.com', '--password', 'short'], 'assword'],
    [['create', 'hopper@example.com'], '--password'],
  ])('%j exits with 1 and a message', async (args, sentence) => {
    const { code, stdout, stderr } = await user(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\bat .*\.ts:\d+/);
  });
});

test('a new SECRET_KEY replaces the old one: second factors, sessions and visitors stay valid', async () => {
  const keeper = 'keeper@example.com';
  await user(['create', keeper, '--password', password, '--confirmed']);
  const { id, app, full } = await setUpFactor(keeper);
  // tokens contain the address that they are for
  const { port } = new URL(server.address);
  const config = async () => (await fetch(new URL('/api/v1/config', server.address))).json();
  const before = await config();
  const visitor = async (cookie: string) => {
    const headers = cookie ? { Cookie: cookie } : undefined;
    const nothing = '/api/v1/conversions/00000000-0000-4000-8000-000000000000';
    const answer = await fetch(new URL(nothing, server.address), { headers });
    return (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  };
  const cookie = await visitor('');
  expect(cookie).toContain('inkproof_visitor=');
  const keys = (...args: string[]) => runCommandHere(['keys', 'secret', ...args], { DATA_DIR: dataDir });
  expect(await keys()).toMatchObject({ code: 1, stderr: expect.stringContaining('in use') });
  await server.stop();

  const file = path.join(dataDir, 'secrets', 'secret-key');
  const [old] = readFileSync(file, 'utf8').split('\n');
  // the state left by a run killed just after writing the key
  writeFileSync(file, `${'c'.repeat(64)}\n${old}\n`);
  const rotated = await keys();
  expect(rotated).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^[2-9]\d* secrets are now encrypted/),
  });
  expect(readFileSync(file, 'utf8')).toBe(`${'c'.repeat(64)}\n${old}\n`);
  expect((await keys()).stdout).toBe(rotated.stdout);
  const [present, ...former] = readFileSync(file, 'utf8').trim().split('\n');
  expect(former).toEqual(['c'.repeat(64), old]);
  expect(present).toMatch(/^(?!c{64})[0-9a-f]{64}$/);

  server = await startServeProcess({ DATA_DIR: dataDir, PORT: port });
  expect((await config()).identity.anon_key).not.toBe(before.identity.anon_key);
  expect(await visitor(cookie)).toBe('');
  expect(await askApi(full)).toEqual([200, undefined]);
  await server.stop();
  expect((await keys('--forget-former')).stdout).toBe('The former keys are forgotten.\n');
  expect(readFileSync(file, 'utf8')).toBe(`${present}\n`);
  server = await startServeProcess({ DATA_DIR: dataDir, PORT: port });
  const again = await signIn(keeper);
  expect(again).toMatch(/^eyJ/);
  // the present code has already been used
  const next = app.generate({ timestamp: Date.now() + 30_000 });
  expect(await askApi(await giveCode(again, id, next))).toEqual([200, undefined]);
});
