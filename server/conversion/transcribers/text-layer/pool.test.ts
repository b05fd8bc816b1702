/** The reader against files that mean no good: a page's trouble stays the page's. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ReaderPool } from './pool.ts';
import { fixtureFolder } from './testing/fixtures.ts';

let pool: ReaderPool;
beforeAll(() => {
  pool = new ReaderPool({ threads: 1 });
});
afterAll(() => pool.close());

const sound = path.join(fixtureFolder, 'pdf/calculus-limits-integrals.pdf');

describe('reading in a thread of its own', () => {
  test.each(['truncated.pdf', 'empty.pdf', 'encrypted.pdf', 'html-named.pdf', 'zero-pages.pdf'])(
    '%s fails, the next page is read',
    async (name) => {
      const answer = await pool.read(path.join(fixtureFolder, 'bad', name), 0);
      expect(answer.kind).not.toBe('read');
      expect((await pool.read(sound, 0)).kind).toBe('read');
    },
  );

  test('a page beyond the end fails', async () => {
    expect((await pool.read(sound, 99)).kind).toBe('failed');
  });

  test('a page that takes too long is given up, and the next one is read', async () => {
    const hasty = new ReaderPool({ threads: 1, pageTimeoutMs: 1 });
    const answer = await hasty.read(sound, 0);
    expect(answer).toMatchObject({ kind: 'failed', message: expect.stringContaining('took longer') });
    await hasty.close();
    expect((await pool.read(sound, 1)).kind).toBe('read');
  });

  test('a heap that is too small costs the page only', async () => {
    const small = new ReaderPool({ threads: 1, heapMb: 8 });
    expect((await small.read(sound, 0)).kind).toBe('failed');
    await small.close();
  });

  test('an aborted page ends at once', async () => {
    const stop = new AbortController();
    const answer = pool.read(path.join(fixtureFolder, 'bad/300-pages.pdf'), 200, stop.signal);
    stop.abort();
    expect((await answer).kind).toBe('failed');
  });

  test('a scan without text layer says so', async () => {
    const scan = path.join(fixtureFolder, 'scans/probability-table+grammaire-subjonctif-image-only.pdf');
    expect(await pool.read(scan, 0)).toMatchObject({ kind: 'no-text' });
  });
});
