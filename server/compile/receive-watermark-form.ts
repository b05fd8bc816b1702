/** Receives the watermark form: the PDF goes to its own file, which the caller removes. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { invalidInput } from '#platform/errors.ts';
import { readMultipart } from '../http/request/multipart.ts';

export interface WatermarkUpload {
  /** Path of the uploaded PDF. */
  file: string;
  fields: Record<string, string>;
  remove(): Promise<void>;
}

/** @throws ApiError INVALID_INPUT */
export async function receiveWatermarkForm(
  incoming: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<WatermarkUpload> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-watermark-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = path.join(folder, 'document.pdf');
  try {
    const form = await readMultipart(incoming, {
      limits: {
        fileFields: ['file'],
        maxFileBytes: maxBytes,
        maxFiles: 1,
        maxTotalBytes: maxBytes + 100_000,
      },
      takeFile: ({ stream }) => pipeline(stream, createWriteStream(file, { mode: 0o600 })).then(() => true),
      signal,
    });
    if (form.files.length === 0) throw invalidInput('Send the PDF in the field “file”.');
    return { file, fields: Object.fromEntries(form.fields), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
