/** Limits and turns of the processes that work on strangers' files. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { limitMemory } from './memory.ts';
import { createProcesses, type ProcessPool } from './process-pool.ts';
import { unboundedWaiting } from './queue-limits.ts';
import type { Order } from './testing/obey.ts';
import type { WorkLimits } from './work-limit.ts';

const program = fileURLToPath(new URL('./testing/obey.ts', import.meta.url));

const pools: ProcessPool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  limitMemory(undefined);
});

function openPool(places: number, limits: WorkLimits) {
  const queue = new FairQueue({
    concurrency: places,
    maxPaused: places,
    sliceMs: 60_000,
    ...unboundedWaiting,
  });
  const processes = createProcesses(program, { queue, memoryLimitBytes: 1e9 });
  const pool = processes.openPool({ size: places, limits });
  pools.push(pool);
  return (owner: string, order: Order, signal?: AbortSignal) =>
    pool.run(order, { owner, ...(signal ? { signal } : {}) });
}

test('a task that uses up its CPU time fails; the next one is served', async () => {
  const run = openPool(1, { cpuMs: 300 });
  await expect(run('a/1', { kind: 'burn', cpuMs: 60_000 })).rejects.toMatchObject({ reason: 'spent' });
  expect(await run('a/1', { kind: 'burn', cpuMs: 1 })).toEqual(expect.any(Number));
});

test('a task that got no CPU time was starved: BUSY with Retry-After, and nobody’s fault', async () => {
  const run = openPool(1, { cpuMs: 30_000, elapsedMs: 50 });
  await expect(run('a/1', { kind: 'wait' })).rejects.toMatchObject({
    code: 'BUSY',
    source: 'server',
    retryAfterSeconds: expect.any(Number),
  });
});

test('a flooding owner is paused for another, and resumes where it was', async () => {
  const run = openPool(2, { cpuMs: 60_000 });
  const ended: string[] = [];
  const submit = (name: string, owner: string, cpuMs: number) =>
    run(owner, { kind: 'burn', cpuMs }).then((pid) => {
      ended.push(name);
      return pid;
    });
  const flood = [1, 2, 3].map((n) => submit(`flood ${n}`, 'class/flood', 1_000));
  const other = submit('neighbour', 'class/neighbour', 1);
  await Promise.all([...flood, other]);
  expect(ended[0]).toBe('neighbour');
  expect(ended).toHaveLength(4);
});

test('a process that was paused just after it had answered continues with its next task', async () => {
  const run = openPool(2, { cpuMs: 10_000 });
  const pid = await run('class/flood', { kind: 'burn', cpuMs: 1 });
  const flood = [1, 1_000].map((cpuMs) => run('class/flood', { kind: 'burn', cpuMs }));
  // answered by now, but this process has not read it
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  const other = run('class/neighbour', { kind: 'burn', cpuMs: 1 });
  await Promise.all([...flood, other]);
  expect(await run('class/flood', { kind: 'burn', cpuMs: 1 })).toBe(pid);
});

test('a paused task ends when nobody waits for it any more', async () => {
  const run = openPool(1, { cpuMs: 60_000 });
  const stop = new AbortController();
  const first = run('a/1', { kind: 'burn', cpuMs: 60_000 }, stop.signal);
  const second = run('a/1', { kind: 'burn', cpuMs: 1 });
  stop.abort(new Error('left'));
  await expect(first).rejects.toThrow('left');
  expect(await second).toEqual(expect.any(Number));
});

test.each([
  ['its garbage', 'litter'],
  ['what it kept for its next task', 'keep'],
] as const)('a process without work gives the memory of %s back', async (_, kind) => {
  const run = openPool(1, { cpuMs: 60_000 });
  const pid = await run('a/1', { kind, megabytes: 150 });
  const residentMegabytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
  expect(residentMegabytes()).toBeGreaterThan(150);
  await expect.poll(residentMegabytes, { timeout: 20_000 }).toBeLessThan(120);
});

test('with memory for one process, an idle one ends to make room for another program', async () => {
  limitMemory(512 * 2 ** 20);
  const [first, second] = [openPool(1, { cpuMs: 30_000 }), openPool(1, { cpuMs: 30_000 })];
  const resting = (await first('a/1', { kind: 'burn', cpuMs: 1 })) as number;
  const working = (await second('a/1', { kind: 'burn', cpuMs: 1 })) as number;
  expect(() => process.kill(working, 0)).not.toThrow();
  await expect.poll(() => isAlive(resting), { timeout: 30_000 }).toBe(false);
  // whose turn it is next gets a fresh one
  expect(await first('a/1', { kind: 'burn', cpuMs: 1 })).not.toBe(resting);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
