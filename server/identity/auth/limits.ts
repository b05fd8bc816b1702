/**
 * Rate limits. Counters are in PostgreSQL, shared by all processes, under keyed hashes, so that the table reveals no
 * address. All are multiplied by AUTH_LIMIT_FACTOR. Reasons for the numbers: docs/decisions/099-guesses-and-classes.md.
 */
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { type AuthErrorCode, authError } from './auth-error.ts';
import type { Sealer } from './tokens/seal.ts';

const minute = 60;
const hour = 60 * minute;

const day = 24 * hour;

/** Points per number of seconds. Values marked GoTrue are the defaults of Supabase's own server. */
const limits = {
  /** Wrong passwords for one account, from one known device or one network (`guesses.ts`). */
  guess: { points: 10, seconds: 15 * minute },
  /** Wrong passwords for one account from all devices and networks unknown to it. */
  guessFromStrangers: { points: 100, seconds: hour },
  /** Wrong passwords from one network for all accounts that do not know it; a classroom of 300 makes fewer typos. */
  wrongFrom: { points: 100, seconds: 15 * minute },
  /** The same from one IPv6 /48, whose 65,536 networks may all belong to one customer of a provider. */
  wrongFromSite: { points: 300, seconds: 15 * minute },
  /** Accepted sign-ups from one network: two classrooms of 300 a day. */
  signUp: { points: 600, seconds: day },
  signUpFromSite: { points: 1200, seconds: day },
  /** Invalid tokens, links and codes from one network. Valid ones are never counted. */
  refresh: { points: 150, seconds: 5 * minute },
  verify: { points: 30, seconds: 5 * minute },
  code: { points: 30, seconds: 5 * minute },
  /** Sign-ins with a provider started from one network. Each is a row until the next sweep. */
  authorize: { points: 600, seconds: 5 * minute },
  /** Mails requested from one network, except those of sign-ups. */
  mailFrom: { points: 100, seconds: hour },
  /** Mails of one kind to one address (GoTrue: 60 seconds apart). */
  mailTo: { points: 1, seconds: minute },
  /** Mails of one kind to one mailbox. Links are valid for at least as long, so the last one still works. */
  mailToHourly: { points: 10, seconds: hour },
  /** Changes of one account's own data. */
  change: { points: 30, seconds: 15 * minute },
  /** New addresses that one account requests: the response reveals whether an address is taken. */
  newAddress: { points: 5, seconds: hour },
  /** Wrong second-factor codes for one account (10^6 codes, 3 valid at a time). */
  secondFactor: { points: 10, seconds: 15 * minute },
} as const;
export type LimitName = keyof typeof limits;

const mailLimits = new Set<LimitName>(['mailFrom', 'mailTo', 'mailToHourly']);

export interface AuthLimits {
  /**
   * Counts one. `key` is what the limit applies to: a network, an account's id, an address.
   * @throws AuthError 429 with Retry-After
   */
  count(name: LimitName, key: string): Promise<void>;
  /**
   * Checks without counting.
   * @throws AuthError 429 with Retry-After when the points are used up
   */
  check(name: LimitName, key: string): Promise<void>;
  /** Gives one back, for a call that turned out not to be a guess. */
  refund(name: LimitName, key: string): Promise<void>;
  /** Resets the counter. */
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
        // migrations create it, and the sweep clears it
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
    async check(name, key) {
      const limiter = find(name);
      const found = await limiter.get(hide(key));
      if (found !== null && found.consumedPoints >= limiter.points)
        throw describeRefusal(name, found.msBeforeNext / 1000);
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
