import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function createWork() {
  const gates: (() => void)[] = [];
  let running = 0;
  let peak = 0;
  return {
    run: async () => {
      peak = Math.max(peak, ++running);
      await new Promise<void>((resolve) => gates.push(resolve));
      running--;
    },
    endOne: async () => {
      gates.shift()?.();
      await new Promise(setImmediate);
    },
    get running() {
      return running;
    },
    get peak() {
      return peak;
    },
  };
}

test('never more at once than there are places, and each gets its turn', async () => {
  const slots = createSlots(2);
  const work = createWork();
  const all = Promise.all(Array.from({ length: 5 }, () => slots.run(never, work.run)));
  await new Promise(setImmediate);
  for (let ended = 0; ended < 5; ended++) {
    expect(work.running).toBe(Math.min(2, 5 - ended));
    await work.endOne();
  }
  await all;
  expect(work.peak).toBe(2);
});

test('who is aborted while waiting leaves the line, and no place is lost', async () => {
  const slots = createSlots(1);
  const work = createWork();
  const first = slots.run(never, work.run);
  const leaving = new AbortController();
  const second = slots.run(leaving.signal, work.run);
  const third = slots.run(never, async () => 'done');
  leaving.abort(new Error('left'));
  await expect(second).rejects.toThrow('left');
  await new Promise(setImmediate);
  await work.endOne();
  await first;
  expect(await third).toBe('done');
});

test('work that fails gives its place back', async () => {
  const slots = createSlots(1);
  await expect(slots.run(never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await slots.run(never, async () => 'done')).toBe('done');
});
