/** Starts a program in a box of its own and leaves it there: a warm engine. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';
import { followBox } from './follow-box.ts';
import {
  type BoxExtras,
  type BoxedCommand,
  boxCommand,
  type SandboxKind,
  type SandboxPaths,
} from './sandbox.ts';

/** What a box that stays has beside a program's ordinary one. */
export interface StayingOptions extends BoxExtras {
  /** Pipes between us and the program at its descriptors 4, 5, … (3 is the box's own): how many. */
  channels: number;
  /** Keep descriptor 0 as a pipe to write to, and descriptor 1 as one to read from. Default: neither. */
  stdin?: boolean;
}

export interface StayingBox {
  /** The pipe to the program's descriptor 4 + index. */
  channel(index: number): Duplex;
  readonly stdin: Writable | null;
  /** What the program printed on stdout, where stdin was asked for; read it, or the program stops when it is full. */
  readonly stdout: Readable | null;
  /**
   * Settles, and never fails, when no process of the box is left. That is so soon after its program itself ended:
   * what the program forked goes with it. `code` as a shell would say (137 when killed).
   */
  readonly ended: Promise<{ code: number; stderr: string }>;
  /** Ends every process of the box. */
  kill(): void;
  /** Proportional memory (PSS) of all processes of the box, in bytes; 0 when it has ended. */
  measureMemory(): Promise<number>;
}

/** The program's descriptor of the first channel. */
export const firstChannelDescriptor = 4;
const maxStderrBytes = 8_192;

export function startBoxed(
  kind: SandboxKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  options: StayingOptions,
): StayingBox {
  const { file, args } = boxCommand(kind, paths, command, options);
  const own = options.stdin ? 'pipe' : 'ignore';
  const channels = Array.from({ length: options.channels }, () => 'pipe' as const);
  const child = spawn(file, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/local/bin' },
    detached: true,
    stdio: [own, own, 'pipe', 'pipe', ...channels],
  });
  const box = followBox(child);
  for (const stream of child.stdio) stream?.on('error', ignoreBrokenPipe);
  return {
    channel(index) {
      const stream = index < options.channels ? child.stdio[firstChannelDescriptor + index] : null;
      if (!stream) throw new RangeError(`the box has no channel ${index}`);
      return stream as Duplex;
    },
    stdin: child.stdin,
    stdout: child.stdout,
    ended: whenEnded(child).finally(() => box.closed()),
    kill: () => box.kill(),
    measureMemory: () => box.measureMemory(),
  };
}

/** A box that ends while we write to it is told by `ended`. */
function ignoreBrokenPipe(): void {}

/** Every process of a box holds its stderr, and nothing else does: the last one is gone when that closes. */
async function whenEnded(child: ChildProcess): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < maxStderrBytes) stderr += text.slice(0, maxStderrBytes - stderr.length);
  });
  const [code] = await Promise.all([
    new Promise<number>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve(exitCode ?? (signal ? 137 : 1)));
      child.once('error', (error) => {
        stderr ||= error.message;
        resolve(127);
      });
    }),
    new Promise<void>((resolve) => child.stderr!.once('close', resolve)),
  ]);
  return { code, stderr };
}
