/** Exports a document to a file. */

import type { Readable } from 'node:stream';
import type { FairQueue } from '#platform/work/fair-queue.ts';
import { takeTurn } from '#platform/work/take-turn.ts';
import type { Database } from '#server/database/database.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { ExportFormat } from '#shared/api/exchange.ts';
import { requireCompiled, type Typesetter } from '#typesetting/index.ts';
import { readFigures } from '../documents/compile-documents.ts';
import { getDocument } from '../documents/documents.ts';
import { toFileName } from '../to-file-name.ts';
import { exportForms } from './document.ts';
import type { Exchanger } from './exchanger.ts';
import { zipDocument } from './export/zip-document.ts';
import { listFigures, openStored } from './list-library.ts';

/** For an account with many waiting exports or imports. */
export const tooManyExchanges = 'You already have many documents in progress. Please try again in a moment.';

export interface ExportDeps {
  db: Database;
  storage: Storage;
  typesetter: Pick<Typesetter, 'compile'>;
  exchanger: Exchanger;
  /** Limits concurrent conversions and imports, each of which holds a document in memory. */
  queue: FairQueue;
}

export interface ExportedDocument {
  fileName: string;
  mediaType: string;
  /** A stream if it consists of stored files only. */
  body: Uint8Array<ArrayBuffer> | AsyncGenerator<Uint8Array>;
}

interface ExportCall {
  userId: string;
  documentId: string;
  format: ExportFormat;
  /** The owner of its turn in queues. */
  owner: string;
  signal: AbortSignal;
}

/**
 * @throws ApiError NOT_FOUND; COMPILATION_FAILED or COMPILATION_TIMEOUT for a PDF of a text that does not compile;
 * INVALID_INPUT for a document that exceeds the limits of conversion; BUSY and TOO_MANY_REQUESTS with the time to retry
 */
export async function exportDocument(deps: ExportDeps, call: ExportCall): Promise<ExportedDocument> {
  const { db, storage } = deps;
  const { documentId, format, userId } = call;
  const document = await getDocument(db, userId, documentId);
  const name = toFileName(document.title);
  switch (format) {
    case 'tex':
      return {
        fileName: `${name}.tex`,
        mediaType: 'application/x-tex; charset=utf-8',
        body: new TextEncoder().encode(document.latex),
      };
    case 'zip': {
      const figures = await listFigures(deps, documentId);
      return {
        fileName: `${name}.zip`,
        mediaType: 'application/zip',
        body: zipDocument({ ...document, figures, pdf: null }),
      };
    }
    case 'pdf': {
      const { pdfKey, pdfVersion, version } = document;
      const stored = pdfKey !== null && pdfVersion === version ? await openStored(storage, pdfKey) : null;
      return {
        fileName: `${name}.pdf`,
        mediaType: 'application/pdf',
        body: stored ? piecesOf(stored) : await compileNow(deps, call, document),
      };
    }
    default: {
      const { mediaType, ending } = exportForms[format];
      const bytes = await takeTurn(deps.queue, { ...call, refusal: tooManyExchanges }, async () => {
        const figures = await readFigures(deps, documentId);
        return deps.exchanger.convert({ ...document, figures, pdf: null }, format);
      });
      return { fileName: `${name}${ending}`, mediaType, body: new Uint8Array(bytes) };
    }
  }
}

/** Compiles the text; used if the stored PDF is missing or of an older version. */
async function compileNow(
  deps: ExportDeps,
  { owner, signal, documentId }: ExportCall,
  { latex, engine }: Awaited<ReturnType<typeof getDocument>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const result = await deps.typesetter.compile({
    latex,
    engine: engine ?? undefined,
    assets: await readFigures(deps, documentId),
    owner,
    signal,
  });
  return new Uint8Array(requireCompiled(result, 'user').pdf);
}

async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) yield piece as Uint8Array;
}
