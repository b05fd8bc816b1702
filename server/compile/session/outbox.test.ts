import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { SessionAnswer } from '#shared/api/compile-session.ts';
import { createOutbox } from './outbox.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Two ends of a real connection, and the outbox of one. */
async function connect() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  ends.push(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const accepted = new Promise<WebSocket>((resolve) => server.once('connection', resolve));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  ends.push(() => client.terminate());
  const heads: SessionAnswer[] = [];
  const sizes: number[] = [];
  client.on('message', (data, isBinary) => {
    if (isBinary) sizes.push((data as Buffer).length);
    else heads.push(JSON.parse(String(data)));
  });
  await new Promise((resolve) => client.once('open', resolve));
  const socket = await accepted;
  let dropped = 0;
  const outbox = createOutbox(socket, () => dropped++);
  return { client, socket, outbox, heads, sizes, getDropped: () => dropped };
}

const result = (version: number): SessionAnswer => ({
  type: 'result',
  version,
  ok: true,
  page_count: 1,
  messages: [],
  has_pdf: true,
  final: true,
});
const megabyte = 1_000_000;

test('for a client that does not read, only one PDF is queued: the newest', async () => {
  const { client, socket, outbox, heads, sizes, getDropped } = await connect();
  client.pause();
  let most = 0;
  for (let version = 1; version <= 60; version++) {
    outbox.sendPdf(result(version), new Uint8Array(megabyte + version), { isInterim: version % 3 === 0 });
    most = Math.max(most, socket.bufferedAmount);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // what the kernel has accepted is not counted; of ours, one PDF at most
  expect(most).toBeLessThan(2 * megabyte);
  expect(getDropped()).toBeGreaterThan(40);
  client.resume();
  // 60 is an early one that nobody waits for
  const hasNewest = () => sizes.at(-1) === megabyte + 59;
  for (let tries = 0; tries < 500 && !hasNewest(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(sizes.at(-1)).toBe(megabyte + 59);
  // each PDF follows the line that announces it
  expect(sizes).toEqual(heads.map((head) => megabyte + ('version' in head ? head.version : 0)));
});

test('short messages overtake a queued PDF', async () => {
  const { client, outbox, heads, sizes } = await connect();
  client.pause();
  for (let version = 1; version <= 12; version++)
    outbox.sendPdf(result(version), new Uint8Array(megabyte), { isInterim: false });
  outbox.send({ type: 'compiling', version: 13 });
  client.resume();
  const isThere = () =>
    heads.some((head) => head.type === 'result' && head.version === 12) && sizes.length > 1;
  for (let tries = 0; tries < 500 && !isThere(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const order = heads.map((head) => ('version' in head ? head.version : 0));
  expect(order.at(-1)).toBe(12);
  expect(order.indexOf(13)).toBe(order.length - 2);
});
