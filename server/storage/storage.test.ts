import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeAbsence } from '#platform/absence.ts';
import { type S3StandIn, startS3StandIn } from '../../test-support/stand-ins/s3-stand-in.ts';
import { openStorage, parseS3Address } from './open-storage.ts';
import { type Storage, StorageNotFound } from './storage.ts';

interface Opened {
  storage: Storage;
  /** All objects in the store, including drafts and unfinished uploads. */
  countEverything(): Promise<number>;
  close(): Promise<void>;
}

const credentials = { AWS_ACCESS_KEY_ID: 'test-id', AWS_SECRET_ACCESS_KEY: 'test-secret' };

async function openFolder(): Promise<Opened> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-storage-test-'));
  return {
    storage: openStorage({ DATA_DIR: folder }),
    countEverything: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
        .length,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function openS3(options?: Parameters<typeof startS3StandIn>[0]): () => Promise<Opened> {
  return async () => {
    const server: S3StandIn = await startS3StandIn({ pageSize: 7, ...options });
    return {
      storage: openStorage({ STORAGE_URL: server.storageUrl('files'), DATA_DIR: 'unused', ...credentials }),
      countEverything: async () => server.objects.size + server.openUploads(),
      close: server.close,
    };
  };
}

describe.each([
  ['folder', openFolder],
  ['S3', openS3()],
  ['S3 without batch deletion', openS3({ hasBatchDelete: false })],
])('storage in a %s', (_, open) => {
  let opened: Opened;
  let storage: Storage;
  beforeAll(async () => {
    opened = await open();
    storage = opened.storage;
  });
  afterAll(() => opened.close());

  it('returns what was stored, as bytes, stream and local file', async () => {
    const bytes = randomBytes(100_000);
    expect(await storage.put('a/bytes', bytes)).toEqual({ key: 'a/bytes', sizeBytes: 100_000 });
    expect(Buffer.compare(Buffer.from(await storage.getBytes('a/bytes')), bytes)).toBe(0);
    expect(Buffer.compare(await buffer(await storage.getStream('a/bytes')), bytes)).toBe(0);
    const local = await storage.withLocalFile('a/bytes', (file) => readFile(file));
    expect(Buffer.compare(local, bytes)).toBe(0);
  });

  it('accepts a stream larger than one part, and an empty one', async () => {
    const pieces = Array.from({ length: 20 }, () => randomBytes(1_000_000));
    expect(await storage.put('a/large', Readable.from(pieces, { objectMode: false }))).toEqual({
      key: 'a/large',
      sizeBytes: 20_000_000,
    });
    expect(Buffer.compare(Buffer.from(await storage.getBytes('a/large')), Buffer.concat(pieces))).toBe(0);
    expect((await storage.put('a/nothing', Readable.from([], { objectMode: false }))).sizeBytes).toBe(0);
    expect(await storage.getBytes('a/nothing')).toHaveLength(0);
  });

  it('replaces an older object', async () => {
    await storage.put('a/replaced', Buffer.from('older and longer'));
    await storage.put('a/replaced', Buffer.from('newer'));
    expect(Buffer.from(await storage.getBytes('a/replaced')).toString()).toBe('newer');
  });

  it('leaves nothing of a stream that breaks, and keeps the older object', async () => {
    await storage.put('a/kept', Buffer.from('whole'));
    const before = await opened.countEverything();
    for (const megabytes of [0, 12]) {
      const breaking = Readable.from(
        (async function* () {
          for (let count = 0; count < megabytes; count++) yield randomBytes(1_000_000);
          yield Buffer.from('half');
          throw new Error('the line broke');
        })(),
        { objectMode: false },
      );
      await expect(storage.put('a/kept', breaking)).rejects.toThrow('the line broke');
    }
    expect(await opened.countEverything()).toBe(before);
    expect(Buffer.from(await storage.getBytes('a/kept')).toString()).toBe('whole');
  });

  it('reports a missing object, whichever way it is requested', async () => {
    await expect(storage.getBytes('no/such')).rejects.toBeInstanceOf(StorageNotFound);
    await expect(storage.getStream('no/such')).rejects.toBeInstanceOf(StorageNotFound);
    await expect(storage.withLocalFile('no/such', async () => 1)).rejects.toBeInstanceOf(StorageNotFound);
    await expect(storage.getBytes('a')).rejects.toBeInstanceOf(StorageNotFound);
    await expect(storage.delete('no/such')).resolves.toBeUndefined();
    await expect(storage.deletePrefix('no/such/')).resolves.toBeUndefined();
  });

  it('lists the keys under a prefix in order, and deletes exactly those', async () => {
    const many = Array.from({ length: 12 }, (_, index) => `b/many/${index}`);
    const keys = ['b/1', 'b/10', 'b/2/x', 'b/2.txt', 'b/ü', ...many];
    for (const key of [...keys, 'bb/other']) await storage.put(key, Buffer.from(key));
    const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await Array.fromAsync(storage.list('b/'), ({ key }) => key)).toEqual(sorted);
    await storage.delete('b/10');
    expect(await Array.fromAsync(storage.list('b/'), ({ key }) => key)).toEqual(
      sorted.filter((key) => key !== 'b/10'),
    );
    await storage.deletePrefix('b/');
    expect(await Array.fromAsync(storage.list('b/'), ({ key }) => key)).toEqual([]);
    expect(Buffer.from(await storage.getBytes('bb/other')).toString()).toBe('bb/other');
  });

  it('keeps odd characters in keys', async () => {
    const keys = ['c/a b+c%20', 'c/.tmp', 'c/“quoted” & <tagged>', 'c/emoji 🙂', "c/it's?#1", 'c/con:trol*'];
    for (const key of keys) await storage.put(key, Buffer.from(key));
    for (const key of keys) expect(Buffer.from(await storage.getBytes(key)).toString()).toBe(key);
    expect((await Array.fromAsync(storage.list('c/'), ({ key }) => key)).sort()).toEqual([...keys].sort());
    await storage.deletePrefix('c/');
    expect(await Array.fromAsync(storage.list('c/'), ({ key }) => key)).toEqual([]);
  });

  it.each([
    '',
    '/absolute',
    '../up',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    'nul\0',
    `${'x'.repeat(1100)}`,
    'lone\ud800',
  ])('refuses the key %j', async (key) => {
    await expect((async () => storage.put(key, Buffer.from('x')))()).rejects.toThrow('not a storage key');
    await expect((async () => storage.getBytes(key))()).rejects.toThrow('not a storage key');
  });

  it.each(['', '/', 'a', '../../platform/', 'a/../'])(
    'refuses to delete everything under %j',
    async (prefix) => {
      await expect((async () => storage.deletePrefix(prefix))()).rejects.toThrow(/storage (key|prefix)/);
    },
  );

  it('can be checked', async () => {
    const before = await opened.countEverything();
    await storage.check();
    expect(await opened.countEverything()).toBe(before);
  });
});

describe('folder storage', () => {
  it('survives writes into a prefix that is being deleted', async () => {
    const { storage, close } = await openFolder();
    for (let round = 0; round < 20; round++) {
      const writes = Array.from({ length: 10 }, (_, index) =>
        storage.put(`d/${round}/${index}`, Buffer.from('x')),
      );
      await Promise.all([...writes, storage.deletePrefix(`d/${round}/`)]);
      await storage.deletePrefix(`d/${round}/`);
      expect(await Array.fromAsync(storage.list(`d/${round}/`), ({ key }) => key)).toEqual([]);
    }
    await close();
  });

  it('removes folders that have become empty', async () => {
    const { storage, close, countEverything } = await openFolder();
    await storage.put('e/f/g', Buffer.from('x'));
    await storage.delete('e/f/g');
    expect(await Array.fromAsync(storage.list('e/'), ({ key }) => key)).toEqual([]);
    expect(await countEverything()).toBe(0);
    await close();
  });
});

describe('STORAGE_URL', () => {
  it('reads bucket, prefix, endpoint and region', () => {
    expect(parseS3Address('s3://notes')).toEqual({ bucket: 'notes', prefix: '', region: 'us-east-1' });
    expect(parseS3Address('s3://notes/a/b/?endpoint=http://127.0.0.1:9000&region=eu-west-3')).toEqual({
      bucket: 'notes',
      prefix: 'a/b/',
      region: 'eu-west-3',
      endpoint: 'http://127.0.0.1:9000',
    });
  });

  it('reports a server that is down or lacks the bucket, but not a missing object', async () => {
    const server = await startS3StandIn();
    const reported: string[] = [];
    const outages = { failed: (part: string) => void reported.push(part), works() {} };
    const openAt = (STORAGE_URL: string) =>
      openStorage({ STORAGE_URL, DATA_DIR: 'unused', ...credentials }, outages);
    await expect(openAt(server.storageUrl('files')).getBytes('a/missing')).rejects.toThrow(StorageNotFound);
    expect(reported).toEqual([]);
    const other = server.storageUrl('files').replace(server.bucket, 'another-bucket');
    const failure = await openAt(other)
      .put('a/b', Buffer.from('x'))
      .catch((error: unknown) => error);
    expect(describeAbsence(failure)).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    await server.close();
    await expect(openAt(server.storageUrl('files')).check()).rejects.toThrow();
    expect(reported).toEqual(['storage', 'storage']);
  });

  it('names the parts that are invalid', () => {
    expect(() => parseS3Address('s3://notes?acl=public')).toThrow('unknown parameter "acl"');
    expect(() => openStorage({ STORAGE_URL: 'ftp://x', DATA_DIR: '.' })).toThrow(
      'begin it with file: or s3://',
    );
  });

  it('is refused by a server that rejects the signature', async () => {
    const server = await startS3StandIn();
    const answer = await fetch(
      new URL(`/${server.bucket}/x`, new URL(server.storageUrl('')).searchParams.get('endpoint')!),
    );
    expect(answer.status).toBe(403);
    await server.close();
  });
});
