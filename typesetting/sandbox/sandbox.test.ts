/**
 * The box itself, tried from inside by a probe instead of the engine: what the probe cannot do, no document
 * can. Kinds for an ordinary user are tried by a process of another user.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { chooseFrom } from '../../test-support/matrix.ts';
import { createTypesetter } from '../index.ts';
import { boxedProcesses } from '../testing/left-behind.ts';
import { prepareProbe } from '../testing/probe-box.ts';
import type { ProbeOrder } from '../testing/probe-process.ts';
import { reserveIds } from './job-ids.ts';
import { openSandbox, possibleKinds } from './open-sandbox.ts';
import { isLandlock, type SandboxKind } from './sandbox.ts';

const isRoot = process.getuid?.() === 0;
/** The job's id, and that of an ordinary user running the product. */
const jobId = 61_163;
const userId = 61_199;
const minimal = '\\documentclass{article}\\begin{document}x\\end{document}';
const isOtherUser = (kind: SandboxKind) => isRoot && kind.endsWith('as-user');

const home = mkdtempSync(path.join(tmpdir(), 'inkproof-box-'));
chmodSync(home, 0o755);
const paths = prepareProbe(home);
const secret = path.join(home, 'secret');
writeFileSync(secret, 'secret');
chmodSync(secret, 0o666);
const program = path.join(paths.texmf, 'program');
copyFileSync('/usr/bin/true', program);
chmodSync(program, 0o755);
/** A file of the very user that the product, and with it an as-user box, runs as. */
const theirs = path.join(home, 'theirs');
writeFileSync(theirs, 'theirs', { mode: 0o600 });
if (isRoot) {
  mkdirSync(path.join(home, 'user'));
  for (const place of [path.join(home, 'user'), theirs]) chownSync(place, userId, userId);
}

interface Probe {
  process: ChildProcess;
  serverPid: number;
  ask(question: string): Promise<string>;
}
const probes: Probe[] = [];

const sources = fileURLToPath(new URL('../..', import.meta.url));
let copied: string | null = null;
/** Copies the sources to where another user can read them: a project below /root is root's alone. */
function copySources(): string {
  if (copied) return copied;
  copied = path.join(home, 'sources');
  for (const room of ['typesetting', 'platform/work'])
    cpSync(path.join(sources, room), path.join(copied, room), { recursive: true });
  cpSync(path.join(sources, 'package.json'), path.join(copied, 'package.json'));
  return copied;
}

/** A server with one box in it; the server holds a descriptor that does not concern the box. */
async function probe(kind: SandboxKind, processes = 8): Promise<Probe> {
  const order: ProbeOrder = {
    kind,
    paths,
    home: isOtherUser(kind) ? path.join(home, 'user') : home,
    id: kind.endsWith('as-user') ? null : jobId,
    processes,
  };
  const script = path.join(
    isOtherUser(kind) ? copySources() : sources,
    'typesetting/testing/probe-process.ts',
  );
  const command = [process.execPath, script, JSON.stringify(order)];
  if (isOtherUser(kind))
    command.unshift('setpriv', `--reuid=${userId}`, `--regid=${userId}`, '--clear-groups');
  const between = Array.from({ length: 17 }, () => 'ignore' as const);
  const child = spawn(command[0]!, command.slice(1), {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit', ...between, openSync(secret, 'r')],
    env: { PATH: process.env.PATH, SECRET_OF_THE_SERVER: 'secret' },
  });
  child.stdin!.on('error', () => {});
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value ?? 'gone';
  const found: Probe = {
    process: child,
    serverPid: Number((await next()).split(' ')[0]),
    ask(question) {
      child.stdin!.write(`${question}\n`);
      return next();
    },
  };
  probes.push(found);
  return found;
}

afterEach(async () => {
  for (const { process: child } of probes.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await until(() => boxedProcesses(home).length === 0);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

const kinds: readonly SandboxKind[] = isRoot
  ? [...possibleKinds(), 'bubblewrap-as-user', 'landlock-as-user']
  : possibleKinds();

describe.each(chooseFrom(import.meta.filename, kinds))('a box built %s', (kind) => {
  const closed = /^(?:ENOENT|EACCES|EROFS|EPERM|ENOSYS)$/;

  test('runs as an unprivileged user without capabilities, and cannot gain any', async () => {
    const { ask } = await probe(kind);
    const id = kind.endsWith('as-user') ? (isRoot ? userId : process.getuid!()) : jobId;
    expect(await ask('who')).toBe(`${id} ${id} ${id}`);
    const statuses = boxedProcesses(home).map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'));
    const engines = statuses.filter((status) => status.startsWith('Name:\txelatex'));
    expect(engines).toHaveLength(1);
    expect(engines[0]).toMatch(/^CapEff:\s0+$/m);
    expect(engines[0]).toMatch(/^CapPrm:\s0+$/m);
    expect(engines[0]).toMatch(/^NoNewPrivs:\s1$/m);
    // an ordinary user cannot change this set; it does not matter once no new privileges can be gained
    if (kind !== 'landlock-as-user') expect(engines[0]).toMatch(/^CapBnd:\s0+$/m);
  });

  test('gets its own streams and channels and nothing else the server has open', async () => {
    const { ask, serverPid } = await probe(kind);
    expect(readdirSync(`/proc/${serverPid}/fd`)).toContain('20');
    expect((await ask('descriptors')).trim()).toBe('0 1 2 4 5');
  });

  test('has the settings of its own environment alone', async () => {
    const { ask } = await probe(kind);
    const names = (await ask('environment')).trim().split(' ').sort();
    const tidy = names.filter((name) => !['PWD', 'TMPDIR', 'PROBE'].includes(name));
    expect(tidy).toEqual(
      [
        ...['DVIPDFMXINPUTS', 'HOME', 'MKTEXMF', 'MKTEXPK', 'MKTEXTFM', 'PATH'],
        ...['TEXINPUTS', 'TEXINPUTS_xelatex', 'TEXMFCACHE', 'TEXMFCONFIG', 'TEXMFHOME', 'TEXMFVAR'],
        ...['FONTCONFIG_FILE', 'OSFONTDIR', 'error_line', 'half_error_line'],
        ...['max_print_line', 'openin_any', 'openin_any_bibtexu', 'openin_any_makeindex'],
        ...['openout_any', 'PERL5LIB', 'shell_escape'],
      ].sort(),
    );
  });

  test('can open TeX and its own folder, and nothing else on the machine', async () => {
    const { ask } = await probe(kind);
    expect(await ask('list /usr/share/texmf')).toBe('ok');
    expect(await ask('write own')).toBe('ok');
    for (const file of [
      secret,
      '/etc/passwd',
      '/etc/hostname',
      '/proc/self/status',
      '/proc/1/environ',
      '/dev/zero',
    ])
      expect([file, await ask(`read ${file}`)]).toEqual([file, expect.stringMatching(closed)]);
    for (const folder of ['/home', '/root', '/proc', '/sys', '/usr/bin/..//bin/../sbin', home])
      expect([folder, await ask(`list ${folder}`)]).toEqual([folder, expect.stringMatching(closed)]);
    for (const place of [
      '/',
      '/usr',
      '/usr/share',
      '/etc',
      '/dev',
      '/var',
      '/var/lib/texmf',
      home,
      paths.texmf,
    ])
      expect([place, await ask(`write ${place}/written`)]).toEqual([place, expect.stringMatching(closed)]);
    for (const change of ['write', 'empty', 'truncate', 'chmod', 'link'])
      for (const file of [secret, theirs])
        expect([change, await ask(`${change} ${file}`)]).toEqual([change, expect.stringMatching(closed)]);
    expect(readFileSync(secret, 'utf8') + readFileSync(theirs, 'utf8')).toBe('secrettheirs');
    expect(statSync(theirs).mode & 0o777).toBe(0o600);
  });

  test('starts no other program', async () => {
    const { ask } = await probe(kind);
    for (const program of ['/usr/bin/bash', '/bin/sh', '/usr/bin/python3', '/usr/bin/mktexpk'])
      expect([program, await ask(`execute ${program}`)]).toEqual([program, expect.stringMatching(closed)]);
  });

  test('can reach no network and no other program on the machine', async () => {
    const { ask, serverPid } = await probe(kind);
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    const abstract = createServer((socket) => socket.end('reached')).listen(`\0inkproof-test-${process.pid}`);
    await Promise.all([server, abstract].map((one) => once(one, 'listening')));
    const { port } = server.address() as { port: number };
    const unreachable = /^(?:ENETUNREACH|ECONNREFUSED|ENOSYS|EBADF|EPERM|EACCES)$/;
    expect(await ask(`connect ${port}`)).toMatch(unreachable);
    expect(await ask(`abstract inkproof-test-${process.pid}`)).toMatch(unreachable);
    server.close();
    abstract.close();
    for (const what of ['signal', 'trace', 'limit', 'priority'])
      expect([what, await ask(`${what} ${serverPid}`)]).toEqual([
        what,
        expect.stringMatching(/^(?:ESRCH|EPERM|ENOSYS)$/),
      ]);
    // it may end its own processes, and itself
    expect(await ask('endchild')).toBe('9');
    expect(await ask('abort')).toBe('6');
  });

  test('cannot start more processes than it may', async () => {
    const { ask } = await probe(kind, 12);
    const made = Number(await ask('fork 600'));
    expect(made).toBeGreaterThan(0);
    // an ordinary user's own processes count there, and may grow (landlock.ts)
    expect(made).toBeLessThan(kind === 'landlock-as-user' ? 400 : 12);
  });

  test('reports its memory, including forked and orphaned processes', async () => {
    const { ask } = await probe(kind);
    await ask('who');
    const before = Number(await ask('@memory'));
    expect(before).toBeGreaterThan(500_000);
    expect(await ask('use 60')).toBe('ok');
    expect(await ask('orphans 2')).toBe('ok');
    const after = Number(await ask('@memory'));
    expect(after - before).toBeGreaterThan(60_000_000);
    // memory shared by forked processes counts once
    expect(after - before).toBeLessThan(100_000_000);
  });

  test('ends with everything in it when it is killed', async () => {
    const { ask } = await probe(kind);
    expect(await ask('orphans 3')).toBe('ok');
    expect(boxedProcesses(home).length).toBeGreaterThan(3);
    expect(await ask('@kill')).toBe('137');
    expect(boxedProcesses(home)).toEqual([]);
    expect(await ask('@memory')).toBe('0');
  });

  test('ends with everything in it when its program ends', async () => {
    const { ask } = await probe(kind);
    expect(await ask('orphans 3')).toBe('ok');
    expect(await ask('end 3')).toBe('ended 3 ');
    await until(() => boxedProcesses(home).length === 0);
  });

  test('ends with everything in it when the server is killed', async () => {
    const { ask, process: server } = await probe(kind);
    expect(await ask('orphans 3')).toBe('ok');
    // a program that sees the end of its channels would end by itself
    expect(await ask('stay')).toBe('ok');
    server.kill('SIGKILL');
    await until(() => boxedProcesses(home).length === 0);
  });

  test('compiles', async () => {
    if (isOtherUser(kind)) return;
    const own = mkdtempSync(path.join(home, 'compile-'));
    chmodSync(own, 0o755);
    const typesetter = await createTypesetter({
      workDir: path.join(own, 'work'),
      concurrency: 1,
      sandbox: [kind],
    });
    expect(typesetter.refusal).toBeNull();
    expect((await typesetter.compile({ latex: minimal, owner: 'a' })).kind).toBe('compiled');
    await typesetter.close();
  });
});

describe.each(kinds.filter(isLandlock))('a jail built %s', (kind) => {
  test('knows only the calls that TeX needs', async () => {
    const { ask } = await probe(kind);
    const calls = ['inet', 'unix', 'pair', 'namespace', 'session', 'memfd', 'uring', 'keyring', 'shared'];
    for (const call of [
      ...calls,
      'interfaces',
      'symlink s',
      'fifo f',
      'link own',
      `readmemory ${process.pid}`,
    ])
      expect([call, await ask(call)]).toEqual([call, expect.stringMatching(/^(?:ENOSYS|EPERM|EACCES)$/)]);
    // no program except the engines, even if it may be read
    expect(await ask(`read ${program}`)).toBe('ok');
    expect(await ask(`execute ${program}`)).toBe('EACCES');
  });

  test('ends with everything in it when its parent in the box is killed', async () => {
    const { ask } = await probe(kind);
    expect(await ask('orphans 3')).toBe('ok');
    const parents = readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return words.startsWith(paths.jail!) && words.includes(home);
      } catch {
        return false;
      }
    });
    expect(parents).toHaveLength(1);
    process.kill(Number(parents[0]), 'SIGKILL');
    await until(() => boxedProcesses(home).length === 0);
    expect(await ask('@ended')).toBe('137');
  });
});

test('the native parts build without a warning', () => {
  const folder = fileURLToPath(new URL('../native/', import.meta.url));
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.c')))
    execFileSync('gcc', [
      ...['-std=gnu11', '-O2', '-fPIC', '-D_FORTIFY_SOURCE=2', '-Wall', '-Wextra', '-Wshadow', '-Werror'],
      ...['-c', '-o', path.join(home, 'built.o'), path.join(folder, file)],
    ]);
});

test('where no sandbox works, every job is refused with a message', async () => {
  const typesetter = await createTypesetter({ workDir: path.join(home, 'none'), sandbox: [] });
  expect(typesetter.refusal).toContain('documents are never compiled without one');
  const result = await typesetter.compile({ latex: minimal, owner: 'a' });
  expect(result).toEqual({ kind: 'refused', reason: typesetter.refusal });
  await typesetter.close();
});

test.runIf(isRoot)('a sandbox that does not work gives its reason, and the next one is used', async () => {
  const workFolder = path.join(home, 'next');
  mkdirSync(workFolder, { mode: 0o711 });
  // root itself is never put into a box
  const opened = await openSandbox({
    kinds: ['landlock-as-user', 'bubblewrap-as-root'],
    workFolder,
    concurrency: 1,
  });
  if (opened.kind !== 'open') throw new Error(opened.refusal);
  expect(opened.sandbox.kind).toBe('bubblewrap-as-root');
  expect(opened.sandbox.rejected).toEqual([expect.stringMatching(/^landlock-as-user: jail: root without/)]);
  await opened.sandbox.close();
});

test.runIf(isRoot)('an id that some process runs as is not handed out', async () => {
  const first = await reserveIds(1);
  await first.release();
  const id = first.ids[0]!;
  const stranger = spawn('setpriv', [`--reuid=${id}`, '--clear-groups', 'sleep', '60'], { stdio: 'ignore' });
  await until(() => readFileSync(`/proc/${stranger.pid}/status`, 'utf8').includes(`Uid:\t${id}`));
  const second = await reserveIds(3);
  stranger.kill('SIGKILL');
  expect(second.ids).toHaveLength(3);
  expect(second.ids).not.toContain(id);
  await second.release();
});

test('boxes that stay have places in addition to those of the jobs', async () => {
  const workFolder = path.join(home, 'staying');
  mkdirSync(workFolder, { mode: 0o711 });
  const opened = await openSandbox({ workFolder, concurrency: 2, staying: 3 });
  if (opened.kind !== 'open') throw new Error(opened.refusal);
  const { sandbox } = opened;
  expect([sandbox.capacity, sandbox.stayingCapacity]).toEqual([2, 3]);
  const ids = Array.from({ length: 5 }, () => sandbox.takeId());
  if (isRoot) {
    expect(new Set(ids).size).toBe(5);
    expect(() => sandbox.takeId()).toThrow('more jobs run');
  }
  await sandbox.close();
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !condition(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}
