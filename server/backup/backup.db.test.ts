// Real databases, real files; the load is real transactions by several connections while the backup runs.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../test-support/database.ts';
import { listOwnedPrefixes, storageRoots } from '../cli/accounts/backup-scope.ts';
import { openFolderStorage } from '../storage/folder-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup, verifyBackup } from './restore-backup.ts';
import {
  addConversion,
  addDocument,
  advance,
  contentOf,
  countConversions,
  type Installation,
  listTornConversions,
} from './testing/installation.ts';

let folder: string;
let source: Installation;
let target: Installation;
let file: string;

async function createInstallation(name: string): Promise<Installation> {
  return { database: await createTestDatabase(), storage: openFolderStorage(path.join(folder, name)) };
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-backup-'));
  file = path.join(folder, 'notes.tar');
  source = await createInstallation('source');
  target = await createInstallation('target');
});

afterEach(async () => {
  await source.database.close();
  await target.database.close();
  rmSync(folder, { recursive: true, force: true });
});

const backUp = (from = source) =>
  createBackup({ databaseUrl: from.database.url, storage: from.storage, listOwnedPrefixes, target: file });

/** Restores with the connection string alone: the test's own pool would count as a running server. */
async function restore(into = target, shouldReplace = false) {
  await closeIdle(into);
  return restoreBackup({
    databaseUrl: into.database.url,
    storage: into.storage,
    storageRoots,
    source: file,
    shouldReplace,
  });
}

async function closeIdle({ database }: Installation): Promise<void> {
  const { rows } = await database.pool.query('SELECT pg_backend_pid() AS pid');
  expect(rows).toHaveLength(1);
  await database.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await database.pool.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => {});
}

test('a backup made during writes is consistent, and has every file of its rows', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 60; count++) ids.push(await addConversion(source, 1 + (count % 7)));
  const before = await countConversions(source);
  let isLoaded = true;
  let writes = 0;
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let round = 0; isLoaded && round < 10_000; round++) {
      if (round % 3 === 0) ids.push(await addConversion(source, 3));
      else await advance(source, ids[(writer * 31 + round * 7) % ids.length]!);
      writes++;
    }
  });
  while (writes <= 20) await new Promise((resolve) => setTimeout(resolve, 5));
  const writesBefore = writes;
  const manifest = await backUp();
  expect(writes).toBeGreaterThan(writesBefore);
  isLoaded = false;
  await Promise.all(writers);

  await restore();
  const restored = await countConversions(target);
  expect(restored).toBeGreaterThan(before);
  expect(restored).toBeLessThan(await countConversions(source));
  expect(await listTornConversions(target)).toEqual([]);
  const { rows } = await target.database.pool.query<{ id: string }>('SELECT id FROM conversions');
  expect(manifest.files).toHaveLength(rows.length);
  for (const { id } of rows) {
    expect(await text(await target.storage.getStream(`conversions/${id}/uploads/0`))).toBe(contentOf(id));
  }
  const { rows: pages } = await target.database.pool.query(
    "SELECT DISTINCT transcription->>'odd' AS odd FROM conversion_pages",
  );
  expect(pages).toEqual([{ odd: '\\N\t\n\u{1F58B} "\\\\' }]);
});

test('a restore is complete: the same rows, and working constraints', async () => {
  await addConversion(source, 4);
  await backUp();
  await restore();
  const dump = async ({ database }: Installation) =>
    (await database.pool.query('SELECT * FROM conversion_pages ORDER BY conversion_id, number')).rows;
  expect(await dump(target)).toEqual(await dump(source));
  await expect(
    target.database.pool.query(
      `INSERT INTO conversion_events (conversion_id, id, type) VALUES ('${randomUUID()}', 1, 'page')`,
    ),
  ).rejects.toThrow(/foreign key/);
  const migrations = 'SELECT hash, created_at FROM drizzle.__drizzle_migrations ORDER BY id';
  expect((await target.database.pool.query(migrations)).rows).toEqual(
    (await source.database.pool.query(migrations)).rows,
  );
});

test('files that the server removes in the meantime are left out and counted', async () => {
  const id = await addConversion(source, 1);
  const vanishing: Storage = {
    ...source.storage,
    async *list(prefix) {
      yield* source.storage.list(prefix);
      yield { key: `conversions/${id}/uploads/gone`, sizeBytes: 1 };
    },
  };
  const manifest = await createBackup({
    databaseUrl: source.database.url,
    storage: vanishing,
    listOwnedPrefixes,
    target: file,
  });
  expect(manifest).toMatchObject({ vanishedFiles: 1, files: [{ key: `conversions/${id}/uploads/0` }] });
  await restore();
  expect(await countConversions(target)).toBe(1);
});

test('the file is private, and appears only when it is complete', async () => {
  await addConversion(source, 1);
  const seen: string[][] = [];
  const watching: Storage = {
    ...source.storage,
    async getStream(key) {
      seen.push(readdirSync(folder));
      return source.storage.getStream(key);
    },
  };
  await createBackup({
    databaseUrl: source.database.url,
    storage: watching,
    listOwnedPrefixes,
    target: file,
  });
  expect(seen.flat()).not.toContain('notes.tar');
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const former = readFileSync(file);
  const failing: Storage = {
    ...source.storage,
    getStream: async () =>
      new Readable({
        read() {
          this.destroy(new Error('the disk failed'));
        },
      }),
  };
  await expect(
    createBackup({ databaseUrl: source.database.url, storage: failing, listOwnedPrefixes, target: file }),
  ).rejects.toThrow('the disk failed');
  expect(readFileSync(file).equals(former)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
});

test.each<[string, () => void, RegExp]>([
  ['a changed byte in a table', () => flipByte('"odd"'), /tables\/\d+\.copy is damaged/],
  [
    'a changed byte in a file',
    () => flipByte(contentOf(readdirSync(path.join(folder, 'source/conversions'))[0]!).slice(0, 40)),
    /files\/0 is damaged/,
  ],
  ['a changed byte in the manifest', () => flipByte('"vanishedFiles"'), /manifest is damaged/],
  [
    'a missing end',
    () => truncateSync(file, statSync(file).size - 2000),
    /truncated|ends before|no manifest/,
  ],
  ['another file', () => writeFileSync(file, 'my notes'.repeat(500)), /not a tar/],
])('%s is rejected before anything is changed', async (_, damage, reason) => {
  await addConversion(source, 1);
  await backUp();
  const existing = await addConversion(target, 2);
  damage();
  await expect(restore(target, true)).rejects.toThrow(reason);
  expect((await target.database.pool.query('SELECT id FROM conversions')).rows).toEqual([{ id: existing }]);
});

function flipByte(near: string): void {
  const bytes = readFileSync(file);
  // last, because rows may contain the same words as files
  const at = bytes.lastIndexOf(near);
  expect(at).toBeGreaterThan(0);
  bytes[at + 1]! ^= 1;
  writeFileSync(file, bytes);
}

test('a backup from a newer release is rejected', async () => {
  await source.database.pool.query(
    "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)",
  );
  await backUp();
  await expect(verifyBackup(file)).rejects.toThrow(/newer release/);
});

test('an installation that is not empty is kept unless --replace is given', async () => {
  const id = await addConversion(source, 1);
  await backUp();
  const former = await addConversion(target, 1);
  await expect(restore()).rejects.toThrow(/not empty.*--replace/);
  expect((await target.database.pool.query('SELECT id FROM conversions')).rows).toEqual([{ id: former }]);
  await restore(target, true);
  expect((await target.database.pool.query('SELECT id FROM conversions')).rows).toEqual([{ id }]);
  const keys: string[] = [];
  for await (const { key } of target.storage.list('conversions/')) keys.push(key);
  expect(keys).toEqual([`conversions/${id}/uploads/0`]);
});

test('files without rows are not overwritten either', async () => {
  await backUp();
  await target.storage.put('conversions/x/uploads/0', Buffer.from('kept'));
  await expect(restore()).rejects.toThrow(/storage.*not empty/);
});

test('a restore that fails midway leaves the installation unchanged', async () => {
  await addConversion(source, 1);
  await addConversion(source, 1);
  await backUp();
  const existing = await addConversion(target, 2);
  let puts = 0;
  const failing: Storage = {
    ...target.storage,
    put: (key, body) =>
      ++puts === 2 ? Promise.reject(new Error('the disk is full')) : target.storage.put(key, body),
  };
  await expect(restore({ ...target, storage: failing }, true)).rejects.toThrow('the disk is full');
  expect((await target.database.pool.query('SELECT id FROM conversions')).rows).toEqual([{ id: existing }]);
  expect(await listTornConversions(target)).toEqual([]);
  expect(existsSync(path.join(folder, 'target/conversions', existing))).toBe(true);
  expect(readdirSync(path.join(folder, 'target/conversions'))).toEqual([existing]);
});

test('while a server is connected, restoring is refused', async () => {
  await backUp();
  const client = await target.database.pool.connect();
  await expect(
    restoreBackup({
      databaseUrl: target.database.url,
      storage: target.storage,
      storageRoots,
      source: file,
      shouldReplace: true,
    }),
  ).rejects.toThrow(/in use.*Stop/);
  client.release();
});

test('documents are restored with folders, history and files', async () => {
  const id = await addDocument(source);
  await backUp();
  await target.storage.put('documents/old/figures/a', Buffer.from('of before'));
  await restore(target, true);
  const read = async ({ database }: Installation) =>
    (
      await database.pool.query(
        `SELECT d.title, d.latex, inner_one.name, outer_one.name AS outer_name, v.latex AS first, f.key
           FROM documents d JOIN folders inner_one ON inner_one.id = d.folder_id
           JOIN folders outer_one ON outer_one.id = inner_one.parent_id
           JOIN document_versions v ON v.document_id = d.id JOIN document_figures f ON f.document_id = d.id
          WHERE d.id = $1`,
        [id],
      )
    ).rows;
  expect(await read(target)).toEqual(await read(source));
  expect(await read(target)).toMatchObject([{ outer_name: 'Outer', latex: contentOf(id) }]);
  expect(Buffer.from(await target.storage.getBytes(`documents/${id}/figures/a`)).toString()).toBe(
    contentOf(id),
  );
  await expect(target.storage.getBytes('documents/old/figures/a')).rejects.toThrow('nothing is stored');
});
