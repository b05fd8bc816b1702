/**
 * The index follows the documents a moment later. A change of a document and the note that it is due are one transaction
 * (triggers of the documents' table), so a save waits for no indexing, and what a killed process has not done is still
 * noted. What is indexed is what the document says by then, so notes about one document are worked off together.
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

/** How often it is looked what is due, in ms: a person who has just saved expects to find it. */
const lookEveryMs = 300;
/** How often it is looked which libraries are to be packed, in ms. */
const packEveryMs = 10_000;
/**
 * A document is due when it has not changed for so long, in ms, or for the longer time whatever happens: who types
 * saves all the time.
 */
const defaultQuietMs = 500;
const longestMs = 4_000;
/** Documents at a time; the newest notes first, so that who saves now waits for no library that is indexed anew. */
const batch = 100;
/** When a document that could not be indexed is tried again, in ms. */
const againMs = 5 * 60_000;
/** Whoever indexes a document holds this lock with it, so that an older text never replaces a newer one ("INKS"). */
const lockClass = 0x494e4b53;

interface Due extends Record<string, unknown> {
  documentId: string;
  /** The newest note about it. */
  until: number;
}

/** Indexes what is due, until nothing is, or what is left is being indexed by other processes. */
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

/** @returns whether it is done; not when another process is at it or at its library, or it has failed */
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
 * Notes every document as due that the index does not have as it should: all of them where the index is of another
 * form, as after an update, or empty.
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

/** Notes what is missing, then indexes what is due and packs what is there, now and then. Several processes may. */
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
