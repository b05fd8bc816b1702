/** Rules for keys that every adapter follows. */

/** Longest key, in UTF-8 bytes (S3's limit). */
const maxKeyBytes = 1024;

/**
 * Returns the key's segments.
 * @throws Error for a key that is empty, absolute or too long, or has an empty, `.` or `..` segment or a NUL: keys are
 * created by the program, so this is always a bug.
 */
export function splitKey(key: string): string[] {
  const segments = key.split('/');
  const isBad =
    key.includes('\0') ||
    Buffer.byteLength(key) > maxKeyBytes ||
    !key.isWellFormed() ||
    segments.some((segment) => segment === '' || segment === '.' || segment === '..');
  if (isBad) throw new Error(`not a storage key: ${JSON.stringify(key.slice(0, 200))}`);
  return segments;
}

/** Returns the segments of a prefix, which ends with `/`. The empty prefix would mean everything and is rejected. */
export function splitPrefix(prefix: string): string[] {
  if (!prefix.endsWith('/')) throw new Error(`a storage prefix ends with "/": ${JSON.stringify(prefix)}`);
  return splitKey(prefix.slice(0, -1));
}
