/** Starts a program in a separate box and leaves it running: a warm engine. */
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { BoxExtras, BoxedCommand, SandboxKind, SandboxPaths } from './sandbox.ts';
import { spawnBox } from './spawn-box.ts';

/** Options of a box that stays, in addition to the ordinary ones. */
export interface StayingOptions extends BoxExtras {
  /** Number of pipes between us and the program at its descriptors 4, 5, … (3 is the box's own). */
  channels: number;
}

export interface StayingBox {
  /** The job's folder as the program sees it: `/work` in bubblewrap, the same as on the host in a Landlock jail. */
  readonly folder: string;
  /** The pipe to the program's descriptor 4 + index. */
  channel(index: number): Duplex;
  /**
   * Settles, and never fails, when no process of the box is left. That is soon after its program itself ended,
   * because its forked processes end with it. `code` as reported by a shell (137 if killed).
   */
  readonly ended: Promise<{ code: number; stderr: string }>;
  /** Ends every process of the box. */
  kill(): void;
  /** Proportional memory (PSS) of all processes of the box, in bytes; 0 when it has ended. */
  measureMemory(): Promise<number>;
  /** CPU time of all processes of the box so far, in ms; null when it has ended. */
  readCpuMs(): number | null;
}

/** The program's descriptor of the first channel. */
const firstChannelDescriptor = 4;
const defaultProcesses = 8;
const maxStderrBytes = 8_192;

export function startBoxed(
  kind: SandboxKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  options: StayingOptions,
): StayingBox {
  const { channels } = options;
  const { child, box, folder } = spawnBox(
    kind,
    paths,
    command,
    { ...options, processes: options.processes ?? defaultProcesses },
    { channels },
  );
  for (const stream of child.stdio) stream?.on('error', ignoreBrokenPipe);
  return {
    folder,
    channel(index) {
      const stream = index < channels ? child.stdio[firstChannelDescriptor + index] : null;
      if (!stream) throw new RangeError(`the box has no channel ${index}`);
      return stream as Duplex;
    },
    ended: whenEnded(child).finally(() => box.closed()),
    kill: () => box.kill(),
    measureMemory: () => box.measureMemory(),
    readCpuMs: box.readCpuMs,
  };
}

/** A box that ends while we write to it is reported by `ended`. */
function ignoreBrokenPipe(): void {}

/**
 * Every process of a box holds its stderr, and nothing else does: it closes when the last one has
 * ended.
 */
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
