// The product while a dependency is away: PostgreSQL killed or stopped for real, a disk that is really full, a
// vendor that refuses the key.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, openAsBlob, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withFileLock } from '#platform/file-lock.ts';
import { type Conversion, ConversionEvent } from '#shared/api/conversion.ts';
import { errorCatalogue } from '#shared/api/errors.ts';
import { createTestDatabase } from '../test-support/database.ts';
import { runCommandHere } from '../test-support/product/run-command.ts';
import { createServedAccount } from '../test-support/product/serve-account.ts';
import { inkproof, type ServeProcess, startServeProcess } from '../test-support/product/serve-process.ts';
import {
  pageAnswer,
  startVendor,
  type Vendor,
  type VendorReply,
} from '../test-support/stand-ins/vendor-stand-in.ts';

const root = path.resolve(import.meta.dirname, '..');
/** Read from its own glyphs, without a vendor. */
const typeset = path.join(root, 'fixtures/pdf/probability-table.pdf');
const latex = '\\documentclass{article}\\begin{document}Hello.\\end{document}';
/** It says where its line is, as vision models do: otherwise our own reader would look for it on every page. */
const lines = [{ begins: 'Hello.', left: 0.1, top: 0.1, width: 0.3, height: 0.05 }];
const readPage: VendorReply = { content: pageAnswer('Hello.', { lines }) };
let folder: string;
/** A small picture of a page; the scripted vendor ignores what it shows. */
let picture: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-outages-'));
  chmodSync(folder, 0o711);
  picture = path.join(folder, 'page.png');
  await sharp(path.join(root, 'fixtures/images/algorithms-and-kinetics-p1-crop-alpha.png'))
    .resize(320)
    .toFile(picture);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  status: number;
  code: string | undefined;
  error: string | undefined;
  retryAfter: string | null;
}

/** Every call has a time limit, so that one that hangs fails its test. */
function caller(address: string, authorization: string) {
  const call = (target: string, { json, ...options }: RequestInit & { json?: unknown } = {}) =>
    fetch(new URL(target, address), {
      signal: AbortSignal.timeout(100_000),
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
      ...options,
      headers: {
        Authorization: authorization,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
    });
  const ask = async (...args: Parameters<typeof call>): Promise<Answer> => {
    const answer = await call(...args);
    const text = await answer.text();
    const isJson = answer.headers.get('Content-Type')?.includes('json');
    const { code, error } = isJson ? JSON.parse(text) : {};
    return { status: answer.status, code, error, retryAfter: answer.headers.get('Retry-After') };
  };
  const send = async (pages: number, headers: Record<string, string> = {}, file = picture) => {
    const form = new FormData();
    for (let page = 0; page < pages; page++) form.append('file', await openAsBlob(file), `page-${page}`);
    return call('/api/v1/process', { method: 'POST', body: form, headers });
  };
  /** Begins a conversion without waiting for it. */
  const begin = async (pages: number): Promise<string> => {
    const answer = await send(pages, { Accept: 'text/event-stream' });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    return /"conversion_id":"([^"]+)"/.exec(value ?? '')![1]!;
  };
  const look = async (id: string) => (await (await call(`/api/v1/conversions/${id}`)).json()) as Conversion;
  const readPagesLeft = async () => {
    const config = await (await call('/api/v1/config')).json();
    const answer = await call('/rest/v1/user_credits?select=conversion_credits', {
      headers: { apikey: config.identity.anon_key },
    });
    return (await answer.json())[0].conversion_credits as number;
  };
  return { call, ask, send, begin, look, readPagesLeft };
}

const unavailable = { status: 503, code: 'UNAVAILABLE', error: errorCatalogue.UNAVAILABLE.text };

describe('a server with its own PostgreSQL and a vendor', { timeout: 300_000 }, () => {
  let vendor: Vendor;
  let reply: VendorReply | (() => Promise<VendorReply>);
  let dataDir: string;
  let server: ServeProcess;
  let product: ReturnType<typeof caller>;

  beforeAll(async () => {
    vendor = await startVendor(() => (typeof reply === 'function' ? reply() : reply));
    dataDir = path.join(folder, 'data');
    const settings = {
      DATA_DIR: dataDir,
      AI_BASE_URL: vendor.url,
      AI_MODEL: 'stand-in',
      READ_CONCURRENCY: '2',
      SUPPORT_EMAIL: 'operator@example.com',
    };
    server = await startServeProcess(settings);
    const { authorization } = await createServedAccount(server.address, settings, {
      pages: 100,
      run: runCommandHere,
    });
    product = caller(server.address, authorization);
  });
  afterAll(async () => {
    await server?.stop();
    await vendor?.close();
  });
  beforeEach(async () => {
    reply = readPage;
    // a second try of a test begins with all parts there, too
    await whenReady();
  });

  const readLog = () =>
    readdirSync(path.join(dataDir, 'logs'))
      .flatMap((name) => readFileSync(path.join(dataDir, 'logs', name), 'utf8').split('\n'))
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { msg: string; part?: string });
  const listMails = async () => {
    const ids = (await readdir(path.join(dataDir, 'inbox')).catch(() => [])).sort();
    return ids.map((id) => JSON.parse(readFileSync(path.join(dataDir, 'inbox', id), 'utf8')));
  };
  const readMetric = async (name: string) =>
    (await (await product.call('/metrics')).text()).split('\n').find((line) => line.startsWith(name));
  const readPostmaster = () =>
    Number(readFileSync(path.join(dataDir, 'database/data/postmaster.pid'), 'utf8').split('\n')[0]);
  const whenReady = () =>
    expect.poll(async () => (await product.ask('/readyz')).status, { timeout: 60_000 }).toBe(200);

  async function expectUnavailable(): Promise<void> {
    const answers = await Promise.all([
      product.ask('/api/v1/documents'),
      product.ask('/api/v1/documents', { json: { title: 'Notes', latex } }),
      product.send(1).then(async (answer) => ({ status: answer.status, ...(await answer.json()) })),
      product.ask('/api/v1/request-change', { json: { latex, feedback: 'Set the title to “X”' } }),
    ]);
    for (const answer of answers) expect(answer).toMatchObject(unavailable);
    expect(answers[0]!.retryAfter).toMatch(/^\d+$/);
    // a Supabase client keeps its session and asks again
    expect((await product.ask('/auth/v1/user')).status).toBe(503);
    expect((await product.ask('/readyz')).status).toBe(503);
    // signed in, with the database away
    expect((await product.ask('/api/v1/compile', { json: { latex } })).status).toBe(200);
    for (const address of ['/healthz', '/api/v1/config', '/metrics', '/'])
      expect([address, (await product.ask(address)).status]).toEqual([address, 200]);
  }

  test('while PostgreSQL is down: calls without data are answered, others get 503, and pages are read later', async () => {
    const held = Promise.withResolvers<VendorReply>();
    reply = () => held.promise;
    const requestsBefore = vendor.requests.length;
    const conversion = await product.begin(1);
    await expect.poll(() => vendor.requests.length).toBe(requestsBefore + 1);
    // while this lock is held, nobody restarts it
    await withFileLock(path.join(dataDir, 'database.lock'), 30_000, async () => {
      // a backend process may keep answering for a moment after the postmaster has ended
      for (const pid of [readPostmaster(), ...listChildren(readPostmaster())]) killIfThere(pid);
      await expectUnavailable();
      // the page is read, but cannot be written for longer than a worker retries
      reply = readPage;
      held.resolve(readPage);
      await expect
        .poll(() => readLog().some(({ msg }) => /a job was interrupted|a job failed/.test(msg)), {
          timeout: 60_000,
        })
        .toBe(true);
    });
    await whenReady();
    await expect
      .poll(async () => (await product.look(conversion)).state, { timeout: 90_000 })
      .toBe('delivered');
    const lines = readLog();
    expect(lines.filter(({ msg, part }) => part === 'database' && /is not working/.test(msg))).toHaveLength(
      1,
    );
    for (const message of ['taking jobs failed; will try again', 'request failed'])
      expect(lines.filter(({ msg }) => msg === message).length).toBeLessThanOrEqual(2);
  });

  test('while PostgreSQL hangs, calls are still answered', async () => {
    const stopped = [readPostmaster(), ...listChildren(readPostmaster())];
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      await expectUnavailable();
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await whenReady();
    expect((await product.ask('/api/v1/documents', { json: { title: 'Notes', latex } })).status).toBe(201);
  });

  const aiUnavailable = { code: 'AI_UNAVAILABLE', error: errorCatalogue.AI_UNAVAILABLE.text };

  test('a vendor that refuses the key is not asked for every page, and is reported once; nobody pays', async () => {
    const before = await product.readPagesLeft();
    const requestsBefore = vendor.requests.length;
    reply = { status: 401 };
    const events = await (await product.send(6, { Accept: 'text/event-stream' })).text();
    const sent = [...events.matchAll(/^data: (.*)$/gm)].map(([, data]) =>
      ConversionEvent.parse(JSON.parse(data!)),
    );
    const failedPage = sent.find((event) => event.type === 'page' && event.page.state === 'failed');
    expect(failedPage).toMatchObject({ page: { error: aiUnavailable } });
    expect(events).not.toContain('401');
    // one for each of the reader's slots, and a probe if this takes long
    expect(vendor.requests.length - requestsBefore).toBeLessThanOrEqual(4);
    expect(
      await product.ask('/api/v1/request-change', { json: { latex, feedback: 'Mend it' } }),
    ).toMatchObject({ status: 503, ...aiUnavailable, retryAfter: expect.stringMatching(/^\d+$/) });
    expect((await (await product.send(3)).json()).code).toBe('AI_UNAVAILABLE');
    expect(await product.readPagesLeft()).toBe(before);
    expect(readLog().filter(({ part, msg }) => part === 'ai' && /is not working/.test(msg))).toHaveLength(1);
    const mails = (await listMails()).filter(
      // on a slow machine PostgreSQL was away for a minute before, and has its own mail
      ({ purpose, subject }) => purpose === 'outage' && subject !== 'Inkproof: trouble with the database',
    );
    expect(mails).toEqual([
      expect.objectContaining({
        to: 'operator@example.com',
        subject: 'Inkproof: trouble with the AI vendor',
      }),
    ]);
    expect(await readMetric('inkproof_part_away{part="ai"}')).toMatch(/ 1$/);

    // and it recovers by itself
    reply = readPage;
    await expect
      .poll(async () => (await product.send(1)).status, { timeout: 60_000, interval: 500 })
      .toBe(200);
    expect(await readMetric('inkproof_part_away{part="ai"}')).toMatch(/ 0$/);
  });

  test('while a vendor is down, one page keeps asking and the others wait for it', async () => {
    const requestsBefore = vendor.requests.length;
    reply = { status: 503 };
    const conversion = await product.begin(5);
    const listFailed = async () =>
      (await product.look(conversion)).pages.filter(({ state }) => state === 'failed');
    await expect.poll(async () => (await listFailed()).length, { timeout: 120_000 }).toBe(1);
    // four tries of one page, and calls already under way
    expect(vendor.requests.length - requestsBefore).toBeLessThanOrEqual(7);
    reply = readPage;
    await expect
      .poll(async () => (await product.look(conversion)).state, { timeout: 120_000 })
      .toBe('delivered');
    expect((await listFailed()).map(({ error }) => error)).toEqual([expect.objectContaining(aiUnavailable)]);
  });

  test('output that nobody reads any more ends nothing', async () => {
    server.child.stdout!.destroy();
    server.child.stderr!.destroy();
    for (let line = 0; line < 3; line++) await product.ask('/api/v1/nothing');
    expect((await product.ask('/healthz')).status).toBe(200);
    expect(server.child.exitCode).toBeNull();
  });
});

const canMount =
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', os.tmpdir()]).status === 0;

// skipped where file systems cannot be mounted: as an ordinary user, in most containers
describe.runIf(canMount)('a full disk', { timeout: 300_000 }, () => {
  test('is reported; nothing is charged or half stored, and the process continues once there is space', async () => {
    const database = await createTestDatabase();
    const settings = { DATABASE_URL: database.url, SECRET_KEY: 'a key for tests, 32 characters or more' };
    const dataDir = path.join(folder, 'small-disk');
    mkdirSync(dataDir);
    const child = spawn(
      'unshare',
      [
        '-m',
        ...['sh', '-c'],
        'mount -t tmpfs -o size=8m,mode=711 tmpfs "$DATA_DIR" && exec "$0" "$@" serve >"$DATA_DIR/out" 2>&1',
        ...inkproof,
      ],
      {
        env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...settings },
        stdio: 'ignore',
        cwd: '/',
      },
    );
    /** The same path, as the server sees it. */
    const inside = (name: string) => `/proc/${child.pid}/root${path.join(dataDir, name)}`;
    try {
      const readAddress = () => {
        try {
          return /open (\S+)\n/.exec(readFileSync(inside('out'), 'utf8'))?.[1];
        } catch {
          return undefined;
        }
      };
      await expect.poll(readAddress, { timeout: 60_000 }).toBeDefined();
      const commands = { ...settings, DATA_DIR: path.join(folder, 'commands') };
      const { authorization } = await createServedAccount(readAddress()!, commands, { run: runCommandHere });
      const product = caller(readAddress()!, authorization);
      const document = await (
        await product.call('/api/v1/documents', { json: { title: 'Notes', latex } })
      ).json();
      const storeFigure = async () =>
        product.ask(`/api/v1/documents/${document.id}/figures/a.png`, {
          method: 'PUT',
          body: await openAsBlob(picture),
          headers: { 'Content-Type': 'image/png' },
        });

      const filler = await open(inside('filler'), 'w');
      const fill = async () => {
        for (const size of [65_536, 4_096]) while (await filler.write(Buffer.alloc(size)).catch(() => null));
      };
      await fill();
      // creating the log file may free a page of the disk
      await product.ask('/healthz');
      await fill();

      const full = { status: 503, code: 'STORAGE_FULL', error: errorCatalogue.STORAGE_FULL.text };
      const refused = await product.send(1, {}, typeset);
      expect({ status: refused.status, ...(await refused.json()) }).toMatchObject(full);
      expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/);
      expect(await storeFigure()).toMatchObject(full);
      expect(await product.readPagesLeft()).toBe(10);
      expect(
        (await readdir(inside('files'), { recursive: true })).filter((name) => /\d{4}$/.test(name)),
      ).toEqual([]);
      expect(await readdir(inside('files/.tmp')).catch(() => [])).toEqual([]);
      const readiness = await product.call('/readyz');
      expect([readiness.status, (await readiness.json()).checks]).toEqual([
        503,
        { database: 'ok', storage: 'failed', data_folder: 'failed', sandbox: 'ok' },
      ]);
      expect((await product.ask('/api/v1/compile', { json: { latex } })).status).toBe(200);
      expect(child.exitCode).toBeNull();

      await filler.truncate(0);
      await filler.close();
      expect((await product.ask('/readyz')).status).toBe(200);
      expect((await storeFigure()).status).toBeLessThan(300);
      expect((await product.send(1, {}, typeset)).status).toBe(200);
      // output resumes where it broke off
      await expect.poll(() => readFileSync(inside('out'), 'utf8')).toContain('"part":"disk"');
    } finally {
      child.kill('SIGTERM');
      await new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(null)));
      await database.close();
    }
  });
});

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function listChildren(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\)\s*/s, '')
          .split(' ');
        return pid > 0 && Number(fields[1]) === parent;
      } catch {
        return false;
      }
    });
}
