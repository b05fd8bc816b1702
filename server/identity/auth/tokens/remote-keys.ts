/** The key set of a Supabase elsewhere, as it was last read. */
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';

/** Asked for again after this time (specification, section 9), … */
const maxAgeMs = 10 * 60_000;
/** … and for a key that is not in it, but not more often than this: anybody can make key ids up. */
const unknownKeyPauseMs = 5_000;
/** Once it could not be had, how long the one at hand serves without a further try. */
const outagePauseMs = 30_000;

/**
 * Keys of the address's set. While the set cannot be had, the keys read before go on: an outage over there, or of the
 * way, must not sign everybody out here.
 * The function that it gives rejects when no set has been read yet and none can be had.
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
