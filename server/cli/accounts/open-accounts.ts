/** The basis of the operator's account commands: database, identity, storage and mail, as a server opens them. */
import { pino } from 'pino';
import { loadSecretKeys, prepareDataDir } from '#platform/data-dir.ts';
import { parseEnv } from '#platform/env.ts';
import { createMetrics } from '#platform/metrics.ts';
import { deleteAccount } from '../../account/index.ts';
import { setDocumentLimit } from '../../credits/index.ts';
import { openDatabase } from '../../database/database.ts';
import {
  type Accounts,
  createDeletionNotice,
  createFactorNotice,
  createIdentity,
} from '../../identity/index.ts';
import { createMailer } from '../../mail/create-mailer.ts';
import { openStorage } from '../../storage/open-storage.ts';

export interface OpenedAccounts {
  accounts: Accounts;
  /** @returns false if a running server has to finish it */
  deleteAccount(account: { id: string; email: string }): Promise<boolean>;
  /** Notifies the person that the codes of their authenticator apps are no longer required. */
  sendFactorNotice(email: string): Promise<void>;
  /** Sets how many documents it may keep. */
  setDocumentLimit(userId: string, documents: number): Promise<void>;
  /** @throws Error with an external Supabase, which has its own keys */
  rotateKeys(options: { shouldRevoke: boolean }): Promise<void>;
  /** Seals everything with the present SECRET_KEY (`Identity.reseal`). */
  reseal(): Promise<{ resealed: number; lost: number }>;
  close(): Promise<void>;
}

/** @throws Error with a sentence for the operator */
export async function openAccounts(
  source: Record<string, string | undefined>,
  onNotice: (notice: string) => void,
): Promise<OpenedAccounts> {
  const env = parseEnv(source);
  await prepareDataDir(env.DATA_DIR);
  const logger = pino({ level: 'silent' });
  const database = await openDatabase(env, { onNotice });
  const mailer = createMailer(env, { logger });
  try {
    const identity = await createIdentity({
      env,
      pool: database.pool,
      db: database.db,
      secretKeys: await loadSecretKeys(env),
      logger,
      metrics: createMetrics(),
      mailer,
    });
    return {
      accounts: identity.accounts,
      deleteAccount: (account) =>
        deleteAccount(
          {
            db: database.db,
            storage: openStorage(env),
            accounts: identity.accounts,
            sendNotice: createDeletionNotice(env, mailer),
            logger,
          },
          account,
        ),
      sendFactorNotice: createFactorNotice(env, mailer),
      setDocumentLimit: (userId, documents) => setDocumentLimit(database.db, userId, documents),
      rotateKeys: (options) => identity.rotateKeys(options),
      reseal: () => identity.reseal(),
      async close() {
        await identity.close();
        await mailer.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close().catch(() => {});
    throw error;
  }
}
