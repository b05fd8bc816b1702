// The index follows the documents: nothing is lost when a process is killed, and concurrent processes give the same
// result as one.
import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trashDocument } from '../../documents/documents.ts';
import { saveLatex } from '../../documents/save-latex.ts';
import { documents } from '../../schema.ts';
import { openLibrary, type TestLibrary } from '../../testing/open-library.ts';
import { search } from '../search-documents.ts';
import { indexDueDocuments, noteUnindexed } from './index-due.ts';
import { packLibraries } from './pack-libraries.ts';
import { decodeBlock } from './posting-block.ts';
import { backwards, decodeSegment, fromKey, isListedBackwards } from './segment.ts';

let library: TestLibrary;
const logged: string[] = [];
const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.close());

const indexDue = () => indexDueDocuments({ db: library.db, logger, quietMs: 0 });
const find = async (userId: string, query: string) =>
  (await search(library.db, { userId, query, limit: 20, offset: 0 })).documents.map(
    ({ documentId }) => documentId,
  );
const countNotes = async () =>
  Number((await library.pool.query('select count(*) from private.search_due')).rows[0].count);

test('a save does not wait for indexing, and is found once indexed', async () => {
  const user = await library.createAccount();
  const id = await library.create(user, { title: 'Draft', latex: 'A walrus.' });
  await indexDue();
  expect(await find(user, 'walrus')).toEqual([id]);
  await saveLatex(library.db, user, id, { baseVersion: 1, latex: 'A narwhal.', cause: 'edit' });
  expect(await find(user, 'narwhal')).toEqual([]);
  await indexDue();
  expect(await find(user, 'narwhal')).toEqual([id]);
  expect(await find(user, 'walrus')).toEqual([]);
  expect(await countNotes()).toBe(0);
});

test('what a killed process was indexing is still due, and others are not delayed by it', async () => {
  const user = await library.createAccount();
  const id = await library.create(user, { title: 'Killed', latex: 'A pangolin.' });
  // a process killed while it holds the locks of document and library and has read the note
  const dying = new pg.Client(library.url);
  dying.on('error', () => {});
  await dying.connect();
  const { rows } = await dying.query('select pg_backend_pid() as pid');
  await dying.query('begin');
  await dying.query('insert into private.search_libraries (user_id) values ($1)', [user]);
  await dying.query(`select pg_advisory_xact_lock(${0x494e4b53}, hashtext($1))`, [id]);
  await dying.query('delete from private.search_due where document_id = $1', [id]);
  await indexDue();
  expect(await find(user, 'pangolin')).toEqual([]);
  await library.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await dying.end().catch(() => {});
  // its locks are released once the database notices
  for (let tries = 0; tries < 100 && (await countNotes()) > 0; tries++) await indexDue();
  expect(await find(user, 'pangolin')).toEqual([id]);
});

test('a document that cannot be indexed is logged, tried again later, and delays no other', async () => {
  const user = await library.createAccount();
  const bad = await library.create(user, { title: 'Bad', latex: 'x' });
  const good = await library.create(user, { title: 'Good', latex: 'An okapi.' });
  // no text fails by itself, so the index is made to reject this one
  await library.pool.query(
    `alter table private.document_search add constraint refuses check (document_id <> '${bad}')`,
  );
  await indexDue();
  await library.pool.query('alter table private.document_search drop constraint refuses');
  expect(await find(user, 'okapi')).toEqual([good]);
  expect(logged.some((line) => line.includes(bad))).toBe(true);
  expect(await countNotes()).toBe(1);
  await library.pool.query("update private.search_due set due_at = now() - interval '1 second'");
  await indexDue();
  expect(await find(user, 'bad')).toEqual([bad]);
});

test('an unindexed library can be searched after a process’s first pass', async () => {
  const user = await library.createAccount();
  const ids = [
    await library.create(user, { title: 'One', latex: 'An axolotl.' }),
    await library.create(user, { title: 'Two', latex: 'Another axolotl.' }),
  ];
  await library.pool.query('delete from private.search_due');
  // and one whose document was deleted without a note
  const deleted = await library.create(user, { title: 'Gone', latex: 'No axolotl.' });
  await indexDue();
  await library.db.delete(documents).where(eq(documents.id, deleted));
  await library.pool.query('delete from private.search_due');
  await noteUnindexed(library.db);
  await noteUnindexed(library.db);
  await indexDue();
  expect((await find(user, 'axolotl')).toSorted()).toEqual(ids.toSorted());
  expect((await search(library.db, { userId: user, query: 'axolotl', limit: 9, offset: 0 })).total).toBe(2);

  // an index in an older format is rebuilt
  await library.pool.query('update private.document_search set format = 0');
  await noteUnindexed(library.db);
  expect(await find(user, 'axolotl')).toEqual([]);
  await indexDue();
  expect((await find(user, 'axolotl')).toSorted()).toEqual(ids.toSorted());
});

test('a long text is read in a thread, and its words are found at the right places', async () => {
  const user = await library.createAccount();
  const lines = Array.from({ length: 9_000 }, (_, line) => `The line ${line} of it.`);
  lines[7_654] = 'Here sleeps the dormouse.';
  const id = await library.create(user, { title: 'Long', latex: lines.join('\n') });
  await indexDue();
  const { documents: found } = await search(library.db, {
    userId: user,
    query: 'dormouse',
    limit: 9,
    offset: 0,
  });
  expect(found[0]).toMatchObject({ documentId: id, snippets: [{ line: 7_655 }] });
  await saveLatex(library.db, user, id, { baseVersion: 1, latex: 'Nothing sleeps.', cause: 'edit' });
  await indexDue();
  expect(await find(user, 'dormouse')).toEqual([]);
});

/** Which documents have each term, in rows and segments together, and the words listed by their ends. */
async function readIndex(user: string): Promise<Map<string, number[]>> {
  const read = async (columns: string, table: string) =>
    (
      await library.pool.query(
        `select ${columns} from private.${table} t join private.search_libraries l on l.id = t.library
         where l.user_id = $1 order by 1`,
        [user],
      )
    ).rows;
  const terms = new Map<string, number[]>();
  const add = (term: string, block: Uint8Array) =>
    terms.set(
      term,
      [...(terms.get(term) ?? []), ...decodeBlock(block)].sort((a, b) => a - b),
    );
  for (const { entries } of await read('first, entries', 'search_segments'))
    for (const { key, postings } of decodeSegment(entries)) add(fromKey(key), postings);
  for (const { term, postings } of await read('term, postings', 'search_postings')) add(term, postings);
  return terms;
}

test('many saves with two indexers and a packer give the same index as indexing once', async () => {
  const user = await library.createAccount();
  const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa'.split(' ');
  const ids = await Promise.all(
    words.map((word) => library.create(user, { title: word, latex: `${word} begins $x^2$` })),
  );
  let isOver = false;
  const work = async (task: () => Promise<void>) => {
    while (!isOver) await task();
  };
  const workers = [work(indexDue), work(indexDue), work(() => packLibraries({ db: library.db, restMs: 0 }))];
  await Promise.all(
    ids.map(async (id, index) => {
      for (let version = 1; version <= 8; version++) {
        const latex = `\\section{${words[(index + version) % 10]}} ${words.slice(0, version).join(' ')} $${'x+'.repeat(version)}y$`;
        await saveLatex(library.db, user, id, { baseVersion: version, latex, cause: 'edit' });
      }
      if (index % 3 === 0) await trashDocument(library.db, user, id);
    }),
  );
  isOver = true;
  await Promise.all(workers);
  await indexDue();
  expect(await countNotes()).toBe(0);
  await packLibraries({ db: library.db, restMs: 0 });
  const followed = await readIndex(user);

  // the same documents with the same numbers, indexed once
  await library.db.execute(sql`
    update private.search_libraries set next_number = 0, documents = 0 where user_id = ${user}`);
  const { rows: entries } = await library.pool.query(
    `delete from private.document_search s using private.search_libraries l
     where l.id = s.library and l.user_id = $1 returning document_id as id, number`,
    [user],
  );
  for (const table of ['search_postings', 'search_segments'])
    await library.pool.query(
      `delete from private.${table} p using private.search_libraries l where l.id = p.library and l.user_id = $1`,
      [user],
    );
  for (const { id, number } of entries.toSorted((a, b) => a.number - b.number)) {
    await library.pool.query('update private.search_libraries set next_number = $1 where user_id = $2', [
      number,
      user,
    ]);
    await library.pool.query('insert into private.search_due (document_id) values ($1)', [id]);
    await indexDue();
  }
  const inRows = await readIndex(user);
  await packLibraries({ db: library.db, restMs: 0 });
  const packed = await readIndex(user);
  expect(inRows.size).toBeGreaterThan(20);
  expect(followed).toEqual(packed);
  // packing only adds the reversed words
  for (const [term, postings] of inRows) expect([term, packed.get(term)]).toEqual([term, postings]);
  expect([...packed.keys()].filter((term) => !inRows.has(term)).toSorted()).toEqual(
    [...inRows.keys()].filter(isListedBackwards).map(backwards).toSorted(),
  );
});

test('two users with the same words never find each other’s documents', async () => {
  const [ada, eve] = [await library.createAccount(), await library.createAccount()];
  const latex = 'The secret quokka $\\int_0^1 e^{-x^2}dx$';
  const mine = await library.create(ada, { title: 'Quokka', latex });
  const other = await library.create(eve, { title: 'Quokka', latex });
  await indexDue();
  for (const query of ['quokka', 'quoka ', 'quo', '"secret quokka"', '\\int e^{-y^2}', ''])
    expect([query, await find(ada, query), await find(eve, query)]).toEqual([query, [mine], [other]]);
  expect(await find(randomUUID(), 'quokka')).toEqual([]);
});
