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
import { type ApiResult, callBlob, callJson, callNothing, networkError } from './api-client.ts';

export type Path = `/${string}`;

function one(id: string): Path {
  return `/documents/${encodeURIComponent(id)}`;
}

/** Fields left out get their defaults; see `NewDocument`. */
export type DocumentDraft = Partial<NewDocument>;

export function createDocument(
  draft: DocumentDraft,
  signal?: AbortSignal,
): Promise<ApiResult<SavedDocument>> {
  return callJson('/documents', SavedDocument, { json: draft, signal });
}

export function getDocument(id: string, signal?: AbortSignal): Promise<ApiResult<SavedDocument>> {
  return callJson(one(id), SavedDocument, { signal });
}

/** Fields left out are unchanged. */
export function updateDocument(id: string, change: DocumentChange): Promise<ApiResult<DocumentSummary>> {
  return callJson(one(id), DocumentSummary, { method: 'PATCH', json: change });
}

export function duplicateDocument(id: string): Promise<ApiResult<SavedDocument>> {
  return callJson(`${one(id)}/duplicate`, SavedDocument, { method: 'POST' });
}

export function trashDocument(id: string): Promise<ApiResult<DocumentSummary>> {
  return callJson(`${one(id)}/trash`, DocumentSummary, { method: 'POST' });
}

export function restoreDocument(id: string): Promise<ApiResult<DocumentSummary>> {
  return callJson(`${one(id)}/restore`, DocumentSummary, { method: 'POST' });
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
  return saveText(textPath(id), save, options);
}

/** Where a document's own text is saved, or that of one of its files. */
export function textPath(id: string, file?: string): Path {
  return file === undefined ? `${one(id)}/latex` : `${figure(id, file)}/text`;
}

/** As `saveLatex`, to a path of `textPath`. */
export async function saveText(
  path: Path,
  save: Partial<LatexSave> & Pick<LatexSave, 'base_version' | 'latex'>,
  options: { keepalive?: boolean } = {},
): Promise<SaveResult> {
  return readSave(await callJson(path, Saved, { method: 'PUT', json: save, ...options }));
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
  return callJson(`${one(id)}/versions?limit=${limit}&offset=${offset}`, Versions, { signal });
}

export function getVersion(id: string, version: number, signal?: AbortSignal): Promise<ApiResult<Version>> {
  return callJson(`${one(id)}/versions/${version}`, Version, { signal });
}

/** A named version is kept as long as the document; null removes the name. */
export function nameVersion(id: string, version: number, name: string | null): Promise<ApiResult<Version>> {
  return callJson(`${one(id)}/versions/${version}`, Version, { method: 'PATCH', json: { name } });
}

/** Makes the text of an earlier version the newest one. */
export async function restoreVersion(
  id: string,
  version: number,
  restore: Pick<LatexSave, 'base_version' | 'save_id'>,
): Promise<SaveResult> {
  return readSave(await callJson(`${one(id)}/versions/${version}/restore`, Saved, { json: restore }));
}

export function compareVersions(
  id: string,
  { from, to }: { from: number; to: number },
  signal?: AbortSignal,
): Promise<ApiResult<Comparison>> {
  return callJson(`${one(id)}/compare?from=${from}&to=${to}`, Comparison, { signal });
}

function figure(id: string, name: string): Path {
  return `${one(id)}/figures/${encodeURIComponent(name)}`;
}

/** A picture, a drawing, or another file that an imported document contained (`FigureMediaType`). */
export function getFigure(id: string, name: string, signal?: AbortSignal): Promise<ApiResult<Blob>> {
  return callBlob(figure(id, name), '', { signal });
}

/** Adds a figure (PNG or JPEG), replacing one of the same name. */
export function putFigure(id: string, name: string, picture: Blob): Promise<ApiResult<undefined>> {
  return callNothing(figure(id, name), { method: 'PUT', blob: picture });
}

/** Texts that one of the document's files had, the newest first. */
export function listFileVersions(
  id: string,
  name: string,
  signal?: AbortSignal,
): Promise<ApiResult<FileVersions>> {
  return callJson(`${figure(id, name)}/versions`, FileVersions, { signal });
}

/** @param endedAt of `listFileVersions` */
export function getFileVersion(
  id: string,
  name: string,
  endedAt: string,
  signal?: AbortSignal,
): Promise<ApiResult<FileVersion>> {
  return callJson(`${figure(id, name)}/versions/${encodeURIComponent(endedAt)}`, FileVersion, { signal });
}

export function deleteFigure(id: string, name: string): Promise<ApiResult<undefined>> {
  return callNothing(figure(id, name), { method: 'DELETE' });
}

/** The saved image of a page that the document was converted from; 1-based. */
export function getPageImage(id: string, page: number, signal?: AbortSignal): Promise<ApiResult<Blob>> {
  return callBlob(`${one(id)}/pages/${page}`, 'image/', { signal });
}

export function putPageImage(id: string, page: number, picture: Blob): Promise<ApiResult<undefined>> {
  return callNothing(`${one(id)}/pages/${page}`, { method: 'PUT', blob: picture });
}

/** Of the last version that compiled; created some seconds after a save. */
export function getDocumentPdf(id: string, signal?: AbortSignal): Promise<ApiResult<Blob>> {
  return callBlob(`${one(id)}/document.pdf`, 'application/pdf', { signal });
}

/** Active links, oldest first. */
export async function listShares(id: string, signal?: AbortSignal): Promise<ApiResult<Share[]>> {
  const answer = await callJson(`${one(id)}/shares`, Shares, { signal });
  return answer.ok ? { ok: true, data: answer.data.shares } : answer;
}

/** The token is only in this response. */
export function createShare(id: string): Promise<ApiResult<NewShare>> {
  return callJson(`${one(id)}/shares`, NewShare, { method: 'POST' });
}

export function revokeShare(id: string, share: string): Promise<ApiResult<undefined>> {
  return callNothing(`${one(id)}/shares/${encodeURIComponent(share)}`, { method: 'DELETE' });
}
