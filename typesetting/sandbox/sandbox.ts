/**
 * The box a TeX engine runs in: the TeX tree read-only, its own job folder, its own /tmp, no network, no shell,
 * no other program, an unprivileged user, and hard limits. Whatever TeX's own switches cannot prevent finds
 * nothing here to read (docs/decisions/010-typesetting-sandbox.md, 014-landlock.md). This file only defines a
 * box; box-command.ts builds the command lines, open-sandbox.ts tries them out, run-boxed.ts and start-boxed.ts
 * run them.
 */
import type { BoxedProgram } from './box-contents.ts';

export { type BoxedProgram, boxedPrograms } from './box-contents.ts';

/**
 * How the box is built, depending on the machine:
 * - `bubblewrap-as-id`: root becomes the job's id, which builds the box in its own user namespace;
 * - `bubblewrap-as-root`: root builds the box and becomes the job's id inside it (no user namespace needed);
 * - `bubblewrap-as-user`: an ordinary user builds it in a user namespace;
 * - `landlock-as-id`, `landlock-as-user`: the same two users where bubblewrap does not work (native/jail.c).
 */
export type SandboxKind =
  | 'bubblewrap-as-id'
  | 'bubblewrap-as-root'
  | 'bubblewrap-as-user'
  | 'landlock-as-id'
  | 'landlock-as-user';

interface BoxLimits {
  /** CPU time of one program, in whole seconds. */
  cpuSeconds: number;
  /** Address space, in bytes. */
  memoryBytes: number;
  /** Largest file, in bytes. */
  fileBytes: number;
}

/**
 * 1.5 GB of address space and 50 MB per file stopped every macro bomb and disk flood measured, and no real
 * document.
 */
export const defaultMemoryBytes = 1_500_000_000;
export const defaultFileBytes = 50_000_000;
export interface BoxedCommand {
  program: BoxedProgram;
  args: string[];
  /** Host path of the job's folder; the only writable place in the box. */
  folder: string;
  /** The id the job runs as; null if the product runs as an ordinary user. */
  id: number | null;
  limits: BoxLimits;
}

/** Host paths of our own files in the box; every folder above them is traversable for the jobs' ids. */
export interface SandboxPaths {
  /** Our own TeX tree (see texmf/README); read-only at /texmf. */
  texmf: string;
  /** Our library for warm engines (native/warm.c); null if it was not built. Read-only at /native/warm.so. */
  warm: string | null;
  /** The program that builds the landlock kinds (native/jail.c); null if it was not built. */
  jail: string | null;
}

/** A command ready for spawn. */
export interface BuiltCommand {
  file: string;
  args: string[];
  /** The job's folder as the program sees it. */
  folder: string;
}

/** What may be requested for a program in addition to its ordinary box. */
export interface BoxExtras {
  /** Load our library for warm engines (native/warm.c) into the program. */
  preload?: boolean;
  /** Additional environment variables of the program. */
  env?: Readonly<Record<string, string>>;
  /**
   * Most processes it may have at a time, up to three of which are bubblewrap's own. Default: the program runs
   * alone, because an engine is one process with one thread.
   */
  processes?: number;
}

/** The builder of the box writes the id of the box's first process here; the caller provides a pipe. */
export const boxInfoDescriptor = 3;

export type LandlockKind = Extract<SandboxKind, `landlock-${string}`>;
export type BubblewrapKind = Exclude<SandboxKind, LandlockKind>;

export function isLandlock(kind: SandboxKind): kind is LandlockKind {
  return kind.startsWith('landlock');
}

/** @throws Error if the library is requested but was not built. */
export function requireWarm({ warm }: SandboxPaths): string {
  if (warm === null) throw new Error('the library for warm engines was not built');
  return warm;
}

/** @throws Error if a root process would run a job as itself. */
export function requireId(id: number | null): number {
  if (id === null || id < 1000) throw new Error('a job of a root process needs an unprivileged id');
  return id;
}
