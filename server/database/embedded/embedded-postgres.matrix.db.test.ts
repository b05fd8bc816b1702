// Real server processes, killed for real. Every folder is a test's own, and whatever a test leaves running is ended.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openEmbeddedPostgres } from './embedded-postgres.ts';
import { canEnter } from './server-user.ts';
import { kill, listServerProcesses, query, recall, remember, until } from './testing/servers.ts';

const isRoot = process.getuid?.() === 0;
const root = path.resolve(import.meta.dirname, '../../..');
/** Another user can run our code only where it can enter the checkout; not in one below /root. */
const canOthersRun = isRoot && canEnter({ uid: 1, gid: 1 }, root);
let template: string;
let folder: string;
let holders: ChildProcess[];

beforeAll(async () => {
  template = makeFolder();
  const server = await openEmbeddedPostgres({ dataDir: path.join(template, 'data') });
  await server.close();
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

function makeFolder(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'inkproof-embedded-'));
  chmodSync(made, 0o711);
  return made;
}

/** A data folder with an unused, initialised cluster: creating one takes a second or more. */
function copyTemplate(): string {
  const dataDir = path.join(folder, 'data');
  execFileSync('cp', ['-a', path.join(template, 'data'), dataDir]);
  writeFileSync(path.join(dataDir, 'database-location'), `${dataDir}/database\n`);
  return dataDir;
}

beforeEach(() => {
  folder = makeFolder();
  holders = [];
});

afterEach(async () => {
  for (const holder of holders) if (holder.exitCode === null) holder.kill('SIGKILL');
  // kills what is left by folder: only ever this test's own servers
  for (const pid of listServerProcesses(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone meanwhile
    }
  }
  await until(() => listServerProcesses(folder).length === 0);
  rmSync(folder, { recursive: true, force: true });
});

interface Held {
  url: string;
  adminUrl: string;
  attached: boolean;
  location: string;
  postmaster: number;
  notices: string[];
}

/** Starts a process that opens `dataDir` and keeps it open. */
async function hold(
  dataDir: string,
  user?: { uid: number; gid: number },
): Promise<{ process: ChildProcess; held: Held; leave(): Promise<void> }> {
  const child = spawn(process.execPath, [path.join(root, 'test-support/hold-database.ts'), dataDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: root,
    ...user,
  });
  holders.push(child);
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint += chunk;
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) throw new Error(`the holder ended: ${complaint}`);
  return {
    process: child,
    held: JSON.parse(first.value) as Held,
    async leave() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end();
      await exited;
      expect(child.exitCode).toBe(0);
    },
  };
}

describe('opening and closing', () => {
  test('the last process to close stops the server, nothing is left running, and data is there the next time', async () => {
    const dataDir = path.join(folder, 'data');
    const first = await hold(dataDir);
    const second = await hold(dataDir);
    expect([first.held.attached, second.held.attached]).toEqual([false, true]);
    await remember(first.held.url);
    await first.leave();
    expect(await recall(second.held.url)).toEqual([{ word: 'ink' }]);
    await second.leave();
    expect(listServerProcesses(folder)).toEqual([]);
    const again = await openEmbeddedPostgres({ dataDir });
    expect(await recall(again.url)).toEqual([{ word: 'ink' }]);
    await again.close();
    expect(again.findServer()).toBeNull();
  });

  test('six processes that start concurrently on an empty folder share one server', async () => {
    const dataDir = path.join(folder, 'data');
    const six = await Promise.all(Array.from({ length: 6 }, () => hold(dataDir)));
    expect(six.filter((each) => !each.held.attached)).toHaveLength(1);
    expect(new Set(six.map((each) => each.held.postmaster)).size).toBe(1);
    await Promise.all(six.map((each) => each.leave()));
    expect(listServerProcesses(folder)).toEqual([]);
  });

  test('only we can connect: no TCP, private socket and secrets, passwords required, the application is not a superuser', async () => {
    const dataDir = copyTemplate();
    const server = await openEmbeddedPostgres({ dataDir });
    try {
      expect(await query(server.adminUrl, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
      const socket = new URL(server.url).searchParams.get('host')!;
      expect(statSync(socket).mode & 0o777).toBe(0o700);
      const secrets = path.join(dataDir, 'secrets/database.json');
      expect(statSync(secrets).mode & 0o777).toBe(0o600);
      expect(
        await query(server.url, 'SELECT usesuper, usecreatedb FROM pg_user WHERE usename = current_user'),
      ).toEqual([{ usesuper: false, usecreatedb: false }]);
      expect(await query(server.url, "SELECT current_setting('data_checksums') AS checksums")).toEqual([
        { checksums: 'on' },
      ]);
      const wrong = new URL(server.url);
      wrong.password = 'guess';
      await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
      await expect(query(server.url, "COPY kept FROM '/etc/passwd'")).rejects.toThrow();
    } finally {
      await server.close();
    }
  });

  test('its own log holds neither statements nor values', async () => {
    const dataDir = copyTemplate();
    const server = await openEmbeddedPostgres({ dataDir });
    await expect(query(server.url, "SELECT 'secret-marker-7319'::int")).rejects.toThrow();
    await query(server.url, "CREATE TABLE t (word text UNIQUE); INSERT INTO t VALUES ('secret-marker-7319')");
    await expect(query(server.url, "INSERT INTO t VALUES ('secret-marker-7319')")).rejects.toThrow();
    await server.close();
    const logs = path.join(server.location, 'log');
    const text = readdirSync(logs)
      .map((name) => readFileSync(path.join(logs, name), 'utf8'))
      .join('');
    expect(text).toMatch(/database system is ready/);
    expect(text).not.toContain('secret-marker');
  });
});

describe('after a kill', () => {
  test('kill -9 of the process that started the server: the next one attaches to it and can stop it', async () => {
    const dataDir = copyTemplate();
    const first = await hold(dataDir);
    await remember(first.held.url);
    await kill(first.process);
    const next = await openEmbeddedPostgres({ dataDir });
    expect(next.attached).toBe(true);
    expect(next.findServer()).toBe(first.held.postmaster);
    expect(await recall(next.url)).toEqual([{ word: 'ink' }]);
    await next.close();
    expect(listServerProcesses(folder)).toEqual([]);
  });

  test('SIGKILL of the server under an open process: it restarts by itself, with everything committed', async () => {
    const notices: string[] = [];
    const server = await openEmbeddedPostgres({
      dataDir: copyTemplate(),
      onNotice: (notice) => notices.push(notice),
    });
    await remember(server.url);
    const killed = server.findServer()!;
    process.kill(killed, 'SIGKILL');
    await until(() =>
      recall(server.url).then(
        (rows) => rows.length === 1,
        () => false,
      ),
    );
    expect(server.findServer()).not.toBe(killed);
    await until(() => notices.some((notice) => notice.includes('started again')));
    await server.close();
    expect(listServerProcesses(folder)).toEqual([]);
  });

  test('SIGKILL of the server with nobody attached: the stale pid file does not prevent the next start', async () => {
    const dataDir = copyTemplate();
    const first = await hold(dataDir);
    await remember(first.held.url);
    await kill(first.process);
    process.kill(first.held.postmaster, 'SIGKILL');
    const next = await openEmbeddedPostgres({ dataDir });
    expect(next.attached).toBe(false);
    expect(await recall(next.url)).toEqual([{ word: 'ink' }]);
    await next.close();
  });

  test.each(['a zombie', 'another program'])(
    'a pid file that names %s does not prevent the next start',
    async (kind) => {
      const dataDir = copyTemplate();
      const first = await openEmbeddedPostgres({ dataDir });
      await first.close();
      // the shell leaves a child to `sleep`, which never waits for it; the child ends when our end of the pipe does
      const parent = spawn('/bin/sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 600 3<&-']);
      holders.push(parent);
      const pid = kind === 'a zombie' ? await firstNumber(parent) : process.pid;
      if (kind === 'a zombie') {
        await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n');
        parent.stdin.end();
        await until(() => /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
      }
      const data = path.join(first.location, 'data');
      writeFileSync(
        path.join(data, 'postmaster.pid'),
        `${pid}\n${data}\n1700000000\n5432\n${first.location}/socket\n\n  1 1\nready   \n`,
      );
      const next = await openEmbeddedPostgres({ dataDir });
      expect(next.attached).toBe(false);
      await next.close();
      parent.kill();
    },
  );

  test('an interrupted initialisation does not block the next', async () => {
    const dataDir = copyTemplate();
    const first = await hold(dataDir);
    await first.leave();
    const data = path.join(first.held.location, 'data');
    cpSync(data, `${data}.unfinished`, { recursive: true });
    rmSync(data, { recursive: true });
    rmSync(path.join(dataDir, 'database-location'));
    const next = await openEmbeddedPostgres({ dataDir });
    expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(existsSync(`${data}.unfinished`)).toBe(false);
    await next.close();
  });
});

function firstNumber(child: ChildProcess): Promise<number> {
  return new Promise((resolve) =>
    child.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk.toString().trim()))),
  );
}

describe('refusals say what to do and change nothing', () => {
  test('a folder of another major version', async () => {
    const dataDir = copyTemplate();
    const version = path.join(dataDir, 'database/data/PG_VERSION');
    writeFileSync(version, '17\n');
    await expect(openEmbeddedPostgres({ dataDir })).rejects.toThrow(
      /written by PostgreSQL 17; this Inkproof includes PostgreSQL 18.*backup.*restore/s,
    );
    expect(listServerProcesses(folder)).toEqual([]);
    writeFileSync(version, '18\n');
    await (await openEmbeddedPostgres({ dataDir })).close();
  });

  test('lost passwords', async () => {
    const dataDir = copyTemplate();
    rmSync(path.join(dataDir, 'secrets/database.json'));
    await expect(openEmbeddedPostgres({ dataDir })).rejects.toThrow(
      /passwords.*are missing.*restore a backup/s,
    );
  });

  test('a recorded database that is missing: no empty one is created in its place', async () => {
    const dataDir = copyTemplate();
    rmSync(path.join(dataDir, 'database'), { recursive: true });
    await expect(openEmbeddedPostgres({ dataDir })).rejects.toThrow(/not there.*database-location/s);
    expect(existsSync(path.join(dataDir, 'database'))).toBe(false);
  });
});

describe('difficult paths and users', () => {
  test('a data folder whose path is too long for a socket', async () => {
    const dataDir = path.join(folder, 'x'.repeat(60), 'y'.repeat(60), 'data');
    const server = await openEmbeddedPostgres({ dataDir });
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const attached = await hold(dataDir);
    expect(attached.held.attached).toBe(true);
    await attached.leave();
    await server.close();
    rmSync(new URL(server.url).searchParams.get('host')!, { recursive: true, force: true });
  });

  test.runIf(isRoot)(
    'run by root, the server belongs to a user that is neither root nor nobody',
    async () => {
      const server = await openEmbeddedPostgres({ dataDir: copyTemplate() });
      const status = readFileSync(`/proc/${server.findServer()}/status`, 'utf8');
      const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
      expect([0, 65534]).not.toContain(uid);
      expect(/^Groups:\s*(.*)$/m.exec(status)?.[1]?.split(' ')).not.toContain('0');
      await server.close();
    },
  );

  test.runIf(isRoot)(
    'run by root in a folder nobody else can enter, the cluster is put where it can be reached',
    async () => {
      chmodSync(folder, 0o700);
      const notices: string[] = [];
      const dataDir = path.join(folder, 'data');
      const server = await openEmbeddedPostgres({ dataDir, onNotice: (notice) => notices.push(notice) });
      await remember(server.url);
      await server.close();
      try {
        expect(server.location).toMatch(/^\/var\/lib\/inkproof\//);
        expect(notices.join()).toContain(server.location);
        // the recorded place stays the place, whatever the rights are later
        chmodSync(folder, 0o711);
        const again = await openEmbeddedPostgres({ dataDir });
        expect(again.location).toBe(server.location);
        expect(await recall(again.url)).toEqual([{ word: 'ink' }]);
        await again.close();
      } finally {
        rmSync(server.location, { recursive: true, force: true });
      }
    },
  );

  test.runIf(canOthersRun)('an ordinary user runs everything as itself', async () => {
    const home = path.join(folder, 'home');
    mkdirSync(home);
    chmodSync(home, 0o777);
    const dataDir = path.join(home, 'data');
    const holder = await hold(dataDir, { uid: 1, gid: 1 });
    expect(statSync(`/proc/${holder.held.postmaster}`).uid).toBe(1);
    await holder.leave();
    expect(listServerProcesses(folder)).toEqual([]);
    // root may make a backup in between: the server still runs as its owner, who finds everything its own after
    const byRoot = await openEmbeddedPostgres({ dataDir });
    expect(statSync(`/proc/${byRoot.findServer()}`).uid).toBe(1);
    await byRoot.close();
    await (await hold(dataDir, { uid: 1, gid: 1 })).leave();
  });

  test.runIf(canOthersRun && existsSync('/usr/bin/bwrap'))(
    'a user id without a name in /etc/passwd',
    async () => {
      const home = path.join(folder, 'home');
      mkdirSync(home);
      chmodSync(home, 0o777);
      const holder = await hold(path.join(home, 'data'), { uid: 54_321, gid: 54_321 });
      expect(statSync(`/proc/${holder.held.postmaster}`).uid).toBe(54_321);
      await holder.leave();
    },
  );
});
