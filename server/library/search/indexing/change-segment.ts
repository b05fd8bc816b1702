/** Changes entries of a segment; the bytes in between are copied unchanged. */
import { type SegmentEntry, sharedLength, sizeOf } from './segment.ts';
import { SegmentCursor, SegmentWriter } from './segment-bytes.ts';

/** Computes an entry's new postings from its current ones (null if there is no such entry); null removes it. */
export type ChangeEntry = (key: string, postings: Uint8Array | null) => Uint8Array | null;

/** A range to copy, or an entry to write. */
type Part = { from: number; to: number } | (SegmentEntry & { shared: number });

/**
 * @param keys ascending
 * @returns null if nothing has changed
 */
export function changeSegment(bytes: Buffer, keys: readonly string[], change: ChangeEntry): Buffer | null {
  const parts: Part[] = [];
  let copied = 0;
  let isChanged = false;
  const copyTo = (to: number) => {
    if (to > copied) parts.push({ from: copied, to });
  };
  /** The entry written last, if it is not the previous one in the old segment. */
  let written: string | null = null;
  const write = (key: string, last: string, postings: Uint8Array) => {
    parts.push({ key, shared: sharedLength(written ?? last, key), postings });
    written = key;
    isChanged = true;
  };
  const cursor = new SegmentCursor(bytes);
  let next = 0;
  let last = '';
  while (next < keys.length || written !== null) {
    if (!cursor.next()) break;
    const key = cursor.key(last);
    let isWritten = written !== null;
    for (; next < keys.length && keys[next]! < key; next++) {
      const postings = change(keys[next]!, null);
      if (!postings) continue;
      copyTo(cursor.start);
      copied = cursor.start;
      write(keys[next]!, last, postings);
      isWritten = true;
    }
    let postings: Uint8Array | null = null;
    if (keys[next] === key) {
      next++;
      const block = cursor.block();
      postings = change(key, block);
      if (postings === null) {
        copyTo(cursor.start);
        copied = cursor.end;
        written ??= last;
        isChanged = true;
        last = key;
        continue;
      }
      if (postings !== block) isWritten = true;
    }
    if (isWritten) {
      copyTo(cursor.start);
      copied = cursor.end;
      write(key, last, postings ?? cursor.block());
      // the next one follows it as before
      written = null;
    }
    last = key;
  }
  copyTo(bytes.length);
  for (; next < keys.length; next++) {
    const postings = change(keys[next]!, null);
    if (postings) write(keys[next]!, last, postings);
  }
  return isChanged ? join(bytes, parts) : null;
}

function join(bytes: Buffer, parts: readonly Part[]): Buffer {
  const writer = new SegmentWriter(
    parts.reduce((sum, part) => sum + ('key' in part ? sizeOf(part) : part.to - part.from), 0),
  );
  for (const part of parts)
    if ('key' in part) writer.add(part.key, part.shared, part.postings);
    else writer.copy(bytes, part.from, part.to);
  return writer.end();
}
