/** The key set of an external Supabase, as last read. */
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';

/** Fetched again after this time (specification, section 9), … */
const maxAgeMs = 10 * 60_000;
/** … and for an unknown key, but not more often than this, because anybody can invent key ids. */
const unknownKeyPauseMs = 5_000;
/** After a failed fetch, how long the present set is used before the next attempt. */
const outagePauseMs = 30_000;

/**
 * Keys of the set at this address. While the set cannot be fetched, the keys read before stay in use: an outage of
 * Supabase or of the network must not sign everybody out.
 * The returned function rejects if no set has been read yet and none can be fetched.
 */
export function createRemoteKeys(address: URL): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(address, { cacheMaxAge: maxAgeMs, cooldownDuration: unknownKeyPauseMs });
  let pausedUntil = 0;
  return async (header, token) => {
    const known = remote.jwks();
    const local = known && createLocalJWKSet(known);
    if (local && Date.now() < pausedUntil) return local(header, token);
    try {
      return await remote(header, token);
    } catch (error) {
      if (!local || error instanceof errors.JWKSNoMatchingKey) throw error;
      pausedUntil = Date.now() + outagePauseMs;
      return local(header, token);
    }
  };
}
