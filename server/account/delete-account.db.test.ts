// A deletion interrupted at any point is completed by the next sweep; never partially, and never for another account.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { type OpenedAccounts, openAccounts } from '#server/cli/accounts/open-accounts.ts';
import { openStorage } from '#server/storage/open-storage.ts';
import type { Storage } from '#server/storage/storage.ts';
import { createTestDatabase } from '../../test-support/database.ts';
import { type ServeProcess, startServeProcess } from '../../test-support/product/serve-process.ts';
import { startTestServer } from '../../test-support/product/server.ts';
import { type DeletionDeps, deleteAccount, sweepDeletions } from './delete-account.ts';
import { insertDelivered, listKeys } from './testing/delivered.ts';

const password = 'correct horse battery staple';
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let settings: Record<string, string>;
let opened: OpenedAccounts;
let storage: Storage;
let notices: string[] = [];
let deps: DeletionDeps;

const sql = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

beforeAll(async () => {
  database = await createTestDatabase();
  settings = {
    DATABASE_URL: database.url,
    DATA_DIR: mkdtempSync(path.join(os.tmpdir(), 'inkproof-account-')),
    SECRET_KEY: 'a key for tests, 32 characters or more',
  };
  opened = await openAccounts(settings, () => {});
  storage = openStorage(parseEnv(settings));
  deps = {
    db: database.db,
    storage,
    accounts: opened.accounts,
    sendNotice: async (email) => void notices.push(email),
    logger: pino({ level: 'silent' }),
  };
});
afterAll(async () => {
  await opened?.close();
  await database?.close();
  rmSync(settings.DATA_DIR!, { recursive: true, force: true });
});

let count = 0;
async function createPerson() {
  const { id, email } = await opened.accounts.create({
    email: `person-${++count}@example.com`,
    password,
    isConfirmed: true,
  });
  return { id, email, conversion: await insertDelivered({ sql }, storage, id, 'E = mc^2') };
}
type Person = Awaited<ReturnType<typeof createPerson>>;

async function whatIsLeft({ id, conversion }: Person) {
  return {
    account: (await sql('SELECT 1 FROM auth.users WHERE id = $1', [id])).length,
    conversions: (await sql('SELECT 1 FROM conversions WHERE caller_id = $1', [id])).length,
    files: (await listKeys(storage, `conversions/${conversion}/`)).length,
    mark: (await sql('SELECT 1 FROM private.account_deletions WHERE user_id = $1', [id])).length,
  };
}
const nothing = { account: 0, conversions: 0, files: 0, mark: 0 };

const fail = async () => {
  throw new Error('the plug was pulled');
};

describe('an interrupted deletion', () => {
  const faults: [string, () => Partial<DeletionDeps>][] = [
    ['before the account is removed', () => ({ accounts: { ...deps.accounts, remove: fail } })],
    [
      'when the account has just been removed',
      () => ({ accounts: { ...deps.accounts, remove: (id) => deps.accounts.remove(id).then(fail) } }),
    ],
    ['before the files are removed', () => ({ storage: { ...storage, deletePrefix: fail } })],
    [
      'when the files have just been removed',
      () => ({ storage: { ...storage, deletePrefix: (prefix) => storage.deletePrefix(prefix).then(fail) } }),
    ],
    ['before the notice', () => ({ sendNotice: fail })],
    ['right after the notice', () => ({ sendNotice: (email) => deps.sendNotice(email).then(fail) })],
  ];

  test.each(faults)('%s is completed by the next sweep', async (_, fault) => {
    const person = await createPerson();
    expect(await deleteAccount({ ...deps, ...fault() }, person)).toBe(false);
    expect((await whatIsLeft(person)).mark).toBe(1);
    await sweepDeletions(deps);
    expect(await whatIsLeft(person)).toEqual(nothing);
    expect(notices).toContain(person.email);
    await sweepDeletions(deps);
    expect(notices.filter((email) => email === person.email).length).toBeLessThanOrEqual(2);
  });

  test('the owner is notified only once everything is deleted', async () => {
    const person = await createPerson();
    notices = [];
    await deleteAccount({ ...deps, storage: { ...storage, deletePrefix: fail } }, person);
    expect(notices).toEqual([]);
    await sweepDeletions(deps);
    expect(notices).toEqual([person.email]);
  });
});

test('while one of its pages is being read, the rest waits for the reader to notice', async () => {
  const person = await createPerson();
  await sql(
    `INSERT INTO conversion_pages (conversion_id, number, file_index, page_index, state, lease_token, lease_until)
     VALUES ($1, 1, 0, 0, 'reading', gen_random_uuid(), now() + interval '1 hour')`,
    [person.conversion],
  );
  expect(await deleteAccount(deps, person)).toBe(false);
  expect(await whatIsLeft(person)).toMatchObject({ account: 0, files: 0, mark: 1 });
  await sql('UPDATE conversion_pages SET lease_until = now() WHERE conversion_id = $1', [person.conversion]);
  await sweepDeletions(deps);
  expect(await whatIsLeft(person)).toEqual(nothing);
});

test('two processes do not work on one deletion at once', async () => {
  const person = await createPerson();
  notices = [];
  await Promise.all([deleteAccount(deps, person), deleteAccount(deps, person), sweepDeletions(deps)]);
  await sweepDeletions(deps);
  expect(await whatIsLeft(person)).toEqual(nothing);
  expect(notices).toEqual([person.email]);
});

test('a late request after everything is deleted sends no second notice', async () => {
  const person = await createPerson();
  notices = [];
  expect(await deleteAccount(deps, person)).toBe(true);
  expect(await deleteAccount(deps, person)).toBe(true);
  expect(await whatIsLeft(person)).toEqual(nothing);
  expect(notices).toEqual([person.email]);
});

test('a killed process leaves the rest to the next one that starts', async () => {
  const [person, other] = [await createPerson(), await createPerson()];
  const server: ServeProcess = await startServeProcess({ ...settings, ROLES: 'web' });
  const config = await (await fetch(new URL('/api/v1/config', server.address))).json();
  const signedIn = await fetch(new URL('/auth/v1/token?grant_type=password', server.address), {
    method: 'POST',
    headers: { apikey: config.identity.anon_key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: person.email, password }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };

  const blocker = await database.pool.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE conversions IN ACCESS EXCLUSIVE MODE');
    const deletion = fetch(new URL('/api/v1/account', server.address), {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ confirm: person.email }),
    }).catch(() => null);
    const findAccount = () => sql('SELECT 1 FROM auth.users WHERE id = $1', [person.id]);
    await expect.poll(findAccount, { timeout: 20_000 }).toEqual([]);
    expect(await server.stop('SIGKILL')).toBeNull();
    expect(await deletion).toBeNull();
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
  expect((await whatIsLeft(person)).mark).toBe(1);
  // its lease expires
  await sql("UPDATE private.account_deletions SET lease_until = now() - interval '1 second'");
  const next = await startTestServer(settings);
  try {
    await expect.poll(() => whatIsLeft(person), { timeout: 30_000 }).toEqual(nothing);
    expect(await whatIsLeft(other)).toEqual({ account: 1, conversions: 1, files: 2, mark: 0 });
  } finally {
    await next.close();
  }
});
