// Search through the API, on the whole product: what can be found after each of a user's actions.
import { afterAll, describe, expect, test } from 'vitest';
import type { BulkAction, Folder, SavedDocument } from '#shared/api/library.ts';
import { maxQueryLength, type SearchResults } from '#shared/api/search.ts';
import { startIdentityServer, type TestAccount } from '../../../test-support/product/identity.ts';

const product = await startIdentityServer();
const [ada, eve] = [await product.createAccount(), await product.createAccount()];
afterAll(() => product.close());

async function call<Body>(account: TestAccount, method: string, path: string, body?: object): Promise<Body> {
  const answer = await product.call(account, method, path, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Body;
}

const create = (latex: string, given: object = {}, account = ada) =>
  call<SavedDocument>(account, 'POST', '/documents', { latex, ...given });

const find = (query: Record<string, string | number | boolean>, account = ada) =>
  call<SearchResults>(
    account,
    'GET',
    `/search?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
  );
const idsFor = async (q: string, more: Record<string, string | number | boolean> = {}, account = ada) =>
  (await find({ q, ...more }, account)).documents.map(({ id }) => id);

/** Within the seconds that a user would wait. */
const expectFound = (q: string, ids: string[], account = ada) =>
  expect
    .poll(async () => (await idsFor(q, {}, account)).toSorted(), { timeout: 10_000 })
    .toEqual(ids.toSorted());

describe('recent actions take effect', () => {
  test('created, saved, renamed, duplicated, restored', async () => {
    const { id } = await create('\\section{Fungi}\nThe chanterelle.', { title: 'Forest' });
    await expectFound('chanterelle', [id]);
    await call(ada, 'PUT', `/documents/${id}/latex`, { base_version: 1, latex: 'The morel.' });
    await expectFound('morel', [id]);
    await expectFound('chanterelle', []);
    await call(ada, 'PATCH', `/documents/${id}`, { title: 'Meadow' });
    await expectFound('meadow', [id]);
    await expectFound('forest', []);
    const copy = await call<SavedDocument>(ada, 'POST', `/documents/${id}/duplicate`);
    await expectFound('morel', [id, copy.id]);
    await call(ada, 'POST', `/documents/${id}/versions/1/restore`, { base_version: 2 });
    await expectFound('chanterelle', [id]);
    await expectFound('morel', [copy.id]);
    expect(await idsFor('morel', {}, eve)).toEqual([]);
  });

  test('imported from a file', async () => {
    const form = new FormData();
    const latex = '\\documentclass{article}\\begin{document}The imported boletus.\\end{document}';
    form.set('file', new File([latex], 'notes.tex'));
    await call(ada, 'POST', '/documents/import', form);
    await expect.poll(async () => (await idsFor('boletus')).length, { timeout: 10_000 }).toBe(1);
  });

  test('moved to the trash, one or many; restored; deleted for good', async () => {
    const [one, two] = [await create('A truffle.'), await create('Another truffle.')];
    await expectFound('truffle', [one.id, two.id]);
    await call(ada, 'POST', `/documents/${one.id}/trash`);
    expect(await idsFor('truffle')).toEqual([two.id]);
    const act = (action: BulkAction['action']) =>
      call(ada, 'POST', '/documents/bulk', { action, document_ids: [one.id, two.id] });
    await act('trash');
    expect(await find({ q: 'truffle' })).toMatchObject({ documents: [], total: 0 });
    await act('restore');
    await expectFound('truffle', [one.id, two.id]);
    await call(ada, 'POST', `/documents/${one.id}/trash`);
    await call(ada, 'POST', `/documents/${one.id}/restore`);
    await expectFound('truffle', [one.id, two.id]);
    await act('trash');
    await act('delete');
    expect(await idsFor('truffle')).toEqual([]);
    // nor does the index keep the word
    await expect
      .poll(() => product.sql("SELECT term FROM private.search_postings WHERE term LIKE 'truffle%'"), {
        timeout: 10_000,
      })
      .toEqual([]);
  });

  test('deleting an account removes its words', async () => {
    const mary = await product.createAccount();
    const { id } = await create('A puffball.', {}, mary);
    await expectFound('puffball', [id], mary);
    await call(mary, 'DELETE', '/account', { confirm: mary.email });
    const { length } = await product.sql(
      `SELECT FROM private.search_libraries WHERE user_id = '${mary.id}' UNION ALL
       SELECT FROM private.document_search WHERE document_id = '${id}' UNION ALL
       SELECT FROM private.search_postings WHERE term = 'puffball'`,
    );
    expect(length).toBe(0);
  });
});

test('a result is the document as in lists, with the place and the match', async () => {
  const latex = 'First line.\n\n\\section{Yeast}\nIt rises: $\\int_0^\\infty e^{-t^{2}}\\,dt$ overnight.';
  const { id } = await create(latex, { title: 'Bread' });
  await expectFound('overnight', [id]);
  const { documents, total, has_more, took_ms } = await find({ q: 'yeast', formula: '\\int e^{-x^2}' });
  expect({ total, has_more }).toEqual({ total: 1, has_more: false });
  expect(took_ms).toBeGreaterThan(0);
  expect(documents[0]).toMatchObject({
    id,
    title: 'Bread',
    version: 1,
    title_parts: [{ kind: 'text', text: 'Bread', hit: false }],
  });
  const hits = documents[0]!.snippets.flatMap(({ parts }) => parts.filter(({ hit }) => hit));
  expect(hits).toEqual([
    { kind: 'text', text: 'Yeast', hit: true },
    { kind: 'formula', text: '$\\int_0^\\infty e^{-t^{2}}\\,dt$', hit: true },
  ]);
  expect(documents[0]!.snippets[0]!.line).toBe(3);
});

test('filters: a folder with subfolders, stars, dates, without a query', async () => {
  const outer = await call<Folder>(ada, 'POST', '/folders', { name: 'Outer' });
  const inner = await call<Folder>(ada, 'POST', '/folders', { name: 'Inner', parent_id: outer.id });
  const [top, deep] = [
    await create('A lichen.', { folder_id: outer.id }),
    await create('A lichen.', { folder_id: inner.id }),
  ];
  const loose = await create('A lichen.');
  await expectFound('lichen', [top.id, deep.id, loose.id]);
  const both = [top.id, deep.id].toSorted();
  expect((await idsFor('lichen', { folder: outer.id })).toSorted()).toEqual(both);
  expect((await idsFor('', { folder: outer.id })).toSorted()).toEqual(both);
  expect(await idsFor('lichen', { folder: inner.id })).toEqual([deep.id]);
  expect(await idsFor('lichen', { folder: 'none' })).toEqual([loose.id]);
  // another user's folder is treated as nonexistent
  expect(await find({ q: 'lichen', folder: outer.id }, eve)).toMatchObject({ documents: [], total: 0 });
  await call(ada, 'PATCH', `/documents/${deep.id}`, { starred: true });
  expect(await idsFor('lichen', { starred: true, folder: outer.id })).toEqual([deep.id]);
  expect((await idsFor('lichen', { starred: false })).toSorted()).toEqual([top.id, loose.id].toSorted());
  const later = new Date(Date.now() + 60_000).toISOString();
  expect(await idsFor('lichen', { since: later })).toEqual([]);
  expect(await idsFor('lichen', { until: later, limit: 1 })).toHaveLength(1);
  expect(await find({ limit: 1 })).toMatchObject({ documents: [{ snippets: [] }] });
});

test('invalid queries are rejected', async () => {
  const refused: Record<string, string>[] = [
    { q: 'x'.repeat(maxQueryLength + 1) },
    { limit: '0' },
    { since: 'today' },
    { folder: 'x' },
  ];
  for (const query of refused) await expect(find(query)).rejects.toThrow('400');
  // and impossible queries find nothing
  for (const q of ['\0', '%', '"', '$', '\\', '{'.repeat(500)])
    expect(await find({ q })).toMatchObject({ documents: [], total: 0 });
});
