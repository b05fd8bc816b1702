/** Calls to import and export documents, to create them from templates, and on the user's own preamble. */
import type { ErrorObject } from '#shared/api/errors.ts';
import {
  type DoubtForm,
  type ExportFormat,
  Imported,
  PersonalPreamble,
  PreambleConflict,
  PreambleRefused,
  type PreambleSave,
  Templates,
  type TemplateUse,
} from '#shared/api/exchange.ts';
import { SavedDocument } from '#shared/api/library.ts';
import { type ApiResult, callJson } from './api-client.ts';
import { type DownloadOptions, downloadFile, type NamedFile } from './download-file.ts';

export function listTemplates(signal?: AbortSignal): Promise<ApiResult<Templates>> {
  return callJson('GET /templates', Templates, { signal });
}

/** Includes the user's own preamble. */
export function createFromTemplate(use: TemplateUse): Promise<ApiResult<SavedDocument>> {
  return callJson('POST /documents/from-template', SavedDocument, { json: use });
}

/** Imports a .tex file, or a .zip of one document with its files. Rejects only when `signal` is aborted. */
export function importDocument(
  file: File,
  {
    folderId,
    saveId,
    main,
    signal,
  }: { folderId: string | null; saveId: string; main?: string; signal?: AbortSignal },
): Promise<ApiResult<Imported>> {
  const form = new FormData();
  // fields first: the server parses the form as it arrives
  form.set('folder_id', folderId ?? '');
  form.set('save_id', saveId);
  if (main) form.set('main', main);
  form.set('file', file);
  return callJson('POST /documents/import', Imported, { form, signal });
}

/** Named after the document's title. Rejects only when `signal` is aborted. */
export function exportDocument(
  id: string,
  form: { format: ExportFormat; doubts: DoubtForm },
  options: DownloadOptions = {},
): Promise<ApiResult<NamedFile>> {
  return downloadFile('GET /documents/{id}/export', { path: { id }, query: form, ...options });
}

/** All documents as one archive. Rejects only when `signal` is aborted. */
export function exportLibrary(options: DownloadOptions): Promise<ApiResult<NamedFile>> {
  return downloadFile('GET /library/export', options);
}

export function getPersonalPreamble(signal?: AbortSignal): Promise<ApiResult<PersonalPreamble>> {
  return callJson('GET /preamble', PersonalPreamble, { signal });
}

export type PreambleResult =
  | { kind: 'saved'; saved: PersonalPreamble }
  /** It was changed elsewhere in the meantime; nothing was overwritten. */
  | { kind: 'conflict'; current: PersonalPreamble }
  /** It does not compile; nothing was saved. */
  | { kind: 'faulty'; refused: PreambleRefused['refused'] }
  | { kind: 'refused'; error: ErrorObject };

export async function savePersonalPreamble(save: PreambleSave): Promise<PreambleResult> {
  const answer = await callJson('PUT /preamble', PersonalPreamble, { json: save });
  if (answer.ok) return { kind: 'saved', saved: answer.data };
  const conflict = PreambleConflict.safeParse(answer.body);
  if (conflict.success) return { kind: 'conflict', current: conflict.data.current };
  const faulty = PreambleRefused.safeParse(answer.body);
  return faulty.success
    ? { kind: 'faulty', refused: faulty.data.refused }
    : { kind: 'refused', error: answer.error };
}
