/**
 * Sign-ins with Google in progress. A flow belongs to the browser that started it: the `state`, which passes through
 * Google, and a cookie, which does not, must come back together, once, within ten minutes.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { flowState } from '../../auth-schema.ts';
import type { AuthCore } from '../core.ts';
import { type CodeChallenge, createFlow, flowLifetimesMs } from '../sessions/flow-state.ts';
import { hashToken, makeToken } from '../tokens/seal.ts';
import type { GoogleChecks } from './google-client.ts';

export interface StartedFlow {
  checks: GoogleChecks;
  /** Value of the cookie named by `describeCookieName(state)`. */
  cookie: string;
}

export interface ReturnedFlow {
  id: string;
  checks: GoogleChecks;
  redirectTo: string;
}

type FlowDeps = Pick<AuthCore, 'db' | 'sealer'>;

/** One name per flow, so that two tabs can sign in at the same time. */
export function describeCookieName(state: string): string {
  return `inkproof-sign-in-${hashToken(state).slice(0, 16)}`;
}

/** @param flow `redirectTo` has been checked against the allow-list; the challenge is the client's, for its code */
export async function startFlow(
  { db, sealer }: FlowDeps,
  flow: CodeChallenge & { redirectTo: string },
): Promise<StartedFlow> {
  const id = randomUUID();
  const [state, nonce, codeVerifier, cookie] = [makeToken(), makeToken(), makeToken(), makeToken()];
  await createFlow(db, {
    ...flow,
    id,
    providerType: 'google',
    authenticationMethod: 'oauth',
    stateHash: hashToken(state),
    cookieHash: hashToken(cookie),
    nonce,
    codeVerifier: sealer.seal('code-verifier', codeVerifier, id),
  });
  return { checks: { state, nonce, codeVerifier }, cookie };
}

/**
 * Returns the flow that belongs to both state and cookie; null also if it was returned before. A state without its
 * cookie does not consume the flow, so that nobody who has seen a state can spoil the sign-in.
 */
export async function takeFlow(
  { db, sealer }: FlowDeps,
  given: { state: string; cookie: string },
): Promise<ReturnedFlow | null> {
  const since = new Date(Date.now() - flowLifetimesMs.provider);
  const [former] = await db
    .select({ nonce: flowState.nonce, codeVerifier: flowState.codeVerifier })
    .from(flowState)
    .where(eq(flowState.stateHash, hashToken(given.state)));
  const [taken] = await db
    .update(flowState)
    .set({ stateHash: null, cookieHash: null, nonce: null, codeVerifier: null, updatedAt: new Date() })
    .where(
      and(
        eq(flowState.stateHash, hashToken(given.state)),
        eq(flowState.cookieHash, hashToken(given.cookie)),
        gt(flowState.createdAt, since),
      ),
    )
    .returning();
  if (!taken || !former?.nonce || !former.codeVerifier) return null;
  const codeVerifier = sealer.open('code-verifier', former.codeVerifier, taken.id);
  if (codeVerifier === null) return null;
  const checks = { state: given.state, nonce: former.nonce, codeVerifier };
  return { id: taken.id, checks, redirectTo: taken.redirectTo };
}

/** Deletes a flow after an error, when no code will follow. */
export async function dropFlow({ db }: Pick<FlowDeps, 'db'>, id: string): Promise<void> {
  await db.delete(flowState).where(eq(flowState.id, id));
}
