/**
 * Limits attempts at an account's password. Only wrong ones count. The caller is a device that has signed in to the
 * account before (by its cookie), else a network that has, else a stranger:
 *
 * - a device has a limit of its own, so that nobody can lock owners out of their accounts;
 * - a network known to the account has a limit for this account alone: neither guesses from elsewhere nor its
 *   neighbours' typos block it;
 * - strangers are limited by account and network, all together by account, and by network over all accounts.
 */
import { and, eq, inArray } from 'drizzle-orm';
import { knownDevices, knownNetworks } from '../../auth-schema.ts';
import type { AuthCore } from '../core.ts';
import type { LimitName } from '../limits.ts';
import type { RequestOrigin } from '../requests.ts';

export interface Guess {
  /** For `HashTurn.recheck`: of many attempts in the queue, those after the last allowed one are refused. */
  recheck(): Promise<void>;
  wasRight(): Promise<void>;
  wasWrong(): Promise<void>;
}

/**
 * Call this before checking an attempt: it counts from now on, so that a hundred concurrent ones count as a hundred.
 * @param userId null for an address without an account, which takes the same queries
 * @param subject the address in the request
 * @throws AuthError over_request_rate_limit
 */
export async function beginGuess(
  core: Pick<AuthCore, 'db' | 'limits'>,
  { userId, subject, origin }: { userId: string | null; subject: string; origin: RequestOrigin },
): Promise<Guess> {
  const trust = await findTrust(core, userId, origin);
  const who = trust === 'device' ? `device ${origin.device.hash}` : origin.network;
  const pair = ['guess', `${subject} ${who}`] as const;
  const all = ['guessFromStrangers', subject] as const;
  const wide: [LimitName, string][] =
    trust === null
      ? [
          ['wrongFrom', origin.network],
          ...(origin.site ? [['wrongFromSite', origin.site] as [LimitName, string]] : []),
        ]
      : [];
  const recheck = async () => {
    for (const [name, key] of wide) await core.limits.check(name, key);
  };
  await recheck();
  await core.limits.count(...pair);
  if (trust === null) await core.limits.count(...all);
  return {
    recheck,
    async wasRight() {
      await core.limits.forget(...pair);
      if (trust === null) await core.limits.refund(...all);
    },
    async wasWrong() {
      // applies to the next attempt: this one already has its result
      for (const [name, key] of wide) await core.limits.count(name, key).catch(() => {});
    },
  };
}

async function findTrust(
  { db }: Pick<AuthCore, 'db'>,
  userId: string | null,
  { device, network, formerNetworks }: RequestOrigin,
): Promise<'device' | 'network' | null> {
  const account = userId ?? '00000000-0000-0000-0000-000000000000';
  const [[knownDevice], [knownNetwork]] = await Promise.all([
    db
      .select({ device: knownDevices.device })
      .from(knownDevices)
      .where(and(eq(knownDevices.userId, account), eq(knownDevices.device, device.hash))),
    db
      .select({ network: knownNetworks.network })
      .from(knownNetworks)
      .where(
        and(eq(knownNetworks.userId, account), inArray(knownNetworks.network, [network, ...formerNetworks])),
      )
      .limit(1),
  ]);
  return knownDevice ? 'device' : knownNetwork ? 'network' : null;
}
