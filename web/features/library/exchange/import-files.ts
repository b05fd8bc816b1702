/** Imports files one after the other: each may need much memory on the server, and the order is kept. */
import { maxImportBytes } from '#shared/api/exchange.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { importDocument } from '#web/lib/api/exchange-api.ts';

export type ImportState =
  | { kind: 'waiting' | 'sending' }
  | {
      kind: 'imported';
      id: string;
      title: string;
      missing: readonly string[];
      /** The imported document's path in the archive, and the others'; null if there is only one. */
      choice: { main: string; others: readonly string[] } | null;
    }
  /** `isForConverter`: the file is notes rather than LaTeX. */
  | { kind: 'refused'; text: string; isForConverter: boolean };

/** Refuses what can be refused without the server; null for files that may be sent. */
export function refuseFile({ name, size }: Pick<File, 'name' | 'size'>): ImportState | null {
  if (/\.(pdf|png|jpe?g|heic|heif|webp|tiff?|gif|bmp|avif)$/i.test(name))
    return {
      kind: 'refused',
      text: 'Notes and pictures belong in the converter, which turns them into LaTeX.',
      isForConverter: true,
    };
  if (size > maxImportBytes)
    return {
      kind: 'refused',
      text: `It is larger than ${maxImportBytes / 1_000_000} MB. Leave out files that the document does not use.`,
      isForConverter: false,
    };
  return null;
}

/** A document of an archive, chosen from `others`. */
export interface ImportRequest {
  file: File;
  main?: string;
}

interface ImportOptions {
  folderId: string | null;
  onState: (index: number, state: ImportState) => void;
  signal: AbortSignal;
}

/** @returns the outcome of each. Rejects when the signal is aborted; documents imported by then stay. */
export async function importAll(
  requests: readonly ImportRequest[],
  { folderId, onState, signal }: ImportOptions,
): Promise<ImportState[]> {
  const ends: ImportState[] = [];
  for (const [index, request] of requests.entries()) {
    const end = refuseFile(request.file) ?? (await importOne(request, index));
    signal.throwIfAborted();
    ends.push(end);
    onState(index, end);
  }
  return ends;

  async function importOne({ file, main }: ImportRequest, index: number): Promise<ImportState> {
    onState(index, { kind: 'sending' });
    const answer = await importDocument(file, { folderId, saveId: crypto.randomUUID(), main, signal });
    if (!answer.ok) return { kind: 'refused', text: describeError(answer.error), isForConverter: false };
    const { document, missing, main: taken, others } = answer.data;
    const choice = taken !== null && others.length > 0 ? { main: taken, others } : null;
    return { kind: 'imported', id: document.id, title: document.title, missing, choice };
  }
}
