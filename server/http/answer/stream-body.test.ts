import { expect, test, vi } from 'vitest';
import { toBody } from './stream-body.ts';

function watched(count = 1_000) {
  const seen = { made: 0, isClosed: false, ended: 0 };
  async function* make() {
    try {
      for (; seen.made < count; seen.made++) yield new Uint8Array([seen.made]);
    } finally {
      seen.isClosed = true;
    }
  }
  const body = (idleMs?: number) => toBody(make(), () => seen.ended++, idleMs);
  return { seen, body };
}

test('produces what is read, and ends once', async () => {
  const { seen, body } = watched(3);
  expect(new Uint8Array(await new Response(body()).arrayBuffer())).toEqual(new Uint8Array([0, 1, 2]));
  expect(seen).toEqual({ made: 3, isClosed: true, ended: 1 });
});

test('stops when the client disconnects', async () => {
  const { seen, body } = watched();
  const reader = body().getReader();
  await reader.read();
  await reader.cancel();
  expect(seen).toMatchObject({ isClosed: true, ended: 1 });
  expect(seen.made).toBeLessThan(3);
});

test('disconnects a client that does not read', async () => {
  const { seen, body } = watched();
  const reader = body(20).getReader();
  await reader.read();
  await vi.waitFor(() => expect(seen).toMatchObject({ isClosed: true, ended: 1 }), {
    timeout: 20_000,
  });
  await expect(reader.read()).rejects.toThrow('takes nothing');
});

test('passes an error on to the reader', async () => {
  let ended = 0;
  async function* fail(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array([1]);
    throw new Error('storage gone');
  }
  const body = toBody(fail(), () => ended++);
  await expect(new Response(body).arrayBuffer()).rejects.toThrow('storage gone');
  expect(ended).toBe(1);
});
