/**
 * The keys that sign access tokens: ES256, stored in auth.signing_keys with the private key sealed. One signs at a
 * time; a rotated one stays published until the last token that it signed has expired.
 */
import { randomUUID } from 'node:crypto';
import { desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Logger } from 'pino';
import { findAbsence } from '#platform/absence.ts';
import { waitAtMost } from '#platform/wait-at-most.ts';
import type { Database } from '../../../database/database.ts';
import { signingKeys } from '../../auth-schema.ts';
import type { Sealer } from './seal.ts';

/** Keys are rotated automatically after this time. */
const keyLifetimeMs = 90 * 24 * 60 * 60_000;
/** How long a process caches the keys (specification, section 9: the key set is cached 10 minutes). */
const cacheMs = 10 * 60_000;
/** An unknown key id causes a new read, but not more often than this, because anybody can invent ids. */
const unknownKidPauseMs = 5_000;
/** A read that takes longer than this is not awaited if older keys are known, in ms. */
const staleAfterMs = 2_000;
/** Advisory lock for changing keys ("INKK"). */
const lockKey = 0x494e4b4b;

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
}

export interface SigningKeys {
  /** The key that signs now. */
  current(): Promise<SigningKey>;
  /** The public key with this id, or null. */
  find(kid: string): Promise<CryptoKey | null>;
  /** The key set as published. */
  publish(): Promise<{ keys: JWK[] }>;
  /** Starts signing with a new key; `shouldRevoke` drops the former ones, and so every token they have signed. */
  rotate(options?: { shouldRevoke: boolean }): Promise<void>;
  /** Rotates when due, and deletes keys whose last token has expired. */
  tend(): Promise<void>;
}

interface KeyDeps {
  db: Database;
  sealer: Sealer;
  logger: Logger;
  /** ACCESS_TOKEN_SECONDS. */
  tokenSeconds: number;
}

interface Loaded {
  signing: SigningKey;
  published: JWK[];
  publicKeys: Map<string, CryptoKey>;
}

export function createSigningKeys({ db, sealer, logger, tokenSeconds }: KeyDeps): SigningKeys {
  let loaded: Promise<Loaded> | null = null;
  let loadedAt = 0;
  let known: Loaded | null = null;

  /**
   * Concurrent callers share one read; a failed one is not cached. While the database is unreachable, the last known
   * keys stay in use.
   */
  function load(maxAgeMs: number): Promise<Loaded> {
    if (loaded !== null && Date.now() - loadedAt < maxAgeMs) return loaded;
    loadedAt = Date.now();
    const before = known;
    const reading = read().then((found) => {
      known = found;
      return found;
    });
    const loading = before
      ? waitAtMost(staleAfterMs, reading, before).catch((error: unknown) => {
          if (findAbsence(error) === 'database') return before;
          throw error;
        })
      : reading;
    loaded = loading;
    // a read that took too long, or failed, is replaced by the next one
    reading.then(
      (found) => {
        if (loaded === loading) loaded = Promise.resolve(found);
      },
      () => {
        if (loaded === loading) loaded = null;
      },
    );
    loading.catch(() => {});
    return loading;
  }

  async function read(): Promise<Loaded> {
    const rows = await db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt));
    for (const row of rows) {
      if (row.retiredAt !== null || row.sealedPrivateJwk === null) continue;
      const text = sealer.open('signing-key', row.sealedPrivateJwk, row.kid);
      if (text === null) {
        logger.warn('a signing key was sealed with another SECRET_KEY and is no longer used');
        continue;
      }
      const privateKey = (await importJWK(JSON.parse(text) as JWK, 'ES256')) as CryptoKey;
      const published = rows.map((one) => one.publicJwk as JWK);
      const publicKeys = new Map<string, CryptoKey>();
      for (const jwk of published)
        publicKeys.set(jwk.kid ?? '', (await importJWK(jwk, 'ES256')) as CryptoKey);
      return { signing: { kid: row.kid, privateKey }, published, publicKeys };
    }
    await replace('only-if-unusable');
    return read();
  }

  async function replace(when: 'always' | 'only-if-unusable' | 'only-if-old'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const kid = randomUUID();
    const publicJwk = {
      ...(await exportJWK(publicKey)),
      kid,
      alg: 'ES256',
      use: 'sig',
      key_ops: ['verify'],
    };
    const sealed = sealer.seal('signing-key', JSON.stringify(await exportJWK(privateKey)), kid);
    await db.transaction(async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(${lockKey})`);
      const [active] = await tx
        .select()
        .from(signingKeys)
        .where(isNull(signingKeys.retiredAt))
        .orderBy(desc(signingKeys.createdAt))
        .limit(1);
      // another process may have rotated already
      const isUsable =
        active?.sealedPrivateJwk != null &&
        sealer.open('signing-key', active.sealedPrivateJwk, active.kid) !== null;
      const isYoung = isUsable && Date.now() - active.createdAt.getTime() < keyLifetimeMs;
      if ((when === 'only-if-unusable' && isUsable) || (when === 'only-if-old' && isYoung)) return;
      await tx
        .update(signingKeys)
        .set({ retiredAt: sql`now()`, sealedPrivateJwk: null })
        .where(isNull(signingKeys.retiredAt));
      await tx.insert(signingKeys).values({ kid, publicJwk, sealedPrivateJwk: sealed });
    });
  }

  async function rotate({ shouldRevoke } = { shouldRevoke: false }): Promise<void> {
    await replace('always');
    if (shouldRevoke) await db.delete(signingKeys).where(isNotNull(signingKeys.retiredAt));
    await load(0);
  }

  return {
    current: async () => (await load(cacheMs)).signing,
    async find(kid) {
      const known = (await load(cacheMs)).publicKeys.get(kid);
      if (known) return known;
      return (await load(unknownKidPauseMs)).publicKeys.get(kid) ?? null;
    },
    publish: async () => ({ keys: (await load(cacheMs)).published }),
    rotate,
    async tend() {
      await replaceIfOld();
      // a process that has not noticed the rotation signs with the old key until its cache expires
      const lastUseMs = tokenSeconds * 1000 + 2 * cacheMs;
      await db
        .delete(signingKeys)
        .where(
          sql`${isNotNull(signingKeys.retiredAt)} AND ${lt(signingKeys.retiredAt, new Date(Date.now() - lastUseMs))}`,
        );
    },
  };

  async function replaceIfOld(): Promise<void> {
    const { signing } = await load(cacheMs);
    const [row] = await db.select().from(signingKeys).where(eq(signingKeys.kid, signing.kid));
    if (row && Date.now() - row.createdAt.getTime() < keyLifetimeMs) return;
    await replace('only-if-old');
    await load(0);
  }
}
