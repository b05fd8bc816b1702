import { describePageLimit } from '#shared/api/conversion.ts';
import type { ErrorObject, Warning } from '#shared/api/errors.ts';
import { maxFileBytes, maxFiles, maxPages } from '#shared/api/limits.ts';
import { describeError } from '../../../lib/api/describe-error.ts';
import { buildUpload } from '../tray/build-upload.ts';
import { planUpload } from '../tray/plan-upload.ts';
import type { TrayState } from '../tray/tray-state.ts';
import { beforeConvert } from './before-convert.ts';

export type StartedConversion =
  | {
      ok: true;
      /** The files to send, in document order. */
      files: File[];
      file: File;
      filteredFile: File | null;
      documentName: string;
      startPage: number;
      endPage: number | null;
    }
  | { ok: false; error: ErrorObject }
  /** Nothing starts now: a sign-in was requested. */
  | { ok: false; error: null };

/** Everything between the button and the upload: permission, limits that the browser can check, the files to send. */
export async function startConversion(tray: TrayState): Promise<StartedConversion> {
  const plan = planUpload(tray);
  const firstSourceId = tray.items[0]?.sourceId;
  const file = tray.sources.find((source) => source.id === firstSourceId)?.file;
  if (!file) return refuse('INVALID_INPUT', 'There are no pages yet. Add a photo or a PDF first.');
  if (plan.pageCount !== null && plan.pageCount > maxPages) {
    const total = tray.sources.reduce((sum, source) => sum + source.pageCount, 0);
    return refuse('PDF_TOO_LONG', '', [describePageLimit(plan.pageCount, total)]);
  }
  if (plan.parts.length > maxFiles)
    return refuse(
      'INVALID_INPUT',
      `These are ${plan.parts.length} files; a conversion can have up to ${maxFiles}.`,
    );

  const permission = await beforeConvert({ tray, pageCount: plan.pageCount });
  if (permission.kind === 'waiting') return { ok: false, error: null };
  if (permission.kind === 'refused') return { ok: false, error: permission.error };

  let files: File[];
  try {
    files = await buildUpload(plan, tray.sources);
  } catch {
    return refuse(
      'INVALID_INPUT',
      `The pages of ${file.name} could not be rearranged in this browser. Undo your changes and convert the file as it is.`,
    );
  }
  const tooLarge = files.find((candidate) => candidate.size > maxFileBytes);
  if (tooLarge)
    return refuse(
      'INVALID_INPUT',
      `${tooLarge.name} is ${Math.ceil(tooLarge.size / 1_000_000)} MB; the limit is ${maxFileBytes / 1_000_000} MB per file. Choose fewer pages, or export a smaller file.`,
    );
  return {
    ok: true,
    files,
    file,
    filteredFile: files.length === 1 && files[0] !== file ? (files[0] ?? null) : null,
    documentName: file.name.replace(/\.[^.]{1,5}$/, '') || 'document',
    startPage: plan.startPage,
    endPage: plan.endPage,
  };
}

function refuse(code: ErrorObject['code'], sentence = '', warnings?: Warning[]): StartedConversion {
  const error: ErrorObject = { code, error: sentence, source: 'user', warnings };
  return { ok: false, error: { ...error, error: describeError(error) } };
}
