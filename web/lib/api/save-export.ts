/** Exports a document in one of the formats and saves it to the browser's downloads. */

import type { DoubtForm, ExportFormat } from '#shared/api/exchange.ts';
import { saveBlob } from '../save-blob.ts';
import { describeError } from './describe-error.ts';
import { exportDocument } from './exchange-api.ts';

export type ExportOutcome =
  | { ok: true; name: string }
  /** Shown to the user. */
  | { ok: false; text: string };

/** Rejects only when `signal` is aborted. */
export async function saveExport(
  id: string,
  form: { format: ExportFormat; doubts: DoubtForm },
  signal?: AbortSignal,
): Promise<ExportOutcome> {
  const answer = await exportDocument(id, form, { signal });
  if (answer.ok) {
    saveBlob(answer.data.blob, answer.data.name);
    return { ok: true, name: answer.data.name };
  }
  const first = answer.error.messages?.find(({ level }) => level === 'error');
  const place = first && (first.line === null ? first.message : `Line ${first.line}: ${first.message}`);
  return {
    ok: false,
    text: [describeError(answer.error), place].filter(Boolean).join(' '),
  };
}
