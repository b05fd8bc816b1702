// How many pages a worker takes: those it can read, and then their successors.
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { writeNumber } from '../testing/scripted-transcriber.ts';
import { type Served, serveConversions } from '../testing/serve.ts';

let served: Served;
let letGo: () => void;
afterEach(() => {
  // of a test that failed, too: the worker ends its pages first
  letGo();
  return served.close();
});

test('a document’s pages are made ready as far as they can be read; once those are with the reader, as many again', async () => {
  served = await serveConversions();
  const { transcriber, rig } = served;
  const ready = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  letGo = () => {
    ready.resolve();
    answered.resolve();
  };
  const gathered: string[] = [];
  transcriber.gather = async ({ hints }) => {
    gathered.push(hints.document!);
    // none of the later pages comes to the reader before one of the first five
    await (gathered.length <= 5 ? ready : answered).promise;
  };
  transcriber.script = async (input) => {
    await answered.promise;
    return writeNumber(input);
  };
  const long = await rig.create('ada', 12);
  const taken = () => gathered.filter((document) => document === long).length;
  await expect.poll(taken).toBe(4);
  // one place is left to others; taking it does not bring the long one a fifth page
  const short = await rig.create('bob', 1);
  await expect.poll(() => gathered.includes(short)).toBe(true);
  // and with that no place is left: a worker that took more would have done so by now
  const third = await rig.create('eve', 1);
  await wait(500);
  expect(taken()).toBe(4);
  expect(gathered).not.toContain(third);
  ready.resolve();
  await expect.poll(() => transcriber.begun.length).toBe(5);
  // four more of the long one, and the page that waited
  await expect.poll(() => gathered.length).toBe(10);
  await wait(500);
  expect(taken()).toBe(8);
  expect(gathered).toContain(third);
  answered.resolve();
  await expect.poll(taken).toBe(12);
});
