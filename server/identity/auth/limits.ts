/**
 * How often. Counters stand in PostgreSQL, shared by all processes, under keyed hashes: the table tells nobody's
 * address. All are multiplied by AUTH_LIMIT_FACTOR.
 *
 * Guessing a password is bounded twice: per account and network, and per account over all networks that have never
 * signed in to it. A network that has is not held up by the guesses of others, so nobody can be shut out of their
 * account from outside.
 */
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { type AuthErrorCode, authError } from './auth-error.ts';
import type { Sealer } from './seal.ts';

const minute = 60;
const hour = 60 * minute;

/** Points within seconds. Values marked GoTrue are the defaults of Supabase's own server. */
const limits = {
  /** Password and code grants from one network (GoTrue: 30 in 5 minutes). */
  signIn: { points: 30, seconds: 5 * minute },
  signUp: { points: 30, seconds: hour },
  /** Refreshes from one network (GoTrue: 150 in 5 minutes). */
  refresh: { points: 150, seconds: 5 * minute },
  /** Tokens of mails tried from one network (GoTrue: 30 in 5 minutes). */
  verify: { points: 30, seconds: 5 * minute },
  /** Starts of a sign-in elsewhere from one network. */
  authorize: { points: 60, seconds: 5 * minute },
  /** Mails caused from one network (GoTrue: 30 an hour). */
  mailFrom: { points: 30, seconds: hour },
  /** Mails of one kind to one address (GoTrue: 60 seconds apart). */
  mailTo: { points: 1, seconds: minute },
  /** Mails of one kind to one mailbox. Links live at least as long, so the last one still works. */
  mailToHourly: { points: 10, seconds: hour },
  /** Wrong passwords for one account from one network. */
  guess: { points: 10, seconds: 15 * minute },
  /** Wrong passwords for one account from all networks that are strange to it. */
  guessFromStrangers: { points: 100, seconds: hour },
  /** Changes of one account's own data. */
  change: { points: 30, seconds: 15 * minute },
  /** New addresses that one account asks for: the answer tells whether an address is taken. */
  newAddress: { points: 5, seconds: hour },
  /** Wrong second-factor codes for one account (10^6 codes, 3 valid at a time). */
  secondFactor: { points: 10, seconds: 15 * minute },
} as const;
export type LimitName = keyof typeof limits;

const mailLimits = new Set<LimitName>(['mailFrom', 'mailTo', 'mailToHourly']);

export interface AuthLimits {
  /**
   * Counts one. `key` is whatever is bounded: a network, an account's id, an address.
   * @throws AuthError 429 with Retry-After
   */
  count(name: LimitName, key: string): Promise<void>;
  /** Takes one back, for what turned out to be no guess. */
  refund(name: LimitName, key: string): Promise<void>;
  /** Forgets what was counted. */
  forget(name: LimitName, key: string): Promise<void>;
}

interface LimitDeps {
  pool: pg.Pool;
  sealer: Sealer;
  /** AUTH_LIMIT_FACTOR. */
  factor: number;
}

export function createLimits({ pool, sealer, factor }: LimitDeps): AuthLimits {
  const limiters = new Map(
    Object.entries(limits).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        schemaName: 'auth',
        tableName: 'rate_limits',
        // migrations make it, and the sweep clears it
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points: Math.max(1, Math.round(points * factor)),
        duration: seconds,
      }),
    ]),
  );
  const find = (name: LimitName) => limiters.get(name) as RateLimiterPostgres;
  const hide = (key: string) => sealer.hash('limit', key).toString('base64url');

  return {
    async count(name, key) {
      try {
        await find(name).consume(hide(key));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw describeRefusal(name, error.msBeforeNext / 1000);
      }
    },
    async refund(name, key) {
      await find(name).reward(hide(key));
    },
    async forget(name, key) {
      await find(name).delete(hide(key));
    },
  };
}

function describeRefusal(name: LimitName, waitSeconds: number): Error {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitSeconds));
  const code: AuthErrorCode = mailLimits.has(name) ? 'over_email_send_rate_limit' : 'over_request_rate_limit';
  const message =
    name === 'mailTo'
      ? `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`
      : code === 'over_email_send_rate_limit'
        ? 'Email rate limit exceeded'
        : 'Request rate limit reached';
  return authError(429, code, message, { retryAfterSeconds });
}
