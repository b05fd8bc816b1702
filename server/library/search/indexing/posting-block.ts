/**
 * Which documents have a term, and where: their numbers in ascending order, each as the difference from the previous
 * one with three flag bits below, in bytes of seven bits (LEB128). A document takes one byte for a common word.
 */

/** How a document has a word; none of these: somewhere in its text. */
export const inTitle = 4;
export const inHeading = 2;
/** It is one of the words most used in the text. */
export const often = 1;

/** A document's number times eight, plus the flags. Numbers stay below 2^31, so this is exact. */
export type Posting = number;

export const posting = (number: number, flags: number): Posting => number * 8 + flags;
export const numberOf = (one: Posting): number => Math.floor(one / 8);
const flagsOf = (one: Posting): number => one & 7;

/** Documents per block: its row stays well below a database page. */
export const maxInBlock = 1_024;

/** @param postings ascending by number */
export function encodeBlock(postings: readonly Posting[]): Buffer {
  const bytes = Buffer.allocUnsafe(postings.length * 5 + 5);
  let length = 0;
  let last = 0;
  for (const one of postings) {
    const number = numberOf(one);
    let rest = posting(number - last, flagsOf(one));
    last = number;
    while (rest >= 0x80) {
      bytes[length++] = (rest & 0x7f) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[length++] = rest;
  }
  return Buffer.from(bytes.subarray(0, length));
}

/** Calls `take` for each document, in ascending order of number. */
function readBlock(bytes: Uint8Array, take: (number: number, flags: number) => void): void {
  let number = 0;
  for (let at = 0; at < bytes.length; at++) {
    let value = bytes[at]!;
    if (value >= 0x80) {
      value &= 0x7f;
      for (let factor = 0x80; at + 1 < bytes.length; factor *= 0x80) {
        const next = bytes[++at]!;
        value += (next & 0x7f) * factor;
        if (next < 0x80) break;
      }
    }
    number += Math.floor(value / 8);
    take(number, value & 7);
  }
}

export function decodeBlock(bytes: Uint8Array): Posting[] {
  const postings: Posting[] = [];
  readBlock(bytes, (number, flags) => postings.push(posting(number, flags)));
  return postings;
}

/**
 * The block after adding, changing or (null) removing a document's posting; split if it has become too large, the first
 * part replacing the block.
 */
export function changeBlock(bytes: Uint8Array, number: number, flags: number | null): Posting[][] {
  const postings = decodeBlock(bytes);
  let at = postings.findIndex((one) => numberOf(one) >= number);
  if (at < 0) at = postings.length;
  const isThere = at < postings.length && numberOf(postings[at]!) === number;
  postings.splice(at, isThere ? 1 : 0, ...(flags === null ? [] : [posting(number, flags)]));
  if (postings.length <= maxInBlock) return [postings];
  // appending at the end leaves full blocks behind
  const cut = at === postings.length - 1 ? at : postings.length >> 1;
  return [postings.slice(0, cut), postings.slice(cut)];
}

/** Whether the block has the document. */
export function hasNumber(bytes: Uint8Array, number: number): boolean {
  let isThere = false;
  readBlock(bytes, (one) => {
    isThere ||= one === number;
  });
  return isThere;
}

/** Merges two blocks. */
export const joinBlocks = (a: Uint8Array, b: Uint8Array): Buffer =>
  encodeBlock([...decodeBlock(a), ...decodeBlock(b)].sort((one, other) => one - other));
