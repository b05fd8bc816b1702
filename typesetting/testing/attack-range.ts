/**
 * Where attacks are run: a typesetter of one strategy in one kind of box, a folder with canaries that everyone
 * may read, a folder that everyone may write, and listeners on every kind of address a document could try to
 * reach.
 */

import { createSocket } from 'node:dgram';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createTypesetter, type TypesetterOptions } from '../create-typesetter.ts';
import type { Typesetter } from '../typesetter.ts';
import type { Place } from './attacks/attack.ts';
import type { Needle } from './find-leak.ts';
import { png, tinyPdf } from './hostile-files.ts';

/** Shown only if a foreign file was read; in no document. */
export const canary = 'canary7f3a91c0secret';
/** Pixels of the canary picture: a pattern that no ordinary picture has. */
export const canaryPixels = 'canarypixels9e41b7';
/** The canary font's own name, and the beginning of the machine's list of users. */
const furtherSigns = ['CanaryF0', 'root:x:0', 'root:*:0'];
/** The response to a connection. */
const reached = 'canaryreached51d2';

/** Signs that something foreign was read. */
export const serverSecrets: readonly Needle[] = [canary, canaryPixels, reached, ...furtherSigns];

export interface AttackRange {
  typesetter: Typesetter;
  place: Place;
  workDir: string;
  /** What was reached, or written where everybody may, since the last call. */
  takeTraces(): string[];
  close(): Promise<void>;
}

export type OpenedRange = { kind: 'open'; range: AttackRange } | { kind: 'not measured'; reason: string };

/** Opens a range, or says why this strategy or sandbox cannot be tried here. */
export async function openAttackRange(
  options: Omit<TypesetterOptions, 'workDir' | 'logger'>,
): Promise<OpenedRange> {
  const home = mkdtempSync(path.join(tmpdir(), 'inkproof-attack-'));
  const workDir = path.join(home, 'work');
  const drop = path.join(home, 'drop');
  plantCanaries(home);
  mkdirSync(drop);
  chmodSync(drop, 0o777);
  chmodSync(home, 0o755);
  process.env.INKPROOF_CANARY = canary;
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const typesetter = await createTypesetter({ ...options, workDir, logger });
  const ready = lines.find((line) => line.msg === 'typesetter ready');
  const reason = typesetter.refusal ?? differs(ready, options);
  if (reason !== null) {
    await typesetter.close();
    rmSync(home, { recursive: true, force: true });
    return { kind: 'not measured', reason };
  }
  const listeners = await listen(home);
  return {
    kind: 'open',
    range: {
      typesetter,
      workDir,
      place: {
        home,
        drop,
        ...listeners.addresses,
        secret: 'neighboursecret8c1e',
        mark: 'attackermark4d7b',
      },
      takeTraces() {
        const traces = listeners.take();
        const written = readdirSync(drop).map((name) => `wrote ${name} where everybody may`);
        for (const name of readdirSync(drop)) rmSync(path.join(drop, name), { recursive: true, force: true });
        const strays = [
          '/tmp/inkproof-written',
          '/dev/shm/inkproof-written',
          '/dev/shm/inkproof',
          '/tmp/inkproof',
          '/var/tmp/inkproof',
        ];
        for (const stray of strays)
          if (exists(stray)) {
            traces.push(`wrote ${stray}`);
            rmSync(stray, { force: true });
          }
        // files of a job's id outlive the job only where every job may write
        for (const place of ['/tmp', '/var/tmp', '/dev/shm'])
          for (const name of readdirSync(place))
            if (isOfJob(path.join(place, name))) traces.push(`left ${name} in ${place}`);
        if (!readFileSync(path.join(home, 'canary.txt'), 'utf8').startsWith(canary))
          traces.push('changed a foreign file');
        return [...traces, ...written];
      },
      async close() {
        await typesetter.close();
        await listeners.close();
        rmSync(home, { recursive: true, force: true });
      },
    },
  };
}

/** null if the typesetter accepted the request. */
function differs(
  ready: Record<string, unknown> | undefined,
  { sandbox, strategies }: Partial<TypesetterOptions>,
): string | null {
  if (!ready) return 'the typesetter did not say what it is';
  if (sandbox && ready.sandbox !== sandbox[0]) return `the sandbox is ${ready.sandbox}`;
  const strategy = ready.strategy ?? 'cold';
  return strategies && strategy !== strategies[0] ? `the strategy is ${strategy}` : null;
}

function exists(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}

/** Whether an entry belongs to one of the ids that jobs run as (job-ids.ts). */
function isOfJob(place: string): boolean {
  const owner = lstatSync(place, { throwIfNoEntry: false })?.uid ?? 0;
  return owner >= 60_578 && owner <= 61_183;
}

function plantCanaries(home: string): void {
  const plant = (name: string, content: string | Buffer) => writeFileSync(path.join(home, name), content);
  // readable by everyone, so that only the box keeps them from the document
  for (const name of ['canary.txt', 'canary.tex']) plant(name, `${canary}\n`);
  plant('canary.cls', `\\LoadClass{article}\\AtBeginDocument{${canary}}\n`);
  plant('canary.sty', `\\AtBeginDocument{${canary}}\n`);
  plant('canary.png', png(canaryPixels.repeat(8)));
  plant('canary.pdf', tinyPdf(canary));
  plant('canary.ps', `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n% ${canary}\n`);
  plant('canary.cfg', `% ${canary}\n`);
  // with a unique name, which a document can only get from this file
  const font = readFileSync('/usr/share/texmf/fonts/opentype/public/lm/lmmono10-regular.otf', 'latin1');
  plant('canary.otf', Buffer.from(font.replaceAll('LMMono10', 'CanaryF0'), 'latin1'));
}

/** Listens on every kind of address, answers with a canary, and records who connected. */
async function listen(home: string) {
  let visits: string[] = [];
  const serve = (name: string) =>
    createServer((socket) => {
      visits.push(`reached ${name}`);
      socket.on('error', () => {});
      socket.end(`${reached}\n`);
    });
  const tcp = serve('a TCP port');
  const onDisk = serve('a socket on disk');
  const abstract = serve('an abstract socket');
  const udp = createSocket('udp4').on('message', () => visits.push('reached a UDP port'));
  const abstractSocket = `inkproof-canary-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const socket = path.join(home, '.s.PGSQL.5432');
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => onDisk.listen(socket, resolve));
  await new Promise<void>((resolve) => abstract.listen(`\0${abstractSocket}`, resolve));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  chmodSync(socket, 0o777);
  return {
    addresses: {
      port: (tcp.address() as AddressInfo).port,
      udpPort: udp.address().port,
      socket,
      abstractSocket,
    },
    take() {
      const taken = visits;
      visits = [];
      return taken;
    },
    async close() {
      udp.close();
      await Promise.all([tcp, onDisk, abstract].map((server) => new Promise((done) => server.close(done))));
    },
  };
}
