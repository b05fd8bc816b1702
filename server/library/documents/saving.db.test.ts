// Saving a text and its history, through the API on the whole product.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { openStorage } from '#server/storage/open-storage.ts';
import type { Comparison, SaveConflict, SavedDocument, Versions } from '#shared/api/library.ts';
import { startIdentityServer } from '../../../test-support/product/identity.ts';
import { sweepLibrary } from '../sweep.ts';
import { callLibrary } from '../testing/call-library.ts';
import { openDb } from '../testing/open-library.ts';

const product = await startIdentityServer({ ROLES: 'web' });
const storage = openStorage(parseEnv({ DATA_DIR: product.dataDir }));
const [ada, eve] = [await product.createAccount(), await product.createAccount()];
const { call, create } = callLibrary(product);
afterAll(() => product.close());

test('a save from an older version is answered with the current text, and overwrites nothing', async () => {
  const { id } = await create(ada, { latex: 'first' });
  const save = (base: number, latex: string, saveId?: string) =>
    call<SaveConflict>(ada, 'PUT', `/documents/${id}/latex`, {
      base_version: base,
      latex,
      save_id: saveId,
    });
  const saveId = randomUUID();
  expect(await save(1, 'second', saveId)).toEqual({ status: 200, body: { version: 2 } });
  const conflict = await save(1, 'other');
  expect(conflict.status).toBe(409);
  expect(conflict.body).toMatchObject({
    code: 'VERSION_CONFLICT',
    current: { version: 2, latex: 'second' },
  });
  expect(await save(2, 'third')).toEqual({ status: 200, body: { version: 3 } });
  // the first save again, its answer having been lost on the way
  expect(await save(1, 'second', saveId)).toEqual({ status: 200, body: { version: 2 } });
  const misused = await save(3, 'something else', saveId);
  expect([misused.status, misused.body.code]).toEqual([400, 'INVALID_INPUT']);
  expect((await call<SavedDocument>(ada, 'GET', `/documents/${id}`)).body).toMatchObject({
    latex: 'third',
    version: 3,
  });
  const foreign = await call(eve, 'PUT', `/documents/${id}/latex`, { base_version: 3, latex: 'mine' });
  expect(foreign.status).toBe(404);
});

test('saving keeps a history that can be named, compared and restored', async () => {
  const { id } = await create(ada, { title: 'History', latex: 'one' });
  for (const [base, latex] of [
    [1, 'two'],
    [2, 'three'],
  ] as const)
    await call(ada, 'PUT', `/documents/${id}/latex`, { base_version: base, latex });
  const named = await call(ada, 'PATCH', `/documents/${id}/versions/1`, { name: 'Handed in' });
  expect(named.body).toMatchObject({ version: 1, name: 'Handed in', latex: 'one' });
  const back = await call(ada, 'POST', `/documents/${id}/versions/1/restore`, { base_version: 3 });
  expect(back).toEqual({ status: 200, body: { version: 4 } });
  const { versions } = (await call<Versions>(ada, 'GET', `/documents/${id}/versions`)).body;
  expect(versions.map(({ version, cause, name }) => [version, cause, name])).toEqual([
    [4, 'restore', null],
    [3, 'edit', null],
    [2, 'edit', null],
    [1, 'create', 'Handed in'],
  ]);
  const { body } = await call<Comparison>(ada, 'GET', `/documents/${id}/compare?from=2&to=4`);
  expect([body.from.latex, body.to.latex]).toEqual(['two', 'one']);
  expect((await call(ada, 'GET', `/documents/${id}/versions/9`)).status).toBe(404);
  expect((await call(eve, 'GET', `/documents/${id}/versions/1`)).status).toBe(404);
});

test('a history is thinned with time: all of the last hour, then hourly, then daily; named versions stay', async () => {
  const { id } = await create(ada, { latex: 'v1' });
  const age = (version: number, interval: string, name: string | null = null) =>
    product.sql(
      `INSERT INTO document_versions (document_id, version, latex, title, cause, name, created_at)
       VALUES ($1, $2::integer, 'v' || $2::integer, 't', 'edit', $4, date_trunc('day', now(), 'UTC') - $3::interval)`,
      [id, version, interval, name],
    );
  await product.sql(
    "UPDATE document_versions SET created_at = now() - interval '40 days' WHERE document_id = $1",
    [id],
  );
  // two on one day of long ago, one of them with a name; then hours of a day of this week
  await age(2, '20 days');
  await age(3, '20 days -1 hours', 'Kept');
  await age(4, '20 days -2 hours');
  await age(5, '2 days');
  await age(6, '2 days -10 minutes');
  await age(7, '2 days -70 minutes');
  await product.sql(
    "INSERT INTO document_versions (document_id, version, latex, title, cause) SELECT $1, n, 'v' || n, 't', 'edit' FROM generate_series(8, 12) AS n",
    [id],
  );
  await product.sql(
    "UPDATE documents SET version = 12, latex = 'v12', saved_at = now() - interval '2 hours' WHERE id = $1",
    [id],
  );
  const { db, close } = openDb(product.databaseUrl);
  await sweepLibrary({ db, storage });
  await close();
  const { versions } = (await call<Versions>(ada, 'GET', `/documents/${id}/versions`)).body;
  expect(versions.map(({ version }) => version)).toEqual([12, 11, 10, 9, 8, 7, 6, 4, 3, 1]);
});
