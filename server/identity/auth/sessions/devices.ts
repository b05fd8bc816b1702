/**
 * Browsers that have signed in before. A cookie holds 256 random bits; the database has its hash beside each account
 * that was signed in to with it. It opens nothing: it tells the owner's guesses from others' (`guesses.ts`), and a new
 * device from a known one, which the owner is told of.
 */
import { eq, inArray, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { describeDevice } from '#shared/describe-device.ts';
import type { AppEnv } from '../../../http/types.ts';
import { knownDevices, knownNetworks } from '../../auth-schema.ts';
import type { AuthMail } from '../../mails/auth-mail.ts';
import type { Transaction } from '../core.ts';
import type { RequestOrigin } from '../requests.ts';
import { hashToken, makeToken } from '../tokens/seal.ts';
import type { UserRow } from '../users.ts';

const cookieName = 'inkproof_device';
/** What browsers allow at most: 400 days. */
const maxAgeSeconds = 400 * 24 * 60 * 60;

export interface Device {
  hash: string;
  /** Gives the browser its cookie, with the answer to a sign-in. */
  keep(): void;
}

/**
 * The caller's device. A program without cookies is one by its network and what it calls itself; a browser, which
 * names its page's origin, is told by its cookie alone.
 */
export function readDevice(
  c: Context<AppEnv>,
  { isSecure, network }: { isSecure: boolean; network: string },
): Device {
  const given = getCookie(c, cookieName);
  const isGiven = given !== undefined && /^[\w-]{43}$/.test(given);
  if (!isGiven && c.req.header('Origin') === undefined)
    return { hash: hashToken(`${network} ${c.req.header('User-Agent') ?? ''}`), keep: () => {} };
  const value = isGiven ? given : makeToken();
  return {
    hash: hashToken(value),
    keep: () =>
      setCookie(c, cookieName, value, {
        httpOnly: true,
        sameSite: 'Lax',
        secure: isSecure,
        path: '/auth/v1',
        maxAge: maxAgeSeconds,
      }),
  };
}

/**
 * Notes device and network as known to the account, and gives the browser its cookie.
 * @returns the notice for the owner when the account has been used before, from other devices
 */
export async function noteSignIn(
  tx: Transaction,
  user: UserRow,
  { device, network, formerNetworks, userAgent }: RequestOrigin,
): Promise<AuthMail | null> {
  const devices = await tx
    .select({ isThis: sql<boolean>`${knownDevices.device} = ${device.hash}` })
    .from(knownDevices)
    .where(eq(knownDevices.userId, user.id));
  const networks = await tx
    .select({ isThis: inArray(knownNetworks.network, [network, ...formerNetworks]) })
    .from(knownNetworks)
    .where(eq(knownNetworks.userId, user.id));
  const isKnown = (rows: { isThis: unknown }[]) => rows.some(({ isThis }) => isThis === true);
  // accounts from before there were devices are told by their networks
  const isNew = devices.length > 0 ? !isKnown(devices) : networks.length > 0 && !isKnown(networks);
  const lastSignInAt = sql`now()`;
  await tx
    .insert(knownDevices)
    .values({ userId: user.id, device: device.hash })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.device], set: { lastSignInAt } });
  await tx
    .insert(knownNetworks)
    .values({ userId: user.id, network })
    .onConflictDoUpdate({ target: [knownNetworks.userId, knownNetworks.network], set: { lastSignInAt } });
  device.keep();
  if (!isNew || !user.email) return null;
  return { kind: 'new_device', to: user.email, device: describeDevice(userAgent).name, at: new Date() };
}
