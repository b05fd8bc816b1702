/**
 * Builds the command line of a Landlock and seccomp box (native/jail.c): the host's own root, of which the
 * program may open only what is listed here, with the job's folder at its usual place.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { boxEnvironment, executablesOf, firstArgs, readOnly, readOnlyIfThere } from './box-contents.ts';
import {
  type BoxExtras,
  type BoxedCommand,
  type BuiltCommand,
  type LandlockKind,
  requireId,
  requireWarm,
  type SandboxPaths,
} from './sandbox.ts';

/** Made by the jail; TeX itself may not write names that begin with a dot. */
const tmpFolder = '.tmp';
/** Started by the kernel for every dynamically linked program; x86-64 and arm64. */
const loaders = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'];

/** @throws Error if the jail was not built. */
export function landlockCommand(
  kind: LandlockKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  extras: BoxExtras,
  channels: number,
): BuiltCommand {
  const { program, args, folder, limits } = command;
  if (paths.jail === null) throw new Error('native/jail was not built');
  const warm = extras.preload ? requireWarm(paths) : null;
  const settings = {
    ...boxEnvironment(program, { folder, texmf: paths.texmf }),
    TMPDIR: path.join(folder, tmpFolder),
    ...extras.env,
    ...(warm && { LD_PRELOAD: warm }),
  };
  const executable = [...loaders.filter(existsSync), ...executablesOf(program)];
  const options = [
    ...['-d', folder, '-P', String(process.pid), '-k', String(channels)],
    ...(kind === 'landlock-as-id' ? ['-u', String(requireId(command.id))] : []),
    ...[...readOnly, paths.texmf, ...(warm ? [warm] : [])].flatMap((place) => ['-r', place]),
    ...readOnlyIfThere.flatMap((place) => ['-o', place]),
    ...executable.flatMap((file) => ['-x', realpathSync(file)]),
    ...['-c', String(limits.cpuSeconds), '-m', String(limits.memoryBytes), '-f', String(limits.fileBytes)],
    ...limitProcesses(kind, extras.processes),
    ...Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
  ];
  const words = [`/usr/bin/${program}`, ...firstArgs(program, paths.texmf), ...args];
  return { folder, file: paths.jail, args: [...options, '--', ...words] };
}

/** How many processes the product's own user may add to those it has now. */
const slackProcesses = 256;

/** The kernel counts per user, not per box: a separate user has only the box; our own has everything else too. */
function limitProcesses(kind: LandlockKind, processes: number | undefined): string[] {
  if (processes === undefined) return ['-F'];
  const others = kind === 'landlock-as-id' ? 0 : countOwnThreads() + slackProcesses;
  return ['-n', String(processes + others)];
}

function countOwnThreads(): number {
  const own = `Uid:\t${process.getuid?.()}\t`;
  let count = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      if (status.includes(own)) count += Number(/^Threads:\t(\d+)/m.exec(status)?.[1] ?? 1);
    } catch {
      // ended meanwhile
    }
  }
  return count;
}
