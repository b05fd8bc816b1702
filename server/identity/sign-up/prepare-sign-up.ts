/** Prepares the data that the database's functions on accounts need, at every start and with either backend. */
import { hkdfSync } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { loadDisposableDomains } from './disposable-domains.ts';

interface PrepareSignUpOptions {
  pool: pg.Pool;
  secretKey: string;
  logger: Logger;
}

/**
 * Loads the disposable domains, writes the key of the mailbox hashes, and creates missing balances of older accounts.
 * The first key stays even if SECRET_KEY changes: with another one, every mailbox would get its free credits again.
 */
export async function prepareSignUp({ pool, secretKey, logger }: PrepareSignUpOptions): Promise<void> {
  await loadDisposableDomains(pool);
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'inkproof mailbox hash', 32));
  await pool.query(
    "INSERT INTO private.settings (name, value) VALUES ('mailbox-key', $1) ON CONFLICT DO NOTHING",
    [key],
  );
  const { rowCount } = await pool.query(
    "SELECT FROM private.settings WHERE name = 'mailbox-key' AND value = $1",
    [key],
  );
  if (rowCount === 0)
    logger.warn('SECRET_KEY has changed; the hashes of mailboxes still use their first key');
  await pool.query('SELECT private.catch_up_accounts()');
}
