// What many callers do to one library at the same time, on the real database.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '#platform/errors.ts';
import { actInBulk } from './bulk.ts';
import { restoreDocument, trashDocument } from './documents/documents.ts';
import { getVersion, listVersions } from './documents/history.ts';
import { saveLatex } from './documents/save-latex.ts';
import { createFolder, updateFolder } from './folders/folders.ts';
import { openLibrary, type TestLibrary } from './testing/open-library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.close());

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : String(error));

/** Runs them all at once. @returns how often each came about: `done`, or an error's code */
async function countOutcomes(work: Promise<unknown>[]): Promise<Record<string, number>> {
  const settled = await Promise.allSettled(work);
  const names = settled.map((one) => (one.status === 'fulfilled' ? 'done' : codeOf(one.reason)));
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

async function countLive(userId: string): Promise<number> {
  const { rows } = await library.pool.query(
    'SELECT count(*)::int AS count FROM documents WHERE user_id = $1 AND trashed_at IS NULL',
    [userId],
  );
  return rows[0].count;
}

describe('two writers of one document', () => {
  test('with 200 edits each lose none, and overwrite nothing unseen', async () => {
    const userId = await library.createAccount();
    const id = await library.create(userId, { latex: 'start' });
    let conflicts = 0;

    const write = async (name: string) => {
      let known = { version: 1, latex: 'start' };
      for (let edit = 0; edit < 200; edit++) {
        const line = `${name} ${edit}`;
        for (;;) {
          const latex = `${known.latex}\n${line}`;
          const outcome = await saveLatex(library.db, userId, id, {
            baseVersion: known.version,
            latex,
            cause: 'edit',
            saveId: randomUUID(),
          });
          if (outcome.kind === 'saved') {
            known = { version: outcome.version, latex };
            break;
          }
          conflicts++;
          known = outcome.current;
        }
      }
    };
    await Promise.all([write('left'), write('right')]);

    const { versions } = await listVersions(library.db, userId, id, { limit: 1, offset: 0 });
    const { latex, version } = await getVersion(library.db, userId, id, versions[0]!.version);
    const expected = ['left', 'right'].flatMap((name) =>
      Array.from({ length: 200 }, (_, edit) => `${name} ${edit}`),
    );
    const lines = latex.split('\n').slice(1);
    expect(lines.toSorted()).toEqual(expected.toSorted());
    expect(version).toBe(401);
    // otherwise they did not meet, and nothing was shown
    expect(conflicts).toBeGreaterThan(0);
  });

  test('who send the same save concurrently have saved once', async () => {
    const userId = await library.createAccount();
    const id = await library.create(userId);
    const save = { baseVersion: 1, latex: 'Once', cause: 'edit' as const, saveId: randomUUID() };
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => saveLatex(library.db, userId, id, save)),
    );
    expect(outcomes).toEqual(Array(8).fill({ kind: 'saved', version: 2 }));
    expect((await listVersions(library.db, userId, id, { limit: 9, offset: 0 })).total).toBe(2);
  });
});

describe('the document limit', () => {
  test('is reached exactly when 40 create at once', async () => {
    const userId = await library.createAccount();
    await library.pool.query('UPDATE user_credits SET document_limit = 10 WHERE user_id = $1', [userId]);
    for (let made = 0; made < 3; made++) await library.create(userId);
    // with a file each, which is stored before it is known whether there is room
    const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000300000002', 'hex').toString('base64');
    const figures = [{ name: 'a.png', media_type: 'image/png' as const, data_base64: png }];
    const outcomes = await countOutcomes(
      Array.from({ length: 40 }, () => library.create(userId, { figures })),
    );
    expect(outcomes).toEqual({ done: 7, DOCUMENT_LIMIT_EXCEEDED: 33 });
    expect(await countLive(userId)).toBe(10);
    // nothing of those that were refused is left
    const keys = new Set<string>();
    for await (const { key } of library.storage.list('documents/')) keys.add(key);
    expect(keys.size).toBe(7);
  });

  test('applies to documents restored from the trash, one by one or in bulk', async () => {
    const userId = await library.createAccount();
    const old = await Promise.all(Array.from({ length: 6 }, () => library.create(userId)));
    for (const id of old) await trashDocument(library.db, userId, id);
    await library.pool.query('UPDATE user_credits SET document_limit = 4 WHERE user_id = $1', [userId]);
    await library.create(userId);
    const outcomes = await countOutcomes(
      old.slice(0, 2).map((id) => restoreDocument(library.db, userId, id)),
    );
    expect(outcomes).toEqual({ done: 2 });
    const bulk = await actInBulk(library, userId, {
      action: 'restore',
      document_ids: old.slice(2),
      folder_ids: [],
    });
    expect(bulk.map(({ outcome }) => outcome)).toEqual(['done', ...Array(3).fill('limit_exceeded')]);
    expect(await countLive(userId)).toBe(4);
    await expect(restoreDocument(library.db, userId, old[5]!)).rejects.toMatchObject({
      code: 'DOCUMENT_LIMIT_EXCEEDED',
    });
  });

  test('counts the same call sent eight times as one document', async () => {
    const userId = await library.createAccount();
    await library.pool.query('UPDATE user_credits SET document_limit = 1 WHERE user_id = $1', [userId]);
    const saveId = randomUUID();
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => library.create(userId, { save_id: saveId })),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await countLive(userId)).toBe(1);
  });
});

describe('folders', () => {
  test('moved into each other concurrently never form a cycle', async () => {
    const userId = await library.createAccount();
    const ids: string[] = [];
    for (let made = 0; made < 6; made++)
      ids.push((await createFolder(library.db, userId, { name: `${made}`, parent_id: null })).id);
    // each into the next one, round the circle: one of them has to be refused
    for (let round = 0; round < 5; round++) {
      await Promise.all(ids.map((id) => updateFolder(library.db, userId, id, { parent_id: null })));
      const outcomes = await countOutcomes(
        ids.map((id, index) =>
          updateFolder(library.db, userId, id, { parent_id: ids[(index + 1) % ids.length]! }),
        ),
      );
      expect(outcomes).toEqual({ done: 5, INVALID_INPUT: 1 });
      const { rows } = await library.pool.query(
        `WITH RECURSIVE tree(id) AS (
           SELECT id FROM folders WHERE user_id = $1 AND parent_id IS NULL
           UNION ALL SELECT folders.id FROM folders JOIN tree ON folders.parent_id = tree.id)
         SELECT count(*)::int AS count FROM tree`,
        [userId],
      );
      expect(rows[0].count).toBe(6);
    }
  });

  test('are nested at most ten deep, however they are moved', async () => {
    const userId = await library.createAccount();
    const chain = async (length: number) => {
      const ids: string[] = [];
      for (let depth = 0; depth < length; depth++)
        ids.push(
          (await createFolder(library.db, userId, { name: `${depth}`, parent_id: ids.at(-1) ?? null })).id,
        );
      return ids;
    };
    const [deep, other] = [await chain(10), await chain(4)];
    await expect(createFolder(library.db, userId, { name: 'x', parent_id: deep[9]! })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(updateFolder(library.db, userId, other[0]!, { parent_id: deep[6]! })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    const moved = await updateFolder(library.db, userId, other[0]!, { parent_id: deep[5]! });
    expect(moved.parent_id).toBe(deep[5]);
  });
});
