/** The box itself, tried from inside by a shell that is put into it for the test: what it could do, a document could at most. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxCommand } from './box-command.ts';
import { createTypesetter } from './index.ts';
import { possibleKinds } from './open-sandbox.ts';
import type { SandboxKind } from './sandbox.ts';

const isRoot = process.getuid?.() === 0;
const id = isRoot ? 61_163 : null;
const minimal = '\\documentclass{article}\\begin{document}x\\end{document}';
let home: string;

beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'inkproof-box-'));
  chmodSync(home, 0o755);
  for (const name of ['job', 'texmf']) mkdirSync(path.join(home, name));
  if (id !== null) chownSync(path.join(home, 'job'), id, id);
  writeFileSync(path.join(home, 'secret'), 'secret');
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs a shell script in the box and returns what it printed. */
function inBox(kind: SandboxKind, script: string): string {
  const limits = { cpuSeconds: 5, memoryBytes: 100_000_000, fileBytes: 1_000_000 };
  const built = boxCommand(
    kind,
    { texmf: path.join(home, 'texmf'), warm: null, jail: null },
    { program: 'xelatex', args: [], folder: path.join(home, 'job'), id, limits },
  );
  const tools = ['bash', 'cat', 'ls', 'id', 'dd', 'sleep'].flatMap((name) => [
    '--ro-bind',
    `/usr/bin/${name}`,
    `/usr/bin/${name}`,
  ]);
  const args = [...built.args];
  args.splice(args.indexOf('--remount-ro'), 0, ...tools, '--proc', '/proc');
  const done = spawnSync(built.file, [...args.slice(0, -1), '/usr/bin/bash', '-c', script], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', SECRET_OF_THE_SERVER: 'secret' },
    timeout: 20_000,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  return done.stdout + done.stderr;
}

describe.each(possibleKinds())('a box built %s', (kind) => {
  test('runs as an unprivileged user without capabilities', () => {
    const seen = inBox(kind, 'id -u; cat /proc/self/status');
    if (id !== null) expect(seen.split('\n')[0]).toBe(String(id));
    expect(seen).toMatch(/^CapEff:\s0+$/m);
    expect(seen).toMatch(/^CapBnd:\s0+$/m);
    expect(seen).toMatch(/^NoNewPrivs:\s1$/m);
  });

  test('shows nothing of the host but TeX, and nothing of the environment', () => {
    const root = inBox(kind, 'ls -A /').trim().split('\n').sort();
    expect(root).toEqual(['dev', 'etc', 'lib', 'lib64', 'proc', 'texmf', 'tmp', 'usr', 'var', 'work']);
    expect(inBox(kind, 'ls -A /etc')).not.toMatch(/passwd|shadow|hostname|resolv/);
    expect(inBox(kind, `cat ${home}/secret`)).toContain('No such file');
    expect(inBox(kind, 'set')).not.toContain('SECRET_OF_THE_SERVER');
    // the box's own processes only
    const pids = inBox(kind, 'for p in /proc/[0-9]*; do echo $p; done').trim().split('\n');
    expect(pids.length).toBeLessThan(5);
  });

  test('writes only its job folder and a small /tmp', () => {
    for (const place of ['/', '/usr', '/usr/share', '/etc', '/texmf', '/dev', '/var/lib/texmf', '/var'])
      expect(inBox(kind, `echo x > ${place}/written`)).toMatch(/Read-only file system|Permission denied/);
    expect(inBox(kind, 'echo x > /work/own && cat /work/own')).toBe('x\n');
    // 1 MB a file, 64 MB in all
    const flood = 'for i in 1 2 3; do dd if=/dev/urandom of=/tmp/f bs=1000 count=2000 2>&1; done; ls -l /tmp';
    expect(inBox(kind, flood)).toMatch(/File size limit|File too large/);
  });

  test('reaches no network', async () => {
    const server = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    expect(inBox(kind, `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`)).toMatch(/refused|unreachable/);
    expect(inBox(kind, 'cat /proc/net/dev')).not.toMatch(/eth|en[ps]/);
    server.close();
  });

  test('cannot start many processes, nor one that needs much memory', () => {
    expect(inBox(kind, 'for i in 1 2 3 4 5 6 7 8 9; do sleep 3 & done')).toMatch(/fork: /);
    expect(inBox(kind, 'x=a; for i in {1..31}; do x=$x$x; done; echo done')).not.toContain('done');
  });

  test('compiles', async () => {
    const typesetter = await createTypesetter({
      workDir: path.join(home, 'work'),
      concurrency: 1,
      sandbox: [kind],
    });
    expect(typesetter.refusal).toBeNull();
    expect((await typesetter.compile({ latex: minimal, owner: 'a' })).kind).toBe('compiled');
    await typesetter.close();
  });
});

test('an unlimited shell would have got through where the box stops it', () => {
  expect(execFileSync('bash', ['-c', `cat ${home}/secret`], { encoding: 'utf8' })).toBe('secret');
});

test('where no sandbox works, every job is refused with a sentence', async () => {
  const typesetter = await createTypesetter({ workDir: path.join(home, 'none'), sandbox: [] });
  expect(typesetter.refusal).toContain('documents are never compiled without one');
  const result = await typesetter.compile({ latex: minimal, owner: 'a' });
  expect(result).toEqual({ kind: 'refused', reason: typesetter.refusal });
  await typesetter.close();
});

test('a sandbox that fails at boot gives its reason', async () => {
  // an ordinary user's box is the one kind root cannot build here: its folder belongs to nobody the box may be
  const wrong: SandboxKind = isRoot ? 'bubblewrap-as-user' : 'bubblewrap-as-root';
  const typesetter = await createTypesetter({ workDir: path.join(home, 'wrong'), sandbox: [wrong] });
  expect(typesetter.refusal === null || typesetter.refusal.includes(wrong)).toBe(true);
  await typesetter.close();
});
