/**
 * Updates the index shortly after the documents. A change to a document and the note that it is due are written in one
 * transaction (by triggers on the documents' table), so a save does not wait for indexing, and notes survive killed
 * processes. The current text is indexed, so several notes about one document are handled together.
 */
import { and, asc, eq, like, lte, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { type Repeated, repeat } from '#platform/repeat.ts';
import type { Database } from '../../../database/database.ts';
import { documents, documentTexts } from '../../schema.ts';
import { documentSearch, searchDue, searchLibraries, searchPostings, searchSegments } from '../schema.ts';
import type { Transaction } from '../transaction.ts';
import { indexDocument, removeDocument } from './index-document.ts';
import { packLibraries } from './pack-libraries.ts';
import { indexFormat } from './prepare-document.ts';
import { rewriteRows } from './rewrite-rows.ts';

export interface IndexDeps {
  db: Database;
  logger: Logger;
  /** Default 500. */
  quietMs?: number;
}

/** Interval between checks for due documents, in ms: users expect to find what they have just saved. */
const lookEveryMs = 300;
/** Interval between checks for libraries to be packed, in ms. */
const packEveryMs = 10_000;
/**
 * A document is due when it has not changed for this long, in ms, or in any case after the longer time, because a
 * document being typed is saved all the time.
 */
const defaultQuietMs = 500;
const longestMs = 4_000;
/** Documents at a time; the newest notes first, so that a save does not wait while another library is rebuilt. */
const batch = 100;
/** When a document that could not be indexed is tried again, in ms. */
const againMs = 5 * 60_000;
/** Held while a document is indexed, so that an older text never replaces a newer one ("INKS"). */
const lockClass = 0x494e4b53;

interface Due extends Record<string, unknown> {
  documentId: string;
  /** The newest note about it. */
  until: number;
}

/** Indexes due documents until none is left, or the rest is being indexed by other processes. */
export async function indexDueDocuments(deps: IndexDeps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await listDue(deps);
    let done = 0;
    for (const one of due) {
      if (signal?.aborted) return;
      if (await indexDue(deps, one)) done++;
    }
    if (done === 0) return;
  }
}

async function listDue({ db, quietMs = defaultQuietMs }: IndexDeps): Promise<Due[]> {
  const ago = (ms: number) => sql`clock_timestamp() - make_interval(secs => ${ms / 1000}::double precision)`;
  const { rows } = await db.execute<{ document_id: string; until: string }>(sql`
    select document_id, max(id) as until from (
      select id, document_id, due_at from private.search_due where due_at <= clock_timestamp()
      order by id desc limit ${batch}
    ) newest group by document_id
    having max(due_at) <= ${ago(quietMs)} or min(due_at) <= ${ago(longestMs)}
    order by max(id) desc`);
  return rows.map((row) => ({ documentId: row.document_id, until: Number(row.until) }));
}

/** @returns whether it is done: false if another process is working on it or its library, or it has failed */
async function indexDue({ db, logger }: IndexDeps, due: Due): Promise<boolean> {
  const notes = and(eq(searchDue.documentId, due.documentId), lte(searchDue.id, due.until));
  try {
    return await db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ held: boolean }>(
        sql`select pg_try_advisory_xact_lock(${lockClass}, hashtext(${due.documentId})) as held`,
      );
      if (!rows[0]?.held || !(await bringUpToDate(tx, due.documentId))) return false;
      await tx.delete(searchDue).where(notes);
      return true;
    });
  } catch (error) {
    logger.error({ err: error, document: due.documentId }, 'a document could not be indexed for search');
    await db
      .update(searchDue)
      .set({ dueAt: sql`clock_timestamp() + make_interval(secs => ${againMs / 1000}::double precision)` })
      .where(notes);
    return false;
  }
}

async function bringUpToDate(tx: Transaction, documentId: string): Promise<boolean> {
  const [document] = await tx
    .select({
      userId: documents.userId,
      title: documents.title,
      latex: documents.latex,
      savedAt: documents.savedAt,
      folderId: documents.folderId,
      starredAt: documents.starredAt,
      trashedAt: documents.trashedAt,
    })
    .from(documents)
    .where(eq(documents.id, documentId));
  const files = await tx
    .select({ name: documentTexts.name, latex: documentTexts.latex })
    .from(documentTexts)
    .where(and(eq(documentTexts.documentId, documentId), like(documentTexts.name, '%.tex')))
    .orderBy(asc(documentTexts.name));
  return document && document.trashedAt === null
    ? indexDocument(tx, { documentId, ...document, files, isStarred: document.starredAt !== null })
    : removeDocument(tx, documentId);
}

/**
 * Marks as due every document whose entry is missing or outdated: all of them if the index is empty or in an older
 * format, as after an update.
 */
export async function noteUnindexed(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute(
      sql`select from private.document_search where format <> ${indexFormat} limit 1`,
    );
    if (rows.length === 0) return;
    for (const table of [documentSearch, searchPostings, searchSegments, searchLibraries])
      await tx.delete(table);
  });
  await db.execute(sql`
    insert into private.search_due (document_id)
    select coalesce(d.id, s.document_id)
    from (select id from documents where trashed_at is null) d
      full join (select document_id from private.document_search) s on s.document_id = d.id
    where (d.id is null or s.document_id is null)
      and not exists (select from private.search_due n where n.document_id = coalesce(d.id, s.document_id))`);
}

/** Marks missing documents, then indexes due ones and packs libraries, at intervals. Several processes may do so. */
export function startDocumentIndexer(deps: IndexDeps): Repeated {
  const closing = new AbortController();
  let isNoted = false;
  const indexing = repeat(
    async () => {
      if (!isNoted) await noteUnindexed(deps.db);
      isNoted = true;
      await indexDueDocuments(deps, closing.signal);
    },
    { everyMs: lookEveryMs, logger: deps.logger, failure: 'indexing documents for search failed' },
  );
  let isRewritten = false;
  const packing = repeat(
    async () => {
      await packLibraries({ db: deps.db }, closing.signal);
      if (!isRewritten) await rewriteRows(deps.db, closing.signal);
      isRewritten = true;
    },
    { everyMs: packEveryMs, logger: deps.logger, failure: 'packing the search index failed' },
  );
  return {
    async stop() {
      closing.abort();
      await Promise.all([indexing.stop(), packing.stop()]);
    },
  };
}
