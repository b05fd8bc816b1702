/**
 * pdf.js unpacks each stream of a PDF through a `DecompressionStream`; Node's goes through three layers of streams
 * and a thread for every one, which costs more than unpacking. Imported before pdf.js, which takes the class from
 * the globals. If it throws, pdf.js unpacks the stream itself as far as it is sound.
 */
import { brotliDecompressSync, inflateSync } from 'node:zlib';

class InflateAtOnce {
  readonly #unpacked = Promise.withResolvers<Uint8Array>();
  readonly readable: AsyncIterable<Uint8Array>;
  readonly writable: { getWriter(): object };

  constructor(format: 'deflate' | 'brotli') {
    const { promise, resolve, reject } = this.#unpacked;
    const unpack = format === 'deflate' ? inflateSync : brotliDecompressSync;
    const writer = {
      ready: Promise.resolve(),
      async write(packed: Uint8Array) {
        try {
          resolve(unpack(packed));
        } catch (error) {
          reject(error);
        }
      },
      async close() {},
    };
    this.writable = { getWriter: () => writer };
    this.readable = {
      async *[Symbol.asyncIterator]() {
        yield await promise;
      },
    };
  }
}

Object.assign(globalThis, { DecompressionStream: InflateAtOnce });
