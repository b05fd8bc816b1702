/**
 * Sign-ins through another site. A row lives from /authorize until its code is exchanged. The code passes through the
 * browser's address bar; PKCE makes it useless without the verifier, which stays in the tab until the exchange.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { flowState } from '../../auth-schema.ts';
import { authError } from '../auth-error.ts';
import type { Queryable, Transaction } from '../core.ts';
import { hashToken, makeToken } from '../tokens/seal.ts';

/** From click to provider's response (Supabase: 5 minutes, but people look for their phone), and from code to session. */
export const flowLifetimesMs = { provider: 10 * 60_000, code: 5 * 60_000 } as const;

export type FlowRow = typeof flowState.$inferSelect;

/** The client's challenge from a query or a body. */
export interface CodeChallenge {
  codeChallenge: string;
  codeChallengeMethod: 's256' | 'plain';
}

/** @throws AuthError validation_failed when it is incomplete or malformed (RFC 7636, 4.2) */
export function readCodeChallenge(
  challenge: string | null | undefined,
  method: string | null | undefined,
): CodeChallenge | null {
  if (!challenge && !method) return null;
  const name = (method ?? '').toLowerCase();
  if (!challenge || !/^[A-Za-z0-9._~-]{43,128}$/.test(challenge) || (name !== 's256' && name !== 'plain')) {
    throw authError(
      400,
      'validation_failed',
      'PKCE flow requires code_challenge_method and code_challenge, a challenge of 43 to 128 characters.',
    );
  }
  return { codeChallenge: challenge, codeChallengeMethod: name };
}

export async function createFlow(db: Queryable, values: typeof flowState.$inferInsert): Promise<FlowRow> {
  const [row] = await db.insert(flowState).values(values).returning();
  return row as FlowRow;
}

/** Issues the client's code once the user is known. */
export async function issueAuthCode(tx: Transaction, flowId: string, userId: string): Promise<string> {
  const code = makeToken();
  await tx
    .update(flowState)
    .set({ userId, authCodeHash: hashToken(code), authCodeIssuedAt: new Date(), updatedAt: new Date() })
    .where(and(eq(flowState.id, flowId), isNull(flowState.authCodeHash)));
  return code;
}

/**
 * Exchanges a code, which is used up even if the verifier is wrong. Run it in its own transaction.
 * @returns the flow, or why it was refused
 */
export async function takeFlowByCode(
  tx: Transaction,
  code: string,
  verifier: string,
): Promise<FlowRow | 'not-found' | 'expired' | 'bad-verifier'> {
  const [row] = await tx
    .delete(flowState)
    .where(eq(flowState.authCodeHash, hashToken(code)))
    .returning();
  if (!row?.authCodeIssuedAt) return 'not-found';
  if (Date.now() - row.authCodeIssuedAt.getTime() >= flowLifetimesMs.code) return 'expired';
  if (row.codeChallenge === null || !matchesChallenge(row, verifier)) return 'bad-verifier';
  return row;
}

function matchesChallenge(row: FlowRow, verifier: string): boolean {
  const made =
    row.codeChallengeMethod === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  const [given, expected] = [Buffer.from(made), Buffer.from(row.codeChallenge ?? '')];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
