/** Finds out at boot which sandbox really works here, by compiling one line in it. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkBudget, type WorkLimits } from '#platform/work/work-limit.ts';
import { findNative } from '../native/paths.ts';
import { createJobFolder } from './job-folder.ts';
import { reserveIds } from './job-ids.ts';
import { makeReadable } from './make-readable.ts';
import { copyPreparedFonts, lendFontNames } from './prepared-fonts.ts';
import { type BoxedExit, runBoxed, type Watch } from './run-boxed.ts';
import {
  type BoxedCommand,
  boxedPrograms,
  defaultFileBytes,
  defaultMemoryBytes,
  isLandlock,
  type SandboxKind,
  type SandboxPaths,
} from './sandbox.ts';
import { type StayingBox, type StayingOptions, startBoxed } from './start-boxed.ts';

export type { StayingBox } from './start-boxed.ts';

export interface Sandbox {
  readonly kind: SandboxKind;
  /** The kinds tried before this one, each with the reason why it does not work here. */
  readonly rejected: readonly string[];
  /** How many jobs may run at a time, in addition to the boxes that stay. */
  readonly capacity: number;
  /** How many boxes may stay at a time: as many as requested, or fewer if ids are short. */
  readonly stayingCapacity: number;
  /** True if our library for warm engines was built, so that `preload` may be requested. */
  readonly canPreload: boolean;
  /**
   * An id for one job, or for one box as long as it stays: exclusive until given back; null if the product runs
   * as an ordinary user. @throws Error beyond capacity and stayingCapacity together.
   */
  takeId(): number | null;
  giveBackId(id: number | null): void;
  /** Gives a LuaLaTeX job the font caches. */
  lendFonts(folder: string, id: number | null): Promise<void>;
  run(command: BoxedCommand, watch: Watch): Promise<BoxedExit>;
  /**
   * Starts a program that stays: a warm engine. It lives until it ends by itself, is killed, or the server
   * dies. The caller takes its id, makes and watches its folder (watch-folder.ts), and gives the id back when
   * it has ended.
   */
  start(command: BoxedCommand, options: StayingOptions): StayingBox;
  close(): Promise<void>;
}

export type OpenedSandbox = { kind: 'open'; sandbox: Sandbox } | { kind: 'none'; refusal: string };

interface Options {
  /** Which to try, in order. Default: all that this user could use. */
  kinds?: readonly SandboxKind[];
  workFolder: string;
  concurrency: number;
  /** Boxes that stay, in addition to those of the jobs. Default none. */
  staying?: number;
}

const probeLimits: WorkLimits = { cpuMs: 30_000, elapsedMs: 120_000 };
const probeDocument = '\\documentclass{article}\\begin{document}x\\end{document}\n';

/** Kinds worth trying for the user this process runs as, the strongest first. */
export function possibleKinds(): readonly SandboxKind[] {
  return process.getuid?.() === 0
    ? ['bubblewrap-as-id', 'bubblewrap-as-root', 'landlock-as-id']
    : ['bubblewrap-as-user', 'landlock-as-user'];
}

/** Opens the first sandbox that works, or says in a sentence for people why none does. */
export async function openSandbox({
  kinds = possibleKinds(),
  workFolder,
  concurrency,
  staying = 0,
}: Options): Promise<OpenedSandbox> {
  const missing = boxedPrograms.filter((name) => !isExecutable(name));
  if (missing.length > 0)
    return {
      kind: 'none',
      refusal: `Compiling is off on this server: ${describeMissing(missing)}. Running ./start installs what is needed.`,
    };
  const isRoot = process.getuid?.() === 0;
  const reserved = isRoot ? await reserveIds(concurrency + staying) : { ids: [], release: async () => {} };
  if (isRoot && reserved.ids.length === 0)
    return {
      kind: 'none',
      refusal:
        'Compiling is off on this server: all user ids reserved for compiling are taken by other processes.',
    };
  const paths = await copyParts(workFolder);
  const reasons: string[] = [];
  for (const kind of kinds) {
    const reason =
      findMissing(kind, paths) ?? (await probe(kind, paths, workFolder, reserved.ids[0] ?? null));
    if (reason === null) {
      const free = [...reserved.ids];
      const boxes = isRoot ? reserved.ids.length : concurrency + staying;
      const capacity = Math.min(concurrency, boxes);
      // only when first needed: they are a few thousand small files
      let copied: Promise<void> | undefined;
      const sandbox: Sandbox = {
        kind,
        rejected: reasons,
        capacity,
        stayingCapacity: boxes - capacity,
        canPreload: paths.warm !== null,
        takeId() {
          if (!isRoot) return null;
          const id = free.pop();
          if (id === undefined) throw new Error('more jobs run than ids are reserved');
          return id;
        },
        giveBackId(id) {
          if (id !== null) free.push(id);
        },
        async lendFonts(folder, id) {
          copied ??= copyPreparedFonts(paths.texmf);
          await copied;
          await lendFontNames(paths.texmf, folder, id);
        },
        run: (command, watch) => runBoxed(kind, paths, command, watch),
        start: (command, options) => startBoxed(kind, paths, command, options),
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
    refusal: `Compiling is off on this server: no sandbox works here, and documents are never compiled without one${why}. ${whatToDo()}`,
  };
}

/** Copies our own files for the box to where the jobs' ids can reach them: the checkout may be closed to them. */
async function copyParts(workFolder: string): Promise<SandboxPaths> {
  const texmf = path.join(workFolder, 'texmf');
  await makePassable(texmf);
  await cp(fileURLToPath(new URL('../texmf/', import.meta.url)), texmf, { recursive: true });
  await makeReadable(texmf);
  const jail = findNative('jail');
  const built = findNative('warm.so');
  if (built === null) return { texmf, warm: null, jail };
  const native = path.join(workFolder, 'native');
  await makePassable(native);
  const warm = path.join(native, 'warm.so');
  await copyFile(built, warm);
  await chmod(warm, 0o444);
  return { texmf, warm, jail };
}

/** Makes a folder that job ids can enter, whatever the server's umask. */
async function makePassable(folder: string): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o755);
}

/** null if the sandbox compiled a line; otherwise why not. */
async function probe(
  kind: SandboxKind,
  paths: SandboxPaths,
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
      { budget: new WorkBudget(probeLimits), signal: new AbortController().signal },
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

/** What a kind needs and this machine lacks, or null. */
function findMissing(kind: SandboxKind, paths: SandboxPaths): string | null {
  if (isLandlock(kind))
    return paths.jail === null ? 'it was not built (./start builds it where gcc is)' : null;
  const missing = ['bwrap', 'prlimit', 'setpriv', 'env'].filter((name) => !isExecutable(name));
  return missing.length > 0 ? describeMissing(missing) : null;
}

const describeMissing = (names: readonly string[]) =>
  `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} not installed`;

/** Advice for the operator, appended to the refusal. */
function whatToDo(): string {
  const isOn = (setting: string) => readSetting(setting) === '1';
  if (isOn('kernel/apparmor_restrict_unprivileged_userns'))
    return 'AppArmor prevents ordinary users from creating user namespaces here: give /usr/bin/bwrap a profile that allows userns, set kernel.apparmor_restrict_unprivileged_userns=0, or run the server as root.';
  if (
    readSetting('user/max_user_namespaces') === '0' ||
    readSetting('kernel/unprivileged_userns_clone') === '0'
  )
    return 'User namespaces are switched off here: set user.max_user_namespaces (and kernel.unprivileged_userns_clone=1, where there is one), or run the server as root.';
  return 'This needs bubblewrap with user namespaces, root, or Landlock (Linux 5.13) and gcc; in a container, their system calls must be allowed.';
}

function readSetting(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
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
