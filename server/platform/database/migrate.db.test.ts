import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/database.ts';
import { listMigrations, migrateDatabase, readMigrationLevel } from './migrate.ts';

/** An empty database on the tests' server. */
async function withEmptyDatabase(use: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('databaseAdminUrl') });
  await admin.connect();
  const name = `empty_${process.hrtime.bigint()}`;
  await admin.query(`CREATE DATABASE ${name} OWNER inkproof`);
  const url = new URL(inject('databaseTemplateUrl'));
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await use(url.href, client);
  } finally {
    await client.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

test('processes that boot together on an empty database all succeed and apply each migration once', async () => {
  await withEmptyDatabase(async (url, client) => {
    await Promise.all(Array.from({ length: 8 }, () => migrateDatabase(url)));
    const { rows } = await client.query('SELECT created_at FROM drizzle.__drizzle_migrations');
    expect(rows).toHaveLength(listMigrations().length);
  });
});

test('a database of a newer release is refused with the way out, unchanged', async () => {
  await withEmptyDatabase(async (url, client) => {
    await migrateDatabase(url);
    const future = Date.UTC(2100, 0, 1);
    await client.query("INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', $1)", [
      future,
    ]);
    await expect(migrateDatabase(url)).rejects.toThrow(/newer release.*restore a backup/);
    expect(await readMigrationLevel(client)).toBe(future);
  });
});

test('a test database has the schema and belongs to a role that is no superuser', async () => {
  const database = await createTestDatabase();
  try {
    const { rows } = await database.pool.query('SELECT usesuper FROM pg_user WHERE usename = current_user');
    expect(rows).toEqual([{ usesuper: false }]);
    const client = await database.pool.connect();
    expect(await readMigrationLevel(client)).toBe(listMigrations().at(-1)?.when);
    client.release();
  } finally {
    await database.close();
  }
});
