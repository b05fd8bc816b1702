// Accounts are cheap to create: limits per network hold against many of them.
import path from 'node:path';
import { eq, isNotNull } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { hashNetwork } from '../../http/request/client-network.ts';
import { conversionPages, conversions } from '../schema.ts';
import { writeNumber } from '../testing/scripted-transcriber.ts';
import { type Served, serveConversions } from '../testing/serve.ts';
import { openUpload, twoPages } from '../testing/uploads.ts';
import { maxRunningPerNetwork, maxWaitingPagesPerNetwork } from './admission.ts';

const photo = 'images/grammaire-subjonctif-p1-crop.webp';
const flooder = '203.0.113.9';
const neighbour = '198.51.100.2';

let served: Served;
afterEach(() => served?.close());

/** Sends as a new account; `address` is the one that a proxy in front reports. */
async function send(address: string, file: string, headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  form.append('file', await openUpload(file), path.basename(file));
  return served.user().fetch('/api/v1/process', {
    method: 'POST',
    body: form,
    headers: { 'X-Forwarded-For': address, ...headers },
  });
}

const networkKey = (address: string) => hashNetwork(address, 'k'.repeat(32));
const eventually = <T>(look: () => T) => expect.poll(look);

async function expectRefusal(answer: Response): Promise<void> {
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', source: 'user' });
}

test('a flood from one address does not delay another account', async () => {
  served = await serveConversions({ trustedProxies: 1 });
  const releases: (() => void)[] = [];
  served.transcriber.script = async (input) => {
    await new Promise<void>((resolve, reject) => {
      releases.push(resolve);
      input.signal.addEventListener('abort', () => reject(input.signal.reason));
    });
    return writeNumber(input);
  };
  const flood = Array.from({ length: 6 }, () => send(flooder, twoPages));
  const rows = () => served.rig.db.select().from(conversions);
  await eventually(async () => (await rows()).length).toBe(6);
  // six callers: they also take the slots that one account leaves to others
  await eventually(() => releases.length).toBe(5);
  expect(new Set((await rows()).map((row) => row.callerId)).size).toBe(6);
  const single = send(neighbour, photo);
  await eventually(async () => (await rows()).length).toBe(7);
  // five pages are made ready beyond the five with the reader; the next one taken is the neighbour's
  const takenFor = async () => {
    const pages = await served.rig.db
      .select({ network: conversions.network })
      .from(conversionPages)
      .innerJoin(conversions, eq(conversions.id, conversionPages.conversionId))
      .where(isNotNull(conversionPages.leasedAt));
    return pages
      .map(({ network }) => (network === networkKey(neighbour) ? 'neighbour' : 'flooder'))
      .toSorted();
  };
  const flooded = new Array<string>(10).fill('flooder');
  await eventually(takenFor).toEqual(flooded);
  releases.shift()!();
  await eventually(takenFor).toEqual([...flooded, 'neighbour']);
  // releases every page, so that all conversions end
  const release = setInterval(() => {
    for (const release of releases.splice(0)) release();
  }, 20);
  const answers = await Promise.all([...flood, single]);
  clearInterval(release);
  expect(answers.map(({ status }) => status)).toEqual(new Array(7).fill(200));
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
});

test('running conversions per address are limited, whichever accounts call from it; others are accepted', async () => {
  served = await serveConversions({ trustedProxies: 1, hasWorker: false });
  for (let count = 0; count < maxRunningPerNetwork; count++)
    await served.rig.create(`account ${count}`, 1, networkKey(flooder));
  await expectRefusal(await send(flooder, photo));
  const follow = await send(neighbour, photo, { Accept: 'text/event-stream' });
  expect(follow.status).toBe(200);
  await follow.body?.cancel();
  const text = JSON.stringify(await served.rig.db.select().from(conversions));
  expect(text).toContain(networkKey(neighbour));
  expect(text).not.toMatch(/203\.0\.113\.9|198\.51\.100\.2|127\.0\.0\.1/);
});

test('waiting pages per address are limited, and the next upload is rejected without a trace', async () => {
  served = await serveConversions({ trustedProxies: 1, hasWorker: false });
  for (let waiting = 0; waiting <= maxWaitingPagesPerNetwork; waiting += 200)
    await served.rig.create(`account ${waiting}`, 200, networkKey(flooder));
  await expectRefusal(await send(flooder, photo));
  expect((await served.rig.db.select().from(conversions)).length).toBe(maxWaitingPagesPerNetwork / 200 + 1);
});

test('a header not written by a trusted proxy changes nothing', async () => {
  served = await serveConversions({ trustedProxies: 0, hasWorker: false });
  for (let count = 0; count < maxRunningPerNetwork; count++)
    await served.rig.create(`account ${count}`, 1, networkKey('127.0.0.1'));
  await expectRefusal(await send(neighbour, photo));
});
