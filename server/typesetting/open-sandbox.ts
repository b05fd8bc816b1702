/** Finds out at boot which sandbox really works here, by compiling one line in it. */
import { accessSync, constants } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createJobFolder } from './job-folder.ts';
import { reserveIds } from './job-ids.ts';
import { type BoxedExit, runBoxed, type Watch } from './run-boxed.ts';
import {
  type BoxedCommand,
  boxedPrograms,
  defaultFileBytes,
  defaultMemoryBytes,
  type SandboxKind,
} from './sandbox.ts';

export interface Sandbox {
  readonly kind: SandboxKind;
  /** How many jobs may run at a time: one an id. */
  readonly capacity: number;
  /** An id for one job, its own until given back; null where the product is an ordinary user. */
  takeId(): number | null;
  giveBackId(id: number | null): void;
  run(command: BoxedCommand, watch: Watch): Promise<BoxedExit>;
  /** Starts a program that stays: a warm engine. It lives until it ends by itself or is killed. */
  start(command: BoxedCommand, options: StayingOptions): StayingBox;
  close(): Promise<void>;
}

/** What a box that stays has beside a program's ordinary one. */
export interface StayingOptions {
  /** Pipes between us and the program at its descriptors 4, 5, … (3 is the box's own): how many. */
  channels: number;
  /** Keep descriptor 0 as a pipe to write to. */
  stdin?: boolean;
  /** Load our library for warm engines (native/warm.c) into the program. */
  preload?: boolean;
  /** Further settings of the program's environment. */
  env?: Readonly<Record<string, string>>;
  /** Most processes it may have at a time. Default 8. */
  processes?: number;
}

export interface StayingBox {
  /** The pipe to the program's descriptor 4 + index. */
  channel(index: number): Duplex;
  readonly stdin: Writable | null;
  /** What the program printed on stdout, where that is not ignored. */
  readonly stdout: Readable | null;
  /** Settles when no process of the box is left. */
  readonly ended: Promise<{ code: number; stderr: string }>;
  /** Ends every process of the box. */
  kill(): void;
  /** Proportional memory of all processes of the box, in bytes; 0 when it has ended. */
  measureMemory(): Promise<number>;
}

export type OpenedSandbox = { kind: 'open'; sandbox: Sandbox } | { kind: 'none'; refusal: string };

interface Options {
  /** Which to try, in order. Default: all that this user could use. */
  kinds?: readonly SandboxKind[];
  workFolder: string;
  concurrency: number;
}

const probeTimeoutMs = 30_000;
const probeDocument = '\\documentclass{article}\\begin{document}x\\end{document}\n';

/** Kinds worth trying for the user this process runs as. */
export function possibleKinds(): readonly SandboxKind[] {
  return process.getuid?.() === 0 ? ['bubblewrap-as-id', 'bubblewrap-as-root'] : ['bubblewrap-as-user'];
}

/** Opens the first sandbox that works, or says in a sentence for people why none does. */
export async function openSandbox({
  kinds = possibleKinds(),
  workFolder,
  concurrency,
}: Options): Promise<OpenedSandbox> {
  const missing = [...boxedPrograms, 'bwrap', 'prlimit', 'setpriv'].filter((name) => !isExecutable(name));
  if (missing.length > 0)
    return {
      kind: 'none',
      refusal: `Compiling is off on this server: ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not installed. Running ./start installs what is needed.`,
    };
  const isRoot = process.getuid?.() === 0;
  const reserved = isRoot ? await reserveIds(concurrency) : { ids: [], release: async () => {} };
  if (isRoot && reserved.ids.length === 0)
    return {
      kind: 'none',
      refusal:
        'Compiling is off on this server: all user ids reserved for compiling are taken by other processes.',
    };
  const texmf = path.join(workFolder, 'texmf');
  await mkdir(texmf, { mode: 0o755 });
  await cp(fileURLToPath(new URL('./texmf/', import.meta.url)), texmf, { recursive: true });
  const reasons: string[] = [];
  for (const kind of kinds) {
    const reason = await probe(kind, { texmf }, workFolder, reserved.ids[0] ?? null);
    if (reason === null) {
      const free = [...reserved.ids];
      const sandbox: Sandbox = {
        kind,
        capacity: isRoot ? reserved.ids.length : concurrency,
        takeId() {
          if (!isRoot) return null;
          const id = free.pop();
          if (id === undefined) throw new Error('more jobs run than ids are reserved');
          return id;
        },
        giveBackId(id) {
          if (id !== null) free.push(id);
        },
        run: (command, watch) => runBoxed(kind, { texmf }, command, watch),
        start: () => {
          throw new Error('this sandbox cannot hold a program that stays');
        },
        close: () => reserved.release(),
      };
      return { kind: 'open', sandbox };
    }
    reasons.push(`${kind}: ${reason}`);
  }
  await reserved.release();
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  return {
    kind: 'none',
    refusal: `Compiling is off on this server: no sandbox works here, and documents are never compiled without one${why}.`,
  };
}

/** null when the sandbox compiled a line; else why not. */
async function probe(
  kind: SandboxKind,
  paths: { texmf: string },
  workFolder: string,
  id: number | null,
): Promise<string | null> {
  const folder = await createJobFolder(path.join(workFolder, 'probe'), id, probeDocument, []);
  try {
    const exit = await runBoxed(
      kind,
      paths,
      {
        program: 'xelatex',
        args: ['-no-pdf', '-no-shell-escape', '-interaction=nonstopmode', 'main.tex'],
        folder: folder.path,
        id,
        limits: { cpuSeconds: 30, memoryBytes: defaultMemoryBytes, fileBytes: defaultFileBytes },
      },
      { deadline: Date.now() + probeTimeoutMs, signal: new AbortController().signal },
    );
    if (exit.kind !== 'exited') return exit.kind;
    if (exit.code !== 0) return exit.stderr.trim().split('\n')[0] || `it ended with status ${exit.code}`;
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await folder.remove();
  }
}

function isExecutable(name: string): boolean {
  try {
    accessSync(`/usr/bin/${name}`, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
