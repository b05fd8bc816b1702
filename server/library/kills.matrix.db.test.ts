// What was acknowledged outlives the processes: server and PostgreSQL are killed while documents are saved. Both are real,
// each writes to its disk as in production. KILL_SAVES=500 KILL_ROUNDS=5 for the long one.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SavedDocument, Versions } from '#shared/api/library.ts';
import {
  runInkproof,
  type ServeProcess,
  startServeProcess,
} from '../../test-support/product/serve-process.ts';

/** In all, however many documents they go to. */
const acknowledged = Number(process.env.KILL_SAVES ?? 60);
/** In each, PostgreSQL is killed under the server, then the server, then both. */
const rounds = Number(process.env.KILL_ROUNDS ?? 1);
const writers = 4;
const account = { email: 'ada@example.com', password: 'correct horse battery staple' };

let folder: string;
let dataDir: string;
let address: string;
let token: string;
let settings: Record<string, string>;
let server: ServeProcess;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-kills-'));
  // run by root, PostgreSQL is another user's process
  chmodSync(folder, 0o711);
  dataDir = path.join(folder, 'data');
  const port = await findFreePort();
  address = `http://127.0.0.1:${port}`;
  settings = { DATA_DIR: dataDir, PUBLIC_URL: address, PORT: String(port), ROLES: 'web', LOG_LEVEL: 'error' };
  server = await startServeProcess(settings);
  const words = ['user', 'create', account.email, '--password', account.password, '--confirmed'];
  expect(await runInkproof(words, settings)).toMatchObject({ code: 0 });
  const { identity } = await (await fetch(`${address}/api/v1/config`)).json();
  const signedIn = await fetch(`${identity.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', apikey: identity.anon_key },
    body: JSON.stringify(account),
  });
  ({ access_token: token } = await signedIn.json());
});
afterAll(async () => {
  await server?.stop();
  killDatabase();
  rmSync(folder, { recursive: true, force: true });
});

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Every process of this test's cluster, by the folder it works in: nobody gets to write anything any more. */
function killDatabase(): number {
  const pids = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(`${findCluster()}/`);
    } catch {
      return false;
    }
  });
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // gone meanwhile
    }
  }
  return pids.length;
}

function findCluster(): string {
  return readFileSync(path.join(dataDir, 'database-location'), 'utf8').trim();
}

type Answer<Body> = { status: number; body: Body } | null;

/** Null when no answer comes, or one that says that it is no fault of the caller's. */
async function call<Body>(method: string, target: string, body?: object): Promise<Answer<Body>> {
  try {
    const answer = await fetch(`${address}/api/v1${target}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    return answer.status >= 500 ? null : { status: answer.status, body: (await answer.json()) as Body };
  } catch {
    return null;
  }
}

/** As the browser does: the same save again, with its id, until it is answered. */
async function insist<Body>(method: string, target: string, body?: object): Promise<Body> {
  for (;;) {
    const answer = await call<Body>(method, target, body);
    if (answer === null) {
      await sleep(50);
      continue;
    }
    expect(answer.status, `${method} ${target}`).toBeLessThan(300);
    return answer.body;
  }
}

interface Writing {
  id: string;
  /** What the server has acknowledged, by version. */
  texts: Map<number, string>;
}

test('every acknowledged save survives, with its text, when server and database are killed while saving', async () => {
  let saves = 0;
  let kills = 0;
  const works: Writing[] = [];
  for (let writer = 0; writer < writers; writer++) {
    const latex = `Document ${writer}`;
    const { id } = await insist<SavedDocument>('POST', '/documents', { latex, save_id: randomUUID() });
    works.push({ id, texts: new Map([[1, latex]]) });
  }
  const write = async ({ id, texts }: Writing) => {
    let [version, latex] = [1, texts.get(1)!];
    while (saves < acknowledged || kills < rounds * 3) {
      latex += `\nline ${version}`;
      const save = { base_version: version, latex, save_id: randomUUID() };
      const saved = await insist<{ version: number }>('PUT', `/documents/${id}/latex`, save);
      // never somebody else's: a retry that was taken for a conflict would throw above
      expect(saved.version).toBe(version + 1);
      version = saved.version;
      texts.set(version, latex);
      saves++;
      // until the last kill is done they write on, but not as fast
      if (saves > acknowledged) await sleep(100);
    }
  };
  const startAgain = async () => {
    server = await startServeProcess(settings);
  };
  const kill = async () => {
    const share = acknowledged / (rounds * 3 + 1);
    const ways = [
      // the server survives, and restarts its database
      async () => expect(killDatabase()).toBeGreaterThan(1),
      () => server.stop('SIGKILL').then(startAgain),
      () => Promise.all([server.stop('SIGKILL'), killDatabase()]).then(startAgain),
    ];
    for (; kills < rounds * 3; kills++) {
      while (saves < share * (kills + 1)) await sleep(5);
      await ways[kills % 3]!();
    }
  };
  await Promise.all([...works.map(write), kill()]);
  // and once more with nobody writing, so that nothing is in memory only
  await server.stop('SIGKILL');
  killDatabase();
  await startAgain();

  expect(saves).toBeGreaterThanOrEqual(acknowledged);
  let found = 0;
  for (const { id, texts } of works) {
    const [newest, latex] = [...texts].at(-1)!;
    expect(await insist('GET', `/documents/${id}`)).toMatchObject({ version: newest, latex });
    const { versions } = await insist<Versions>('GET', `/documents/${id}/versions?limit=1000`);
    // each text is a line longer than the one before: its length is its own
    const lengths = new Map(versions.map((one) => [one.version, one.length]));
    const lost = [...texts].filter(([version, text]) => lengths.get(version) !== text.length);
    expect(lost.map(([version]) => version)).toEqual([]);
    found += texts.size - 1;
  }
  expect(found).toBe(saves);
  console.info(`${saves} acknowledged saves, ${kills} times killed while saving, lost 0`);
}, 600_000);
