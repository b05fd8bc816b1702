/** Dependencies shared by all parts of the embedded backend's /auth/v1. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Env } from '#platform/env.ts';
import type { Database } from '#server/database/database.ts';
import type { AuthMail } from '../mails/auth-mail.ts';
import type { Passwords } from './accounts/passwords.ts';
import type { AuthLimits } from './limits.ts';
import type { AccessTokens } from './tokens/access-tokens.ts';
import type { Sealer } from './tokens/seal.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';

export interface AuthCore {
  env: Env;
  db: Database;
  pool: pg.Pool;
  logger: Logger;
  /** `${API_URL}/auth/v1`: issuer of tokens and base of the provider's callback. */
  issuer: string;
  sealer: Sealer;
  keys: SigningKeys;
  tokens: AccessTokens;
  passwords: Passwords;
  limits: AuthLimits;
  /** Sends without delaying the response; failures are logged. Call it once the transaction has committed. */
  mail(mail: AuthMail): void;
  /** Runs work after the response, so that response times reveal nothing; the identity's `close` waits for it. */
  later(what: string, work: () => Promise<void>): void;
}

/** A transaction, or the database itself. */
export type Queryable = Database | Transaction;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
