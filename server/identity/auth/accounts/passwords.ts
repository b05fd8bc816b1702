/** Password hashing with Node's own argon2id, a few at a time. Passwords are never truncated. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import os from 'node:os';
import { promisify } from 'node:util';
import { FairQueue } from '#platform/work/fair-queue.ts';
import { authError } from '../auth-error.ts';

/**
 * 19 MiB, two passes, one lane: the first settings that OWASP's Password Storage Cheat Sheet lists for argon2id.
 * `memory` in KiB.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const saltBytes = 16;

/** The minimum is NIST SP 800-63B's; the maximum only keeps request bodies small. */
export const passwordLength = { min: 8, max: 1_000 } as const;

/**
 * Concurrent hashes: hashing runs on libuv's pool of four threads, which file reads need too. Networks take turns, so
 * that a flood from one delays another by one hash only. Calls beyond the queues' lengths are refused; a classroom of
 * 300 fits into its network's queue.
 */
const atOnce = Math.max(1, Math.min(3, os.availableParallelism() - 1));
const longestLine = { network: 400, all: 1_000 } as const;

/** Determines when a hash gets its turn. */
interface HashTurn {
  /** `RequestOrigin.network`; calls from one network share a queue. */
  network: string;
  /** Called when the turn has come, before hashing; throwing ends the call. */
  recheck?: () => Promise<void>;
}

interface Verdict {
  isRight: boolean;
  /** The hash was made from another Unicode form than `hash` uses and should be renewed. */
  isOldForm: boolean;
}

export interface Passwords {
  /** Hashes the NFKC form of the password; PHC format. @throws AuthError over_request_rate_limit when too many wait */
  hash(password: string, turn: HashTurn): Promise<string>;
  /**
   * Tries NFKC, then the forms that earlier hashes were made from: as typed, NFC and NFD. Without a hash (no such
   * account, no password) it takes just as long and fails.
   */
  verify(password: string, hash: string | null, turn: HashTurn): Promise<Verdict>;
  /** How many hashes this process has computed, for tests of what a call costs. */
  readonly computed: number;
}

const computeArgon2 = promisify(argon2);

export function createPasswords(): Passwords {
  let computed = 0;
  const queue = new FairQueue({
    concurrency: atOnce,
    maxWaitingPerOwner: longestLine.network,
    maxWaitingPerGroup: longestLine.network,
    maxWaiting: longestLine.all,
  });

  async function inTurn<T>({ network, recheck }: HashTurn, work: () => Promise<T>): Promise<T> {
    // never aborted: the hash is computed even if the caller has gone
    const admission = await queue.run(network, new AbortController().signal, async () => {
      await recheck?.();
      return await work();
    });
    if (admission.kind === 'ran') return admission.value;
    throw authError(429, 'over_request_rate_limit', 'Too many sign-ins at once. Try again in a moment.', {
      retryAfterSeconds: 5,
    });
  }

  function compute(message: string, salt: Buffer, parameters: HashParameters): Promise<Buffer> {
    computed++;
    return computeArgon2('argon2id', { message, nonce: salt, ...parameters });
  }

  return {
    get computed() {
      return computed;
    },
    hash(password, turn) {
      return inTurn(turn, async () => {
        const salt = randomBytes(saltBytes);
        const tag = await compute(password.normalize('NFKC'), salt, cost);
        return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${toBase64(salt)}$${toBase64(tag)}`;
      });
    },
    verify(password, hash, turn) {
      return inTurn(turn, async () => {
        const parsed = hash === null ? null : parseHash(hash);
        const { salt, tag, parameters } = parsed ?? nobody;
        // all forms of plain ASCII are identical
        const forms = new Set([
          password.normalize('NFKC'),
          password,
          password.normalize('NFC'),
          password.normalize('NFD'),
        ]);
        let isOldForm = false;
        for (const form of forms) {
          const isMatch = timingSafeEqual(await compute(form, salt, parameters), tag);
          if (isMatch && parsed !== null) return { isRight: true, isOldForm };
          isOldForm = true;
        }
        return { isRight: false, isOldForm: false };
      });
    },
  };
}

/**
 * Common passwords in lower case, which attackers try first: the 49,233 of zxcvbn-ts, loaded when the first password
 * is chosen.
 */
let commonPasswords: Promise<ReadonlySet<string>> | null = null;

function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return commonPasswords;
}

/** @throws AuthError weak_password with its reasons, or validation_failed if it is too long */
export async function checkNewPassword(given: string): Promise<void> {
  const password = given.normalize('NFKC');
  const length = [...password].length;
  if (length > passwordLength.max)
    throw authError(422, 'validation_failed', 'Password cannot be longer than 1,000 characters.');
  if (length < passwordLength.min) {
    throw authError(422, 'weak_password', `Password should be at least ${passwordLength.min} characters.`, {
      weakPasswordReasons: ['length'],
    });
  }
  if ((await loadCommonPasswords()).has(password.toLowerCase())) {
    throw authError(
      422,
      'weak_password',
      'This password is one of the most common ones and easy to guess. Please choose another.',
      { weakPasswordReasons: ['pwned'] },
    );
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
