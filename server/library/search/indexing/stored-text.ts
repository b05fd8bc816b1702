/**
 * How an index row stores a document's text: the text for display, compressed, and its sequence of words as two bytes
 * each, for finding phrases.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { hash } from './hash.ts';

export interface StoredText {
  /** As displayed, with formulas between marks (latex/formula/read-latex.ts). */
  body: string;
  /** Three numbers for each range of the body: its offset there and in the source, and its line in the source. */
  places: readonly number[];
  /** Pairs of offsets in the body: from and to. */
  headings: readonly number[];
}

/** Numbers with seven bits per byte, then the body. Numbers of one kind are stored together, as differences. */
export function packText({ body, places, headings }: StoredText): Buffer {
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  };
  const added = (at: number) => places[at]! - (places[at - 3] ?? 0);
  put(places.length);
  for (let i = 0; i < places.length; i += 3) put(added(i));
  // a range of the source is usually as long as that of the body
  for (let i = 0; i < places.length; i += 3) put(added(i + 1) - added(i));
  for (let i = 0; i < places.length; i += 3) put(added(i + 2));
  put(headings.length);
  for (const [index, offset] of headings.entries()) put(offset - (headings[index - 1] ?? 0));
  return deflateRawSync(Buffer.concat([Buffer.from(bytes), Buffer.from(body)]));
}

export function unpackText(packed: Uint8Array): StoredText {
  const bytes = inflateRawSync(packed);
  let at = 0;
  const take = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const next = bytes[at++]!;
      value += (next & 0x7f) * factor;
      if (next < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
  };
  const places = new Array<number>(take());
  for (let i = 0; i < places.length; i += 3) places[i] = take() + (i && places[i - 3]!);
  for (let i = 0; i < places.length; i += 3) {
    const length = places[i]! - (i && places[i - 3]!);
    places[i + 1] = take() + length + (i && places[i - 2]!);
  }
  for (let i = 0; i < places.length; i += 3) places[i + 2] = take() + (i && places[i - 1]!);
  const headings: number[] = [];
  for (let left = take(); left > 0; left--) headings.push(take() + (headings.at(-1) ?? 0));
  return { body: bytes.toString('utf8', at), places, headings };
}

/** Separates title and body; no word contains it. */
export const rowEnd = '|';

/**
 * The sequence of words, fourteen bits of each. Only a word's first byte is 128 or more, so a sequence never matches at
 * an odd offset; a false match of two words occurs once in some millions of texts.
 */
export function encodeRow(words: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(words.length * 2);
  for (const [index, word] of words.entries()) {
    const bits = word === rowEnd ? 0 : hash(word, 0x3c6ef372) & 0x3fff || 1;
    bytes[index * 2] = 0x80 | (bits >> 7);
    bytes[index * 2 + 1] = bits & 0x7f;
  }
  return bytes;
}
