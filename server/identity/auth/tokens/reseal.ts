/** Reseals secrets with the present SECRET_KEY, row by row, so that an interrupted run can be continued. */
import { and, eq, isNotNull } from 'drizzle-orm';
import { flowState, mfaFactors, signingKeys } from '../../auth-schema.ts';
import type { AuthCore } from '../core.ts';
import type { SealPurpose } from './seal.ts';

interface Sealed {
  purpose: SealPurpose;
  id: string;
  text: string;
  /** Writes the new value unless the old one has changed meanwhile. */
  replace(next: string): Promise<unknown>;
}

/** @returns how many were resealed, and how many neither the present key nor a former one can open */
export async function reseal({
  db,
  sealer,
}: Pick<AuthCore, 'db' | 'sealer'>): Promise<{ resealed: number; lost: number }> {
  const outcome = { resealed: 0, lost: 0 };
  for (const { purpose, id, text, replace } of await listSealed(db)) {
    if (sealer.isCurrent(purpose, text, id)) continue;
    const opened = sealer.open(purpose, text, id);
    if (opened === null) {
      outcome.lost++;
      continue;
    }
    await replace(sealer.seal(purpose, opened, id));
    outcome.resealed++;
  }
  return outcome;
}

async function listSealed(db: AuthCore['db']): Promise<Sealed[]> {
  const keys = await db.select().from(signingKeys).where(isNotNull(signingKeys.sealedPrivateJwk));
  const factors = await db.select().from(mfaFactors);
  const flows = await db.select().from(flowState).where(isNotNull(flowState.codeVerifier));
  return [
    ...keys.map(({ kid, sealedPrivateJwk }) => ({
      purpose: 'signing-key' as const,
      id: kid,
      text: sealedPrivateJwk ?? '',
      replace: (next: string) =>
        db
          .update(signingKeys)
          .set({ sealedPrivateJwk: next })
          .where(and(eq(signingKeys.kid, kid), eq(signingKeys.sealedPrivateJwk, sealedPrivateJwk ?? ''))),
    })),
    ...factors.map(({ id, secret }) => ({
      purpose: 'totp-secret' as const,
      id,
      text: secret,
      replace: (next: string) =>
        db
          .update(mfaFactors)
          .set({ secret: next })
          .where(and(eq(mfaFactors.id, id), eq(mfaFactors.secret, secret))),
    })),
    ...flows.map(({ id, codeVerifier }) => ({
      purpose: 'code-verifier' as const,
      id,
      text: codeVerifier ?? '',
      replace: (next: string) =>
        db
          .update(flowState)
          .set({ codeVerifier: next })
          .where(and(eq(flowState.id, id), eq(flowState.codeVerifier, codeVerifier ?? ''))),
    })),
  ];
}
