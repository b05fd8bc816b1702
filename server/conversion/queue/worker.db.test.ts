// How many pages a worker takes: those it can read, and then their successors.
import { afterEach, expect, test } from 'vitest';
import { writeNumber } from '../testing/scripted-transcriber.ts';
import { type Served, serveConversions } from '../testing/serve.ts';

let served: Served;
afterEach(() => served?.close());

test('a document’s pages are made ready as far as they can be read; once those are with the reader, as many again', async () => {
  served = await serveConversions();
  const { transcriber, rig } = served;
  const ready = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const gathered: string[] = [];
  transcriber.gather = async ({ hints }) => {
    gathered.push(hints.document!);
    await ready.promise;
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
  expect(taken()).toBe(4);
  ready.resolve();
  await expect.poll(() => transcriber.begun.length).toBe(5);
  await expect.poll(taken).toBe(8);
  answered.resolve();
  await expect.poll(taken).toBe(12);
});
