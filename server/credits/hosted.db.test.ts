/**
 * Runs the migrations under the circumstances of a hosted Supabase: `auth` belongs to another role, the
 * migrating role is no superuser and may not create in `auth`, and the public roles are granted everything that
 * appears in `public`. It stands in for those circumstances, not for Supabase.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrateDatabase } from '#server/database/migrate.ts';
import { createPool } from '#server/database/pool.ts';

const name = `hosted_${randomBytes(6).toString('hex')}`;
const migrator = `${name}_postgres`;
let url: string;
let superuser: pg.Pool;
let pool: pg.Pool;

beforeAll(async () => {
  const admin = new pg.Client({ connectionString: inject('databaseAdminUrl') });
  await admin.connect();
  // roles belong to the whole server, which ends with the test run
  await admin.query(
    'DO $$ BEGIN CREATE ROLE supabase_auth_admin NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$',
  );
  await admin.query(`CREATE ROLE ${migrator} LOGIN NOSUPERUSER PASSWORD 'hosted'`);
  await admin.query(`GRANT anon, authenticated TO ${migrator}`);
  await admin.query(`CREATE DATABASE ${name} OWNER ${migrator}`);
  await admin.end();
  const adminUrl = new URL(inject('databaseAdminUrl'));
  adminUrl.pathname = `/${name}`;
  superuser = createPool(adminUrl.href);
  await superuser.query(`
    CREATE SCHEMA auth AUTHORIZATION supabase_auth_admin;
    CREATE TABLE auth.users (id uuid PRIMARY KEY, email text, email_confirmed_at timestamptz, banned_until timestamptz, created_at timestamptz DEFAULT now());
    ALTER TABLE auth.users OWNER TO supabase_auth_admin;
    CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$ SELECT (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
    GRANT USAGE ON SCHEMA auth TO PUBLIC;
    GRANT ALL ON auth.users TO ${migrator};
    CREATE PUBLICATION supabase_realtime;
    ALTER PUBLICATION supabase_realtime OWNER TO ${migrator};
    ALTER DEFAULT PRIVILEGES FOR ROLE ${migrator} IN SCHEMA public GRANT ALL ON TABLES TO anon, authenticated;
    ALTER DEFAULT PRIVILEGES FOR ROLE ${migrator} IN SCHEMA public GRANT ALL ON SEQUENCES TO anon, authenticated;
    ALTER DEFAULT PRIVILEGES FOR ROLE ${migrator} IN SCHEMA public GRANT ALL ON FUNCTIONS TO anon, authenticated;
    INSERT INTO auth.users (id, email, email_confirmed_at) VALUES ('00000000-0000-4000-8000-000000000001', 'early@example.com', now());
  `);
  const address = new URL(inject('databaseTemplateUrl'));
  address.pathname = `/${name}`;
  address.username = migrator;
  address.password = 'hosted';
  url = address.href;
  await migrateDatabase(url, { accounts: 'supabase' });
  pool = createPool(url);
});
afterAll(async () => {
  await pool?.end();
  await superuser?.end();
  const admin = new pg.Client({ connectionString: inject('databaseAdminUrl') });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.query(`DROP ROLE IF EXISTS ${migrator}`);
  await admin.end();
});

test('the public roles can read or write none of our tables, except read the two meant for it', async () => {
  const { rows } = await pool.query<{ name: string; role: string; rights: string }>(`
    SELECT c.relname AS name, role, string_agg(right_, ',' ORDER BY right_) AS rights
      FROM pg_class c, unnest(ARRAY['anon', 'authenticated']) AS role,
           unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS right_
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND has_table_privilege(role, c.oid, right_)
     GROUP BY 1, 2 ORDER BY 1, 2`);
  expect(rows).toEqual([
    { name: 'page_conversion_totals', role: 'anon', rights: 'SELECT' },
    { name: 'page_conversion_totals', role: 'authenticated', rights: 'SELECT' },
    { name: 'user_credits', role: 'authenticated', rights: 'SELECT' },
  ]);
});

test('row-level security is on for every public table', async () => {
  const { rows } = await pool.query(
    "SELECT relname, relrowsecurity FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
  );
  expect(rows.length).toBeGreaterThan(6);
  expect(rows.filter(({ relrowsecurity }) => !relrowsecurity)).toEqual([]);
});

test('the public roles can use none of our sequences and functions', async () => {
  const { rows: sequences } = await pool.query(
    `SELECT relname FROM pg_class c, unnest(ARRAY['anon', 'authenticated']) AS role
      WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace AND has_sequence_privilege(role, c.oid, 'SELECT, USAGE, UPDATE')`,
  );
  const { rows: functions } = await pool.query(
    `SELECT proname FROM pg_proc p, unnest(ARRAY['anon', 'authenticated']) AS role
      WHERE pronamespace::regnamespace::text IN ('public', 'private') AND has_function_privilege(role, p.oid, 'EXECUTE')`,
  );
  const { rows: schemas } = await pool.query(
    "SELECT role FROM unnest(ARRAY['anon', 'authenticated']) AS role WHERE has_schema_privilege(role, 'private', 'USAGE, CREATE')",
  );
  expect({ sequences, functions, schemas }).toEqual({ sequences: [], functions: [], schemas: [] });
});

test('every function that runs with its owner’s rights has an empty search path', async () => {
  const { rows } = await pool.query(
    `SELECT proname FROM pg_proc WHERE pronamespace::regnamespace::text IN ('public', 'private') AND prosecdef
        AND NOT coalesce(proconfig, '{}') @> ARRAY['search_path=""']`,
  );
  expect(rows).toEqual([]);
});

test('the role of the accounts there can call the hook, and its sign-ups get credits', async () => {
  const client = await superuser.connect();
  try {
    await client.query('SET ROLE supabase_auth_admin');
    const ask = async (email: string) =>
      (await client.query('SELECT public.hook_before_user_created($1) AS answer', [{ user: { email } }]))
        .rows[0].answer;
    expect(await ask('ada@example.com')).toEqual({});
    expect(await ask('ada+1@gmail.com')).toEqual({
      error: { http_code: 400, message: expect.stringMatching(/^Oops! Gmail aliases/) },
    });
    await expect(client.query("SELECT private.refuse_signup('a@b.example')")).rejects.toThrow(
      /permission denied/,
    );
    await client.query(
      "INSERT INTO auth.users (id, email) VALUES ('00000000-0000-4000-8000-000000000002', 'ada@example.com')",
    );
    await client.query("DELETE FROM auth.users WHERE email = 'ada@example.com'");
  } finally {
    await client.query('RESET ROLE');
    client.release();
  }
  const { rows } = await pool.query('SELECT count(*)::int AS count FROM user_credits');
  expect(rows).toEqual([{ count: 1 }]);
});

test('an account from before the migration has a balance, and its free credits once the key is written', async () => {
  const read = async () =>
    (await pool.query('SELECT conversion_credits, assistant_credits, document_limit FROM user_credits')).rows;
  expect(await read()).toEqual([{ conversion_credits: 0, assistant_credits: 0, document_limit: 200 }]);
  await pool.query("INSERT INTO private.settings (name, value) VALUES ('mailbox-key', $1)", [
    randomBytes(32),
  ]);
  await pool.query('SELECT private.catch_up_accounts()');
  expect(await read()).toEqual([{ conversion_credits: 10, assistant_credits: 5, document_limit: 200 }]);
});

test('changes of the balance and the page total go out through the project’s own realtime', async () => {
  const { rows } = await pool.query(
    "SELECT tablename FROM pg_publication_tables WHERE pubname = 'supabase_realtime' ORDER BY 1",
  );
  expect(rows.map(({ tablename }) => tablename)).toEqual(['page_conversion_totals', 'user_credits']);
});
