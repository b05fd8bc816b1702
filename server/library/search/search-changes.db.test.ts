// The index follows the documents, whether their terms are in rows or in segments.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeDocument, removeSearchOf } from './indexing/index-document.ts';
import { packLibrary } from './indexing/pack-libraries.ts';
import { prepareDocument } from './indexing/prepare-document.ts';
import { rewriteRows } from './indexing/rewrite-rows.ts';
import { decodeSegment } from './indexing/segment.ts';
import { unpackText } from './indexing/stored-text.ts';
import { type IndexedLibrary, openIndexedLibrary } from './testing/indexed-library.ts';

let library: IndexedLibrary;
beforeAll(async () => {
  library = await openIndexedLibrary();
});
afterAll(() => library?.close());

describe.each(['in rows', 'packed'])('the index follows the documents: %s', (state) => {
  const pack = async (userId: string) => {
    if (state === 'packed') await packLibrary(library.db, await library.libraryOf(userId));
  };
  const titlesOf = (userId: string) => (query: string) => library.titles(userId, query);

  test('a changed text is found only by its new words, and words are counted', async () => {
    const user = randomUUID();
    const found = titlesOf(user);
    const id = await library.save(user, 'Draft', { latex: 'ephemeral xylophone' });
    await pack(user);
    await library.addToIndex({
      documentId: id,
      userId: user,
      title: 'Draft',
      latex: 'enduring xylophone',
      savedAt: new Date(),
      folderId: null,
      isStarred: false,
    });
    expect(await found('ephemeral ')).toEqual([]);
    expect(await found('ephemreal ')).toEqual([]);
    expect(await found('enduring xylophone')).toEqual(['Draft']);
    expect(await found('xlyophone ')).toEqual(['Draft']);
    await pack(user);
    await library.db.transaction((tx) => removeDocument(tx, id));
    expect(await found('xylophone')).toEqual([]);
    // none of its words are kept
    expect(await listTerms(user)).toEqual([]);
  });

  test('documents in the trash are not found', async () => {
    const user = randomUUID();
    const id = await library.save(user, 'Trash', { latex: 'rubbishword' });
    await pack(user);
    expect(await titlesOf(user)('rubbishword')).toEqual(['Trash']);
    await library.db.execute(sql`update documents set trashed_at = now() where id = ${id}::uuid`);
    expect(await titlesOf(user)('rubbishword')).toEqual([]);
  });

  test('a word that becomes common, and rare again, is found throughout', async () => {
    const user = randomUUID();
    const ids: string[] = [];
    const check = async (count: number) => {
      for (const query of ['marmot ', 'marm', 'amrmot ', 'marmto '])
        expect([query, (await library.find(user, query)).total]).toEqual([query, count]);
    };
    for (let count = 1; count <= 70; count++) {
      ids.push(await library.save(user, `T${count}`, { latex: `The marmot of ${count} and only${count}.` }));
      if (![3, 40, 63, 64, 70].includes(count)) continue;
      await pack(user);
      await check(count);
    }
    for (const [index, id] of ids.entries()) {
      await library.db.transaction((tx) => removeDocument(tx, id));
      if (index === 9 || index === 66) await check(69 - index);
    }
    expect(await listTerms(user)).toEqual([]);
  });
});

/** The user's words in the index, in rows and in segments. */
async function listTerms(userId: string): Promise<string[]> {
  const id = await library.libraryOf(userId);
  const { rows } = await library.pool.query('select term from private.search_postings where library = $1', [
    id,
  ]);
  const { rows: segments } = await library.pool.query(
    'select entries from private.search_segments where library = $1',
    [id],
  );
  return [
    ...rows.map(({ term }) => term),
    ...segments.flatMap(({ entries }) => decodeSegment(entries).map(({ key }) => key)),
  ];
}

describe('rows and segments', () => {
  test('a library is packed in steps, and can be searched in between', async () => {
    const user = randomUUID();
    const words = Array.from({ length: 6_000 }, (_, index) => `w${index.toString(36)}x`);
    await library.save(user, 'Many words', { latex: words.join(' ') });
    await library.save(user, 'One word', { latex: words[5_999]! });
    const id = await library.libraryOf(user);
    const count = async (table: string) =>
      (await library.pool.query(`select from private.${table} where library = $1`, [id])).rowCount!;
    // killed after the first step
    let steps = 0;
    const killed = {
      get aborted() {
        return steps++ > 0;
      },
    } as AbortSignal;
    await packLibrary(library.db, id, killed);
    expect(await count('search_postings')).toBeGreaterThan(100);
    expect(await count('search_segments')).toBeGreaterThan(3);
    const check = async () => {
      for (const word of [words[0]!, words[3_000]!, words[5_998]!])
        expect([word, await library.titles(user, `${word} `)]).toEqual([word, ['Many words']]);
      expect(await library.titles(user, `${words[5_999]} `)).toEqual(['One word', 'Many words']);
    };
    await check();
    await packLibrary(library.db, id);
    expect(await count('search_postings')).toBe(0);
    await check();
  });

  test('a library locked by another process is skipped', async () => {
    const user = randomUUID();
    await library.save(user, 'Held', { latex: 'heldword' });
    const id = await library.libraryOf(user);
    await library.db.transaction(async (tx) => {
      await tx.execute(sql`select from private.search_libraries where id = ${id} for no key update`);
      await packLibrary(library.db, id);
    });
    const { rows } = await library.pool.query(
      `select unpacked > 0 as due from private.search_libraries where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ due: true }]);
    expect(await library.titles(user, 'heldword')).toEqual(['Held']);
  });

  test('rows of an earlier release are found as before, and converted', async () => {
    const user = randomUUID();
    const latex = 'Preface.\n\n\\section{Old rows}\nA phrase in a row, with $a^2+b^2$ in it.';
    const id = await library.save(user, 'Earlier', { latex });
    const queries = ['"phrase in a row"', '"row phrase"', 'old', 'a^2+b^2', '"earlier preface"'];
    const ask = () => Promise.all(queries.map((query) => library.find(user, query)));
    const before = await ask();
    expect(before.map(({ total }) => total)).toEqual([1, 0, 1, 1, 0]);
    const { row } = prepareDocument({
      documentId: id,
      title: 'Earlier',
      latex,
      savedAt: new Date(),
      folderId: null,
      isStarred: false,
    });
    const { body, places, headings } = unpackText(row.content);
    await library.pool.query(
      `update private.document_search set content = null, word_row = null, body = $2, places = $3, headings = $4,
         words = ' earlier | preface old rows a phrase in a row with in it ' where document_id = $1`,
      [id, body, places, headings],
    );
    expect(await ask()).toEqual(before);
    await rewriteRows(library.db);
    const { rows } = await library.pool.query(
      `select content, word_row, body, places, headings, words from private.document_search where document_id = $1`,
      [id],
    );
    expect(rows).toEqual([
      { content: row.content, word_row: row.wordRow, body: null, places: null, headings: null, words: null },
    ]);
    expect(await ask()).toEqual(before);
  });
});

describe('a person’s library', () => {
  test('a user is removed completely, and nobody else', async () => {
    const [mary, ada] = [randomUUID(), randomUUID()];
    await library.save(ada, 'Other', { latex: 'famous' });
    await library.save(mary, 'Hers', { latex: 'famous' });
    await packLibrary(library.db, await library.libraryOf(mary));
    await library.save(mary, 'Hers, too', { latex: 'famous' });
    await library.db.transaction((tx) => removeSearchOf(tx, mary));
    const { rows } = await library.pool.query(
      `select 1 from private.search_libraries where user_id = $1
       union all select 1 from private.document_search where not library in (select id from private.search_libraries)
       union all select 1 from private.search_postings where not library in (select id from private.search_libraries)
       union all select 1 from private.search_segments where not library in (select id from private.search_libraries)`,
      [mary],
    );
    expect(rows).toEqual([]);
    expect(await library.titles(ada, 'famous')).toEqual(['Other']);
  });

  test('word counts are correct after many concurrent saves', async () => {
    const user = randomUUID();
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        library.save(user, `T${index}`, { latex: 'zeta alpha mid omega beta' }),
      ),
    );
    await Promise.all(
      ids.map((id, index) =>
        library.addToIndex({
          documentId: id,
          userId: user,
          title: `T${index}`,
          latex: index % 2 ? 'alpha zeta' : 'beta omega',
          savedAt: new Date(),
          folderId: null,
          isStarred: false,
        }),
      ),
    );
    const { rows } = await library.pool.query(
      `select term, sum(p.documents)::int as documents, l.documents as all
       from private.search_postings p join private.search_libraries l on l.id = p.library
       where user_id = $1 and term ~ '^[a-s,u-z]' group by 1, 3 order by 1`,
      [user],
    );
    expect(rows).toEqual([
      { term: 'alpha', documents: 6, all: 12 },
      { term: 'beta', documents: 6, all: 12 },
      { term: 'omega', documents: 6, all: 12 },
      { term: 'zeta', documents: 6, all: 12 },
    ]);
  });
});
