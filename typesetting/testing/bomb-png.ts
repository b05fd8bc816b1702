/** A small PNG file that unpacks to `side` × `side` pixels of three bytes. */
import { deflateSync } from 'node:zlib';
import { pngChunk } from '#platform/pictures/testing/png-chunk.ts';

export function bombPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  header[9] = 2;
  // one megabyte of zeros at a time would need a streaming deflate; a block of rows is enough to start the
  // decoder
  const rows = deflateSync(Buffer.alloc(Math.min(side, 2_000) * (side * 3 + 1)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
