/** Deletes expired rows and maintains the keys, every hour. Safe in several processes at once. */

import { sql } from 'drizzle-orm';
import { type Repeated, repeat } from '#platform/repeat.ts';
import type { AuthCore } from './core.ts';

const intervalMs = 60 * 60_000;

/**
 * Deletes sessions not refreshed for half a year, and sign-ups not confirmed for a week, which frees their addresses.
 * Networks and devices are remembered as long as sessions.
 */
export async function sweepAccounts({ db, keys }: Pick<AuthCore, 'db' | 'keys'>): Promise<void> {
  await db.execute(sql`DELETE FROM auth.flow_state WHERE created_at < now() - interval '1 hour'`);
  // a sign-up's token is deleted with its account, so that the number of sign-ups stays known
  await db.execute(sql`DELETE FROM auth.one_time_tokens WHERE expires_at < now() AND token_type <> 'signup'`);
  await db.execute(sql`DELETE FROM auth.mfa_challenges WHERE created_at < now() - interval '1 hour'`);
  await db.execute(sql`DELETE FROM auth.sessions
    WHERE not_after < now() OR coalesce(refreshed_at, created_at) < now() - interval '180 days'`);
  // recent used tokens reveal reuse; older ones are simply unknown, and refused as well
  await db.execute(sql`DELETE FROM auth.refresh_tokens WHERE used_at < now() - interval '30 days'`);
  await db.execute(sql`DELETE FROM auth.known_networks WHERE last_sign_in_at < now() - interval '180 days'`);
  await db.execute(sql`DELETE FROM auth.known_devices WHERE last_sign_in_at < now() - interval '180 days'`);
  await db.execute(sql`DELETE FROM auth.users
    WHERE email_confirmed_at IS NULL AND last_sign_in_at IS NULL AND created_at < now() - interval '7 days'
      AND coalesce(confirmation_sent_at, created_at) < now() - interval '7 days'`);
  await db.execute(sql`DELETE FROM auth.rate_limits WHERE expire < ${Date.now()}`);
  await keys.tend();
}

export function startSweep(core: Pick<AuthCore, 'db' | 'keys' | 'logger'>): Repeated {
  return repeat(() => sweepAccounts(core), {
    everyMs: intervalMs,
    logger: core.logger,
    failure: 'the account sweep failed',
  });
}
