/**
 * Compiles each document to PDF a few seconds after its last save. The table determines what is due
 * (`compiled_version < version`), so that a killed process loses nothing, and saves in quick succession are compiled
 * once. If a version does not compile, the PDF of the last one that did is kept.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import sharp from 'sharp';
import { type Repeated, repeat } from '#platform/repeat.ts';
import type { Engine } from '#shared/api/engine.ts';
import type { Asset, Typesetter } from '#typesetting/index.ts';
import type { Database } from '../../database/database.ts';
import { type Storage, StorageNotFound } from '../../storage/storage.ts';
import { newPdfKey, newThumbnailKey } from '../files/files.ts';
import { documentFigures, documents } from '../schema.ts';
import { watchDocument } from './watch-document.ts';

export interface CompileDeps {
  db: Database;
  storage: Storage;
  typesetter: Pick<Typesetter, 'compile' | 'refusal'>;
  /** Renders a PDF's first page in isolation, so that a hostile one can do no harm. @throws if it cannot be rendered */
  drawFirstPage: (pdfPath: string, signal: AbortSignal) => Promise<Uint8Array>;
  logger: Logger;
  /** How long nothing must have changed, in ms. Default 5 000: typing saves more often, and figures arrive one by one. */
  quietMs?: number;
}

/** How often the table is checked, in ms. */
const lookEveryMs = 2_000;
/** How long one process may work on a document, in ms: the longest compile (5 min), its wait in the queue, its files. */
const leaseMs = 15 * 60_000;

/** Width of thumbnails, px: a card at twice its size, for high-density screens. */
const thumbnailWidth = 480;

interface Claim extends Record<string, unknown> {
  id: string;
  user_id: string;
  latex: string;
  engine: Engine | null;
  version: number;
  /** Identifies this claim. */
  lease: string;
}

/** Compiles due documents one after another, until the signal is aborted or the typesetter is full. */
async function compileDueDocuments(deps: CompileDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const claim = await claimNext(deps);
    if (!claim) return;
    try {
      const shouldContinue = await compileClaimed(deps, claim, signal);
      if (!shouldContinue) return;
    } catch (error) {
      if (signal.aborted) return;
      // retried when its lease has expired; other documents need not wait for it
      deps.logger.error({ err: error, document: claim.id }, 'a document could not be compiled');
    }
  }
}

async function claimNext({ db, quietMs = 5_000 }: CompileDeps): Promise<Claim | null> {
  const { rows } = await db.execute<Claim>(sql`
    update documents
       set compile_lease_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000}::double precision)
     where id = (
       select id from documents
        where compiled_version < version and trashed_at is null
          and updated_at <= clock_timestamp() - make_interval(secs => ${quietMs / 1000}::double precision)
          and (compile_lease_until is null or compile_lease_until < clock_timestamp())
        order by updated_at limit 1 for no key update skip locked)
    returning id, user_id, latex, engine, version, compile_lease_until::text as lease`);
  return rows[0] ?? null;
}

/** @returns true if the next document can be compiled at once */
async function compileClaimed(deps: CompileDeps, claim: Claim, signal: AbortSignal): Promise<boolean> {
  const { db, storage, typesetter } = deps;
  const assets = await readFigures(deps, claim.id);
  const watch = watchDocument(db, claim.user_id, claim.id, signal);
  const result = await typesetter
    .compile({
      latex: claim.latex,
      assets,
      engine: claim.engine ?? undefined,
      owner: claim.user_id,
      priority: 'background',
      signal: watch.signal,
    })
    .finally(watch.end);
  switch (result.kind) {
    case 'compiled': {
      const pdfKey = newPdfKey(claim.id);
      await storage.put(pdfKey, result.pdf, { contentType: 'application/pdf' });
      const unused = await finish(db, claim, {
        compiledVersion: claim.version,
        pdfVersion: claim.version,
        pdfKey,
        pdfSizeBytes: result.pdf.length,
        pageCount: result.pageCount,
        thumbnailKey: await storeThumbnail(deps, claim.id, pdfKey, signal),
      });
      for (const key of unused) await storage.delete(key);
      return true;
    }
    case 'failed':
    case 'timed-out':
      await finish(db, claim, { compiledVersion: claim.version });
      return true;
    case 'cancelled':
    case 'refused':
      await finish(db, claim, {});
      // once restored from the trash, it is due as before
      return watch.isDeleted && !signal.aborted;
  }
}

/** @returns its key; null if the page cannot be rendered, in which case the document still gets its PDF */
async function storeThumbnail(
  { storage, drawFirstPage, logger }: CompileDeps,
  documentId: string,
  pdfKey: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const page = await storage.withLocalFile(pdfKey, (path) => drawFirstPage(path, signal));
    const thumbnail = await sharp(page).resize({ width: thumbnailWidth }).webp().toBuffer();
    const key = newThumbnailKey(documentId);
    await storage.put(key, thumbnail, { contentType: 'image/webp' });
    return key;
  } catch (error) {
    logger.warn({ err: error, document: documentId }, 'the first page of a document could not be drawn');
    return null;
  }
}

/** The figures of a document, as input for a compile. */
export async function readFigures(
  { db, storage }: { db: Database; storage: Storage },
  documentId: string,
): Promise<Asset[]> {
  const rows = await db.select().from(documentFigures).where(eq(documentFigures.documentId, documentId));
  const assets: Asset[] = [];
  for (const { name, key } of rows)
    try {
      assets.push({ name, bytes: await storage.getBytes(key) });
    } catch (error) {
      // the compile then fails and names the missing figure
      if (!(error instanceof StorageNotFound)) throw error;
    }
  return assets;
}

/**
 * Ends the claim with its result, unless a figure or the engine has changed meanwhile, or the document was deleted.
 * @returns the files that are now unused: the previous ones, or the new ones
 */
async function finish(
  db: Database,
  claim: Claim,
  values: Partial<typeof documents.$inferInsert>,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const isClaim = and(
      eq(documents.id, claim.id),
      sql`${documents.compileLeaseUntil} = ${claim.lease}::timestamptz`,
    );
    const [before] = await tx
      .select({ pdfKey: documents.pdfKey, thumbnailKey: documents.thumbnailKey })
      .from(documents)
      .where(isClaim)
      .for('no key update');
    if (!before) return listKeys(values);
    await tx
      .update(documents)
      .set({ ...values, compileLeaseUntil: null })
      .where(isClaim);
    return values.pdfKey === undefined ? [] : listKeys(before);
  });
}

function listKeys({
  pdfKey,
  thumbnailKey,
}: {
  pdfKey?: string | null;
  thumbnailKey?: string | null;
}): string[] {
  return [pdfKey, thumbnailKey].filter((key) => typeof key === 'string');
}

/** Compiles at intervals. Safe in several processes: each document has a lease. */
export function startDocumentCompiler(deps: CompileDeps): Repeated {
  const closing = new AbortController();
  const repeated = repeat(
    async () => {
      if (deps.typesetter.refusal === null) await compileDueDocuments(deps, closing.signal);
    },
    { everyMs: lookEveryMs, logger: deps.logger, failure: 'compiling documents failed' },
  );
  return {
    stop() {
      closing.abort();
      return repeated.stop();
    },
  };
}
