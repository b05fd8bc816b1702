/**
 * native/warm.c under the address and undefined behaviour sanitizers, fed with commands that are nonsense, cut
 * off, far too long, or right except for one number, while it reads nonsensical documents. It must never fail
 * by its own fault, nor leave a process after we disconnect.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelCount, slotCount } from './fork-server/protocol.ts';

const local = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const home = mkdtempSync(path.join(tmpdir(), 'inkproof-fuzz-'));
const program = path.join(home, 'engine');
let isBuilt = false;

beforeAll(() => {
  const flags = ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
  const sources = [local('./testing/stand-in-engine.c'), local('./native/warm.c')];
  const built = spawnSync('gcc', [...flags, '-o', program, ...sources, '-ldl'], { encoding: 'utf8' });
  isBuilt = built.status === 0;
  if (!isBuilt && existsSync('/usr/bin/gcc') && !/cannot find.*(?:asan|ubsan)/.test(built.stderr))
    throw new Error(built.stderr);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** How long it is fed; FUZZ_MS for longer manual runs. */
const fuzzMs = Number(process.env.FUZZ_MS ?? 5_000);
const commandsPerSession = 60;

test(
  'the library for warm engines survives any command',
  async ({ skip }) => {
    if (!isBuilt) skip();
    const until = Date.now() + fuzzMs;
    let sessions = 0;
    let answers = 0;
    while (Date.now() < until) {
      const random = seeded(randomBytes(4).readUInt32LE());
      const seen = await session(path.join(home, String(sessions++)), random);
      expect(seen.complaints, `session of seed ${random.seed}`).toBe('');
      expect(seen.left, `session of seed ${random.seed}`).toEqual([]);
      answers += seen.answers;
    }
    // it did do something: runs began, and copies were left
    expect(answers).toBeGreaterThan(sessions * 3);
    if (process.env.FUZZ_MS) process.stdout.write(`${sessions} sessions, ${answers} answers\n`);
  },
  fuzzMs + 60_000,
);

interface Random {
  seed: number;
  /** A whole number from 0 up to below `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
}

function seeded(seed: number): Random {
  let state = seed || 1;
  const below = (end: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % end;
  };
  return { seed, below, pick: (from) => from[below(from.length)]! };
}

async function session(
  folder: string,
  random: Random,
): Promise<{ complaints: string; answers: number; left: string[] }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'main.tex'), '');
  for (const run of ['r1', 'r2', 'r3']) {
    mkdirSync(path.join(folder, run));
    mkdirSync(path.join(folder, `${run}p`));
    writeFileSync(path.join(folder, run, 'main.tex'), textOf(random));
  }
  const child = spawn(program, [], {
    cwd: folder,
    env: {
      INKPROOF_WARM: random.below(5) === 0 ? 'driver' : 'engine',
      ASAN_OPTIONS: 'detect_leaks=0:exitcode=99',
      UBSAN_OPTIONS: 'print_stacktrace=1',
    },
    detached: true,
    stdio: [
      'ignore',
      'ignore',
      'pipe',
      'ignore',
      ...Array.from({ length: channelCount }, () => 'pipe' as const),
    ],
  });
  let complaints = '';
  let answers = 0;
  child.stdio[2]!.on('data', (text: Buffer) => (complaints += text));
  child.stdio[4]!.on('data', (text: Buffer) => (answers += text.toString('latin1').split('\n').length - 1));
  for (const stream of child.stdio) stream?.on('error', () => {});
  const ended = new Promise<void>((resolve) => child.stdio[2]!.once('close', resolve));
  for (let count = 0; count < commandsPerSession; count++) {
    const slot = random.below(3) === 0 ? random.below(slotCount) : random.below(4);
    (child.stdio[5 + slot] as Writable).write(commandOf(random));
    if (count % 6 === 0) await new Promise((resolve) => setTimeout(resolve, random.below(8)));
  }
  // disconnecting ends processes that wait for a command; running ones end by themselves
  for (let slot = 0; slot < slotCount; slot++) (child.stdio[5 + slot] as Writable).end();
  const patience = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 12_000);
  await ended;
  clearTimeout(patience);
  // the driver's runs write their messages elsewhere, and so may still be ending
  for (let tries = 0; tries < 400 && membersOf(child.pid!).length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return { complaints: complaints.slice(0, 4_000), answers, left: membersOf(child.pid!) };
}

/** Processes of a group. */
function membersOf(group: number): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(fields[2]) === group && fields[0] !== 'Z';
    } catch {
      return false;
    }
  });
}

function textOf(random: Random): Buffer {
  const lines = Array.from({ length: random.below(60) }, () =>
    random.below(4) === 0
      ? randomBytes(random.below(300)).toString('latin1')
      : `line ${random.below(1000)} ${'x'.repeat(random.below(200))}`,
  );
  return Buffer.from(lines.join(random.pick(['\n', '\n', '\r\n', '\n\n'])), 'latin1');
}

function commandOf(random: Random): Buffer {
  const number = () =>
    random.pick([
      '0',
      '1',
      '2',
      '5',
      '15',
      '16',
      '17',
      '-1',
      '999999999999',
      '99999999999999999999999',
      '',
      'x',
      String(random.below(5000)),
    ]);
  const list = () =>
    random.pick([
      '-',
      '',
      ',',
      number(),
      Array.from({ length: random.below(40) }, number).join(','),
      '1,2,3,4',
      '0,10,100',
    ]);
  const folder = () =>
    random.pick(['r1', 'r1', 'r2', 'r3', 'r9', '..', '..', 'r1/../..', '/tmp', 'a'.repeat(40), '']);
  const whole = () =>
    `run ${random.below(9)} ${random.pick(['r1', 'r2', 'r3'])} 5 ${random.below(3)} ${random.pick(['-1', '0', '40'])} fffe 0 20 200 -1\n`;
  const odd = () =>
    `run ${number()} ${folder()} ${number()} ${number()} ${number()} ${random.pick(['0', '1', 'ffff', 'fffffffffff', '-1', 'x', number()])} ${number()} ${number()} ${number()} ${list()}\n`;
  const text = random.pick([
    whole,
    whole,
    whole,
    odd,
    odd,
    () => 'stop\n',
    () => 'end\n',
    () => whole().slice(0, random.below(30)),
    () => `${'x'.repeat(random.below(3000))}${random.pick(['', '\n'])}`,
    () => '\n\n\n\0\0\n',
    () => `run ${'9'.repeat(random.below(400))} r1 1 1 1 - -\n`,
  ])();
  return random.below(8) === 0 ? randomBytes(random.below(600)) : Buffer.from(text);
}
