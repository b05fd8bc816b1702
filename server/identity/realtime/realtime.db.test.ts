/**
 * Sockets of /realtime/v1: the protocol's two versions, who may open one, limits, several servers on one database, lost
 * connections. Which account receives what is tested on the whole product (proof/isolation).
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import type { OpenedDatabase } from '#server/database/database.ts';
import { createTestDatabase } from '../../../test-support/database.ts';
import { attachRealtime, type Realtime } from './realtime.ts';

const key = 'sb_publishable_of_this_test';
interface Held {
  server: Server;
  realtime: Realtime;
  url: string;
}

let database: OpenedDatabase;
const held: Held[] = [];

async function hold(limitFactor = 1): Promise<Held> {
  const server = createServer((_, answer) => answer.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const realtime = attachRealtime(server, {
    env: {
      PUBLIC_URL: url,
      API_URL: url,
      REDIRECT_URLS: [],
      TRUSTED_PROXIES: 0,
      AUTH_LIMIT_FACTOR: limitFactor,
    },
    pool: database.pool,
    logger: pino({ level: 'silent' }),
    anonKeys: [key],
    // every token is one that has ended
    verifyToken: async () => ({ ok: false, reason: 'expired' }),
  });
  held.push({ server, realtime, url });
  return held.at(-1)!;
}
let first: Held;
let second: Held;
beforeAll(async () => {
  database = await createTestDatabase();
  [first, second] = [await hold(), await hold()];
});
afterAll(async () => {
  for (const { server, realtime } of held) {
    await realtime.close();
    await new Promise((resolve) => server.close(resolve));
  }
  await database.close();
});

/** @returns the new total */
async function addPages(pages: number): Promise<number> {
  const { rows } = await database.pool.query<{ total: number }>(
    'UPDATE page_conversion_totals SET net_pages = net_pages + $1 RETURNING net_pages::int AS total',
    [pages],
  );
  return rows[0]?.total ?? 0;
}

/** Allows for a busy machine; after 20 s nothing is expected to come. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000 });

function open(url: string, options: { query?: string; origin?: string } = {}) {
  const query = options.query ?? `?apikey=${key}&vsn=2.0.0`;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket${query}`, {
    ...(options.origin && { origin: options.origin }),
  });
  const messages: unknown[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const opened = new Promise<string>((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('error', (error) => resolve(error.message));
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  return {
    socket,
    messages,
    opened,
    closed,
    send: (message: unknown) => socket.send(JSON.stringify(message)),
  };
}
const changes = [{ event: '*', schema: 'public', table: 'page_conversion_totals' }];

/** Joins as the client library does; resolves with the totals it receives from then on. */
async function follow(url: string) {
  const client = createClient(url, key);
  const totals: number[] = [];
  await new Promise<void>((resolve, reject) => {
    client
      .channel('totals')
      .on('postgres_changes', changes[0] as { event: '*'; schema: string; table: string }, ({ new: row }) =>
        totals.push((row as { net_pages: number }).net_pages),
      )
      .subscribe((status, error) => {
        if (status === 'SUBSCRIBED') resolve();
        else if (status !== 'CLOSED') reject(error ?? new Error(status));
      });
  });
  return { totals, end: () => client.realtime.disconnect() };
}

test('a change reaches the listeners of every server process, with the row’s contents', async () => {
  const listeners = [await follow(first.url), await follow(second.url)];
  const total = await addPages(3);
  for (const { totals } of listeners) await eventually(() => expect(totals.at(-1)).toBe(total));
  for (const { end } of listeners) await end();
  await eventually(() => expect([first, second].map(({ realtime }) => realtime.socketCount)).toEqual([0, 0]));
});

test('a lost listening connection is reopened, and missed changes are sent', async () => {
  const { totals, end } = await follow(first.url);
  await database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query = 'listen inkproof_rows'",
  );
  const total = await addPages(4);
  await eventually(() => expect(totals.at(-1)).toBe(total));
  await addPages(1);
  await eventually(() => expect(totals.at(-1)).toBe(total + 1));
  await end();
});

test.each([
  [
    '1.0.0',
    (event: string, payload: unknown, topic = 'realtime:x') => ({
      topic,
      event,
      payload,
      ref: '7',
      join_ref: '1',
    }),
  ],
  ['2.0.0', (event: string, payload: unknown, topic = 'realtime:x') => ['1', '7', topic, event, payload]],
])('version %s: heartbeat, join, leave, in its own format', async (version, form) => {
  const { opened, messages, send, socket } = open(first.url, { query: `?apikey=${key}&vsn=${version}` });
  await opened;
  send(form('heartbeat', {}, 'phoenix'));
  send(form('phx_join', { config: { postgres_changes: changes } }));
  send(form('phx_leave', {}));
  await eventually(() => expect(messages).toHaveLength(5));
  const read = messages.map((message) => {
    if (version === '1.0.0') return message;
    const [join_ref, ref, topic, event, payload] = message as unknown[];
    return { join_ref, ref, topic, event, payload };
  });
  expect(read).toMatchObject([
    { ref: '7', topic: 'phoenix', event: 'phx_reply', payload: { status: 'ok', response: {} } },
    {
      ref: '7',
      join_ref: '1',
      event: 'phx_reply',
      payload: { status: 'ok', response: { postgres_changes: [{ ...changes[0], id: 1 }] } },
    },
    { event: 'system', payload: { status: 'ok', extension: 'postgres_changes', channel: 'x' } },
    { ref: '7', event: 'phx_reply', payload: { status: 'ok' } },
    { join_ref: '1', event: 'phx_close' },
  ]);
  socket.close();
});

test('no socket for a page on another site, without the key, at another path, or in another version', async () => {
  const refusal = async (options: Parameters<typeof open>[1], path = '') =>
    open(`${first.url}${path}`, options).opened;
  expect(await refusal({ origin: 'https://evil.example' })).toContain('403');
  expect(await refusal({ origin: 'null' })).toContain('403');
  expect(await refusal({ query: '' })).toContain('401');
  expect(await refusal({ query: '?apikey=guess' })).toContain('401');
  expect(await refusal({ query: `?apikey=${key}&vsn=9` })).toContain('400');
  expect(await refusal({}, '/elsewhere')).toContain('404');
  const own = open(first.url, { origin: first.url });
  expect(await own.opened).toBe('open');
  own.socket.close();
});

test('a join with an expired token, without a table, or to a table that is not pushed', async () => {
  const { opened, messages, send, socket } = open(first.url);
  await opened;
  send([
    '1',
    '1',
    'realtime:a',
    'phx_join',
    { access_token: 'e.n.d', config: { postgres_changes: changes } },
  ]);
  send(['2', '2', 'nothing', 'phx_join', {}]);
  send([
    '3',
    '3',
    'realtime:b',
    'phx_join',
    { config: { postgres_changes: [{ event: '*', schema: 'auth', table: 'users' }] } },
  ]);
  await eventually(() => expect(messages).toHaveLength(4));
  expect(messages).toMatchObject([
    ['1', '1', 'realtime:a', 'phx_reply', { status: 'error' }],
    ['2', '2', 'nothing', 'phx_reply', { status: 'error' }],
    ['3', '3', 'realtime:b', 'phx_reply', { status: 'ok' }],
    ['3', null, 'realtime:b', 'system', { status: 'error' }],
  ]);
  socket.close();
});

test('a token that is no longer valid closes the channel it was renewed with', async () => {
  const { opened, messages, send, socket } = open(first.url);
  await opened;
  send(['1', '1', 'realtime:a', 'phx_join', { config: { postgres_changes: changes } }]);
  send(['1', '2', 'realtime:a', 'access_token', { access_token: 'e.n.d' }]);
  await eventually(() => expect(messages.at(-1)).toEqual(['1', null, 'realtime:a', 'phx_close', {}]));
  const before = messages.length;
  await addPages(1);
  const { totals, end } = await follow(first.url);
  const last = await addPages(1);
  // the first change may be announced only after the second channel has joined
  await eventually(() => expect(totals.at(-1)).toBe(last));
  expect(messages).toHaveLength(before);
  await end();
  socket.close();
});

test('an invalid or oversized message, or one too many, closes the socket', async () => {
  const endsWith = async (say: (one: ReturnType<typeof open>) => void) => {
    const one = open(first.url);
    await one.opened;
    say(one);
    return one.closed;
  };
  expect(await endsWith(({ socket }) => socket.send('not json'))).toBe(1003);
  expect(await endsWith(({ send }) => send(['1', '1', 5, 'phx_join', {}]))).toBe(1003);
  expect(await endsWith(({ socket }) => socket.send('x'.repeat(70_000)))).toBe(1009);
  expect(
    await endsWith(({ send }) => {
      for (let n = 0; n < 110; n++) send([null, `${n}`, 'phoenix', 'heartbeat', {}]);
    }),
  ).toBe(1008);
});

test('channels per socket and sockets per address are limited', async () => {
  const { opened, messages, send, socket } = open(first.url);
  await opened;
  for (let n = 0; n < 21; n++) send([`${n}`, `${n}`, `realtime:${n}`, 'phx_join', {}]);
  await eventually(() => expect(messages).toHaveLength(21));
  expect(messages.at(-2)).toMatchObject({ 4: { status: 'ok' } });
  expect(messages.at(-1)).toMatchObject({
    4: { status: 'error', response: { reason: 'Too many channels' } },
  });
  socket.close();

  const narrow = await hold(0.1);
  const sockets = Array.from({ length: 5 }, () => open(narrow.url));
  await Promise.all(sockets.map((one) => one.opened));
  expect(await open(narrow.url).opened).toContain('429');
  sockets[0]!.socket.close();
  await sockets[0]!.closed;
  await eventually(async () => {
    const again = open(narrow.url);
    expect(await again.opened).toBe('open');
  });
});

test('a stopping server closes its sockets and accepts no more', async () => {
  const ending = await hold();
  const one = open(ending.url);
  await one.opened;
  ending.realtime.endStreams();
  expect(await one.closed).toBe(1001);
  expect(await open(ending.url).opened).not.toBe('open');
});
