/** Passwords: argon2id by Node itself, a few at a time. Every byte counts, however long the password. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import os from 'node:os';
import { promisify } from 'node:util';
import { authError } from './auth-error.ts';

/**
 * 19 MiB, two passes, one lane: the first of the settings that OWASP's Password Storage Cheat Sheet gives for
 * argon2id. `memory` in KiB.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const saltBytes = 16;

/** The shortest password (NIST SP 800-63B's lower bound), and the longest, which only keeps bodies small. */
export const passwordLength = { min: 8, max: 1_000 } as const;

/**
 * Side by side: hashing runs on libuv's pool of four threads, which reading files needs too. Whatever comes beyond
 * the waiting line is refused, so that a flood costs neither memory nor everybody's patience.
 */
const atOnce = Math.max(1, Math.min(3, os.availableParallelism() - 1));
const longestLine = 100;

export interface Passwords {
  /** PHC form. @throws AuthError over_request_rate_limit when too many wait */
  hash(password: string): Promise<string>;
  /** Without a hash (no such account, no password) it works as long and says no. */
  verify(password: string, hash: string | null): Promise<boolean>;
  /** How many hashes have been computed by this process, for tests of what a call costs. */
  readonly computed: number;
}

const computeArgon2 = promisify(argon2);

export function createPasswords(): Passwords {
  let running = 0;
  let computed = 0;
  const line: (() => void)[] = [];

  async function compute(password: string, salt: Buffer, parameters: HashParameters): Promise<Buffer> {
    if (running >= atOnce) {
      if (line.length >= longestLine) {
        throw authError(429, 'over_request_rate_limit', 'Too many sign-ins at once. Try again in a moment.', {
          retryAfterSeconds: 5,
        });
      }
      // whoever is done hands its place over
      await new Promise<void>((resolve) => line.push(resolve));
    } else running++;
    try {
      computed++;
      return await computeArgon2('argon2id', { message: password, nonce: salt, ...parameters });
    } finally {
      const next = line.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    get computed() {
      return computed;
    },
    async hash(password) {
      const salt = randomBytes(saltBytes);
      const tag = await compute(password, salt, cost);
      return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${toBase64(salt)}$${toBase64(tag)}`;
    },
    async verify(password, hash) {
      const parsed = hash === null ? null : parseHash(hash);
      const { salt, tag, parameters } = parsed ?? nobody;
      const computedTag = await compute(password, salt, parameters);
      return timingSafeEqual(computedTag, tag) && parsed !== null;
    },
  };
}

/** @throws AuthError weak_password with its reasons, or validation_failed for one that is too long */
export function checkNewPassword(password: string): void {
  const length = [...password].length;
  if (length > passwordLength.max)
    throw authError(422, 'validation_failed', 'Password cannot be longer than 1,000 characters.');
  if (length < passwordLength.min) {
    throw authError(422, 'weak_password', `Password should be at least ${passwordLength.min} characters.`, {
      weakPasswordReasons: ['length'],
    });
  }
}

interface HashParameters {
  memory: number;
  passes: number;
  parallelism: number;
  tagLength: number;
}

interface ParsedHash {
  salt: Buffer;
  tag: Buffer;
  parameters: HashParameters;
}

const nobody: ParsedHash = {
  salt: Buffer.alloc(saltBytes),
  tag: Buffer.alloc(cost.tagLength),
  parameters: cost,
};

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parseHash(hash: string): ParsedHash | null {
  const found = phc.exec(hash);
  if (!found) return null;
  const [, memory, passes, parallelism, salt = '', tag = ''] = found;
  const tagBytes = Buffer.from(tag, 'base64');
  return {
    salt: Buffer.from(salt, 'base64'),
    tag: tagBytes,
    parameters: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: tagBytes.length,
    },
  };
}

const toBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
