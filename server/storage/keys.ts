/** What every adapter agrees on about keys. */

/** Longest key, in UTF-8 bytes (S3's own limit). */
const maxKeyBytes = 1024;

/**
 * Returns the key's segments.
 * @throws Error for a key that is empty, absolute, has an empty, `.` or `..` segment, a NUL, or is too long: keys are
 * made by the program, so this is always a bug.
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

/** Returns the segments of a prefix, which ends with `/`. The empty prefix would mean everything and is refused. */
export function splitPrefix(prefix: string): string[] {
  if (!prefix.endsWith('/')) throw new Error(`a storage prefix ends with "/": ${JSON.stringify(prefix)}`);
  return splitKey(prefix.slice(0, -1));
}
