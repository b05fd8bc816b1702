/** Writes and reads the bytes of a segment (`segment.ts`), entry by entry. */

const nibble = 15;

/** Appends entries to a segment, in order. */
export class SegmentWriter {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(most: number) {
    this.#bytes = Buffer.allocUnsafe(most);
  }

  /** Copies entries from another segment: the first of them follows the same entry there. */
  copy(bytes: Buffer, from: number, to: number): void {
    this.#length += bytes.copy(this.#bytes, this.#length, from, to);
  }

  /** @param shared how many of the key's bytes are shared with the previous entry */
  add(key: string, shared: number, postings: Uint8Array): void {
    const rest = key.length - shared;
    this.#bytes[this.#length++] = Math.min(shared, nibble) * 16 + Math.min(rest, nibble);
    if (shared >= nibble) this.#put(shared - nibble);
    if (rest >= nibble) this.#put(rest - nibble);
    for (let at = shared; at < key.length; at++) this.#bytes[this.#length++] = key.charCodeAt(at);
    this.#put(postings.length);
    this.#bytes.set(postings, this.#length);
    this.#length += postings.length;
  }

  end(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #put(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }
}

/** Iterates over the entries of a segment. */
export class SegmentCursor {
  /** Where the entry begins and ends, and the ranges of its key's own bytes and of its postings. */
  start = 0;
  end = 0;
  shared = 0;
  rest = 0;
  ownKey = 0;
  postings = 0;
  readonly bytes: Buffer;
  /** The bytes as characters: one call for all keys. */
  #text: string | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** @returns false if there are no more */
  next(): boolean {
    if (this.end >= this.bytes.length) return false;
    this.start = this.end;
    const lengths = this.bytes[this.end++]!;
    this.shared = lengths >> 4;
    this.rest = lengths & nibble;
    if (this.shared === nibble) this.shared += this.#take();
    if (this.rest === nibble) this.rest += this.#take();
    this.ownKey = this.end;
    this.end += this.rest;
    const length = this.#take();
    this.postings = this.end;
    this.end += length;
    return true;
  }

  /** @param last the previous entry's key, or one with the same beginning */
  key(last: string): string {
    this.#text ??= this.bytes.toString('latin1');
    return last.slice(0, this.shared) + this.#text.slice(this.ownKey, this.ownKey + this.rest);
  }

  block(): Buffer {
    return this.bytes.subarray(this.postings, this.end);
  }

  #take(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const next = this.bytes[this.end++]!;
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  }
}
