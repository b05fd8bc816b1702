/** Brings a database's schema to the level of this release. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

export const migrationsFolder = path.join(import.meta.dirname, 'migrations');
/** Advisory lock for migrations ("INKM"): processes that boot together migrate one after the other. */
export const migrationLockKey = 0x494e4b4d;

/** One migration: its name and when it was generated (ms), which is how Drizzle orders and remembers them. */
export interface Migration {
  tag: string;
  when: number;
}

/** The migrations of this release, oldest first. */
export function listMigrations(): Migration[] {
  const journal = path.join(migrationsFolder, 'meta', '_journal.json');
  if (!existsSync(journal)) return [];
  return (JSON.parse(readFileSync(journal, 'utf8')) as { entries: Migration[] }).entries;
}

/**
 * Applies what is missing, in one transaction, under an advisory lock.
 * @throws Error when the database was last used by a newer release.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const migrations = listMigrations();
  const newest = migrations.at(-1);
  if (!newest) return;
  const client = new pg.Client({ connectionString: url, application_name: 'inkproof migrations' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLockKey]);
    const level = await readMigrationLevel(client);
    if (level !== null && level > newest.when) {
      throw new Error(
        'This database was last used by a newer release of Inkproof. Install that release again, or restore a backup made before the upgrade.',
      );
    }
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    // ending the session releases the lock
    await client.end();
  }
}

/** The newest applied migration's `when`, or null before the first. */
export async function readMigrationLevel(client: pg.Client | pg.PoolClient): Promise<number | null> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS found",
  );
  if (!tables[0]?.found) return null;
  const { rows } = await client.query<{ level: string | null }>(
    'SELECT max(created_at) AS level FROM drizzle.__drizzle_migrations',
  );
  const level = rows[0]?.level ?? null;
  return level === null ? null : Number(level);
}
