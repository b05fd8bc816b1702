import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '../../test-support/database.ts';
import { authMigrations, listMigrations, migrateDatabase, readMigrationLevel } from './migrate.ts';

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

test('processes that start concurrently on an empty database all succeed and apply each migration once', async () => {
  await withEmptyDatabase(async (url, client) => {
    await Promise.all(Array.from({ length: 8 }, () => migrateDatabase(url)));
    const { rows } = await client.query('SELECT created_at FROM drizzle.__drizzle_migrations');
    expect(rows).toHaveLength(listMigrations().length);
    const { rows: ofAccounts } = await client.query('SELECT FROM drizzle.__auth_migrations');
    expect(ofAccounts).toHaveLength(listMigrations(authMigrations).length);
  });
});

test('SUPABASE_URL with a database that has no accounts is refused, unchanged', async () => {
  await withEmptyDatabase(async (url, client) => {
    await expect(migrateDatabase(url, { accounts: 'supabase' })).rejects.toThrow(/no table auth\.users/);
    const { rows } = await client.query("SELECT to_regnamespace('drizzle') AS schema");
    expect(rows).toEqual([{ schema: null }]);
  });
});

test('a Supabase project’s database without SUPABASE_URL is refused, unchanged', async () => {
  await withEmptyDatabase(async (url, client) => {
    await client.query('CREATE SCHEMA auth; CREATE TABLE auth.users (id uuid PRIMARY KEY)');
    await expect(migrateDatabase(url)).rejects.toThrow(/looks like a Supabase project.*SUPABASE_URL/s);
    const { rows } = await client.query("SELECT to_regclass('public.conversions') AS found");
    expect(rows).toEqual([{ found: null }]);
  });
});

test('where roles cannot be created, the two statements are printed, and after running them it continues', async () => {
  const admin = new pg.Client({ connectionString: inject('databaseAdminUrl') });
  await admin.connect();
  const name = `bare_${process.hrtime.bigint()}`;
  try {
    await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'bare'`);
    await admin.query(`CREATE DATABASE ${name} OWNER ${name}`);
    const url = new URL(inject('databaseTemplateUrl'));
    Object.assign(url, { username: name, password: 'bare', pathname: `/${name}` });
    const error = await migrateDatabase(url.href).then(
      () => null,
      (thrown: Error) => thrown,
    );
    const statements = /administrator: (.*)$/.exec(error?.message ?? '')?.[1] ?? '';
    expect(statements.match(/;/g)).toHaveLength(2);
    await admin.query(statements);
    await migrateDatabase(url.href);
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`DROP ROLE IF EXISTS ${name}`);
    await admin.end();
  }
});

test('the read roles can be switched to, own nothing, and give the application no rights', async () => {
  const database = await createTestDatabase();
  try {
    const { rows } = await database.pool.query(
      `SELECT rolname, rolcanlogin, rolsuper, pg_has_role(current_user, oid, 'SET') AS settable,
              pg_has_role(current_user, oid, 'USAGE') AS inherited
         FROM pg_roles WHERE rolname IN ('anon', 'authenticated') ORDER BY 1`,
    );
    const role = { rolcanlogin: false, rolsuper: false, settable: true, inherited: false };
    expect(rows).toEqual([
      { rolname: 'anon', ...role },
      { rolname: 'authenticated', ...role },
    ]);
    for (const name of ['anon', 'authenticated']) {
      const client = await database.pool.connect();
      await client.query(`SET ROLE ${name}`);
      for (const table of ['users', 'sessions', 'refresh_tokens', 'signing_keys', 'one_time_tokens'])
        await expect(client.query(`SELECT FROM auth.${table}`)).rejects.toThrow(/permission denied/);
      const claims = JSON.stringify({ sub: '5e0bc9a8-52c5-4a22-9e2e-0d3f8a2f5d10', role: name });
      await client.query("SELECT set_config('request.jwt.claims', $1, false)", [claims]);
      const { rows: roles } = await client.query('SELECT auth.uid() AS uid, auth.role() AS role');
      expect(roles).toEqual([{ uid: '5e0bc9a8-52c5-4a22-9e2e-0d3f8a2f5d10', role: name }]);
      client.release(true);
    }
  } finally {
    await database.close();
  }
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

test('a test database has the schema and belongs to a role that is not a superuser', async () => {
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
