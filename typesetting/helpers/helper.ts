/**
 * What runs between TeX's passes: programs that make a list from what a document left in its files, and give
 * TeX a file to typeset in its place (docs/decisions/119-helpers-between-passes.md).
 */
import type { LogMessage } from '#shared/api/errors.ts';
import type { AuxFiles } from '../engines/passes.ts';
import type { BoxedProgram } from '../sandbox/sandbox.ts';
import type { Asset } from '../typesetter.ts';

/** A compile's result, as seen by helpers. */
export interface Compiled {
  latex: string;
  /** TeX's files for the next pass, and for helpers. */
  left: AuxFiles;
  /** TeX's messages. */
  messages: readonly LogMessage[];
  /** The document's own files. */
  assets: readonly Asset[];
}

/** One run of one program, which makes one file. */
export interface HelperTask {
  program: Extract<BoxedProgram, 'bibtexu' | 'biber' | 'makeindex'>;
  args: readonly string[];
  /** Everything its folder contains: the same files and arguments make the same list. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Converts a file before it is placed; default: unchanged. */
  prepare?(name: string, bytes: Uint8Array): string | Uint8Array;
  /** Name of the file it makes. */
  makes: string;
  /** Name of its log. */
  report: string;
  /** What messages call the list, e.g. `the index`. */
  what: string;
  readReport(report: string): LogMessage[];
}

export interface HelperPlan {
  tasks: HelperTask[];
  /** About lists that are missing, or requested but not made. */
  messages: LogMessage[];
}

/** Accepts names of files that may be used in a folder or a command line. */
export const isPlainName = (name: string) => /^[A-Za-z0-9][\w.-]{0,99}$/.test(name);
