import type { IncomingMessage } from 'node:http';
import { invalidInput } from '#platform/errors.ts';
import { maxFileBytes, maxFiles } from '#shared/api/limits.ts';
import { type MultipartLimits, type Pace, readMultipart } from '../../http/request/multipart.ts';
import type { Storage } from '../../storage/storage.ts';
import { type PageRange, parsePageRange } from '../stations/page-range.ts';

/**
 * Largest body of one upload, in bytes: ten files of the largest size. 200 phone photos of 2.5 MB fit; a single
 * visitor cannot fill the disk with 200 × 50 MB.
 */
const maxUploadBytes = 10 * maxFileBytes;

export const uploadLimits: MultipartLimits = {
  fileFields: ['file'],
  maxFileBytes,
  maxFiles,
  maxTotalBytes: maxUploadBytes,
};

interface ReceivedFile {
  /** Its storage key. */
  key: string;
  displayName: string;
  sizeBytes: number;
}

export interface ReceivedUpload {
  /** In the order sent; at least one. */
  files: ReceivedFile[];
  range: PageRange;
  /** All text fields, including those that other code reads. */
  fields: Map<string, string>;
}

interface ReceiveOptions {
  signal?: AbortSignal;
  pace?: Pace;
}

/**
 * Streams an upload into the storage, one object per file under `keyPrefix` (which ends with `/`), without
 * inspecting it. If it throws, nothing remains under `keyPrefix`.
 * @throws ApiError INVALID_INPUT: no file, too large, too many, too slow, broken off, page range malformed.
 */
export async function receiveUpload(
  incoming: IncomingMessage,
  storage: Storage,
  keyPrefix: string,
  limits: MultipartLimits = uploadLimits,
  options: ReceiveOptions = {},
): Promise<ReceivedUpload> {
  try {
    const { files, fields } = await readMultipart(incoming, {
      limits,
      ...options,
      takeFile: async ({ displayName, index, stream }): Promise<ReceivedFile> => {
        const key = `${keyPrefix}${String(index).padStart(4, '0')}`;
        const { sizeBytes } = await storage.put(key, stream);
        return { key, displayName, sizeBytes };
      },
    });
    if (files.length === 0)
      throw invalidInput('No file was sent. Send at least one in the form field “file”.');
    return { files, range: parsePageRange(fields), fields };
  } catch (error) {
    await storage.deletePrefix(keyPrefix);
    throw error;
  }
}
