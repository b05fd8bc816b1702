/** Builds the command line of a bubblewrap box: its own root, with the job's folder at /work. */
import { realpathSync } from 'node:fs';
import { boxEnvironment, executablesOf, firstArgs, readOnly, readOnlyIfThere } from './box-contents.ts';
import {
  type BoxExtras,
  type BoxedCommand,
  type BubblewrapKind,
  type BuiltCommand,
  boxInfoDescriptor,
  requireId,
  requireWarm,
  type SandboxPaths,
} from './sandbox.ts';

/** Size of the box's /tmp, where xdvipdfmx unpacks pictures. */
const tmpBytes = 64 * 1024 * 1024;

const parents = [
  '/usr',
  '/usr/bin',
  '/usr/local',
  '/usr/local/share',
  '/etc',
  '/var',
  '/var/lib',
  '/var/cache',
  '/dev',
];

const warmInBox = '/native/warm.so';

/** Descriptors above `boxInfoDescriptor` reach the program. */
export function bubblewrapCommand(
  kind: BubblewrapKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  extras: BoxExtras,
): BuiltCommand {
  const { program, args, id, limits } = command;
  const folder = '/work';
  const environment = boxEnvironment(command.program, { folder, texmf: '/texmf' });
  const warm = extras.preload ? requireWarm(paths) : null;
  const settings = { ...extras.env, ...(warm && { LD_PRELOAD: warmInBox }) };
  const limited = [
    // entered by the job's id itself: the folder is closed to root without its capabilities
    ...['/usr/bin/env', '-C', folder],
    '/usr/bin/prlimit',
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 1}`,
    `--as=${limits.memoryBytes}`,
    `--fsize=${limits.fileBytes}`,
    // every process in the box counts, including bubblewrap's own
    `--nproc=${extras.processes ?? 8}`,
    '--nofile=256',
    '--core=0',
    '--',
    // last, so that the tools that build the box do not load the library
    '/usr/bin/env',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    `/usr/bin/${program}`,
    ...firstArgs(program, '/texmf'),
    ...args,
  ];
  const binds = [
    // bubblewrap would make these for root alone
    ...parents.flatMap((place) => ['--dir', place]),
    ...readOnly.flatMap((place) => ['--ro-bind', place, place]),
    ...readOnlyIfThere.flatMap((place) => ['--ro-bind-try', place, place]),
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    ...executablesOf(program).flatMap((file) => ['--ro-bind', realpathSync(file), file]),
    ...['/usr/bin/prlimit', '/usr/bin/env'].flatMap((tool) => ['--ro-bind', tool, tool]),
    ...['--ro-bind', paths.texmf, '/texmf'],
    ...(warm ? ['--dir', '/native', '--ro-bind', warm, warmInBox] : []),
    ...['--dev-bind', '/dev/null', '/dev/null', '--dev-bind', '/dev/urandom', '/dev/urandom'],
    ...['--perms', '1777', '--size', String(tmpBytes), '--tmpfs', '/tmp'],
    ...['--bind', command.folder, '/work'],
  ];
  const rest = [
    // the root itself is memory of unbounded size: nothing may be written there
    ...[
      '--info-fd',
      String(boxInfoDescriptor),
      '--remount-ro',
      '/',
      '--die-with-parent',
      '--new-session',
      '--hostname',
      'box',
    ],
    '--clearenv',
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
  const userNamespace = ['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'];
  const dropUser = (to: number) => [
    '/usr/bin/setpriv',
    ...[`--reuid=${to}`, `--regid=${to}`, '--clear-groups'],
    ...['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--'],
  ];
  switch (kind) {
    case 'bubblewrap-as-user':
      return { folder, file: 'bwrap', args: [...userNamespace, ...binds, ...rest, '--', ...limited] };
    case 'bubblewrap-as-id': {
      const [file, ...drop] = dropUser(requireId(id));
      return {
        folder,
        file: file!,
        args: [...drop, 'bwrap', ...userNamespace, ...binds, ...rest, '--', ...limited],
      };
    }
    case 'bubblewrap-as-root': {
      const unshare = [
        '--unshare-pid',
        '--unshare-net',
        '--unshare-ipc',
        '--unshare-uts',
        '--unshare-cgroup-try',
      ];
      const caps = ['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`]);
      const setpriv = ['--ro-bind', '/usr/bin/setpriv', '/usr/bin/setpriv'];
      return {
        folder,
        file: 'bwrap',
        args: [
          ...unshare,
          ...['--cap-drop', 'ALL', ...caps],
          ...binds,
          ...setpriv,
          ...rest,
          '--',
          ...dropUser(requireId(id)),
          ...limited,
        ],
      };
    }
  }
}
