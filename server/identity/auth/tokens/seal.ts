/** Encrypts and hashes stored secrets with keys derived from SECRET_KEY, one for each purpose. */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretKeys } from '#platform/data-dir.ts';

/** The purpose of a key; a value sealed for one purpose cannot be opened for another. */
export type SealPurpose = 'signing-key' | 'totp-secret' | 'code-verifier';
type HashPurpose = 'anon-key' | 'refresh-token' | 'limit' | 'stand-in-account' | 'network';

export interface Sealer {
  /** AES-256-GCM; opening needs the same `bound` (an id). Base64url of nonce, tag and ciphertext. */
  seal(purpose: SealPurpose, text: string, bound: string): string;
  /**
   * Opens with the present key or a former one; null if the value was sealed with another key, for another purpose or
   * id, or was changed.
   */
  open(purpose: SealPurpose, sealed: string, bound: string): string | null;
  /** True if the present key opens it. */
  isCurrent(purpose: SealPurpose, sealed: string, bound: string): boolean;
  /** HMAC-SHA-256 with the present key. */
  hash(purpose: HashPurpose, text: string): Buffer;
  /** With the present key and each former one, to find what was stored before the key was changed. */
  hashes(purpose: HashPurpose, text: string): Buffer[];
}

const nonceBytes = 12;
const tagBytes = 16;

export function createSealer({ present, former }: SecretKeys): Sealer {
  const keys = new Map<string, Buffer>();
  const keyFor = (secretKey: string, label: string) => {
    const name = `${label} ${secretKey}`;
    const known = keys.get(name);
    if (known) return known;
    const made = Buffer.from(hkdfSync('sha256', secretKey, '', `inkproof identity ${label}`, 32));
    keys.set(name, made);
    return made;
  };
  const openWith = (secretKey: string, purpose: SealPurpose, sealed: string, bound: string) => {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < nonceBytes + tagBytes) return null;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyFor(secretKey, `seal ${purpose}`),
      bytes.subarray(0, nonceBytes),
      { authTagLength: tagBytes },
    );
    decipher.setAAD(Buffer.from(bound));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      const start = decipher.update(bytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([start, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  };
  const hashWith = (secretKey: string, purpose: HashPurpose, text: string) =>
    createHmac('sha256', keyFor(secretKey, `hash ${purpose}`))
      .update(text)
      .digest();
  return {
    seal(purpose, text, bound) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor(present, `seal ${purpose}`), nonce);
      cipher.setAAD(Buffer.from(bound));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(purpose, sealed, bound) {
      for (const key of [present, ...former]) {
        const text = openWith(key, purpose, sealed, bound);
        if (text !== null) return text;
      }
      return null;
    },
    isCurrent: (purpose, sealed, bound) => openWith(present, purpose, sealed, bound) !== null,
    hash: (purpose, text) => hashWith(present, purpose, text),
    hashes: (purpose, text) => [present, ...former].map((key) => hashWith(key, purpose, text)),
  };
}

/** For random tokens: 256 bits need neither key nor salt. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** 256 random bits, 43 characters of base64url. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}
