import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conversionPrefix, pagePrefix, resultPrefix, uploadsPrefix } from '../files.ts';
import { readEvents } from '../follow/events.ts';
import { conversions, conversionUploads, type StoredResult } from '../schema.ts';
import { createRig, failedOutcome, type Rig, readOutcome } from '../testing/rig.ts';
import { completeAssembly, completePage } from './outcomes.ts';
import { claimAssembly, claimPage } from './queue.ts';
import { cancelConversion, dismissConversion, getConversion, listPages, retryPage } from './store.ts';
import { previewGraceMs, removeDueFiles, removeOrphans, sweep, uploadAbandonedMs } from './sweep.ts';

// uploads, renders and crops are deleted from every kind of storage
describe.each(['folder', 's3'] as const)('with the storage %s', (kind) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await createRig(kind);
  });
  afterAll(() => rig.close());
  beforeEach(async () => {
    await rig.db.delete(conversions);
    await rig.storage.deletePrefix('conversions/');
  });

  const bytes = new TextEncoder().encode('bytes');

  async function keysOf(id: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of rig.storage.list(conversionPrefix(id)))
      keys.push(key.slice(conversionPrefix(id).length).replace(/[0-9a-f-]{36}/, 'TOKEN'));
    return keys;
  }

  /** Reads every page, each with a preview, and delivers; the pages in `failing` fail. */
  async function run(id: string, failing: number[] = []): Promise<void> {
    for (;;) {
      const job = await claimPage(rig.db);
      if (!job) break;
      const previewKey = `${pagePrefix(id, job.number, job.token)}preview.jpg`;
      await rig.storage.put(previewKey, bytes);
      const outcome = failing.includes(job.number) ? failedOutcome() : readOutcome(job);
      await completePage(rig.db, job, { ...outcome, previewKey } as typeof outcome);
    }
    const job = await claimAssembly(rig.db);
    if (!job) return;
    const result: StoredResult = {
      latex: 'A line of notes.',
      warnings: [],
      figures: [],
      folder: resultPrefix(id, job.token),
      pages: job.pages.filter((page) => page.state === 'read').map((page) => page.number),
    };
    await rig.storage.put(`${result.folder}document.pdf`, bytes);
    await completeAssembly(rig.db, job, { kind: 'proven', result, unsettable: [] });
  }

  /** Moves a conversion into the past, by the database's clock. */
  async function age(id: string, milliseconds: number): Promise<void> {
    const earlier = sql`make_interval(secs => ${milliseconds / 1000}::double precision)`;
    await rig.db
      .update(conversions)
      .set({
        lastAttemptAt: sql`last_attempt_at - ${earlier}`,
        endedAt: sql`ended_at - ${earlier}`,
        allFilesGoneAt: sql`all_files_gone_at - ${earlier}`,
      })
      .where(eq(conversions.id, id));
  }

  const minute = 60_000;

  test('once every page is delivered the upload is deleted at once, pictures and crops a minute later; the result stays', async () => {
    const id = await rig.create('ada', 1);
    await run(id);
    await removeDueFiles(rig, id);
    expect(await keysOf(id)).toEqual(['pages/1/TOKEN/preview.jpg', 'results/TOKEN/document.pdf']);
    await age(id, previewGraceMs + 1);
    await sweep(rig);
    expect(await keysOf(id)).toEqual(['results/TOKEN/document.pdf']);
  });

  test('while a page may be retried everything stays, for 60 minutes after the last attempt', async () => {
    const id = await rig.create('ada', 2);
    await run(id, [2]);
    await age(id, 59 * minute);
    await sweep(rig);
    expect(await keysOf(id)).toContain('uploads/0000');
    await retryPage(rig.db, id, ['ada'], 2);
    await run(id, [2]);
    await age(id, 59 * minute);
    await sweep(rig);
    expect(await keysOf(id)).toContain('uploads/0000');
    await age(id, 2 * minute);
    await sweep(rig);
    expect(await keysOf(id)).toEqual([]);
    await expect(retryPage(rig.db, id, ['ada'], 2)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('after 60 minutes nothing of the notes is left in files or tables, and followers get “expired”', async () => {
    const id = await rig.create('ada', 1);
    await run(id);
    await age(id, 61 * minute);
    await sweep(rig);
    expect(await keysOf(id)).toEqual([]);
    expect(await getConversion(rig.db, id, ['ada'])).toMatchObject({ state: 'expired', result: null });
    expect((await listPages(rig.db, id))[0]?.transcription).toBeNull();
    const { events } = await readEvents(rig.db, rig.storage, id, 0);
    expect(events.at(-1)?.event).toEqual({ type: 'expired' });
    await age(id, 24 * 60 * minute + 1);
    await sweep(rig);
    await expect(getConversion(rig.db, id, ['ada'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a conversion that waits longer than its lifetime without an attempt expires', async () => {
    const id = await rig.create('ada', 1);
    await age(id, 61 * minute);
    await sweep(rig);
    expect(await getConversion(rig.db, id, ['ada'])).toMatchObject({ state: 'expired' });
    expect(await claimPage(rig.db)).toBeNull();
  });

  test('a cancelled conversion’s files are deleted, even those written after cancelling', async () => {
    const id = await rig.create('ada', 1);
    const job = await claimPage(rig.db);
    await cancelConversion(rig.db, id, ['ada']);
    await removeDueFiles(rig, id);
    expect(await keysOf(id)).toEqual([]);
    await rig.storage.put(`${pagePrefix(id, 1, job!.token)}preview.jpg`, bytes);
    expect(await completePage(rig.db, job!, readOutcome(job!))).toBe('discarded');
    await sweep(rig);
    expect(await keysOf(id)).toEqual([]);
  });

  test('a dismissed conversion disappears for its owner at once, then completely', async () => {
    const id = await rig.create('ada', 1);
    await run(id);
    await dismissConversion(rig.db, id, ['ada']);
    await expect(getConversion(rig.db, id, ['ada'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await readEvents(rig.db, rig.storage, id, 0)).toMatchObject({ events: [], state: null });
    await sweep(rig);
    expect(await keysOf(id)).toEqual([]);
    expect(await rig.db.select().from(conversions)).toEqual([]);
  });

  test('an upload whose process died is removed, one in progress is not', async () => {
    const [dead, alive] = [randomUUID(), randomUUID()];
    for (const id of [dead, alive]) {
      await rig.db.insert(conversionUploads).values({ id, callerId: 'ada' });
      await rig.storage.put(`${uploadsPrefix(id)}0000`, bytes);
    }
    await rig.db
      .update(conversionUploads)
      .set({ renewedAt: new Date(Date.now() - uploadAbandonedMs - minute) })
      .where(eq(conversionUploads.id, dead));
    await sweep(rig);
    expect(await keysOf(dead)).toEqual([]);
    expect(await keysOf(alive)).toEqual(['uploads/0000']);
    await removeOrphans(rig);
    expect(await keysOf(alive)).toEqual(['uploads/0000']);
  });

  test('files without a conversion are found and removed, those of a live one are not', async () => {
    const [stray, live] = [randomUUID(), await rig.create('ada', 1)];
    await rig.storage.put(`${conversionPrefix(stray)}pages/1/x/preview.jpg`, bytes);
    expect(await removeOrphans(rig)).toBe(1);
    expect(await keysOf(stray)).toEqual([]);
    expect(await keysOf(live)).toEqual(['uploads/0000']);
  });
});
