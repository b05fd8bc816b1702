/** Streams files into one ZIP archive: only the current chunk is held in memory. */
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { ExportedFile } from './export-part.ts';

/** PDF, PNG and JPEG are compressed already. */
const compressed = /\.(pdf|png|jpe?g)$/i;

/** Yields the archive's bytes in order. Ends early, without reading further files, once nobody reads it. */
export async function* zipFiles(files: AsyncIterable<ExportedFile>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const ready: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    failure ??= error;
    if (chunk?.length > 0) ready.push(new Uint8Array(chunk));
  });
  const take = () => {
    if (failure) throw failure;
    return ready.splice(0);
  };
  for await (const { path, content } of files) {
    const entry = compressed.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 });
    zip.add(entry);
    for await (const piece of piecesOf(content)) {
      entry.push(new Uint8Array(piece));
      yield* take();
    }
    entry.push(new Uint8Array(0), true);
    yield* take();
  }
  zip.end();
  yield* take();
}

async function* piecesOf(content: ExportedFile['content']): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield new TextEncoder().encode(content);
  else if (content instanceof Uint8Array) yield content;
  else for await (const piece of content) yield piece as Uint8Array;
}
