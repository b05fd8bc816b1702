/** A separate database for a test file, migrated and empty, on the real PostgreSQL started by the set-up. */
import { randomBytes } from 'node:crypto';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { inject } from 'vitest';
import type { OpenedDatabase } from '#server/database/database.ts';
import { createPool } from '#server/database/pool.ts';

/**
 * Copies the migrated template. `url` can be given to other processes as DATABASE_URL. `close` ends every
 * connection to it, including those of other processes, and drops it.
 */
export async function createTestDatabase(): Promise<OpenedDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE inkproof_template OWNER inkproof`));
  const address = new URL(inject('databaseTemplateUrl'));
  address.pathname = `/${name}`;
  const pool = createPool(address.href);
  return {
    db: drizzle(pool),
    pool,
    url: address.href,
    async close() {
      await pool.end();
      await asAdmin((admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

async function asAdmin(use: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('databaseAdminUrl') });
  admin.on('error', () => {});
  await admin.connect();
  try {
    await use(admin);
  } finally {
    await admin.end();
  }
}
