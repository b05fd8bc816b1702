/** The reader with hostile files: a page's failure affects that page only. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseFrom } from '../../test-support/matrix.ts';
import { streamBombPdf } from '../pages/testing/hostile-files.ts';
import { ReaderPool } from './pool.ts';
import { copiedFixture } from './testing/copied-fixture.ts';
import { fixtureFolder } from './testing/fixtures.ts';

let pool: ReaderPool;
beforeAll(() => {
  pool = new ReaderPool({ processes: 1 });
});
afterAll(() => pool.close());

const calculus = 'pdf/calculus-limits-integrals.pdf';
const sound = path.join(fixtureFolder, calculus);

describe('reading in a process of its own', () => {
  const unusable = ['truncated.pdf', 'encrypted.pdf', 'empty.pdf', 'html-named.pdf', 'zero-pages.pdf'];
  test.each(chooseFrom(import.meta.filename, unusable, 2))(
    '%s fails, the next page is read',
    async (name) => {
      const answer = await pool.read(path.join(fixtureFolder, 'bad', name), 0);
      expect(answer.kind).not.toBe('read');
      expect((await pool.read(sound, 0)).kind).toBe('read');
    },
  );

  test('a page reads the same from what the profile saw of it and from the file', async () => {
    // a file that no process has open
    const copy = await copiedFixture(calculus);
    const [first, second] = [await pool.read(copy, 2), await pool.read(copy, 2)];
    expect(first.kind).toBe('read');
    expect(second).toEqual(first);
  });

  test('a page beyond the end fails', async () => {
    expect((await pool.read(sound, 99)).kind).toBe('failed');
  });

  test('a page that takes too much CPU time is given up, and the next one is read', async () => {
    const hasty = new ReaderPool({ processes: 1, limits: { cpuMs: 1 } });
    const answer = await hasty.read(await copiedFixture('pdf/physics-mechanics-tikz.pdf'), 0);
    expect(answer).toMatchObject({ kind: 'failed', message: expect.stringContaining('more time') });
    await hasty.close();
    expect((await pool.read(sound, 1)).kind).toBe('read');
  });

  test('after two pages that took too much, the rest of the file is not tried', async () => {
    const hasty = new ReaderPool({ processes: 1, limits: { cpuMs: 1 } });
    const copy = await copiedFixture('pdf/physics-mechanics-tikz.pdf');
    const tooMuch = await Promise.all([hasty.read(copy, 0), hasty.read(copy, 0)]);
    expect(tooMuch).toEqual([0, 1].map(() => expect.objectContaining({ kind: 'failed' })));
    // it could be read within the usual limits
    const rest = await pool.read(copy, 0);
    expect(rest).toMatchObject({ kind: 'failed', message: expect.stringContaining('memory or time') });
    await hasty.close();
  });

  test('a stream that unpacks to a hundred times its size and more costs its page only', async () => {
    const strict = new ReaderPool({ processes: 1, limits: { cpuMs: 1_000 } });
    const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-pool-test-'));
    const bomb = path.join(folder, 'bomb.pdf');
    await writeFile(bomb, streamBombPdf('0 0 m 9 9 l S ', 130_000_000));
    expect(await strict.read(bomb, 0)).toMatchObject({ kind: 'failed' });
    await rm(folder, { recursive: true });
    await strict.close();
    expect((await pool.read(sound, 0)).kind).toBe('read');
  });

  test('a hint for another reader does not wait for all pages of the file', async () => {
    const strict = new ReaderPool({ processes: 1, limits: { cpuMs: 1_500 } });
    const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-pool-test-'));
    const file = path.join(folder, 'long.pdf');
    const words = ['Apples', 'Pears', 'Plums', 'Figs', 'Dates', 'Limes', 'Nuts', 'Peas', 'Leeks'];
    const lines = words.map((word) => `${word} are all that this page is about.`);
    await writeFile(file, streamBombPdf('0 0 m 9 9 l S ', 130_000_000, lines));
    const hint = await strict.read(file, 1, { isHint: true });
    expect(hint).toMatchObject({ kind: 'read', reading: { body: expect.stringContaining(lines[1]!) } });
    // its own reading needs what the tenth page says
    expect(await strict.read(file, 1)).toMatchObject({ kind: 'failed' });
    await rm(folder, { recursive: true });
    await strict.close();
  });

  test('an aborted page ends at once', async () => {
    const stop = new AbortController();
    const answer = pool.read(path.join(fixtureFolder, 'bad/300-pages.pdf'), 200, { signal: stop.signal });
    stop.abort(new Error('left'));
    await expect(answer).rejects.toThrow('left');
  });

  test('a scan without text layer is reported as such', async () => {
    const scan = path.join(fixtureFolder, 'scans/probability-table+grammaire-subjonctif-image-only.pdf');
    expect(await pool.read(scan, 0)).toMatchObject({ kind: 'no-text' });
  });
});
