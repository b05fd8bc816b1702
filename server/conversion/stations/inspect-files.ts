/** The first station: what was sent, found out without reading it. Shared by the server and the command line. */

import { ApiError } from '#platform/errors.ts';
import type { ErrorCode } from '#shared/api/errors.ts';
import { findPublisherMarks } from '#reading/copyright.ts';
import { inspectUpload } from '#reading/files/inspect-upload.ts';

export interface InspectedFile {
  kind: 'pdf' | 'image';
  pageCount: number;
}

/**
 * @param path a local file
 * @param displayName for the sentences only
 * @param owner whose turn it takes, as `queueOwner` writes it
 * @throws ApiError INVALID_INPUT for what cannot be converted, COPYRIGHTED_PDF for published material; WorkStarved
 */
export async function inspectFile(
  path: string,
  displayName: string,
  signal: AbortSignal,
  owner?: string,
): Promise<InspectedFile> {
  const upload = await inspectUpload(path, displayName, signal, owner);
  if (upload.kind === 'pdf' && (await findPublisherMarks(path, signal, owner)))
    throw new ApiError('COPYRIGHTED_PDF' satisfies ErrorCode);
  return { kind: upload.kind, pageCount: upload.pageCount };
}
