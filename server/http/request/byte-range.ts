/** The byte range that a GET requests (RFC 9110, section 14): players of PDF and video fetch files in parts. */

export type ByteRange =
  /** The whole file: no range, several ranges at once, or an unknown form was requested. */
  | { kind: 'whole' }
  /** Both inclusive. */
  | { kind: 'part'; first: number; last: number }
  /** The range lies outside the file. */
  | { kind: 'outside' };

/** @param header the value of `Range`, if present */
export function parseByteRange(header: string | undefined, sizeBytes: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return { kind: 'whole' };
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0
      ? { kind: 'outside' }
      : { kind: 'part', first: sizeBytes - length, last: sizeBytes - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return { kind: 'whole' };
  if (first >= sizeBytes) return { kind: 'outside' };
  return { kind: 'part', first, last: to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) };
}
