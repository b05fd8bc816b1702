/** Calls on one saved document: its text, history, figures, page images, PDF and links. Owner only. */
import type { ErrorObject } from '#shared/api/errors.ts';
import {
  Comparison,
  type DocumentChange,
  DocumentSummary,
  FileVersion,
  FileVersions,
  type LatexSave,
  type NewDocument,
  NewShare,
  SaveConflict,
  Saved,
  SavedDocument,
  type Share,
  Shares,
  Version,
  Versions,
} from '#shared/api/library.ts';
import { apiUrl } from '../api-routes.ts';
import { type ApiResult, callBlob, callJson, callNothing, networkError } from './api-client.ts';

/** Fields left out get their defaults; see `NewDocument`. */
export type DocumentDraft = Partial<NewDocument>;

export function createDocument(
  draft: DocumentDraft,
  signal?: AbortSignal,
): Promise<ApiResult<SavedDocument>> {
  return callJson('POST /documents', SavedDocument, { json: draft, signal });
}

export function getDocument(id: string, signal?: AbortSignal): Promise<ApiResult<SavedDocument>> {
  return callJson('GET /documents/{id}', SavedDocument, { path: { id }, signal });
}

/** Fields left out are unchanged. */
export function updateDocument(id: string, change: DocumentChange): Promise<ApiResult<DocumentSummary>> {
  return callJson('PATCH /documents/{id}', DocumentSummary, { path: { id }, json: change });
}

export function duplicateDocument(id: string): Promise<ApiResult<SavedDocument>> {
  return callJson('POST /documents/{id}/duplicate', SavedDocument, { path: { id } });
}

export function trashDocument(id: string): Promise<ApiResult<DocumentSummary>> {
  return callJson('POST /documents/{id}/trash', DocumentSummary, { path: { id } });
}

export function restoreDocument(id: string): Promise<ApiResult<DocumentSummary>> {
  return callJson('POST /documents/{id}/restore', DocumentSummary, { path: { id } });
}

export type SaveResult =
  | { kind: 'saved'; version: number }
  /** The text was changed elsewhere in the meantime; nothing was overwritten. */
  | { kind: 'conflict'; current: SaveConflict['current'] }
  /** No response came: the text may have been saved or not. Sending the same `save_id` again is safe. */
  | { kind: 'unreachable' }
  | { kind: 'refused'; error: ErrorObject };

/** @param options `keepalive`: the save outlives the page; browsers limit its body to 64 KB */
export async function saveLatex(
  id: string,
  save: Partial<LatexSave> & Pick<LatexSave, 'base_version' | 'latex'>,
  options: { keepalive?: boolean } = {},
): Promise<SaveResult> {
  return saveText({ id }, save, options);
}

/** A document's own text, or that of one of its files. */
export interface TextPlace {
  id: string;
  file?: string;
}

/** As `saveLatex`, of any of the document's texts. */
export async function saveText(
  { id, file }: TextPlace,
  save: Partial<LatexSave> & Pick<LatexSave, 'base_version' | 'latex'>,
  options: { keepalive?: boolean } = {},
): Promise<SaveResult> {
  const call = { json: save, ...options };
  return readSave(
    file === undefined
      ? await callJson(saveRoute, Saved, { path: { id }, ...call })
      : await callJson(saveFileRoute, Saved, { path: { id, name: file }, ...call }),
  );
}

const saveRoute = 'PUT /documents/{id}/latex';
const saveFileRoute = 'PUT /documents/{id}/figures/{name}/text';

/** The address that `saveText` sends to. */
export function saveUrl({ id, file }: TextPlace): string {
  return file === undefined
    ? apiUrl(saveRoute, { path: { id } })
    : apiUrl(saveFileRoute, { path: { id, name: file } });
}

function readSave(answer: ApiResult<Saved>): SaveResult {
  if (answer.ok) return { kind: 'saved', version: answer.data.version };
  if (answer.error === networkError) return { kind: 'unreachable' };
  const conflict = SaveConflict.safeParse(answer.body);
  return answer.error.code === 'VERSION_CONFLICT' && conflict.success
    ? { kind: 'conflict', current: conflict.data.current }
    : { kind: 'refused', error: answer.error };
}

export function listVersions(
  id: string,
  { limit, offset }: { limit: number; offset: number },
  signal?: AbortSignal,
): Promise<ApiResult<Versions>> {
  return callJson('GET /documents/{id}/versions', Versions, {
    path: { id },
    query: { limit, offset },
    signal,
  });
}

export function getVersion(id: string, version: number, signal?: AbortSignal): Promise<ApiResult<Version>> {
  return callJson('GET /documents/{id}/versions/{number}', Version, {
    path: { id, number: version },
    signal,
  });
}

/** A named version is kept as long as the document; null removes the name. */
export function nameVersion(id: string, version: number, name: string | null): Promise<ApiResult<Version>> {
  return callJson('PATCH /documents/{id}/versions/{number}', Version, {
    path: { id, number: version },
    json: { name },
  });
}

/** Makes the text of an earlier version the newest one. */
export async function restoreVersion(
  id: string,
  version: number,
  restore: Pick<LatexSave, 'base_version' | 'save_id'>,
): Promise<SaveResult> {
  return readSave(
    await callJson('POST /documents/{id}/versions/{number}/restore', Saved, {
      path: { id, number: version },
      json: restore,
    }),
  );
}

export function compareVersions(
  id: string,
  { from, to }: { from: number; to: number },
  signal?: AbortSignal,
): Promise<ApiResult<Comparison>> {
  return callJson('GET /documents/{id}/compare', Comparison, { path: { id }, query: { from, to }, signal });
}

/** A picture, a drawing, or another file that an imported document contained (`FigureMediaType`). */
export function getFigure(id: string, name: string, signal?: AbortSignal): Promise<ApiResult<Blob>> {
  return callBlob('GET /documents/{id}/figures/{name}', '', { path: { id, name }, signal });
}

/** Adds a figure (PNG or JPEG), replacing one of the same name. */
export function putFigure(id: string, name: string, picture: Blob): Promise<ApiResult<undefined>> {
  return callNothing('PUT /documents/{id}/figures/{name}', { path: { id, name }, blob: picture });
}

/** Earlier texts of one of the document's files, the newest first. */
export function listFileVersions(
  id: string,
  name: string,
  signal?: AbortSignal,
): Promise<ApiResult<FileVersions>> {
  return callJson('GET /documents/{id}/figures/{name}/versions', FileVersions, {
    path: { id, name },
    signal,
  });
}

/** @param endedAt of `listFileVersions` */
export function getFileVersion(
  id: string,
  name: string,
  endedAt: string,
  signal?: AbortSignal,
): Promise<ApiResult<FileVersion>> {
  return callJson('GET /documents/{id}/figures/{name}/versions/{ended_at}', FileVersion, {
    path: { id, name, ended_at: endedAt },
    signal,
  });
}

export function deleteFigure(id: string, name: string): Promise<ApiResult<undefined>> {
  return callNothing('DELETE /documents/{id}/figures/{name}', { path: { id, name } });
}

/** The saved image of a page that the document was converted from; 1-based. */
export function getPageImage(id: string, page: number, signal?: AbortSignal): Promise<ApiResult<Blob>> {
  return callBlob('GET /documents/{id}/pages/{number}', 'image/', { path: { id, number: page }, signal });
}

export function putPageImage(id: string, page: number, picture: Blob): Promise<ApiResult<undefined>> {
  return callNothing('PUT /documents/{id}/pages/{number}', { path: { id, number: page }, blob: picture });
}

/** Of the last version that compiled; created some seconds after a save. */
export function getDocumentPdf(id: string, signal?: AbortSignal): Promise<ApiResult<Blob>> {
  return callBlob('GET /documents/{id}/document.pdf', 'application/pdf', { path: { id }, signal });
}

/** Active links, oldest first. */
export async function listShares(id: string, signal?: AbortSignal): Promise<ApiResult<Share[]>> {
  const answer = await callJson('GET /documents/{id}/shares', Shares, { path: { id }, signal });
  return answer.ok ? { ok: true, data: answer.data.shares } : answer;
}

/** The token is only in this response. */
export function createShare(id: string): Promise<ApiResult<NewShare>> {
  return callJson('POST /documents/{id}/shares', NewShare, { path: { id } });
}

export function revokeShare(id: string, share: string): Promise<ApiResult<undefined>> {
  return callNothing('DELETE /documents/{id}/shares/{share}', { path: { id, share } });
}
