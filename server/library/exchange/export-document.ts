/** Exports a document to a file. */

import type { Readable } from 'node:stream';
import { type MarkForm, markDoubts, marksLeftOut } from '#latex/assemble/mark-doubts.ts';
import { invalidInput } from '#platform/errors.ts';
import type { FairQueue } from '#platform/work/fair-queue.ts';
import { takeTurn } from '#platform/work/take-turn.ts';
import type { Database } from '#server/database/database.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { DoubtForm, ExportFormat } from '#shared/api/exchange.ts';
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

const noColour =
  'With the spots to check in colour, this document does not compile. Export it without the colour.';

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
  doubts: DoubtForm;
  /** The owner of its turn in queues. */
  owner: string;
  signal: AbortSignal;
}

/**
 * @throws ApiError NOT_FOUND; COMPILATION_FAILED or COMPILATION_TIMEOUT for a PDF of a text that does not compile;
 * INVALID_INPUT for a document that exceeds the limits of conversion, or that does not compile in colour; BUSY and TOO_MANY_REQUESTS with the time to retry
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
        body: new TextEncoder().encode(await markLatex(deps, call, document)),
      };
    case 'zip': {
      const latex = await markLatex(deps, call, document);
      const figures = await listFigures(deps, documentId);
      return {
        fileName: `${name}.zip`,
        mediaType: 'application/zip',
        body: zipDocument({ ...document, latex, figures, pdf: null }),
      };
    }
    case 'pdf': {
      const { pdfKey, pdfVersion, version } = document;
      const coloured = call.doubts === 'colour' ? mark(document, 'colour') : null;
      const stored =
        !coloured && pdfKey !== null && pdfVersion === version ? await openStored(storage, pdfKey) : null;
      return {
        fileName: `${name}.pdf`,
        mediaType: 'application/pdf',
        body: stored ? piecesOf(stored) : await compileNow(deps, call, document, coloured),
      };
    }
    default: {
      const { mediaType, ending } = exportForms[format];
      const latex = (call.doubts === 'colour' && mark(document, 'highlight')) || document.latex;
      const bytes = await takeTurn(deps.queue, { ...call, refusal: tooManyExchanges }, async () => {
        const figures = await readFigures(deps, documentId);
        return deps.exchanger.convert({ ...document, latex, figures, pdf: null }, format);
      });
      return { fileName: `${name}${ending}`, mediaType, body: new Uint8Array(bytes) };
    }
  }
}

type Row = Awaited<ReturnType<typeof getDocument>>;

/** The text with its doubtful readings marked; null if there are none to mark. */
function mark({ latex, sourceMap }: Row, form: MarkForm): string | null {
  const done = markDoubts(latex, sourceMap?.doubtful ?? [], form);
  return done && done.marked > 0 ? done.latex : null;
}

/** The text as it is exported: marks that it would not compile with are left out. */
async function markLatex(deps: ExportDeps, call: ExportCall, document: Row): Promise<string> {
  if (call.doubts === 'none') return document.latex;
  const marked = mark(document, call.doubts === 'colour' ? 'colour' : 'plain');
  if (marked === null) return document.latex;
  const result = await compile(deps, call, document, marked);
  if (result.kind === 'failed' || result.kind === 'timed-out') return `${marksLeftOut}\n${document.latex}`;
  requireCompiled(result, 'user');
  return marked;
}

async function compile(deps: ExportDeps, { owner, signal, documentId }: ExportCall, row: Row, latex: string) {
  const assets = await readFigures(deps, documentId);
  return deps.typesetter.compile({ latex, engine: row.engine ?? undefined, assets, owner, signal });
}

/**
 * Compiles the text; used if the stored PDF is missing or of an older version, or shows no doubts.
 * @param coloured the text with its doubts in colour, if it is asked for
 */
async function compileNow(
  deps: ExportDeps,
  call: ExportCall,
  row: Row,
  coloured: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const result = await compile(deps, call, row, coloured ?? row.latex);
  if (coloured !== null && result.kind === 'failed') {
    // its own mistakes are reported at its own lines
    requireCompiled(await compile(deps, call, row, row.latex), 'user');
    throw invalidInput(noColour);
  }
  return new Uint8Array(requireCompiled(result, 'user').pdf);
}

async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) yield piece as Uint8Array;
}
