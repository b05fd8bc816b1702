/**
 * Packs the rows of rare terms into segments, in the background: in libraries that have many of them, and in those not
 * changed for a while. Each step is one transaction, and searches give the same results before and after it; if a
 * process is killed, fewer rows are left to pack.
 */
import { sql } from 'drizzle-orm';
import type { Database } from '../../../database/database.ts';
import type { Transaction } from '../transaction.ts';
import { changeSegments } from './change-segments.ts';
import { commonDocuments, type WrittenBlock, writeBlocks } from './change-terms.ts';
import { joinBlocks } from './posting-block.ts';
import { backwards, countPostings, isListedBackwards } from './segment.ts';

/** A library with this many rows (some thirty documents) is packed even while it is being changed. */
const manyRows = 20_000;
/** One with this many is packed once it has not changed for a while, in ms; one with fewer, after a day. */
const someRows = 2_000;
const defaultRestMs = 10 * 60_000;
const longRests = 144;
/** Rows per step. */
const rowsAtOnce = 2_000;

export interface PackDeps {
  db: Database;
  /** Default: ten minutes. */
  restMs?: number;
}

/** Packs due libraries. Several processes may do so; each library is packed by one at a time. */
export async function packLibraries(
  { db, restMs = defaultRestMs }: PackDeps,
  signal?: AbortSignal,
): Promise<void> {
  const ago = (rests: number) =>
    sql`now() - make_interval(secs => ${(rests * restMs) / 1000}::double precision)`;
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from private.search_libraries
    where unpacked >= ${manyRows} or (unpacked >= ${someRows} and changed_at < ${ago(1)})
      or (unpacked > 0 and changed_at < ${ago(longRests)})`);
  for (const { id } of rows) await packLibrary(db, id, signal);
}

/** Packs one library, unless another process is working on it. */
export async function packLibrary(db: Database, library: number, signal?: AbortSignal): Promise<void> {
  for (let after: string | null = ''; after !== null && !signal?.aborted; )
    after = await packStep(db, library, after);
}

interface PackableRow extends Record<string, unknown> {
  term: string;
  postings: Buffer;
}

/** @returns the last term packed; null if no row is left, or another process has locked the library */
function packStep(db: Database, library: number, after: string): Promise<string | null> {
  return db.transaction(async (tx) => {
    const held = await tx.execute(sql`
      select from private.search_libraries where id = ${library} for no key update skip locked`);
    if (held.rows.length === 0) return null;
    const packable = sql`library = ${library} and first = 0 and is_common = 0`;
    const { rows } = await tx.execute<PackableRow>(sql`
      select term, postings from private.search_postings
      where ${packable} and term > ${after} order by term limit ${rowsAtOnce}`);
    const last = rows.at(-1)?.term ?? after;
    await packRows(tx, library, rows);
    // a term that has become common now has a row that stays
    await tx.execute(sql`
      delete from private.search_postings where ${packable} and term > ${after} and term <= ${last}`);
    if (rows.length === rowsAtOnce) return last;
    await tx.execute(sql`update private.search_libraries set unpacked = 0 where id = ${library}`);
    return null;
  });
}

async function packRows(tx: Transaction, library: number, rows: readonly PackableRow[]): Promise<void> {
  const byTerm = new Map(rows.map(({ term, postings }) => [term, postings]));
  const words = [...byTerm.keys()].filter(isListedBackwards);
  const common: WrittenBlock[] = [];
  /** Words to list by their ends, and (false) words to remove from that list. */
  const listed = new Map<string, boolean>();
  await changeSegments(tx, library, [...byTerm.keys(), ...words.map(backwards)], (term, postings) => {
    const added = byTerm.get(term);
    if (!added) return changeListed(listed.get(term), postings);
    const joined = postings ? joinBlocks(postings, added) : added;
    const documents = countPostings(joined);
    const isRare = documents < commonDocuments;
    if (isListedBackwards(term)) listed.set(backwards(term), isRare);
    if (!isRare) common.push({ term, first: 0, documents, postings: Buffer.from(joined) });
    return isRare ? joined : null;
  });
  await writeBlocks(tx, library, common);
}

function changeListed(isListed: boolean | undefined, postings: Uint8Array | null): Uint8Array | null {
  if (isListed) return postings ?? Buffer.alloc(0);
  return isListed === false ? null : postings;
}
