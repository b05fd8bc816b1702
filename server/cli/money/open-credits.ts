/** The basis of the operator's commands on credits and money: the database, as a server opens it, and the credits room. */
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { loadSecretKeys, prepareDataDir } from '#platform/data-dir.ts';
import { parseEnv } from '#platform/env.ts';
import * as credits from '../../credits/index.ts';
import { openDatabase } from '../../database/database.ts';

export type OpenedCredits = Awaited<ReturnType<typeof openCredits>>;

/** @throws Error with a sentence for the operator */
export async function openCredits(
  source: Record<string, string | undefined>,
  onNotice: (notice: string) => void,
) {
  const env = parseEnv(source);
  await prepareDataDir(env.DATA_DIR);
  const { db, close } = await openDatabase(env, { onNotice });
  return {
    db,
    credits,
    logger: pino({ level: 'silent' }),
    close,
    /** Stripe, as the server would ask it. */
    async openService() {
      return credits.openPaymentService(env, (await loadSecretKeys(env)).present);
    },
    /** @param email in any letter case. @throws Error with a sentence if there is no such account */
    async getAccount(email: string): Promise<{ id: string; email: string }> {
      const { rows } = await db.execute<{ id: string; email: string }>(
        sql`select id, email from auth.users where lower(email) = lower(${email.trim()})`,
      );
      if (!rows[0]) throw new Error(`There is no account with the address ${email}.`);
      return rows[0];
    },
  };
}
