/** Secrets at rest: keys made from SECRET_KEY, one for each purpose, and what is sealed or hashed with them. */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What a key is for; a value sealed for one purpose cannot be opened for another. */
export type SealPurpose = 'signing-key' | 'totp-secret' | 'code-verifier';
export type HashPurpose = 'anon-key' | 'refresh-token' | 'limit' | 'stand-in-account' | 'network';

export interface Sealer {
  /** AES-256-GCM; `bound` (an id) must be given again to open. Base64url of nonce, tag and ciphertext. */
  seal(purpose: SealPurpose, text: string, bound: string): string;
  /** The text, or null when it was sealed with another SECRET_KEY, for another purpose or id, or was changed. */
  open(purpose: SealPurpose, sealed: string, bound: string): string | null;
  /** HMAC-SHA-256. */
  hash(purpose: HashPurpose, text: string): Buffer;
}

const nonceBytes = 12;
const tagBytes = 16;

export function createSealer(secretKey: string): Sealer {
  const keys = new Map<string, Buffer>();
  const keyFor = (label: string) => {
    const known = keys.get(label);
    if (known) return known;
    const made = Buffer.from(hkdfSync('sha256', secretKey, '', `inkproof identity ${label}`, 32));
    keys.set(label, made);
    return made;
  };
  return {
    seal(purpose, text, bound) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor(`seal ${purpose}`), nonce);
      cipher.setAAD(Buffer.from(bound));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(purpose, sealed, bound) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return null;
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyFor(`seal ${purpose}`),
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
    },
    hash: (purpose, text) =>
      createHmac('sha256', keyFor(`hash ${purpose}`))
        .update(text)
        .digest(),
  };
}

/** For tokens that are random themselves: 256 bits need no key and no salt. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** 256 random bits, 43 characters of base64url. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}
