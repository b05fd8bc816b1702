/**
 * The box a TeX engine runs in: its own root with the TeX tree read-only, its own job folder at /work, a small /tmp,
 * no network, no shell, no other program, an unprivileged user, and hard limits. What TeX's own switches cannot stop
 * (docs/decisions/typesetting-sandbox.md) finds nothing here to read. This file only builds command lines and tries
 * them out; running and watching is run-boxed.ts.
 */
import { realpathSync } from 'node:fs';

/** The programs that exist inside the box. */
export const boxedPrograms = ['xelatex', 'pdflatex', 'xdvipdfmx'] as const;
export type BoxedProgram = (typeof boxedPrograms)[number];

/**
 * How the box is built, by what the machine allows:
 * - `bubblewrap-as-id`: root becomes the job's id, which builds the box in a user namespace of its own;
 * - `bubblewrap-as-root`: root builds the box and becomes the job's id inside it (no user namespace needed);
 * - `bubblewrap-as-user`: an ordinary user builds it in a user namespace.
 */
export type SandboxKind = 'bubblewrap-as-id' | 'bubblewrap-as-root' | 'bubblewrap-as-user';

export interface BoxLimits {
  /** CPU time of one program, in whole seconds. */
  cpuSeconds: number;
  /** Address space, in bytes. */
  memoryBytes: number;
  /** Largest file, in bytes. */
  fileBytes: number;
}

/** 1.5 GB of address space and 50 MB a file stopped every macro bomb and disk flood measured, and no real document. */
export const defaultMemoryBytes = 1_500_000_000;
export const defaultFileBytes = 50_000_000;
/** /tmp of the box; xdvipdfmx unpacks pictures there. */
const tmpBytes = 64 * 1024 * 1024;

export interface BoxedCommand {
  program: BoxedProgram;
  args: string[];
  /** Host path of the job's folder; the only thing in the box that can be written. */
  folder: string;
  /** The id the job runs as; null where the product is an ordinary user. */
  id: number | null;
  limits: BoxLimits;
}

/** Host paths of what is ours in the box; every folder above them is passable for the jobs' ids. */
export interface SandboxPaths {
  /** Our own TeX tree (see texmf/README); read-only at /texmf. */
  texmf: string;
  /** Our library for warm engines (native/warm.c); null where it was not built. Read-only at /native/warm.so. */
  warm: string | null;
}

/** What may be asked for a program beside its ordinary box. */
export interface BoxExtras {
  /** Load our library for warm engines (native/warm.c) into the program. */
  preload?: boolean;
  /** Further settings of the program's environment. */
  env?: Readonly<Record<string, string>>;
  /** Most processes it may have at a time. Default 8: an engine alone is one process with one thread. */
  processes?: number;
}

// Read-only parts of the host. Nothing of /etc but what TeX's own set-up lives in, and no /usr/bin: no shell to run.
const readOnly = ['/usr/lib', '/usr/share', '/etc/fonts', '/etc/texmf', '/var/lib/texmf'];
const readOnlyIfThere = [
  '/usr/lib64',
  '/usr/local/share/fonts',
  '/usr/local/share/texmf',
  '/var/cache/fontconfig',
  '/etc/ld.so.cache',
];

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

/** Settings of the box, all of them; nothing of the server's environment is passed on. */
const environment: Record<string, string> = {
  PATH: '/usr/bin',
  HOME: '/work',
  // TeX's own path guard (no absolute or parent paths, no dot files) stays on behind the box's
  openin_any: 'p',
  openout_any: 'p',
  shell_escape: 'f',
  TEXMFHOME: '/nonexistent',
  // our own tree after the distribution's: the leading colon stands for what is searched anyway
  TEXINPUTS: ':/texmf/last//',
  TEXMFVAR: '/nonexistent',
  TEXMFCONFIG: '/nonexistent',
  // xdvipdfmx would take a dvipdfmx.cfg that the document wrote into its folder, and that file may name commands
  DVIPDFMXINPUTS: '/etc/texmf/dvipdfmx:/usr/share/texlive/texmf-dist//',
  // no shell in the box: do not try to generate fonts
  MKTEXTFM: '0',
  MKTEXMF: '0',
  MKTEXPK: '0',
  // whole messages on one line, with as much of the source around an error as TeX will give
  max_print_line: '10000',
  error_line: '254',
  half_error_line: '238',
};

/** Where bubblewrap writes which process it made the first of the box; the caller gives a pipe. */
export const boxInfoDescriptor = 3;

const warmInBox = '/native/warm.so';

/**
 * The command that runs a program in the box, ready for spawn. Descriptors above `boxInfoDescriptor` reach the program.
 * @throws Error when the library is to be loaded and was not built.
 */
export function boxCommand(
  kind: SandboxKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  extras: BoxExtras = {},
): { file: string; args: string[] } {
  const { program, args, folder, id, limits } = command;
  const warm = extras.preload ? requireWarm(paths) : null;
  const settings = { ...extras.env, ...(warm && { LD_PRELOAD: warmInBox }) };
  const limited = [
    // entered by the job's id itself: the folder is closed to root without its capabilities
    ...['/usr/bin/env', '-C', '/work'],
    '/usr/bin/prlimit',
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 1}`,
    `--as=${limits.memoryBytes}`,
    `--fsize=${limits.fileBytes}`,
    // whatever is in the box counts: bubblewrap's own process too
    `--nproc=${extras.processes ?? 8}`,
    '--nofile=256',
    '--core=0',
    '--',
    // last, so that the tools that build the box do not load the library
    '/usr/bin/env',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    `/usr/bin/${program}`,
    ...args,
  ];
  const binds = [
    // bubblewrap would make these for root alone
    ...parents.flatMap((place) => ['--dir', place]),
    ...readOnly.flatMap((place) => ['--ro-bind', place, place]),
    ...readOnlyIfThere.flatMap((place) => ['--ro-bind-try', place, place]),
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    ...boxedPrograms.flatMap((name) => ['--ro-bind', realpathSync(`/usr/bin/${name}`), `/usr/bin/${name}`]),
    ...['/usr/bin/prlimit', '/usr/bin/env'].flatMap((tool) => ['--ro-bind', tool, tool]),
    ...['--ro-bind', paths.texmf, '/texmf'],
    ...(warm ? ['--dir', '/native', '--ro-bind', warm, warmInBox] : []),
    ...['--dev-bind', '/dev/null', '/dev/null', '--dev-bind', '/dev/urandom', '/dev/urandom'],
    ...['--perms', '1777', '--size', String(tmpBytes), '--tmpfs', '/tmp'],
    ...['--bind', folder, '/work'],
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
      return { file: 'bwrap', args: [...userNamespace, ...binds, ...rest, '--', ...limited] };
    case 'bubblewrap-as-id': {
      const [file, ...drop] = dropUser(requireId(id));
      return { file: file!, args: [...drop, 'bwrap', ...userNamespace, ...binds, ...rest, '--', ...limited] };
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

function requireWarm({ warm }: SandboxPaths): string {
  if (warm === null) throw new Error('the library for warm engines was not built');
  return warm;
}

function requireId(id: number | null): number {
  if (id === null || id < 1000) throw new Error('a job of a root process needs an unprivileged id');
  return id;
}
