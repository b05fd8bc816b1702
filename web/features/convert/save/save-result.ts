/**
 * Saves a result to the documents. The first time creates a document: from the conversion itself if nothing was
 * changed here, otherwise from the text with its figures. After that the same document is updated. Page images are
 * sent last, and only on request: the server has deleted the upload.
 */
import type { Figure, SourceMap } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import type { SavedDocument } from '#shared/api/library.ts';
import { type ApiResult, networkError } from '#web/lib/api/api-client.ts';
import {
  createDocument,
  type DocumentDraft,
  putFigure,
  putPageImage,
  saveLatex,
} from '#web/lib/api/document-api.ts';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';
import { decodeBase64 } from '#web/lib/pdf/pdf-address.ts';
import { describeSource } from '../describe-source.ts';
import { findPageImage } from '../run/page-images.ts';
import { isSample } from '../run/samples.ts';
import { keepSavedRecord, type SavedDocumentRecord, type SavedRecord } from './saved-record.ts';

/** What is on the screen. */
export interface Result {
  conversionId: string;
  latex: string;
  deliveredLatex: string | null;
  deliveredMap: SourceMap | null;
  spots: readonly DoubtfulSpot[];
  checked: number;
  figures: readonly Figure[];
  pageCount: number;
}

export interface SaveOptions {
  title: string;
  folderId: string | null;
  withImages: boolean;
}

export type SaveOutcome =
  /** `missing`: pages whose image was requested but not saved. */
  | { kind: 'saved'; document: SavedDocumentRecord; latex: string; missing: readonly number[] }
  /** It has since been changed in the editor: nothing is overwritten. */
  | { kind: 'changed-elsewhere'; document: SavedDocumentRecord }
  | { kind: 'failed'; error: ErrorObject };

/** Progress of sending the images. */
export interface SaveProgress {
  done: number;
  total: number;
}

/** Saves a result for the first time. */
export async function saveNew(
  result: Result,
  record: SavedRecord,
  options: SaveOptions,
  onProgress: (progress: SaveProgress) => void,
): Promise<SaveOutcome> {
  const created = await create(result, record.saveId, options);
  if (!created.ok) return { kind: 'failed', error: created.error };
  const { id, title, version, latex } = created.data;
  const document = { id, title, version, hasImages: false };
  keepSavedRecord({ ...record, document });
  // an earlier attempt had succeeded, with the earlier text
  if (latex !== result.latex) {
    const again = await saveAgain(result, { ...record, document });
    if (again.kind !== 'saved') return again;
    document.version = again.document.version;
  }
  const missing = options.withImages ? await sendImages(id, result, onProgress) : [];
  document.hasImages = options.withImages && missing.length < result.pageCount;
  keepSavedRecord({ ...record, document });
  return { kind: 'saved', document, latex: result.latex, missing };
}

async function create(
  result: Result,
  saveId: string,
  options: SaveOptions,
): Promise<ApiResult<SavedDocument>> {
  const { conversionId, latex, deliveredLatex, figures } = result;
  const common: DocumentDraft = {
    title: options.title,
    folder_id: options.folderId,
    save_id: saveId,
    source_map: describeSource(result),
  };
  if (latex === deliveredLatex && !isSample(conversionId)) {
    const made = await createDocument({ ...common, conversion_id: conversionId });
    // the server keeps a result for an hour; this page has all of it
    if (made.ok || made.error.code !== 'NOT_FOUND') return made;
  }
  return createDocument({ ...common, latex, figures: [...figures] });
}

/** Saves later changes to the same document. */
export async function saveAgain(
  result: Result,
  record: SavedRecord & { document: SavedDocumentRecord },
): Promise<SaveOutcome> {
  const { document } = record;
  for (const { name, media_type, data_base64 } of result.figures) {
    const blob = new Blob([decodeBase64(data_base64)], { type: media_type });
    const put = await putFigure(document.id, name, blob);
    if (!put.ok) return { kind: 'failed', error: put.error };
  }
  const saved = await saveLatex(document.id, {
    base_version: document.version,
    latex: result.latex,
    save_id: crypto.randomUUID(),
    source_map: describeSource(result),
  });
  switch (saved.kind) {
    case 'saved': {
      const now = { ...document, version: saved.version };
      keepSavedRecord({ ...record, document: now });
      return { kind: 'saved', document: now, latex: result.latex, missing: [] };
    }
    case 'conflict':
      return { kind: 'changed-elsewhere', document };
    case 'unreachable':
      return { kind: 'failed', error: networkError };
    case 'refused':
      return { kind: 'failed', error: saved.error };
  }
}

/** @returns the pages whose image is no longer here, or was refused */
async function sendImages(
  documentId: string,
  { conversionId, pageCount }: Result,
  onProgress: (progress: SaveProgress) => void,
): Promise<number[]> {
  const missing: number[] = [];
  for (let page = 1; page <= pageCount; page++) {
    onProgress({ done: page - 1, total: pageCount });
    const picture = await findPageImage(conversionId, page);
    const sent = picture && (await putPageImage(documentId, page, picture));
    if (!sent?.ok) missing.push(page);
  }
  onProgress({ done: pageCount, total: pageCount });
  return missing;
}
