/** The database of this installation: the embedded PostgreSQL, or the one DATABASE_URL names; one driver for both. */
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Env } from '#platform/env.ts';
import type { Outages } from '#platform/outages.ts';
import { openEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { migrateDatabase } from './migrate.ts';
import { createPool } from './pool.ts';

/** Queries through Drizzle. Tables are imported from each feature's `schema.ts`. */
export type Database = NodePgDatabase<Record<string, never>>;

export interface OpenedDatabase {
  db: Database;
  pool: pg.Pool;
  /** Connection string of the application's role; contains a password, so it is never logged or shown. */
  url: string;
  /** Where the embedded server writes its log; absent with an external one. */
  logFolder?: string;
  /** Waits for running queries and closes the pool; the last process also stops an embedded server. */
  close(): Promise<void>;
}

interface OpenDatabaseOptions {
  /** False leaves the schema as it is (a restore creates its own). Default true. */
  migrate?: boolean;
  /** Called with a sentence for the operator. */
  onNotice?: (notice: string) => void;
  /** Notified when the open database becomes unavailable, and when it is back. */
  outages?: Outages;
}

/** The oldest PostgreSQL accepted as an external server: the community will maintain it for years to come. */
const oldestExternalVersion = 150_000;

/**
 * Opens the database, updates its schema, and keeps it open until `close`.
 * @throws Error with a message for the operator: unreachable, too old, another major version or encoding, a schema from
 * a newer release.
 */
export async function openDatabase(env: Env, options: OpenDatabaseOptions = {}): Promise<OpenedDatabase> {
  if (env.DATABASE_URL) await checkExternalServer(env.DATABASE_URL);
  const embedded = env.DATABASE_URL
    ? null
    : await openEmbeddedPostgres({ dataDir: env.DATA_DIR, onNotice: options.onNotice });
  const url = env.DATABASE_URL ?? embedded?.url ?? '';
  const pool = createPool(url, options.outages);
  const close = async () => {
    await pool.end();
    await embedded?.close();
  };
  try {
    if (options.migrate !== false) {
      await migrateDatabase(url, { accounts: env.SUPABASE_URL ? 'supabase' : 'embedded' });
    }
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return { db: drizzle(pool), pool, url, logFolder: embedded?.logFolder, close };
}

async function checkExternalServer(url: string): Promise<void> {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 });
    // the calls themselves report failures
    client.on('error', () => {});
    await client.connect();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // the driver's message for an unreachable host is empty or names the address, without the password
    throw new Error(
      `The PostgreSQL server in DATABASE_URL cannot be used (${code ?? message}). Check its address, user and password.`,
    );
  }
  try {
    const { rows } = await client.query<{ version: number; encoding: string }>(
      "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
    );
    const { version, encoding } = rows[0]!;
    if (version < oldestExternalVersion) {
      throw new Error(
        'The PostgreSQL in DATABASE_URL is older than version 15. Upgrade it, or use a newer one.',
      );
    }
    if (encoding !== 'UTF8') {
      throw new Error(
        `The database in DATABASE_URL has the encoding ${encoding}. Create one with: CREATE DATABASE inkproof TEMPLATE template0 ENCODING 'UTF8';`,
      );
    }
  } finally {
    await client.end();
  }
}
