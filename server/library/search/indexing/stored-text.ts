/**
 * How a row of the index keeps a document's text: what is shown of it compressed, and its words in a row as two bytes
 * each, in which a phrase is looked for.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { hash } from './hash.ts';

export interface StoredText {
  /** As a person reads it, formulas between marks (latex/formula/read-latex.ts). */
  body: string;
  /** Three numbers for each stretch of the body: its offset there and in the source, and its line in the source. */
  places: readonly number[];
  /** Pairs of offsets in the body: from and to. */
  headings: readonly number[];
}

/** Numbers (their count first, then what each adds to the one `step` before it), then the body. */
export function packText({ body, places, headings }: StoredText): Buffer {
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  };
  for (const [numbers, step] of [
    [places, 3],
    [headings, 1],
  ] as const) {
    put(numbers.length);
    for (let i = 0; i < numbers.length; i++) {
      const added = numbers[i]! - (numbers[i - step] ?? 0);
      put(added < 0 ? -2 * added - 1 : 2 * added);
    }
  }
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
      if (next < 0x80) return value;
    }
  };
  const takeNumbers = (step: number): number[] => {
    const numbers: number[] = [];
    for (let left = take(); left > 0; left--) {
      const added = take();
      numbers.push((numbers[numbers.length - step] ?? 0) + (added & 1 ? -(added + 1) / 2 : added / 2));
    }
    return numbers;
  };
  const [places, headings] = [takeNumbers(3), takeNumbers(1)];
  return { body: bytes.toString('utf8', at), places, headings };
}

/** Between title and body; no word has it. */
export const rowEnd = '|';

/**
 * Words in a row, fourteen bits of each. The first byte of a word is 128 or more and the second is not, so a row is
 * never found across the middle of words; two other words in its place happen once in some millions of texts.
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
