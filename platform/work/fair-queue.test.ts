import { expect, test, vi } from 'vitest';
import { FairQueue, type Lane, type Priority } from './fair-queue.ts';

const signal = new AbortController().signal;
const wide = { maxWaitingPerOwner: 100, maxWaitingPerGroup: 100, maxWaiting: 100 };

/** Jobs that end on command, and the owners in the order in which theirs began. */
function createJobs(queue: FairQueue) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const submit = (owner: string, abort = signal, priority?: Priority) => {
    const work = () => {
      begun.push(owner);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    return queue.run(owner, abort, work, { priority });
  };
  return {
    begun,
    submit,
    async endAll() {
      while (queue.running > 0) {
        for (const end of ends.splice(0)) end();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

test('many owners in one group get no more turns than one alone, and share them', async () => {
  const queue = new FairQueue({ concurrency: 1, ...wide });
  const jobs = createJobs(queue);
  const owners = ['a/1', 'a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'b/1', 'b/1'];
  const all = owners.map((owner) => jobs.submit(owner));
  await jobs.endAll();
  await Promise.all(all);
  expect(jobs.begun).toEqual(['a/1', 'b/1', 'a/2', 'b/1', 'a/3', 'b/1', 'a/4', 'a/1']);
});

test('with several slots, a flooding group has as many running as another', async () => {
  const queue = new FairQueue({ concurrency: 4, ...wide });
  const jobs = createJobs(queue);
  const first = Array.from({ length: 4 }, (_, index) => jobs.submit(`first/${index}`));
  const flood = Array.from({ length: 20 }, (_, index) => jobs.submit(`flood/${index}`));
  const other = [jobs.submit('other/1'), jobs.submit('other/1')];
  await jobs.endAll();
  await Promise.all([...first, ...flood, ...other]);
  expect(jobs.begun.slice(4, 8).filter((owner) => owner === 'other/1')).toHaveLength(2);
});

test('jobs beyond a group’s share are refused only to that group; leaving makes room', async () => {
  const queue = new FairQueue({ concurrency: 1, ...wide, maxWaitingPerOwner: 2, maxWaitingPerGroup: 3 });
  const jobs = createJobs(queue);
  const leaving = new AbortController();
  const accepted = [jobs.submit('z/1'), jobs.submit('a/1'), jobs.submit('a/1')];
  expect(await jobs.submit('a/1')).toMatchObject({ kind: 'full', isOwnShare: true });
  const third = jobs.submit('a/2', leaving.signal);
  expect(await jobs.submit('a/3')).toMatchObject({ kind: 'full', isOwnShare: true });
  accepted.push(jobs.submit('b/1'));
  leaving.abort();
  expect(await third).toEqual({ kind: 'cancelled' });
  accepted.push(jobs.submit('a/3'));
  await jobs.endAll();
  expect((await Promise.all(accepted)).map(({ kind }) => kind)).toEqual(new Array(5).fill('ran'));
});

test('a full queue says for whom it is full, and when to try again', async () => {
  const queue = new FairQueue({ concurrency: 1, ...wide, maxWaitingPerOwner: 1, maxWaiting: 2 });
  const jobs = createJobs(queue);
  const accepted = [jobs.submit('z/1'), jobs.submit('a/1')];
  const full = { kind: 'full', retryAfterSeconds: expect.any(Number) };
  expect(await jobs.submit('a/1')).toEqual({ ...full, isOwnShare: true });
  accepted.push(jobs.submit('b/1'));
  expect(await jobs.submit('c/1')).toEqual({ ...full, isOwnShare: false });
  await jobs.endAll();
  await Promise.all(accepted);
});

test('whoever waits for another of its lane keeps its place before those that came later', async () => {
  const queue = new FairQueue({ concurrency: 2, ...wide });
  const lane: Lane = { most: 1, running: 0 };
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const submit = (name: string, lanes: Lane[]) =>
    queue.take(
      'a/1',
      signal,
      () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      { lanes },
    );
  const all = [
    submit('text 1', [lane]),
    submit('text 2', [lane]),
    submit('picture 1', []),
    submit('picture 2', []),
  ];
  expect(begun).toEqual(['text 1', 'picture 1']);
  ends.get('text 1')!();
  await expect.poll(() => begun).toEqual(['text 1', 'picture 1', 'text 2']);
  for (const name of ['picture 1', 'text 2']) ends.get(name)!();
  await expect.poll(() => begun.at(-1)).toBe('picture 2');
  ends.get('picture 2')!();
  await Promise.all(all);
});

test('background jobs let others go first, but not for ever', async () => {
  const queue = new FairQueue({ concurrency: 1, ...wide });
  const jobs = createJobs(queue);
  const all = [jobs.submit('first')];
  for (let n = 0; n < 2; n++) all.push(jobs.submit('proof', signal, 'background'));
  for (let n = 0; n < 7; n++) all.push(jobs.submit('editor'));
  await jobs.endAll();
  await Promise.all(all);
  const order = jobs.begun.map((owner) => owner[0]).join('');
  expect(order).toBe('feeepeeepe');
});

test('background jobs leave a slot free if there is more than one', async () => {
  const queue = new FairQueue({ concurrency: 3, ...wide });
  const jobs = createJobs(queue);
  const all = Array.from({ length: 5 }, () => jobs.submit('proof', signal, 'background'));
  expect(jobs.begun).toEqual(['proof', 'proof']);
  all.push(jobs.submit('editor'), jobs.submit('editor'));
  expect(jobs.begun).toEqual(['proof', 'proof', 'editor']);
  expect(queue.waiting).toBe(4);
  await jobs.endAll();
  expect((await Promise.all(all)).every(({ kind }) => kind === 'ran')).toBe(true);
  const alone = createJobs(new FairQueue({ concurrency: 1, ...wide }));
  void alone.submit('proof', signal, 'background');
  expect(alone.begun).toEqual(['proof']);
});

test('one group never fills every slot, so that another need not wait', async () => {
  const queue = new FairQueue({ concurrency: 2, maxRunningPerGroup: 1, ...wide });
  const jobs = createJobs(queue);
  const flood = ['a/1', 'a/2', 'a/1'].map((owner) => jobs.submit(owner));
  expect(jobs.begun).toEqual(['a/1']);
  const other = jobs.submit('b/1');
  expect(jobs.begun).toEqual(['a/1', 'b/1']);
  const third = jobs.submit('c/1');
  await jobs.endAll();
  await Promise.all([...flood, other, third]);
  expect(jobs.begun).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'a/1']);
});

test('a long job yields to others of its network, once for each owner', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const limits = { concurrency: 2, maxRunningPerGroup: 1, maxAside: 2, asideAfterMs: 4_000, ...wide };
    const queue = new FairQueue(limits);
    const jobs = createJobs(queue);
    const all = ['class/loop', 'class/loop', 'class/neighbour'].map((owner) => jobs.submit(owner));
    expect(jobs.begun).toEqual(['class/loop']);
    vi.advanceTimersByTime(3_999);
    expect(jobs.begun).toEqual(['class/loop']);
    vi.advanceTimersByTime(1);
    expect(jobs.begun).toEqual(['class/loop', 'class/neighbour']);
    expect(queue.running).toBe(2);
    // neither the neighbour's job nor the second endless one gives up its slot: their network already has one
    // that did
    vi.advanceTimersByTime(60_000);
    expect(jobs.begun).toEqual(['class/loop', 'class/neighbour']);
    all.push(jobs.submit('elsewhere/1'));
    expect(jobs.begun.at(-1)).toBe('elsewhere/1');
    await jobs.endAll();
    await Promise.all(all);
    expect(queue.running).toBe(0);
    expect(jobs.begun.at(-1)).toBe('class/loop');
  } finally {
    vi.useRealTimers();
  }
});

test('a pausable job yields its slot: at once to whoever has fewer running, otherwise after a time slice', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const queue = new FairQueue({ concurrency: 2, maxPaused: 2, sliceMs: 4_000, ...wide });
    const events: string[] = [];
    const ends = new Map<string, () => void>();
    const submit = (name: string, owner: string) =>
      queue.run(
        owner,
        signal,
        () => {
          events.push(`${name} begins`);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        },
        { pause: (isPaused) => events.push(`${name} ${isPaused ? 'pauses' : 'goes on'}`) },
      );
    const end = async (name: string) => {
      ends.get(name)!();
      for (let n = 0; n < 10; n++) await Promise.resolve();
    };
    const all = [submit('flood 1', 'class/flood'), submit('flood 2', 'class/flood')];
    all.push(submit('first', 'class/first'));
    expect(events.splice(0)).toEqual(['flood 1 begins', 'flood 2 begins', 'flood 1 pauses', 'first begins']);
    all.push(submit('second', 'class/second'));
    vi.advanceTimersByTime(3_999);
    expect(events).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(events.splice(0)).toEqual(['flood 2 pauses', 'second begins']);
    await end('first');
    expect(events.splice(0)).toEqual(['flood 2 goes on']);
    await end('second');
    expect(events.splice(0)).toEqual(['flood 1 goes on']);
    await end('flood 1');
    await end('flood 2');
    await Promise.all(all);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  } finally {
    vi.useRealTimers();
  }
});
