/** Files that unpack to too much cost their own page, and nobody else's time. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { chooseFrom } from '../../test-support/matrix.ts';
import { createPagePreparer } from './page-preparer.ts';
import { endlessFormsPdf, makePng, pictureBombPdf, streamBombPdf } from './testing/hostile-files.ts';
import { fixtures, openPreparer } from './testing/open-preparer.ts';

const { preparer, source, saved } = openPreparer();
const longestSide = 2600;

describe('what unpacks to too much', () => {
  const grownBy = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 10);
    await work();
    clearInterval(watch);
    return (peak - before) / 1_000_000;
  };

  it('costs its own page and not the server', async () => {
    const small = createPagePreparer({
      concurrency: 1,
      memoryLimitBytes: 700_000_000,
      limits: { cpuMs: 2_500 },
    });
    const bomb = await saved(pictureBombPdf(30_000), 'pdf');
    const forms = await saved(endlessFormsPdf(12), 'pdf');
    // a file of its own: should it be too slow once, the tests after this one can still read theirs
    const good = await saved(await readFile(path.join(fixtures, 'pdf/probability-table.pdf')), 'pdf');
    const growth = await grownBy(async () => {
      for (const bad of [bomb, forms]) {
        await expect(small.prepare(bad)).rejects.toMatchObject({
          code: 'INVALID_INPUT',
          message: expect.stringContaining('needs more memory or time'),
        });
        expect((await small.prepare(good)).origin).toBe('render');
      }
    });
    expect(growth).toBeLessThan(200);
    await small.close();
  });

  const large = chooseFrom(import.meta.filename, [7000], 0);
  it.each(large)('a picture near the limit of 50 megapixels is still prepared: %i', async (side) => {
    const page = await preparer.prepare(await saved(makePng(side, side), 'png'));
    expect(page.bitmap.width).toBe(longestSide);
  });

  it('is stopped when nobody waits for it any more', async () => {
    const stop = new AbortController();
    const waiting = preparer.prepare(source('images/problem-sheet-number-theory-p1-photo.heic'), stop.signal);
    setTimeout(() => stop.abort(new Error('cancelled')), 100);
    await expect(waiting).rejects.toThrow('cancelled');
    expect((await preparer.prepare(source('pdf/probability-table.pdf'))).origin).toBe('render');
  });

  it('a page that the machine had no time for is not blamed', async () => {
    // its time is over at once, long before it can have used its share of the processor
    const patient = createPagePreparer({ concurrency: 1, limits: { cpuMs: 30_000, elapsedMs: 1 } });
    await expect(
      patient.prepare(source('images/problem-sheet-number-theory-p1-photo.heic')),
    ).rejects.toMatchObject({ code: 'BUSY', source: 'server', retryAfterSeconds: expect.any(Number) });
    await patient.close();
  });

  it('keeps nobody else waiting: another’s page is ready before any of two hostile ones has ended', async () => {
    const shared = createPagePreparer({ concurrency: 2, limits: { cpuMs: 2_000 } });
    const bomb = streamBombPdf('0 0 m 612 0 l 612 792 l 0 792 l f ', 100_000_000);
    expect(bomb.length).toBeLessThan(1_000);
    const ended: string[] = [];
    const hostile = await Promise.all([1, 2].map(() => saved(bomb, 'pdf')));
    const attack = hostile.map((one) =>
      shared.prepare(one, undefined, 'class/attacker').catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'INVALID_INPUT' });
        ended.push('hostile');
      }),
    );
    const small = await sharp(path.join(fixtures, 'images/algorithms-and-kinetics-p1-crop-alpha.png'))
      .flatten({ background: 'white' })
      .resize(300)
      .png()
      .toBuffer();
    const page = shared.prepare(await saved(small, 'png'), undefined, 'class/neighbour');
    await Promise.all([...attack, page.then(() => ended.push('neighbour'))]);
    expect(ended).toEqual(['neighbour', 'hostile', 'hostile']);
    await shared.close();
  });

  it('a file of which two pages were too much is tried no further', async () => {
    const strict = createPagePreparer({ concurrency: 1, limits: { cpuMs: 30 } });
    const photo = await readFile(path.join(fixtures, 'images/problem-sheet-number-theory-p1-photo.heic'));
    const costly = await saved(photo, 'heic');
    for (const index of [0, 1])
      await expect(strict.prepare({ ...costly, index })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const refused = await strict.prepare({ ...costly, index: 2 }).catch((error: unknown) => error);
    // no process was asked
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', cause: undefined });
    await strict.close();
  });

  it('a broken picture is refused, a scratched one read with a warning', async () => {
    const jpeg = await sharp(path.join(fixtures, 'images/algorithms-and-kinetics-p1-crop-alpha.png'))
      .flatten({ background: 'white' })
      .jpeg()
      .toBuffer();
    const scratched = Buffer.from(jpeg);
    scratched.set([0xff, 0xd3], Math.floor(jpeg.length * 0.7)); // a restart mark where none belongs
    const page = await preparer.prepare(await saved(scratched, 'jpg'));
    expect(page.warnings.map(({ code }) => code)).toContain('PICTURE_DAMAGED');
    await expect(preparer.prepare(await saved(makePng(300, 300, { rows: 20 }), 'png'))).rejects.toMatchObject(
      { code: 'INVALID_INPUT' },
    );
  });
});
