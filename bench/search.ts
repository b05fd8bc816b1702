/**
 * Search: p95 of a call over 100,000 documents of one owner, compared with `ILIKE` over title and source under
 * the same filter, in one run; the same with 200 documents per owner; and whether planted words and formulas
 * are found, and by their owner only. `BENCH_SEARCH_ROWS` sets another number of documents (1000000 for the
 * large library), `BENCH_SEARCH_WORKERS` the number of threads that fill the tables; `BENCH_SEARCH_FOLDER`
 * keeps filled tables for the next run, which then only measures; `BENCH_SEARCH_CASES` selects the cases
 * (`many`: 200 documents an owner; `large`: 10,000; `one`: all of one owner; default `many,one`).
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Database } from '#server/database/database.ts';
import { openEmbeddedPostgres } from '#server/database/embedded/embedded-postgres.ts';
import { migrateDatabase } from '#server/database/migrate.ts';
import { createPool } from '#server/database/pool.ts';
import { searchDocuments } from '#server/library/search/search-library.ts';
import type { DocumentFilter } from '../server/library/search/filter.ts';
import { documentId, type FillJob, folderId, foldersPerOwner, libraryId, ownerId } from './search/fill.ts';
import { makePlants, type Plant } from './search/plants.ts';
import { type BenchQuery, makeQueries } from './search/queries.ts';
import { type Measurement, percentile } from './support/measurement.ts';

const rows = Number(process.env.BENCH_SEARCH_ROWS ?? 100_000);
const workers = Number(process.env.BENCH_SEARCH_WORKERS ?? Math.min(4, os.availableParallelism()));
const keptFolder = process.env.BENCH_SEARCH_FOLDER;
const cases = (process.env.BENCH_SEARCH_CASES ?? 'many,one').split(',');
/** `ILIKE` reads every document, so this many queries are enough to measure it. */
const baselineQueries = rows > 200_000 ? 10 : 60;

const names: Record<string, string> = {
  one: 'one owner of all',
  many: '200 documents an owner',
  large: '10,000 documents an owner',
};
const documentsAnOwner: Record<string, number> = { one: rows, many: 200, large: 10_000 };

export async function measure(): Promise<Measurement> {
  const details: Measurement['details'] = { documents: rows };
  let last: CaseResult | null = null;
  for (const name of cases) {
    last = await inCluster(name, (pool, tables) => measureCase(pool, documentsAnOwner[name]!, tables));
    for (const [what, value] of Object.entries(last.details)) details[`${names[name]}: ${what}`] = value;
  }
  if (!last) throw new Error('BENCH_SEARCH_CASES names no case');
  const { p95Ms, baselineP95Ms } = last;
  return {
    ratio: p95Ms / baselineP95Ms,
    baseline: `ILIKE-under-the-same-filter,-p95-${p95Ms.toFixed(1)}-ms-to-${baselineP95Ms.toFixed(0)}-ms`,
    details,
  };
}

/** Whether the tables are already filled; `mark` records that they are. */
interface FilledTables {
  isFilled: boolean;
  mark(): Promise<void>;
}

/** A separate database server, started as the product starts one; empty, unless an earlier run has filled it. */
async function inCluster<T>(
  name: string,
  use: (pool: pg.Pool, tables: FilledTables) => Promise<T>,
): Promise<T> {
  const folder = keptFolder
    ? path.join(keptFolder, `${name}-${rows}`)
    : await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-search-'));
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
  const filled = path.join(folder, 'filled');
  const server = await openEmbeddedPostgres({ dataDir: path.join(folder, 'data') });
  const pool = createPool(server.url);
  try {
    await migrateDatabase(server.url);
    return await use(pool, { isFilled: existsSync(filled), mark: () => writeFile(filled, '') });
  } finally {
    await pool.end();
    await server.close();
    if (!keptFolder) await rm(folder, { recursive: true, force: true });
  }
}

interface CaseResult {
  p95Ms: number;
  baselineP95Ms: number;
  details: Record<string, string | number>;
}

async function measureCase(pool: pg.Pool, perOwner: number, tables: FilledTables): Promise<CaseResult> {
  const db = drizzle(pool);
  const plants = makePlants(rows);
  const fillMs = tables.isFilled ? 0 : await timed(() => fillTables(pool, perOwner, plants));
  await tables.mark();
  const owners = Math.ceil(rows / perOwner);
  const queries = makeQueries(owners);
  const ask = ({ owner, query, filter }: BenchQuery): SearchRequest => ({
    userId: ownerId(owner),
    query,
    ...filter(owner),
  });
  for (const one of queries.slice(0, 30)) await searchAs(db, ask(one));
  const times = new Map<string, number[]>();
  const baseline: number[] = [];
  const step = Math.max(1, Math.floor(queries.length / baselineQueries));
  for (const [index, one] of queries.entries()) {
    const ms = await timed(() => searchAs(db, ask(one)));
    for (const kind of ['all', one.kind]) times.set(kind, [...(times.get(kind) ?? []), ms]);
    // interleaved, so that both see the machine in the same state
    if (index % step === 0) baseline.push(await timed(() => searchByIlike(pool, ask(one))));
  }
  const details: CaseResult['details'] = {
    'filling and indexing, s': (fillMs / 1000).toFixed(0),
    'size of the index, MB': await sizeOf(
      pool,
      `'private.document_search', 'private.search_postings', 'private.search_segments'`,
    ),
    'size of the documents, MB': await sizeOf(pool, `'documents'`),
    'ILIKE p95, ms': percentile(baseline, 0.95).toFixed(1),
  };
  for (const [kind, list] of times)
    details[`${kind}: median / p95 / most, ms`] =
      `${percentile(list, 0.5).toFixed(1)} / ${percentile(list, 0.95).toFixed(1)} / ${Math.max(...list).toFixed(1)} (${list.length})`;
  Object.assign(details, await recall(db, plants, perOwner));
  return { p95Ms: percentile(times.get('all')!, 0.95), baselineP95Ms: percentile(baseline, 0.95), details };
}

/** Built after the rows are inserted: faster, and as small as possible. */
const rebuilt = {
  indexes: {
    search_postings_ends: `on private.search_postings (library, (reverse(term) collate "C")) where first = 0 and term >= 'a'`,
    search_postings_common: `on private.search_postings (library, term) where first = 0 and is_common = 1 and term >= '0'`,
    document_search_saved: 'on private.document_search (library, saved_at, number)',
    document_search_folder: 'on private.document_search (library, folder_id, number)',
    document_search_starred: 'on private.document_search (library, number) where is_starred',
  },
  constraints: {
    search_postings_library_term_first_pk: ['private.search_postings', 'primary key (library, term, first)'],
    search_segments_library_first_pk: ['private.search_segments', 'primary key (library, first)'],
    document_search_number: ['private.document_search', 'unique (library, number)'],
  },
};

async function fillTables(pool: pg.Pool, perOwner: number, plants: Plant[]): Promise<void> {
  await pool.query(
    'truncate folders, documents, private.document_search, private.search_postings, private.search_segments, private.search_libraries, private.search_due cascade',
  );
  await pool.query('alter table documents disable trigger user');
  for (const name of Object.keys(rebuilt.indexes)) await pool.query(`drop index private.${name}`);
  for (const [name, [table]] of Object.entries(rebuilt.constraints))
    await pool.query(`alter table ${table} drop constraint ${name}`);
  for (let owner = 0; owner < Math.ceil(rows / perOwner); owner++)
    await pool.query(
      `insert into folders (id, user_id, name) select id, $1, id::text from unnest($2::uuid[]) as given (id)`,
      [ownerId(owner), Array.from({ length: foldersPerOwner }, (_, folder) => folderId(owner, folder))],
    );
  for (let owner = 0; owner < Math.ceil(rows / perOwner); owner++)
    await pool.query(
      `insert into private.search_libraries (user_id, id, next_number, documents)
       overriding system value values ($1, $2, $3, $3)`,
      [ownerId(owner), libraryId(owner), Math.min(perOwner, rows - owner * perOwner)],
    );
  // whole owners per worker
  const share = Math.ceil(rows / workers / perOwner) * perOwner;
  const url = pool.options.connectionString!;
  const jobs = Array.from({ length: workers }, (_, index): FillJob => {
    const [first, last] = [index * share, Math.min(rows, (index + 1) * share)];
    return { url, first, last, perOwner, plants };
  });
  await Promise.all(jobs.filter(({ first, last }) => first < last).map(runWorker));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set maintenance_work_mem = '512MB'`);
  for (const [name, what] of Object.entries(rebuilt.indexes))
    await client.query(`create index ${name} ${what}`);
  for (const [name, [table, what]] of Object.entries(rebuilt.constraints))
    await client.query(`alter table ${table} add constraint ${name} ${what}`);
  await client.query('alter table documents enable trigger user');
  for (const table of [
    'documents',
    'private.document_search',
    'private.search_postings',
    'private.search_segments',
    'private.search_libraries',
  ])
    await client.query(`vacuum analyze ${table}`);
  await client.end();
}

function runWorker(job: FillJob): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./search/fill.ts', import.meta.url), { workerData: job });
    worker.once('error', reject);
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`filling ended with ${code}`))));
  });
}

interface SearchRequest extends DocumentFilter {
  userId: string;
  query: string;
}

/** All that GET /api/v1/search does, except identifying the caller. */
async function searchAs(
  db: Database,
  { userId, query, folderIds, starred, from, to }: SearchRequest,
): Promise<string[]> {
  const { documents } = await searchDocuments(db, userId, {
    q: query,
    formula: '',
    folder: folderIds?.[0],
    starred,
    since: from?.toISOString(),
    until: to?.toISOString(),
    limit: 20,
    offset: 0,
  });
  return documents.map(({ id }) => id);
}

/** What search would be without its own index. */
async function searchByIlike(pool: pg.Pool, request: SearchRequest): Promise<void> {
  const values: unknown[] = [request.userId, `%${request.query.trim().replace(/[\\%_]/g, '\\$&')}%`];
  const conditions = ['user_id = $1', 'trashed_at is null', '(title ilike $2 or latex ilike $2)'];
  const add = (condition: string, value: unknown) =>
    conditions.push(condition.replace('?', `$${values.push(value)}`));
  if (request.folderIds) add('folder_id = any(?::uuid[])', request.folderIds);
  if (request.starred) conditions.push('starred_at is not null');
  if (request.from) add('saved_at >= ?', request.from);
  if (request.to) add('saved_at < ?', request.to);
  await pool.query(
    `select id, title, latex from documents where ${conditions.join(' and ')} order by saved_at desc limit 20`,
    values,
  );
}

/** Counts planted words and formulas found by their owner, and by the next owner, who must find none. */
async function recall(
  db: Database,
  plants: readonly Plant[],
  perOwner: number,
): Promise<Record<string, string>> {
  const found: Record<string, [number, number]> = {};
  let foreign = 0;
  for (const { query, how, number } of plants) {
    const owner = Math.floor(number / perOwner);
    const ask = (who: number) => searchAs(db, { userId: ownerId(who), query });
    const counted = found[how] ?? [0, 0];
    found[how] = counted;
    counted[1]++;
    if ((await ask(owner)).includes(documentId(number))) counted[0]++;
    if ((await ask(owner + 1)).includes(documentId(number))) foreign++;
  }
  return {
    recall: Object.entries(found)
      .map(([how, [hits, all]]) => `${how} ${hits} of ${all}`)
      .join(', '),
    'found in another’s documents': String(foreign),
  };
}

async function sizeOf(pool: pg.Pool, tables: string): Promise<number> {
  const { rows: sizes } = await pool.query<{ mb: number }>(
    `select (sum(pg_total_relation_size(name::regclass)) / 1e6)::int as mb from unnest(array[${tables}]) as given (name)`,
  );
  return sizes[0]!.mb;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
