import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { createTestDatabase } from '../../test-support/database.ts';
import { type OpenedDatabase, openDatabase } from './database.ts';

let database: OpenedDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const secret = { SECRET_KEY: 'k'.repeat(32) };

test('a connection that breaks within a transaction fails only that transaction', async () => {
  const broken = database.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
    await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    await tx.execute(sql`SELECT pg_sleep(0.1)`);
  });
  await expect(broken).rejects.toThrow();
  expect((await database.db.execute(sql`SELECT 1 AS one`)).rows).toEqual([{ one: 1 }]);
});

test('an external database is opened, migrated, and left running', async () => {
  const opened = await openDatabase(parseEnv({ DATABASE_URL: database.url, ...secret }));
  const { rows } = await opened.pool.query("SELECT to_regclass('conversions') IS NOT NULL AS found");
  expect(rows).toEqual([{ found: true }]);
  await opened.close();
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test.each([
  ['nothing listens there', 'postgres://ink:hidden@127.0.0.1:9/ink', /cannot be used \(ECONNREFUSED\)/],
  ['the password is wrong', 'wrong', /cannot be used \(28P01\)/],
])('when %s, the message says what to check and shows no password', async (_, address, sentence) => {
  const url = new URL(address === 'wrong' ? database.url : address);
  if (address === 'wrong') url.password = 'hidden';
  const opening = openDatabase(parseEnv({ DATABASE_URL: url.href, ...secret }));
  await expect(opening).rejects.toThrow(sentence);
  await expect(opening).rejects.not.toThrow(/hidden/);
});

test('a database with another encoding is rejected before anything is written, with the command for the right one', async () => {
  const name = `latin_${randomBytes(8).toString('hex')}`;
  const admin = new pg.Client({ connectionString: inject('databaseAdminUrl') });
  await admin.connect();
  try {
    await admin.query(
      `CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER libc ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' OWNER inkproof`,
    );
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    await expect(openDatabase(parseEnv({ DATABASE_URL: url.href, ...secret }))).rejects.toThrow(
      /encoding SQL_ASCII\. Create one with: CREATE DATABASE/,
    );
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
});
