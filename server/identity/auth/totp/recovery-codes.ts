/**
 * Recovery codes, for a lost phone with the authenticator app: ten at a time, shown once, each usable once instead of
 * the app's code (`factor-routes.ts`). These calls are our own: Supabase has none for this.
 */
import { randomBytes } from 'node:crypto';
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { AppEnv } from '#server/http/types.ts';
import { recoveryCodes } from '../../auth-schema.ts';
import { authError } from '../auth-error.ts';
import type { AuthCore, Queryable, Transaction } from '../core.ts';
import { type AuthSession, requireFullSession } from '../sessions/require-session.ts';
import { hashToken } from '../tokens/seal.ts';
import { lockUser } from '../users.ts';

const howMany = 10;
/** 16 of these 32 characters make a code: 80 bits, enough for a plain hash. Crockford's, without i, l, o and u. */
const signs = '0123456789abcdefghjkmnpqrstvwxyz';
const signsPerCode = 16;
/** How recently the app's code must have been given to create new ones, so that an unattended browser cannot. */
const freshCodeSeconds = 10 * 60;

export function registerRecoveryCodes(routes: Hono<AppEnv>, core: AuthCore): void {
  routes.get('/factors/recovery-codes', async (c) => {
    const { user } = await requireFullSession(core, c);
    return c.json(await countCodes(core.db, user.id));
  });

  routes.post('/factors/recovery-codes', async (c) => {
    const { user, session } = await requireFullSession(core, c);
    await core.limits.count('change', user.id);
    if (!hasJustGivenCode(session))
      throw authError(400, 'reauthentication_needed', 'Enter a code from your authenticator app first.');
    const codes = Array.from({ length: howMany }, makeCode);
    await core.db.transaction(async (tx) => {
      await lockUser(tx, user.id);
      await dropRecoveryCodes(tx, user.id);
      await tx
        .insert(recoveryCodes)
        .values(codes.map((code) => ({ userId: user.id, codeHash: hashCode(user.id, code) })));
    });
    return c.json({ codes, ...(await countCodes(core.db, user.id)) });
  });
}

/** @returns how many are left, or null if the code is invalid or used */
export async function takeRecoveryCode(
  tx: Transaction,
  userId: string,
  code: string,
): Promise<number | null> {
  const [taken] = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashCode(userId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ codeHash: recoveryCodes.codeHash });
  return taken ? (await countCodes(tx, userId)).left : null;
}

/** Deletes the codes when the last authenticator app is removed. */
export async function dropRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

async function countCodes(db: Queryable, userId: string): Promise<{ left: number; total: number }> {
  const [row] = await db
    .select({
      left: sql<number>`count(*) FILTER (WHERE ${recoveryCodes.usedAt} IS NULL)::int`,
      total: count(),
    })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  return { left: row?.left ?? 0, total: row?.total ?? 0 };
}

const hasJustGivenCode = ({ amr }: AuthSession['session']) =>
  amr.some(({ method, timestamp }) => method === 'totp' && Date.now() / 1000 - timestamp < freshCodeSeconds);

/** E.g. `8f3k-2m9q-tz04-w1xa`. */
function makeCode(): string {
  const code = [...randomBytes(signsPerCode)].map((byte) => signs[byte % signs.length]).join('');
  return (code.match(/.{4}/g) ?? []).join('-');
}

/** Accepts capitals, spaces, and letters that look like digits. */
function hashCode(userId: string, typed: string): string {
  const code = typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/[il]/g, '1')
    .replaceAll('o', '0');
  return hashToken(`${userId} ${code}`);
}
