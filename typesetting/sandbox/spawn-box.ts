/** Starts the processes of a box and follows them to their end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { endFirst } from '#platform/work/bound-command.ts';
import { boxCommand } from './box-command.ts';
import { type FollowedBox, followBox } from './follow-box.ts';
import {
  type BoxExtras,
  type BoxedCommand,
  boxInfoDescriptor,
  isLandlock,
  type SandboxKind,
  type SandboxPaths,
} from './sandbox.ts';

export interface BoxStreams {
  /** The program's input at descriptor 0; default: nothing. */
  input?: string;
  /** Number of pipes at descriptors 4, 5, …. */
  channels?: number;
}

export interface SpawnedBox {
  child: ChildProcess;
  box: FollowedBox;
  /** The job's folder as the program sees it. */
  folder: string;
}

/**
 * Descriptor 2 is a pipe that is held by every process of the box and by nothing else: when it closes, none is
 * left.
 */
export function spawnBox(
  kind: SandboxKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  extras: BoxExtras = {},
  { input, channels = 0 }: BoxStreams = {},
): SpawnedBox {
  const built = boxCommand(kind, paths, command, extras, channels);
  // the jail closes what it is not told to keep; bubblewrap passes everything on
  const inherited = isLandlock(kind)
    ? []
    : inheritedDescriptors().filter((descriptor) => descriptor > boxInfoDescriptor + channels);
  const [file = '', ...args] = endFirst([
    ...(inherited.length === 0
      ? []
      : [
          '/bin/bash',
          // with a socket as its input bash would assume a remote shell and read ~/.bashrc
          '--norc',
          '--noprofile',
          '-c',
          `exec ${inherited.map((one) => `${one}>&-`).join(' ')}; exec "$@"`,
          'bash',
        ]),
    built.file,
    ...built.args,
  ]);
  const child = spawn(file, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/local/bin' },
    detached: true,
    stdio: [
      input === undefined ? 'ignore' : 'pipe',
      'ignore',
      'pipe',
      'pipe',
      ...Array.from({ length: channels }, () => 'pipe' as const),
    ],
  });
  // a box that ends before it has read is reported by its end
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  return { child, box: followBox(child, kind), folder: built.folder };
}

let found: number[] | undefined;

/**
 * Descriptors that whoever started this process left open in it and that every program it starts would inherit
 * too. Node marks its own, and the first few it inherits, as not to be passed on (O_CLOEXEC, 02000000 in
 * fdinfo).
 */
function inheritedDescriptors(): number[] {
  found ??= readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !isClosedOnExec(descriptor));
  return found;
}

function isClosedOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
    return (Number.parseInt(flags?.[1] ?? '0', 8) & 0o2000000) !== 0;
  } catch {
    return true;
  }
}
