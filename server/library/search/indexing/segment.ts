/**
 * Most terms occur in few documents, and a row for each would take ten times as many bytes. A library's rare terms are
 * packed into segments: sorted, each without the prefix it shares with the previous term, followed by its postings.
 *
 * `[shared, rest][rest of the term][length of postings][postings]`. The first byte contains both lengths, four bits
 * each; from 15 on, the excess follows as LEB128. The last length is LEB128.
 */

import { SegmentCursor, SegmentWriter } from './segment-bytes.ts';

export interface SegmentEntry {
  /** See `toKey`. */
  key: string;
  /** As written by `encodeBlock`; empty for a reversed word (`backwards`). */
  postings: Uint8Array;
}

/**
 * The most bytes in a segment: a change rewrites it, and its row takes some 70 bytes more. A longer single entry is a
 * segment of its own.
 */
export const maxInSegment = 1_000;

const isAscii = /^[\0-\x7f]*$/;
/** The term's UTF-8, one character per byte, so that comparing strings gives the database's order. */
export const toKey = (term: string): string =>
  isAscii.test(term) ? term : Buffer.from(term).toString('latin1');
export const fromKey = (key: string): string =>
  isAscii.test(key) ? key : Buffer.from(key, 'latin1').toString();

/** Whether a term is a word that may be mistyped; such words are also listed by their ends. */
export const isListedBackwards = (term: string): boolean => term >= 'a';
/** No word begins with it, and it sorts after all of them. */
const mark = '\u{f0000}';
const markKey = toKey(mark);
/** The term that lists a word by its end, to find words mistyped at the beginning. */
export const backwards = (word: string): string => mark + reverse(word);
const isBackwards = (term: string): boolean => term.startsWith(mark);
/** The word that a term lists; otherwise the term itself. */
export const forwards = (term: string): string =>
  isBackwards(term) ? reverse(term.slice(mark.length)) : term;

/** Its letters in reverse order. */
export function reverse(word: string): string {
  let reversed = '';
  for (const letter of word) reversed = letter + reversed;
  return reversed;
}

/** Length of a key without the mark, counted in letters as the database does: each may be several bytes. */
export function countLetters(key: string): number {
  const bytes = key.startsWith(markKey) ? key.slice(markKey.length) : key;
  if (isAscii.test(bytes)) return bytes.length;
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if ((bytes.charCodeAt(at) & 0xc0) !== 0x80) count++;
  return count;
}

/** Maximum size of an entry in bytes. */
export const sizeOf = ({ key, postings }: SegmentEntry): number => key.length + postings.length + 16;

/** @param entries ascending by key */
export function encodeSegment(entries: readonly SegmentEntry[]): Buffer {
  const writer = new SegmentWriter(entries.reduce((sum, one) => sum + sizeOf(one), 0));
  let last = '';
  for (const { key, postings } of entries) {
    writer.add(key, sharedLength(last, key), postings);
    last = key;
  }
  return writer.end();
}

/** Number of leading bytes that both share. */
export function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}

/**
 * Calls `take` for each entry whose key begins with a key, in order, starting with that key itself. `take` returns
 * false to stop.
 */
export function readSegment(
  bytes: Buffer,
  beginning: string,
  take: (key: string, entry: SegmentCursor) => boolean,
): void {
  const cursor = new SegmentCursor(bytes);
  /** How much of the beginning the last entry shares; all of it: the entry is `last`. */
  let matched = 0;
  let last = beginning;
  while (cursor.next()) {
    const { shared, rest, ownKey } = cursor;
    // it differs from the previous one within the shared part, so it sorts after all keys that begin with it
    if (shared < matched) return;
    if (shared === matched) {
      const most = Math.min(beginning.length, shared + rest);
      while (matched < most && bytes[ownKey + matched - shared] === beginning.charCodeAt(matched)) matched++;
      if (matched < most && bytes[ownKey + matched - shared]! > beginning.charCodeAt(matched)) return;
    }
    if (matched < beginning.length) continue;
    last = cursor.key(last);
    if (!take(last, cursor)) return;
  }
}

export function decodeSegment(bytes: Buffer): SegmentEntry[] {
  const entries: SegmentEntry[] = [];
  readSegment(bytes, '', (key, entry) => entries.push({ key, postings: entry.block() }) > 0);
  return entries;
}

/** Entries in order, split into as many segments as needed. */
export function cutSegments(entries: readonly SegmentEntry[]): SegmentEntry[][] {
  if (entries.length === 0) return [];
  const encoded = encodeSegment(entries).length;
  if (encoded <= maxInSegment || entries.length === 1) return [[...entries]];
  // in equal parts, so that each has room for additions
  const size = ({ key, postings }: SegmentEntry) => key.length + postings.length + 2;
  const share = entries.reduce((sum, one) => sum + size(one), 0) / Math.ceil(encoded / maxInSegment);
  const parts: SegmentEntry[][] = [[]];
  let sum = 0;
  for (const one of entries) {
    if (parts.at(-1)!.length > 0 && sum + size(one) > share) {
      parts.push([]);
      sum = 0;
    }
    parts.at(-1)!.push(one);
    sum += size(one);
  }
  return parts;
}

/** Number of documents in a block: only the last byte of each posting is below 0x80. */
export function countPostings(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte < 0x80) count++;
  return count;
}
