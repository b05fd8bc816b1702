/** Receives an upload to import into a temporary file, which the caller removes. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { invalidInput } from '#platform/errors.ts';
import { readMultipart } from '#server/http/request/multipart.ts';
import { maxImportBytes } from '#shared/api/exchange.ts';

export interface ImportUpload {
  path: string;
  /** The client's name for it, sanitized. */
  displayName: string;
  fields: Record<string, string>;
  remove(): Promise<void>;
}

/** @throws ApiError INVALID_INPUT */
export async function receiveImport(incoming: IncomingMessage, signal: AbortSignal): Promise<ImportUpload> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = path.join(folder, 'upload');
  try {
    const { files, fields } = await readMultipart(incoming, {
      limits: {
        fileFields: ['file'],
        maxFileBytes: maxImportBytes,
        maxFiles: 1,
        maxTotalBytes: maxImportBytes + 100_000,
      },
      takeFile: async ({ stream, displayName }) => {
        await pipeline(stream, createWriteStream(file, { mode: 0o600 }));
        return displayName;
      },
      signal,
    });
    const [displayName] = files;
    if (displayName === undefined) throw invalidInput('Send the document in the field “file”.');
    return { path: file, displayName, fields: Object.fromEntries(fields), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
