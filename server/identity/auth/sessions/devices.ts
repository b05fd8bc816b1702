/**
 * Browsers that have signed in before. A cookie holds 256 random bits; the database stores its hash for each account
 * that it was used to sign in to. It grants no access: it separates the owner's attempts from others' (`guesses.ts`)
 * and reveals new devices, which the owner is notified of.
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
/** The maximum that browsers allow: 400 days. */
const maxAgeSeconds = 400 * 24 * 60 * 60;

export interface Device {
  hash: string;
  /** Sets the browser's cookie in the response to a sign-in. */
  keep(): void;
}

/**
 * The caller's device. A browser, which sends its page's origin, is identified by its cookie alone; a program without
 * cookies by its network and user agent.
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
 * Records device and network as known to the account and sets the browser's cookie.
 * @returns the notice for the owner if the account has been used before, but only from other devices
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
  // accounts older than this table are judged by their networks
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
