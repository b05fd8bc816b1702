/** Documents that would exhaust the machine, cancelled jobs, and an owner who requests too much at once. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { compilationTimeoutTexts } from '#shared/api/errors.ts';
import { chooseFrom } from '../test-support/matrix.ts';
import { compileCache } from '../test-support/product/compile-cache.ts';
import type { StrategyName } from './engines/strategy.ts';
import {
  type Asset,
  type CompileResult,
  createTypesetter,
  requireCompiled,
  type Typesetter,
} from './index.ts';
import { openSandbox, possibleKinds } from './sandbox/open-sandbox.ts';
import { isLandlock, type SandboxKind } from './sandbox/sandbox.ts';
import { bombPng } from './testing/bomb-png.ts';
import { boxedProcesses, jobFolders } from './testing/left-behind.ts';

const home = mkdtempSync(path.join(tmpdir(), 'inkproof-limits-'));
chmodSync(home, 0o755);
const workDir = path.join(home, 'work');
let typesetter: Typesetter;
/** Warm engines exist between two jobs too, so a job's leftovers can be detected only without them. */
const strategies: StrategyName[] = ['cold'];

/** One of each way to build a box, among those that work here. */
const kinds = (
  await Promise.all(
    [possibleKinds().filter((kind) => !isLandlock(kind)), possibleKinds().filter(isLandlock)].map(
      findWorking,
    ),
  )
).flat();

async function findWorking(candidates: readonly SandboxKind[], index: number): Promise<SandboxKind[]> {
  const workFolder = path.join(home, `find-${index}`);
  mkdirSync(workFolder);
  const opened = await openSandbox({ kinds: candidates, workFolder, concurrency: 1 });
  if (opened.kind === 'none') return [];
  await opened.sandbox.close();
  return [opened.sandbox.kind];
}

function useTypesetter(sandbox?: SandboxKind[]): void {
  beforeAll(async () => {
    typesetter = await createTypesetter({ workDir, concurrency: 2, sandbox, strategies });
  });
  afterEach(() => {
    expect(boxedProcesses(home)).toEqual([]);
    expect(jobFolders(workDir)).toEqual([]);
  });
  afterAll(() => typesetter.close());
}

test('a sandbox works here', () => expect(kinds).not.toEqual([]));

afterAll(() => rmSync(home, { recursive: true, force: true }));

const wrap = (body: string) => `\\documentclass{article}\n\\begin{document}\n${body}\n\\end{document}\n`;
/** The elapsed-time limit of a job that another limit should end, however busy the machine is, and of its test. */
const otherLimitMs = 150_000;
const retryImport = { timeout: otherLimitMs + 30_000 };
const endless = wrap('\\loop\\iftrue\\repeat');
const firstError = (result: CompileResult) =>
  result.kind === 'failed'
    ? result.messages.find((message) => message.level === 'error')?.message
    : result.kind;

/** Makes \x a thousand letters, and writes ten of it. */
const makeThousand =
  '\\def\\x{xxxxxxxxxx}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}';
const writeTen = '\\immediate\\write\\w{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}';

interface Exhausting {
  what: string;
  latex: string;
  cpuMs: number;
  /** The first error, or how else it ended. */
  ends: RegExp;
  assets?: () => Asset[];
}

const exhausting: Exhausting[] = [
  { what: 'an endless loop uses up its processor time', latex: endless, cpuMs: 1_500, ends: /^timed-out$/ },
  {
    what: 'a flood of tiny files is cut off',
    latex: wrap(
      '\\newwrite\\w\\newcount\\n\\loop\\immediate\\openout\\w=f\\the\\n.txt \\immediate\\write\\w{x}\\immediate\\closeout\\w\\advance\\n1 \\ifnum\\n<80000 \\repeat',
    ),
    cpuMs: 30_000,
    ends: /^The document wrote too many files and was stopped\.$/,
  },
  {
    what: 'a macro that doubles itself runs out of its own memory',
    latex: wrap('\\def\\x{xxxxxxxxxx}\\loop\\edef\\x{\\x\\x}\\iftrue\\repeat'),
    cpuMs: 10_000,
    ends: /capacity exceeded|memory/,
  },
  {
    what: 'one huge file is cut off',
    latex: wrap(
      `\\newwrite\\w\\immediate\\openout\\w=big.txt ${makeThousand}\\loop${writeTen}\\iftrue\\repeat`,
    ),
    cpuMs: 20_000,
    ends: /more than 50 MB|wrote too much/,
  },
  {
    what: 'many large files are cut off',
    latex: wrap(
      `\\newwrite\\w\\newcount\\n\\newcount\\k${makeThousand}\n\\loop\\immediate\\openout\\w=f\\the\\n.txt {\\k=0 \\loop${writeTen}\\advance\\k1 \\ifnum\\k<4000 \\repeat}\\advance\\n1 \\iftrue\\repeat`,
    ),
    cpuMs: 30_000,
    ends: /^The document wrote too much and was stopped\.$/,
  },
  {
    what: 'an endless page flood runs into the limit of time or of files',
    latex: wrap('\\loop\\shipout\\vbox{\\hrule width 1000pt}\\iftrue\\repeat'),
    cpuMs: 3_000,
    ends: /^timed-out$|more than 50 MB|wrote too/,
  },
  {
    what: 'a log flood is cut off',
    latex: wrap(`\\loop\\wlog{${'x'.repeat(74)}}\\iftrue\\repeat`),
    cpuMs: 20_000,
    ends: /more than 50 MB|timed-out/,
  },
  {
    what: 'a picture that unpacks to gigabytes cannot take the machine along',
    latex: wrap('\\special{pdf:image width 10pt height 10pt (bomb.png)}x'),
    assets: () => [{ name: 'bomb.png', bytes: bombPng(30_000) }],
    cpuMs: 8_000,
    ends: /^(?!refused|cancelled)/,
  },
];

describe.each(chooseFrom(import.meta.filename, kinds))('exhausting documents end at a limit, %s', (kind) => {
  useTypesetter([kind]);

  test.each(chooseFrom(import.meta.filename, exhausting, 2))(
    '$what',
    retryImport,
    async ({ latex, assets, cpuMs, ends }) => {
      const result = await typesetter.compile({ latex, assets: assets?.(), owner: 'a', cpuMs });
      expect(firstError(result)).toMatch(ends);
    },
  );
});

describe.each(chooseFrom(import.meta.filename, kinds))('on a loaded machine, %s', (kind) => {
  useTypesetter([kind]);

  test('time without the processor does not count', {
    timeout: 120_000,
  }, async () => {
    const pending = typesetter.compile({ latex: wrap('sound'), owner: 'a', cpuMs: 4_000 });
    // as if every other process of the machine had priority, for longer than the document may compute
    const until = performance.now() + 5_000;
    while (performance.now() < until) {
      signalAll(boxedProcesses(home), 'SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    signalAll(boxedProcesses(home), 'SIGCONT');
    expect((await pending).kind).toBe('compiled');
  });

  test('a starved document is not blamed: the error is ours, with Retry-After', async () => {
    const result = await typesetter.compile({ latex: endless, owner: 'a', elapsedMs: 1 });
    expect(() => requireCompiled(result, 'user')).toThrow(
      expect.objectContaining({
        code: 'COMPILATION_TIMEOUT',
        source: 'server',
        message: compilationTimeoutTexts.server,
        retryAfterSeconds: expect.any(Number),
      }),
    );
  });
});

describe.each(chooseFrom(import.meta.filename, kinds))('cancelling, %s', (kind) => {
  useTypesetter([kind]);

  test('a running job ends at once and leaves nothing', async () => {
    const controller = new AbortController();
    const pending = typesetter.compile({
      latex: endless,
      owner: 'a',
      cpuMs: 20_000,
      signal: controller.signal,
    });
    await untilRunning();
    controller.abort();
    expect(await pending).toEqual({ kind: 'cancelled' });
  });

  test('a job can be ended at any moment of its start', async () => {
    // bubblewrap takes some ten ms to set up the box: an end during that time must leave nothing either
    const delays = [12, 0, 32, 52, 4, 8, 16, 20, 24, 28, 36, 40, 44, 48, 56, 60];
    for (const delayMs of chooseFrom(import.meta.filename, delays, 2)) {
      const controller = new AbortController();
      const pending = typesetter.compile({ latex: endless, owner: 'a', signal: controller.signal });
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      controller.abort();
      expect(await pending).toEqual({ kind: 'cancelled' });
      expect(boxedProcesses(home)).toEqual([]);
    }
  });

  test('a cancelled waiting job frees its place', async () => {
    const stop = new AbortController();
    const busy = [1, 2].map((number) =>
      typesetter.compile({ latex: `${endless}% ${number}`, owner: 'a', signal: stop.signal }),
    );
    const controller = new AbortController();
    const waiting = typesetter.compile({ latex: endless, owner: 'b', signal: controller.signal });
    controller.abort();
    expect(await waiting).toEqual({ kind: 'cancelled' });
    stop.abort();
    expect(await Promise.all(busy)).toEqual([{ kind: 'cancelled' }, { kind: 'cancelled' }]);
  });

  test('closing ends running and waiting jobs and removes the folders', async () => {
    const own = path.join(home, `closing-${kind}`);
    const closing = await createTypesetter({ workDir: own, concurrency: 1, sandbox: [kind], strategies });
    const jobs = [1, 2].map((number) =>
      closing.compile({ latex: `${endless}% ${number}`, owner: 'a', cpuMs: 20_000 }),
    );
    await untilRunning();
    await closing.close();
    expect(await Promise.all(jobs)).toEqual([{ kind: 'cancelled' }, { kind: 'cancelled' }]);
    expect(await closing.compile({ latex: endless, owner: 'a' })).toMatchObject({ kind: 'refused' });
    expect(boxedProcesses(own)).toEqual([]);
    expect(jobFolders(own)).toEqual([]);
  });
});

describe.each(chooseFrom(import.meta.filename, kinds))('a killed server, %s', (kind) => {
  /** A separate process that compiles an endless document below `workDir`, as its first job. */
  const start = (own: string, andThen = '') => {
    const program = `
      const { createTypesetter } = await import(${JSON.stringify(new URL('./create-typesetter.ts', import.meta.url).href)});
      const typesetter = await createTypesetter({ workDir: ${JSON.stringify(own)}, concurrency: 1, sandbox: ['${kind}'], strategies: ['cold'] });
      typesetter.compile({ latex: ${JSON.stringify(endless)}, owner: 'a', cpuMs: 60_000 });
      ${andThen}`;
    return spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: 'ignore',
      env: { ...process.env, ...compileCache },
    });
  };

  test('ends its jobs, and the next process clears its folders', async () => {
    const own = path.join(home, `killed-${kind}`);
    const child = start(own);
    onTestFinished(() => void child.kill('SIGKILL'));
    // the document is being read; the next test covers a box that is only just being made
    await until(() => hasJobLog(own));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await until(() => boxedProcesses(own).length === 0);
    expect(jobFolders(own)).not.toEqual([]);
    const next = await createTypesetter({ workDir: own, concurrency: 1, sandbox: [kind], strategies });
    expect(jobFolders(own)).toEqual([]);
    await next.close();
    expect(readdirSync(own)).toEqual([]);
  });

  test('leaves nothing behind, whenever a box’s start is killed', async () => {
    const own = path.join(home, `sudden-${kind}`);
    for (const delayMs of chooseFrom(import.meta.filename, [10, 25, 0, 5, 15, 20, 30, 35]))
      await once(start(own, `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${delayMs});`), 'exit');
    const next = await createTypesetter({ workDir: own, concurrency: 1, sandbox: [kind], strategies });
    await until(() => builders(own).length === 0 && boxedProcesses(own).length === 0);
    await next.close();
  });

  test.each(['/usr/bin/choom', '/bin/bash', '/usr/bin/setpriv', 'bwrap'])(
    'a box that had come no further than %s when its server was killed is ended by the next process',
    async (builder) => {
      const own = path.join(home, `early-${kind}`);
      const folder = path.join(own, 'typesetting-1-1');
      mkdirSync(folder, { recursive: true });
      const early = spawn('/bin/sh', ['-c', 'read line', 'sh', `${folder}/1`], { argv0: builder });
      const ended = once(early, 'exit');
      const next = await createTypesetter({ workDir: own, concurrency: 1, sandbox: [kind], strategies });
      expect(await ended).toEqual([null, 'SIGKILL']);
      expect(readdirSync(own)).toHaveLength(1);
      await next.close();
    },
  );

  test('a work folder that others may write is refused', async () => {
    const open = path.join(home, `open-${kind}`);
    mkdirSync(open);
    chmodSync(open, 0o777);
    await expect(createTypesetter({ workDir: open })).rejects.toThrow('belongs to this user alone');
  });
});

describe('the queue', () => {
  useTypesetter();

  test('an owner with many jobs does not make others wait for all of them', async () => {
    const registry = new Registry();
    const narrow = await createTypesetter({ workDir, concurrency: 1, metrics: registry, strategies });
    const order: string[] = [];
    let count = 0;
    const submit = (owner: string) =>
      narrow.compile({ latex: wrap(`x ${count++}`), owner }).then((result) => {
        expect(result.kind).toBe('compiled');
        order.push(owner);
      });
    await Promise.all([...Array.from({ length: 3 }, () => submit('greedy')), submit('modest')]);
    // one runs at once; the other owner is next
    expect(order.indexOf('modest')).toBe(1);
    expect(await registry.metrics()).toMatch(
      /inkproof_compiles_total\{engine="xelatex",outcome="compiled"\} 4/,
    );
    await narrow.close();
  });

  test('refuses jobs beyond an owner’s share, and says when to try again', async () => {
    const stop = new AbortController();
    let count = 0;
    const submit = (owner: string) =>
      typesetter.compile({ latex: `${endless}% ${count++}`, owner, signal: stop.signal });
    const greedy = Array.from({ length: 19 }, () => submit('greedy'));
    const refused = await greedy.at(-1)!;
    expect(refused).toMatchObject({ kind: 'refused', retryAfterSeconds: expect.any(Number) });
    const other = submit('other');
    stop.abort();
    expect((await other).kind).toBe('cancelled');
    await Promise.all(greedy);
  });
});

/** Processes that were given a folder below this one: those that build a box, even if they were stopped half-way. */
const builders = (folder: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${folder}/`);
    } catch {
      return false;
    }
  });

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // ended already
    }
}

/** A job's log is among what is being made and removed here. */
function hasJobLog(folder: string): boolean {
  try {
    return readdirSync(folder, { encoding: 'utf8', recursive: true }).some((file) =>
      /\/job-\d+\/main\.log$/.test(file),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

const untilRunning = () => until(() => boxedProcesses(home).length > 0);

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !condition(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(condition()).toBe(true);
}
