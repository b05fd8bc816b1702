// Starts and stops processes as an operator would.
import { chmodSync, mkdtempSync, openAsBlob, readdirSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { createTestDatabase } from '../test-support/database.ts';
import { runCommandHere } from '../test-support/product/run-command.ts';
import { createServedAccount } from '../test-support/product/serve-account.ts';
import {
  installed,
  runInkproof,
  type ServeProcess,
  startServeProcess,
} from '../test-support/product/serve-process.ts';
import { startS3StandIn } from '../test-support/stand-ins/s3-stand-in.ts';
import { startServer } from './run-server.ts';

const twoPages = path.join(import.meta.dirname, '../fixtures/pdf/grammaire-subjonctif.pdf');
/** A complete PNG of 3 by 2 pixels. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGM4kWIEQQxwFgBVoAg1rtvKGQAAAABJRU5ErkJggg==';
let folder: string;
let started: ServeProcess[];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-processes-'));
  chmodSync(folder, 0o711);
  started = [];
});

afterEach(async () => {
  for (const { child, stop } of started)
    if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL');
  for (const pid of listProcessesIn(folder)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(settings: Record<string, string>, program?: readonly string[]): Promise<ServeProcess> {
  const server = await startServeProcess(settings, program);
  started.push(server);
  return server;
}

/** Processes whose working folder is inside `below`: the embedded PostgreSQL's. */
function listProcessesIn(below: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`).startsWith(`${below}/`);
      } catch {
        return false;
      }
    });
}

async function formOf(file: string): Promise<FormData> {
  const form = new FormData();
  form.append('file', await openAsBlob(file), 'notes.pdf');
  return form;
}

test('serve prints one address, a command works meanwhile, a second server names the port in use, SIGTERM leaves no process, and its backup restores elsewhere', async () => {
  const dataDir = path.join(folder, 'first');
  const server = await start({ DATA_DIR: dataDir }, installed);
  expect(server.output().match(/^Inkproof is running: open http:\/\/localhost:\d+$/gm)).toHaveLength(1);
  const { address } = server;
  // the inbox address, on its own line
  await expect.poll(() => server.output()).toContain(`Mails land at ${address}/inbox\n`);
  expect((await fetch(`${address}/inbox`)).status).toBe(200);
  const account = await createServedAccount(address, { DATA_DIR: dataDir }, { run: runCommandHere });
  const headers = { Authorization: account.authorization, 'Content-Type': 'application/json' };
  const figures = [{ name: 'a.png', media_type: 'image/png', data_base64: png }];
  const saved = await fetch(`${address}/api/v1/documents`, {
    method: 'POST',
    body: JSON.stringify({ title: 'Notes', latex: 'Notes.', figures }),
    headers,
  });
  expect(saved.status).toBe(201);

  // a port in use is named
  const { port } = new URL(address);
  const rival = await runInkproof(['serve'], { DATA_DIR: dataDir, PORT: port });
  expect([rival.code, rival.stderr]).toEqual([
    1,
    expect.stringMatching(new RegExp(`port ${port}: another program listens there`)),
  ]);

  const file = path.join(folder, 'notes.tar');
  const backup = await runInkproof(['backup', file], { DATA_DIR: dataDir });
  expect([backup.code, backup.stdout]).toEqual([
    0,
    expect.stringMatching(/^Backed up \d+ rows and [1-9]\d* files to /),
  ]);
  const refused = await runCommandHere(['restore', file], { DATA_DIR: dataDir });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/in use.*Stop/)]);
  expect((await fetch(`${address}/readyz`)).status).toBe(200);

  expect(await server.stop('SIGTERM')).toBe(0);
  expect(listProcessesIn(folder)).toEqual([]);

  const second = { DATA_DIR: path.join(folder, 'second') };
  const restored = await runInkproof(['restore', file], second);
  expect([restored.code, restored.stdout]).toEqual([
    0,
    expect.stringMatching(/^Restored \d+ rows and [1-9]\d* files /),
  ]);
  expect(listProcessesIn(folder)).toEqual([]);
  const again = await start(second);
  expect((await fetch(`${again.address}/readyz`)).status).toBe(200);
  expect(await again.stop('SIGINT')).toBe(0);
  expect(listProcessesIn(folder)).toEqual([]);
});

test('web and worker processes over one PostgreSQL and one S3: one accepts, another reads and delivers', async () => {
  const database = await createTestDatabase();
  const s3 = await startS3StandIn();
  const shared = {
    DATABASE_URL: database.url,
    STORAGE_URL: s3.storageUrl('files'),
    AWS_ACCESS_KEY_ID: 'access',
    AWS_SECRET_ACCESS_KEY: 'secret',
    SECRET_KEY: 'the same key in each process, as it has to be',
    // an installation has one address, which every token contains
    API_URL: 'https://api.example.com',
  };
  try {
    const [first, second, otherWorker] = await Promise.all(
      ['web', 'web,worker', 'worker'].map((roles, index) =>
        start({ ...shared, ROLES: roles, DATA_DIR: path.join(folder, `process-${index}`) }),
      ),
    );
    const commands = { ...shared, DATA_DIR: path.join(folder, 'commands') };
    const { authorization } = await createServedAccount(first!.address, commands, { run: runCommandHere });
    const accepted = await fetch(`${first!.address}/api/v1/process`, {
      method: 'POST',
      body: await formOf(twoPages),
      headers: { Accept: 'text/event-stream', Authorization: authorization },
    });
    const events = accepted.body!.pipeThrough(new TextDecoderStream()).getReader();
    const id = /"conversion_id":"([^"]+)"/.exec((await events.read()).value ?? '')?.[1];
    await events.cancel();
    // a worker that stops hands its pages to the other
    expect(await otherWorker!.stop('SIGTERM')).toBe(0);

    const followed = await fetch(`${second!.address}/api/v1/conversions/${id}/events`, {
      headers: { Authorization: authorization },
    });
    expect(await followed.text()).toMatch(/^event: delivered$/m);
    const pdf = await fetch(`${second!.address}/api/v1/conversions/${id}/result.pdf`, {
      headers: { Authorization: authorization },
    });
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect([...s3.objects.keys()].some((key) => key.startsWith(`files/conversions/${id}/`))).toBe(true);
    const backup = await runCommandHere(['backup', path.join(folder, 'shared.tar')], commands);
    expect([backup.code, backup.stdout]).toEqual([
      0,
      expect.stringMatching(/^Backed up \d+ rows and [1-9]\d* files to /),
    ]);
    const stranger = await fetch(`${second!.address}/api/v1/conversions/${id}`);
    expect(stranger.status).toBe(404);
    expect(await Promise.all([first!.stop(), second!.stop()])).toEqual([0, 0]);
  } finally {
    for (const server of started) await server.stop('SIGKILL');
    await s3.close();
    await database.close();
  }
});

test('a database that cannot be used ends the start with a message', async () => {
  const { code, stderr } = await runInkproof(['serve'], {
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: 'postgres://nobody:hidden-word@127.0.0.1:9/none',
    SECRET_KEY: 'k'.repeat(32),
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/DATABASE_URL cannot be used/);
  expect(stderr).not.toMatch(/hidden-word|\n\s+at /);
});

test.each([
  [{ PORT: 'many' }, /PORT/],
  [{ STORAGE_URL: 'ftp://somewhere' }, /STORAGE_URL/],
])('so does an invalid setting, before a database is created: %j', async (settings, sentence) => {
  const start = async () => startServer(parseEnv({ DATA_DIR: path.join(folder, 'data'), ...settings }));
  await expect(start()).rejects.toThrow(sentence);
  expect(listProcessesIn(folder)).toEqual([]);
});
