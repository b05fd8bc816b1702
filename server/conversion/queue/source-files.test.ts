import { access } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type S3StandIn, startS3StandIn } from '../../../test-support/stand-ins/s3-stand-in.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { createSourceFiles, type SourceFiles } from './source-files.ts';

let s3: S3StandIn;
let storage: Storage;
let files: SourceFiles;
beforeEach(async () => {
  s3 = await startS3StandIn();
  storage = openStorage({
    DATA_DIR: '/nonexistent',
    STORAGE_URL: s3.storageUrl('notes'),
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  await storage.put('a', new TextEncoder().encode('an upload'));
  files = createSourceFiles(storage);
});
afterEach(() => s3.close());

const downloads = () => s3.calls.filter((call) => /^GET .*object/i.test(call)).length;
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test('the pages of one file share one copy, concurrently and in sequence', async () => {
  const paths = await Promise.all([1, 2, 3].map(() => files.use('a', async (path) => path)));
  paths.push(await files.use('a', async (path) => path));
  expect(new Set(paths).size).toBe(1);
  expect(downloads()).toBe(1);
  expect(await isThere(paths[0]!)).toBe(true);
  await files.close();
  expect(await isThere(paths[0]!)).toBe(false);
});

test('a missing file is rejected each time, and may exist later', async () => {
  for (let time = 0; time < 2; time++)
    await expect(files.use('b', async () => {})).rejects.toMatchObject({ name: 'StorageNotFound' });
  await storage.put('b', new TextEncoder().encode('later'));
  expect(await files.use('b', isThere)).toBe(true);
  await files.close();
});

test('a failure in one use leaves the copy to the others', async () => {
  await expect(files.use('a', () => Promise.reject(new Error('broken page')))).rejects.toThrow('broken page');
  expect(await files.use('a', isThere)).toBe(true);
  expect(downloads()).toBe(1);
  await files.close();
});
