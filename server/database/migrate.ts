/** Migrates a database's schema to this release. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { ensureRequestRoles } from './request-roles.ts';

/** What manages the accounts: our tables in schema `auth`, or the Supabase that this database belongs to. */
export type AccountsBackend = 'embedded' | 'supabase';

/** One series of migrations with its own journal, a table in schema `drizzle`. */
export interface MigrationSet {
  folder: string;
  journal: string;
}

/** The product's tables, on either backend. */
export const productMigrations: MigrationSet = {
  folder: path.join(import.meta.dirname, 'migrations'),
  journal: '__drizzle_migrations',
};
/** Schema `auth` of the embedded backend. Applied first, because the product's migrations refer to it. */
export const authMigrations: MigrationSet = {
  folder: path.join(import.meta.dirname, 'auth-migrations'),
  journal: '__auth_migrations',
};
/** Advisory lock for migrations ("INKM"): processes that start together migrate one after another. */
export const migrationLockKey = 0x494e4b4d;

/** A migration's name and time of generation (ms), by which Drizzle orders and records migrations. */
export interface Migration {
  tag: string;
  when: number;
}

/** The migrations of this release, oldest first. */
export function listMigrations(set: MigrationSet = productMigrations): Migration[] {
  const journal = path.join(set.folder, 'meta', '_journal.json');
  if (!existsSync(journal)) return [];
  return (JSON.parse(readFileSync(journal, 'utf8')) as { entries: Migration[] }).entries;
}

/**
 * Applies missing migrations under an advisory lock, each set in one transaction.
 * @throws Error with a message for the operator: last used by a newer release, accounts of another backend, roles that
 * are missing and cannot be created.
 */
export async function migrateDatabase(
  url: string,
  options: { accounts?: AccountsBackend } = {},
): Promise<void> {
  const accounts = options.accounts ?? 'embedded';
  const sets = accounts === 'embedded' ? [authMigrations, productMigrations] : [productMigrations];
  const client = new pg.Client({ connectionString: url, application_name: 'inkproof migrations' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLockKey]);
    await refuseOtherBackend(client, accounts);
    for (const set of sets) await refuseNewerRelease(client, set);
    if (accounts === 'embedded') await ensureRequestRoles(client);
    for (const { folder, journal } of sets)
      await migrate(drizzle(client), { migrationsFolder: folder, migrationsTable: journal }).catch(
        (error: Error) => {
          // Drizzle's own message is the whole statement
          const { message } = error.cause instanceof Error ? error.cause : error;
          throw new Error(`The database could not be brought up to date: ${message}`, { cause: error });
        },
      );
  } finally {
    // ending the session releases the lock
    await client.end();
  }
}

async function refuseNewerRelease(client: pg.Client, set: MigrationSet): Promise<void> {
  const newest = listMigrations(set).at(-1);
  const level = await readMigrationLevel(client, set);
  if (newest === undefined || level === null || level <= newest.when) return;
  throw new Error(
    'This database was last used by a newer release of Inkproof. Install that release again, or restore a backup made before the upgrade.',
  );
}

async function refuseOtherBackend(client: pg.Client, accounts: AccountsBackend): Promise<void> {
  const { rows } = await client.query<{ schema: boolean; users: boolean }>(
    "SELECT to_regnamespace('auth') IS NOT NULL AS schema, to_regclass('auth.users') IS NOT NULL AS users",
  );
  const found = rows[0] ?? { schema: false, users: false };
  if (accounts === 'supabase' && !found.users) {
    throw new Error(
      'SUPABASE_URL is set, but the database in DATABASE_URL has no table auth.users. Give the DATABASE_URL of the same Supabase project.',
    );
  }
  if (
    accounts === 'embedded' &&
    found.schema &&
    (await readMigrationLevel(client, authMigrations)) === null
  ) {
    throw new Error(
      'The database in DATABASE_URL has a schema named auth that is not Inkproof’s: it looks like a Supabase project. Set SUPABASE_URL and SUPABASE_ANON_KEY to use its accounts, or give another database.',
    );
  }
}

/** The newest applied migration's `when`, or null before the first. */
export async function readMigrationLevel(
  client: pg.Client | pg.PoolClient,
  set: MigrationSet = productMigrations,
): Promise<number | null> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS found',
    [`drizzle.${set.journal}`],
  );
  if (!tables[0]?.found) return null;
  const { rows } = await client.query<{ level: string | null }>(
    `SELECT max(created_at) AS level FROM drizzle.${set.journal}`,
  );
  const level = rows[0]?.level ?? null;
  return level === null ? null : Number(level);
}
