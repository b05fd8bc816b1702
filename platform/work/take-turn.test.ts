import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { takeTurn } from './take-turn.ts';

const { signal } = new AbortController();
const refusal = 'Yours are too many.';

test('a full queue says when to try again: busy to everybody, too many to the caller who fills it', async () => {
  const queue = new FairQueue({
    concurrency: 1,
    maxWaitingPerOwner: 1,
    maxWaitingPerGroup: 2,
    maxWaiting: 2,
  });
  const held = Promise.withResolvers<string>();
  const turn = (owner: string) => takeTurn(queue, { owner, signal, refusal }, () => held.promise);
  const waiting = [turn('a/one'), turn('a/one')];
  await expect(turn('a/one')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    message: refusal,
    status: 429,
    retryAfterSeconds: expect.any(Number),
  });
  waiting.push(turn('b/two'));
  await expect(turn('c/three')).rejects.toMatchObject({
    code: 'BUSY',
    status: 503,
    retryAfterSeconds: expect.any(Number),
  });
  held.resolve('done');
  expect(await Promise.all(waiting)).toEqual(['done', 'done', 'done']);
});

test('a cancelled call frees its place in the queue', async () => {
  const queue = new FairQueue({
    concurrency: 1,
    maxWaitingPerOwner: 9,
    maxWaitingPerGroup: 9,
    maxWaiting: 1,
  });
  const held = Promise.withResolvers<void>();
  const running = takeTurn(queue, { owner: 'a', signal, refusal }, () => held.promise);
  const leaving = new AbortController();
  const cancelled = takeTurn(queue, { owner: 'b', signal: leaving.signal, refusal }, async () => 'never');
  leaving.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'BUSY' });
  const next = takeTurn(queue, { owner: 'c', signal, refusal }, async () => 'mine');
  held.resolve();
  await running;
  expect(await next).toBe('mine');
});
