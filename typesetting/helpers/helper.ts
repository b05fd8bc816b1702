/**
 * What runs between TeX's passes: programs that make a list of what a document left in its files, and give TeX a file to
 * set at its place (docs/decisions/119-helpers-between-passes.md).
 */
import type { LogMessage } from '#shared/api/errors.ts';
import type { AuxFiles } from '../engines/passes.ts';
import type { BoxedProgram } from '../sandbox/sandbox.ts';
import type { Asset } from '../typesetter.ts';

/** What a compile came to, as helpers see it. */
export interface Compiled {
  latex: string;
  /** What TeX left for the next pass, and for helpers. */
  left: AuxFiles;
  /** What TeX said. */
  messages: readonly LogMessage[];
  /** The document's own files. */
  assets: readonly Asset[];
}

/** One run of one program, which makes one file. */
export interface HelperTask {
  program: Extract<BoxedProgram, 'bibtexu' | 'biber' | 'makeindex'>;
  args: readonly string[];
  /** All that its folder holds: the same files and arguments make the same list. */
  files: ReadonlyMap<string, Uint8Array>;
  /** What of a file is placed, where it is not the file itself. */
  prepare?(name: string, bytes: Uint8Array): string | Uint8Array;
  /** Name of the file it makes. */
  makes: string;
  /** Name of its log. */
  report: string;
  /** What the list is called in messages: `the index`. */
  what: string;
  readReport(report: string): LogMessage[];
}

export interface HelperPlan {
  tasks: HelperTask[];
  /** What is missing, and what is asked for and not run. */
  messages: LogMessage[];
}

/** Names of files that reach a folder or a command line. */
export const isPlainName = (name: string) => /^[A-Za-z0-9][\w.-]{0,99}$/.test(name);
