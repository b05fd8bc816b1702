import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '#platform/errors.ts';
import { maxFileBytes } from '#shared/api/limits.ts';
import type { AppEnv } from '../../http/types.ts';
import { openFolderStorage } from '../../storage/folder-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { type ReceivedUpload, receiveUpload, uploadLimits } from './receive-upload.ts';

interface Receiver {
  url: string;
  port: number;
  storage: Storage;
  /** The server-side outcome of the newest upload. */
  outcome: Promise<ReceivedUpload>;
  filesLeft(): Promise<number>;
}

let folder: string;
let server: Server;
let receiver: Receiver;

type Options = Parameters<typeof receiveUpload>[4] & { limits?: typeof uploadLimits };

async function startReceiver({ limits, ...options }: Options = {}): Promise<Receiver> {
  folder = await mkdtemp(path.join(tmpdir(), 'inkproof-upload-test-'));
  const storage = openFolderStorage(folder);
  let settle: (outcome: Promise<ReceivedUpload>) => void = () => {};
  const outcome = new Promise<ReceivedUpload>((resolve) => {
    settle = resolve;
  });
  outcome.catch(() => {});
  const app = new Hono<AppEnv>();
  app.post('/upload', async (c) => {
    const received = receiveUpload(c.env.incoming, storage, 'job/', limits, options);
    settle(received);
    try {
      const { files, range, fields } = await received;
      return c.json({ files, range, fields: Object.fromEntries(fields) });
    } catch (error) {
      if (!(error instanceof ApiError)) return c.text('', 503);
      return c.json(error.toObject(), error.status as 400);
    }
  });
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', createServer }) as Server;
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/upload`,
    port,
    storage,
    outcome,
    filesLeft: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
        .length,
  };
}

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function restartWith(options: Options): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
  receiver = await startReceiver(options);
}

const post = (form: FormData) => fetch(receiver.url, { method: 'POST', body: form });
const fileOf = (bytes: Uint8Array | string, name: string) => new File([bytes as BlobPart], name);

/** A hand-written multipart request, for what `fetch` would never send. */
function rawRequest(body: Buffer, contentLength: number, boundary = 'xyz'): Buffer {
  const head = `POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${contentLength}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
const partHead = (disposition: string): string =>
  `--xyz\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;

describe('receiveUpload', () => {
  it('stores several files in the order sent and reads the page fields', async () => {
    const form = new FormData();
    const large = randomBytes(3_000_000);
    form.append('start_page', '2');
    form.append('file', fileOf(large, 'second-is-larger.pdf'));
    form.append('file', fileOf('b', 'b.png'));
    form.append('other', fileOf('not asked for', 'c.png'));
    form.append('file', fileOf('a', 'a.png'));
    form.append('end_page', '3');
    const answer = await post(form);
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as ReceivedUpload;
    expect(body.files.map(({ displayName, sizeBytes }) => [displayName, sizeBytes])).toEqual([
      ['second-is-larger.pdf', 3_000_000],
      ['b.png', 1],
      ['a.png', 1],
    ]);
    expect(body.range).toEqual({ startPage: 2, endPage: 3 });
    expect(Buffer.compare(Buffer.from(await receiver.storage.getBytes(body.files[0]!.key)), large)).toBe(0);
    expect(Buffer.from(await receiver.storage.getBytes(body.files[2]!.key)).toString()).toBe('a');
    expect(await receiver.filesLeft()).toBe(3);
  });

  it.each([
    ['filename="../../../evil.sh"', 'evil.sh'],
    ['filename="a \\"quoted\\" name.pdf"', 'a "quoted" name.pdf'],
    [`filename="${'x'.repeat(300)}.pdf"`, `${'x'.repeat(115)}….pdf`],
    ["filename*=UTF-8''%F0%9F%93%90%20%C3%BCbung.pdf", '📐 übung.pdf'],
    ['filename="📐.pdf"', '📐.pdf'],
  ])('uses %s only for display', async (disposition, shown) => {
    const body = Buffer.from(`${partHead(`name="file"; ${disposition}`)}content\r\n--xyz--\r\n`);
    const socket = connect(receiver.port, '127.0.0.1');
    socket.write(rawRequest(body, body.length));
    expect(await text(socket)).toContain('200 OK');
    const { files } = await receiver.outcome;
    expect(files).toEqual([{ key: 'job/0000', displayName: shown, sizeBytes: 7 }]);
  });

  it('rejects a form without a file, another kind of body, and malformed pages; nothing is left', async () => {
    const empty = new FormData();
    empty.append('start_page', '1');
    const textPages = new FormData();
    textPages.append('file', fileOf('x', 'x.pdf'));
    textPages.append('start_page', 'first');
    for (const [body, sentence] of [
      [empty, 'No file was sent'],
      [textPages, 'start_page must be a page number'],
    ] as const) {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        code: 'INVALID_INPUT',
        source: 'user',
        error: expect.stringContaining(sentence),
      });
    }
    const json = await fetch(receiver.url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await json.json()).toMatchObject({
      code: 'INVALID_INPUT',
      error: expect.stringContaining('multipart/form-data'),
    });
    expect(await receiver.filesLeft()).toBe(0);
  });

  it('stops at 50 MB per file with a message the sender receives', async () => {
    const form = new FormData();
    form.append('file', fileOf('small', 'first.pdf'));
    form.append('file', fileOf(new Uint8Array(maxFileBytes + 1), 'huge scan.pdf'));
    const answer = await post(form);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'INVALID_INPUT',
      error: expect.stringContaining('“huge scan.pdf” is larger than 50 MB'),
    });
    expect(await receiver.filesLeft()).toBe(0);
  });

  it('accepts exactly 50 MB', async () => {
    const form = new FormData();
    form.append('file', fileOf(new Uint8Array(maxFileBytes), 'just fits.pdf'));
    expect((await post(form)).status).toBe(200);
  });

  it('rejects too many files and too large a total', async () => {
    await restartWith({ limits: { ...uploadLimits, maxFiles: 3, maxTotalBytes: 10_000 } });
    const many = new FormData();
    for (let index = 0; index < 4; index++) many.append('file', fileOf('x', `${index}.png`));
    expect(await (await post(many)).json()).toMatchObject({
      error: expect.stringContaining('At most 3 files'),
    });
    const much = new FormData();
    much.append('file', fileOf(new Uint8Array(20_000), 'x.png'));
    expect(await (await post(much)).json()).toMatchObject({ error: expect.stringContaining('in total') });
    expect(await receiver.filesLeft()).toBe(0);
  });

  it('leaves nothing behind when the connection is cut midway', async () => {
    const half = Buffer.concat([
      Buffer.from(partHead('name="file"; filename="a.pdf"')),
      randomBytes(2_000_000),
    ]);
    const socket = connect(receiver.port, '127.0.0.1');
    await new Promise((resolve) => socket.write(rawRequest(half, 4_000_000), resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await expect(receiver.outcome).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('was interrupted'),
    });
    expect(await receiver.filesLeft()).toBe(0);
  });

  it('leaves nothing behind when the body ends before its closing boundary', async () => {
    const body = Buffer.from(`${partHead('name="file"; filename="a.pdf"')}half a file`);
    const socket = connect(receiver.port, '127.0.0.1');
    socket.write(rawRequest(body, body.length));
    socket.resume();
    await expect(receiver.outcome).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await receiver.filesLeft()).toBe(0);
  });

  it('drops a sender that trickles or falls silent', async () => {
    const pace = { idleMs: 400, windowMs: 800, minBytesPerWindow: 5_000, totalMs: 60_000 };
    for (const [sendsOn, sentence] of [
      [true, 'too slow'],
      [false, 'stopped before it was complete'],
    ] as const) {
      await restartWith({ pace });
      const socket = connect(receiver.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(rawRequest(Buffer.from(partHead('name="file"; filename="a.pdf"')), 4_000_000));
      const trickle = sendsOn ? setInterval(() => socket.write('x'), 100) : undefined;
      const answer = new Promise<string>((resolve) =>
        socket.once('data', (chunk) => resolve(chunk.toString())),
      );
      await expect(receiver.outcome).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(sentence),
      });
      expect(await answer).toContain('400 Bad Request');
      clearInterval(trickle);
      socket.destroy();
      expect(await receiver.filesLeft()).toBe(0);
    }
  });

  it('limits the duration of the whole upload', async () => {
    await restartWith({ pace: { idleMs: 10_000, windowMs: 10_000, minBytesPerWindow: 1, totalMs: 300 } });
    const socket = connect(receiver.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(rawRequest(Buffer.from(partHead('name="file"; filename="a.pdf"')), 4_000_000));
    const trickle = setInterval(() => socket.write('x'), 50);
    await expect(receiver.outcome).rejects.toMatchObject({
      message: expect.stringContaining('took too long'),
    });
    clearInterval(trickle);
    socket.destroy();
  });

  it('stops when aborted, and leaves nothing', async () => {
    const stop = new AbortController();
    await restartWith({ signal: stop.signal });
    const socket = connect(receiver.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(rawRequest(Buffer.from(partHead('name="file"; filename="a.pdf"')), 4_000_000));
    setTimeout(() => stop.abort(new Error('shutting down')), 50);
    await expect(receiver.outcome).rejects.toThrow('shutting down');
    expect(await receiver.filesLeft()).toBe(0);
    socket.destroy();
  });

  it('does not hold six uploads of 50 MB in memory', async () => {
    const piece = randomBytes(65_536);
    const pieces = Math.floor(maxFileBytes / piece.length);
    const head = Buffer.from(partHead('name="file"; filename="large.pdf"'));
    const tail = Buffer.from('\r\n--xyz--\r\n');
    const send = async (): Promise<string> => {
      const socket = connect(receiver.port, '127.0.0.1');
      const answer: Buffer[] = [];
      socket.on('data', (chunk) => answer.push(chunk));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(rawRequest(head, head.length + pieces * piece.length + tail.length));
      for (let count = 0; count < pieces; count++)
        if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve));
      socket.write(tail);
      await closed;
      return Buffer.concat(answer).toString();
    };
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    const answers = await Promise.all(Array.from({ length: 6 }, send));
    clearInterval(watch);
    for (const answer of answers) expect(answer).toContain('200 OK');
    // 300 MB passed through; only buffers of sockets and files are held, the senders’ too
    expect((peak - before) / 1_000_000).toBeLessThan(250);
  });
});
