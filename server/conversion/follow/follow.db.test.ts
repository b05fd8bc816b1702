import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { completeAssembly, completePage } from '../queue/outcomes.ts';
import { claimAssembly, claimPage } from '../queue/queue.ts';
import { cancelConversion, dismissConversion } from '../queue/store.ts';
import { conversions } from '../schema.ts';
import { createRig, type Rig, readOutcome } from '../testing/rig.ts';
import type { SentEvent } from './events.ts';
import { followConversion, parseLastEventId, streamConversion } from './follow.ts';
import { notify } from './notifications.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.db.delete(conversions);
});

const never = new AbortController().signal;

const optionsFor = (conversionId: string, afterId = 0, signal = never) => ({
  db: rig.db,
  storage: rig.storage,
  notifications: rig.notifications,
  conversionId,
  afterId,
  signal,
});

async function collect(events: AsyncGenerator<SentEvent | 'heartbeat'>): Promise<SentEvent[]> {
  const collected: SentEvent[] = [];
  for await (const item of events) if (item !== 'heartbeat') collected.push(item);
  return collected;
}

async function readPage(): Promise<void> {
  const job = await claimPage(rig.db);
  await completePage(rig.db, job!, readOutcome(job!));
}

async function deliver(): Promise<void> {
  const job = await claimAssembly(rig.db);
  const folder = `conversions/${job!.conversionId}/results/x/`;
  await rig.storage.put(`${folder}document.pdf`, new TextEncoder().encode('%PDF'));
  const result = { latex: 'x', warnings: [], figures: [], folder, pages: [1] };
  await completeAssembly(rig.db, job!, { kind: 'proven', result, unsettable: [] });
}

const typesOf = (events: SentEvent[]) => events.map(({ event }) => event.type);

test('a follower gets all events in order, and the stream ends with the delivery', async () => {
  const id = await rig.create('ada', 1);
  const following = collect(followConversion(optionsFor(id)));
  await readPage();
  await deliver();
  const events = await following;
  expect(events[0]?.event).toEqual({ type: 'accepted', conversion_id: id, page_count: 1 });
  expect(typesOf(events).slice(-2)).toEqual(['stage', 'delivered']);
  expect(events.at(-1)?.event).toMatchObject({
    result: { conversion_id: id, latex: 'x', pdf_base64: Buffer.from('%PDF').toString('base64') },
  });
  const ids = events.map((event) => event.id);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

test('reconnecting with Last-Event-ID gets the rest, without duplicates', async () => {
  const id = await rig.create('ada', 2);
  const first: SentEvent[] = [];
  const leaving = new AbortController();
  const seen = (async () => {
    for await (const item of followConversion(optionsFor(id, 0, leaving.signal))) {
      if (item === 'heartbeat') continue;
      first.push(item);
      if (item.event.type === 'page' && item.event.page.state === 'read') leaving.abort();
    }
  })();
  await readPage();
  await seen;
  const following = collect(followConversion(optionsFor(id, first.at(-1)!.id)));
  await readPage();
  await deliver();
  const rest = await following;
  expect(rest.map((event) => event.id).filter((eventId) => eventId <= first.at(-1)!.id)).toEqual([]);
  const pages = [...first, ...rest].flatMap(({ event }) =>
    event.type === 'page' && event.page.state === 'read' ? [event.page.number] : [],
  );
  expect(pages).toEqual([1, 2]);
  expect(typesOf(rest).at(-1)).toBe('delivered');
});

test('a late follower gets each page once, in its current state', async () => {
  const id = await rig.create('ada', 1);
  await readPage();
  await deliver();
  const events = await collect(followConversion(optionsFor(id)));
  const pages = events.flatMap(({ event }) => (event.type === 'page' ? [event.page] : []));
  expect(pages).toHaveLength(1);
  expect(pages[0]).toMatchObject({ number: 1, state: 'read', latex: 'Page 1.' });
});

test('cancelling ends the stream with “cancelled”, dismissing ends it', async () => {
  const cancelled = await rig.create('ada', 1);
  const following = collect(followConversion(optionsFor(cancelled)));
  await cancelConversion(rig.db, cancelled, ['ada']);
  expect(typesOf(await following).at(-1)).toBe('cancelled');
  const dismissed = await rig.create('ada', 1);
  const other = collect(followConversion(optionsFor(dismissed)));
  await dismissConversion(rig.db, dismissed, ['ada']);
  expect(typesOf(await other)).not.toContain('delivered');
});

test('a client that disconnects leaves nothing behind', async () => {
  const id = await rig.create('ada', 1);
  const before = rig.notifications.subscriberCount;
  for (let client = 0; client < 20; client++) {
    const reader = streamConversion(optionsFor(id)).getReader();
    await reader.read();
    const waiting = reader.read();
    await reader.cancel();
    await waiting;
  }
  await expect.poll(() => rig.notifications.subscriberCount).toBe(before);
});

test('a client that does not read is sent no more than its buffer', async () => {
  const id = await rig.create('ada', 3);
  for (let page = 0; page < 3; page++) await readPage();
  await deliver();
  let reads = 0;
  const db = new Proxy(rig.db, {
    get: (target, key) => {
      if (key === 'select') reads++;
      return Reflect.get(target, key);
    },
  });
  const stream = streamConversion({ ...optionsFor(id), db });
  await sleep(20);
  expect(reads).toBe(0);
  const reader = stream.getReader();
  await reader.read();
  expect(reads).toBe(1);
  await reader.cancel();
});

test('the stream is text/event-stream as browsers read it', async () => {
  const id = await rig.create('ada', 1);
  const reader = streamConversion(optionsFor(id)).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  expect(new TextDecoder().decode(value)).toBe(
    `id: 1\nevent: accepted\ndata: {"type":"accepted","conversion_id":"${id}","page_count":1}\n\n`,
  );
});

test('the listening connection is reopened, and listeners learn that they may have missed something', async () => {
  const received: (string | null)[] = [];
  // earlier tests' notifications may still arrive
  const conversionId = randomUUID();
  const unsubscribe = rig.notifications.subscribe((nudge) => {
    if (nudge === null) received.push(null);
    else if (nudge.kind === 'stop' && nudge.conversionId === conversionId) received.push(nudge.kind);
  });
  const admin = new pg.Client({ connectionString: rig.database.url });
  admin.on('error', () => {});
  await admin.connect();
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen inkproof%' and datname = current_database()",
  );
  await admin.end();
  await expect.poll(() => received, { timeout: 20_000 }).toEqual([null]);
  await notify(rig.db, { kind: 'stop', conversionId });
  await expect.poll(() => received, { timeout: 20_000 }).toEqual([null, 'stop']);
  unsubscribe();
});

test('an unknown Last-Event-ID starts from the beginning', () => {
  expect(parseLastEventId('7')).toBe(7);
  for (const header of [undefined, '', '-1', 'x', '1e9', '99999999999'])
    expect(parseLastEventId(header)).toBe(0);
});
