// A person's library through the API, on the whole product: documents and folders.
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { insertDelivered, listKeys } from '#server/account/testing/delivered.ts';
import { openStorage } from '#server/storage/open-storage.ts';
import {
  type BulkAnswer,
  type DocumentSummary,
  type Documents,
  documentMarks,
  type Folder,
  type Folders,
  type SavedDocument,
} from '#shared/api/library.ts';
import { startIdentityServer } from '../../test-support/product/identity.ts';
import { sweepLibrary } from './sweep.ts';
import { callLibrary } from './testing/call-library.ts';
import { openDb } from './testing/open-library.ts';

const product = await startIdentityServer({ ROLES: 'web' });
const storage = openStorage(parseEnv({ DATA_DIR: product.dataDir }));
const [ada, eve] = [await product.createAccount(), await product.createAccount()];
const library = callLibrary(product);
const { call } = library;
afterAll(() => product.close());

const create = (given: Record<string, unknown> = {}, account = ada) => library.create(account, given);

async function createFolder(name: string, parentId: string | null = null): Promise<Folder> {
  const { status, body } = await call<Folder>(ada, 'POST', '/folders', { name, parent_id: parentId });
  expect(status).toBe(201);
  return body;
}

const titlesOf = async (query: string, account = ada) =>
  (await call<Documents>(account, 'GET', `/documents${query}`)).body.documents.map(({ title }) => title);

describe('a document', () => {
  test('is created from text, named after its title, and belongs to its owner alone', async () => {
    const latex =
      '\\documentclass{article}\\title{Gaussian \\emph{integrals}}\\begin{document}é ∫\\end{document}';
    const png = Buffer.from(
      '89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d0000000049454e44ae426082',
      'hex',
    ).toString('base64');
    const made = await create({
      latex,
      figures: [{ name: 'a.png', media_type: 'image/png', data_base64: png }],
    });
    const { body } = await call<SavedDocument>(ada, 'GET', `/documents/${made.id}`);
    expect(body).toEqual(made);
    expect(body).toMatchObject({
      title: 'Gaussian integrals',
      latex,
      version: 1,
      folder_id: null,
      figures: [{ name: 'a.png', media_type: 'image/png', size_bytes: 45 }],
    });
    expect((await call(eve, 'GET', `/documents/${made.id}`)).status).toBe(404);
    expect(await titlesOf('', eve)).toEqual([]);
  });

  test('with an invalid figure is rejected, and nothing is stored', async () => {
    const before = (await call<Documents>(ada, 'GET', '/documents')).body.total;
    const figure = { name: 'a.png', media_type: 'image/png', data_base64: 'bm90IGEgcGljdHVyZQ==' };
    const refused = await call(ada, 'POST', '/documents', { latex: 'x', figures: [figure] });
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_INPUT']);
    const withNul = await call(ada, 'POST', '/documents', { latex: 'a\0b' });
    expect([withNul.status, withNul.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect((await call<Documents>(ada, 'GET', '/documents')).body.total).toBe(before);
  });

  test('is created from a conversion, with figures and PDF, but not from another user’s', async () => {
    const id = await insertDelivered(product, storage, ada.id, 'E = mc^2');
    const foreign = await call(eve, 'POST', '/documents', { conversion_id: id });
    const missing = await call(eve, 'POST', '/documents', { conversion_id: randomUUID() });
    expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    // its figure is no picture, and is refused like any other
    const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000300000002', 'hex');
    const [row] = await product.sql<{ result: { folder: string } }>(
      'SELECT result FROM conversions WHERE id = $1',
      [id],
    );
    await storage.put(`${row!.result.folder}figures/figure-p1-1.png`, png);
    const made = await create({ conversion_id: id, latex: undefined, title: 'Relativity' });
    expect(made).toMatchObject({
      title: 'Relativity',
      pdf_version: 1,
      figures: [{ name: 'figure-p1-1.png' }],
      source_map: { lines: [], doubtful: [] },
    });
    expect(made.latex).toContain('E = mc^2');
  });

  test('sent twice with the same save_id is created once', async () => {
    const given = { title: 'Once', save_id: randomUUID() };
    const [first, second] = [await create(given), await create(given)];
    expect(second.id).toBe(first.id);
  });

  test('is renamed, starred, moved, duplicated', async () => {
    const folder = await createFolder('Analysis');
    const made = await create({ title: 'Limits' });
    const change = { title: 'Limits and series', folder_id: folder.id, starred: true };
    const { body } = await call<DocumentSummary>(ada, 'PATCH', `/documents/${made.id}`, change);
    expect(body).toMatchObject({ title: 'Limits and series', folder_id: folder.id, version: 1 });
    expect(body.starred_at).not.toBeNull();
    const copy = (await call<SavedDocument>(ada, 'POST', `/documents/${made.id}/duplicate`)).body;
    expect(copy).toMatchObject({
      title: 'Limits and series (copy)',
      folder_id: folder.id,
      latex: made.latex,
    });
    expect(copy.starred_at).toBeNull();
    expect(await titlesOf(`?folder=${folder.id}`)).toEqual(['Limits and series', 'Limits and series (copy)']);
    expect(await titlesOf(`?folder=${folder.id}&starred=true`)).toEqual(['Limits and series']);
    const elsewhere = await call(eve, 'PATCH', `/documents/${made.id}`, { title: 'Mine' });
    expect(elsewhere.status).toBe(404);
    const foreignFolder = (await call<Folder>(eve, 'POST', '/folders', { name: 'Eve' })).body;
    const moved = await call(ada, 'PATCH', `/documents/${made.id}`, { folder_id: foreignFolder.id });
    expect([moved.status, moved.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  test.each(documentMarks)('is %s and listed by that; a mark that is set keeps its time', async (mark) => {
    const { id } = await create({ title: `To be ${mark}` });
    const change = async (isSet: boolean) =>
      (await call<DocumentSummary>(ada, 'PATCH', `/documents/${id}`, { [mark]: isSet })).body[`${mark}_at`];
    const set = await change(true);
    expect(new Date(set!).toISOString()).toBe(set);
    expect(await change(true)).toBe(set);
    expect(await titlesOf(`?${mark}=true`)).toContain(`To be ${mark}`);
    expect(await titlesOf(`?${mark}=false`)).not.toContain(`To be ${mark}`);
    expect(await change(false)).toBeNull();
    expect(await titlesOf(`?${mark}=true`)).not.toContain(`To be ${mark}`);
  });

  test('counts as changed when renamed, not when starred or moved', async () => {
    const folder = await createFolder('Kept in order');
    const { id, updated_at: made } = await create({ title: 'Unchanged' });
    const change = async (body: object) =>
      (await call<DocumentSummary>(ada, 'PATCH', `/documents/${id}`, body)).body.updated_at;
    expect(await change({ starred: true })).toBe(made);
    expect(await change({ folder_id: folder.id })).toBe(made);
    for (const action of [{ action: 'unstar' }, { action: 'star' }, { action: 'move', folder_id: null }])
      await call(ada, 'POST', '/documents/bulk', { ...action, document_ids: [id], folder_ids: [] });
    const { body } = await call<SavedDocument>(ada, 'GET', `/documents/${id}`);
    expect([body.updated_at, body.folder_id, body.starred_at !== null]).toEqual([made, null, true]);
    expect(await change({ title: 'Changed' })).not.toBe(made);
  });

  test('is moved to the trash, restored, and deleted for good only from there', async () => {
    const { id } = await create({ title: 'Trash me' });
    const early = await call(ada, 'DELETE', `/documents/${id}`);
    expect([early.status, early.body.code]).toEqual([400, 'INVALID_INPUT']);
    await call(ada, 'POST', `/documents/${id}/trash`);
    expect(await titlesOf('')).not.toContain('Trash me');
    expect(await titlesOf('?trashed=true')).toContain('Trash me');
    await call(ada, 'POST', `/documents/${id}/restore`);
    expect(await titlesOf('')).toContain('Trash me');
    await call(ada, 'POST', `/documents/${id}/trash`);
    expect((await call(ada, 'DELETE', `/documents/${id}`)).status).toBe(204);
    expect((await call(ada, 'GET', `/documents/${id}`)).status).toBe(404);
  });

  test('in the trash for 30 days is deleted with its files, not a day earlier', async () => {
    const png = '89504e470d0a1a0a0000000d494844520000000300000002';
    const figures = [
      { name: 'a.png', media_type: 'image/png', data_base64: Buffer.from(png, 'hex').toString('base64') },
    ];
    const [old, young] = [await create({ figures }), await create({ figures })];
    for (const [{ id }, days] of [
      [old, 30],
      [young, 29],
    ] as const)
      await product.sql(
        "UPDATE documents SET trashed_at = now() - make_interval(days => $2) - interval '1 minute' WHERE id = $1",
        [id, days],
      );
    const { db, close } = openDb(product.databaseUrl);
    await sweepLibrary({ db, storage });
    await close();
    const keysOf = async (id: string) => (await listKeys(storage, `documents/${id}/`)).length;
    expect((await call(ada, 'GET', `/documents/${old.id}`)).status).toBe(404);
    expect((await call(ada, 'GET', `/documents/${young.id}`)).status).toBe(200);
    expect([await keysOf(old.id), await keysOf(young.id)]).toEqual([0, 1]);
  });
});

describe('at the document limit', () => {
  test('the answer says whom to contact', async () => {
    const full = await product.createAccount();
    await product.sql('UPDATE user_credits SET document_limit = 1 WHERE user_id = $1', [full.id]);
    await create({}, full);
    const { status, body } = await call<{ code: string; error: string }>(full, 'POST', '/documents', {
      latex: 'x',
    });
    expect([status, body.code]).toEqual([403, 'DOCUMENT_LIMIT_EXCEEDED']);
    expect(body.error).toBe(
      'You have reached your document limit. Please delete some documents to save new ones, or contact us at support@inkproof.example for more storage.',
    );
  });
});

describe('lists', () => {
  test('are sorted by name, ascending, a hundred at a time, by default', async () => {
    const lists = await product.createAccount();
    await product.sql(
      `INSERT INTO documents (id, user_id, title, latex, compiled_version, created_at)
       SELECT gen_random_uuid(), $1, CASE WHEN n = 7 THEN 'alpha' ELSE 'Doc ' || lpad(n::text, 3, '0') END, 'x', 1,
              now() - make_interval(mins => n) FROM generate_series(1, 120) AS n`,
      [lists.id],
    );
    const first = (await call<Documents>(lists, 'GET', '/documents')).body;
    expect([first.total, first.documents.length]).toEqual([120, 100]);
    // small letters are not after all capitals
    expect(first.documents.slice(0, 2).map(({ title }) => title)).toEqual(['alpha', 'Doc 001']);
    expect(await titlesOf('?offset=118', lists)).toEqual(['Doc 119', 'Doc 120']);
    expect(await titlesOf('?limit=2&order=desc', lists)).toEqual(['Doc 120', 'Doc 119']);
    expect(await titlesOf('?limit=1&sort=created&order=desc', lists)).toEqual(['Doc 001']);
    for (const query of ['?limit=0', '?limit=1001', '?offset=-1', '?sort=size', '?folder=x'])
      expect((await call(lists, 'GET', `/documents${query}`)).status).toBe(400);
  });

  test('sort names as people expect: accented letters with plain ones, numbers by value', async () => {
    const names = await product.createAccount();
    const expected = [
      'Eclipse',
      'Électron',
      'etude',
      'Lecture 2',
      'lecture 9',
      'Lecture 10',
      'Łódź',
      'Ökologie',
      'Zeta',
    ];
    for (const title of expected.toReversed()) {
      await create({ title }, names);
      await call(names, 'POST', '/folders', { name: title });
    }
    expect(await titlesOf('', names)).toEqual(expected);
    expect(await titlesOf('?order=desc', names)).toEqual(expected.toReversed());
    const { folders } = (await call<Folders>(names, 'GET', '/folders')).body;
    expect(folders.map(({ name }) => name)).toEqual(expected);
  });
});

describe('folders', () => {
  test('can be nested, renamed and moved, but never into themselves', async () => {
    const physics = await createFolder('Physics');
    const optics = await createFolder('Optics', physics.id);
    const { body } = await call<Folders>(ada, 'GET', `/folders?parent=${physics.id}`);
    expect(body.folders.map(({ name }) => name)).toEqual(['Optics']);
    const circle = await call(ada, 'PATCH', `/folders/${physics.id}`, { parent_id: optics.id });
    expect([circle.status, circle.body.code]).toEqual([400, 'INVALID_INPUT']);
    const itself = await call(ada, 'PATCH', `/folders/${physics.id}`, { parent_id: physics.id });
    expect(itself.status).toBe(400);
    const top = await call<Folder>(ada, 'PATCH', `/folders/${optics.id}`, { name: 'Light', parent_id: null });
    expect(top.body).toMatchObject({ name: 'Light', parent_id: null });
    expect((await call(eve, 'DELETE', `/folders/${physics.id}`)).status).toBe(404);
  });

  test('when deleted move their documents to the trash, also those in subfolders', async () => {
    const outer = await createFolder('Outer');
    const inner = await createFolder('Inner', outer.id);
    const { id } = await create({ title: 'Deep', folder_id: inner.id });
    expect((await call<Folder>(ada, 'GET', `/folders/${inner.id}`)).body.document_count).toBe(1);
    expect((await call(ada, 'DELETE', `/folders/${outer.id}`)).status).toBe(204);
    expect((await call(ada, 'GET', `/folders/${inner.id}`)).status).toBe(404);
    const { body } = await call<SavedDocument>(ada, 'POST', `/documents/${id}/restore`);
    expect(body).toMatchObject({ folder_id: null, trashed_at: null });
  });
});

describe('bulk actions', () => {
  test('do what is possible, and report the result for each item', async () => {
    const folder = await createFolder('Target');
    const inner = await createFolder('Inside', folder.id);
    const [one, two] = [await create({ title: 'One' }), await create({ title: 'Two' })];
    const foreign = await create({ title: 'Eve’s' }, eve);
    const act = async (body: object) =>
      (await call<BulkAnswer>(ada, 'POST', '/documents/bulk', body)).body.outcomes.map(
        ({ outcome }) => outcome,
      );
    expect(
      await act({
        action: 'move',
        folder_id: inner.id,
        document_ids: [one.id, foreign.id, two.id, randomUUID()],
        folder_ids: [folder.id],
      }),
    ).toEqual(['into_itself', 'done', 'not_found', 'done', 'not_found']);
    expect(await titlesOf(`?folder=${inner.id}`)).toEqual(['One', 'Two']);
    expect(await act({ action: 'delete', document_ids: [one.id] })).toEqual(['not_applicable']);
    expect(await act({ action: 'trash', document_ids: [one.id, two.id] })).toEqual(['done', 'done']);
    expect(await act({ action: 'restore', document_ids: [two.id] })).toEqual(['done']);
    expect(await act({ action: 'delete', document_ids: [one.id, two.id] })).toEqual([
      'done',
      'not_applicable',
    ]);
    expect(await act({ action: 'star', document_ids: [two.id, foreign.id] })).toEqual(['done', 'not_found']);
    expect((await call<SavedDocument>(eve, 'GET', `/documents/${foreign.id}`)).body).toMatchObject({
      starred_at: null,
      trashed_at: null,
    });
  });
});
