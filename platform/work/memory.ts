/**
 * How much work this process does at once, by the memory that the installation may use: MEMORY_LIMIT, otherwise the
 * limit of the control group it runs in, otherwise the machine's memory (docs/decisions/109-memory-of-an-installation.md).
 */
import { availableParallelism, totalmem } from 'node:os';

export interface MemoryAllowance {
  limitBytes: number;
  from: 'MEMORY_LIMIT' | 'control group' | 'machine';
  /** Tasks on uploads that run at once: drawing, decoding and reading pages. */
  pageTasks: number;
  /** As many again may be paused, and keep their memory. */
  pausedTasks: number;
  /** Processes for these tasks, running or waiting for the next one. */
  pageProcesses: number;
  /** Private memory that one of them may reserve in addition to what it starts with, at most. */
  pageBytes: number;
  /** Memory that they would soon need again is released at once, at the cost of some CPU time. */
  isThrifty: boolean;
  /** Compiles that there is memory for at once. */
  compiles: number;
  /** All warm engines together. */
  engineBytes: number;
  /** Exports at once, and watermarks. */
  exports: number;
  /** PostgreSQL's own cache, in the embedded one. */
  databaseCacheBytes: number;
}

const MB = 1_000_000;
/** The server at work, the database, programs and libraries (`npm run bench -- memory`). */
const baseBytes = 330 * MB;
/** A page process or reader with an ordinary page holds 60 to 190 MB. */
const taskBytes = 300 * MB;
/** A long document with its figures, its engine and the copies of it that wait. */
const compileBytes = 400 * MB;
/** A page process or reader without work holds 60 to 150 MB. */
const idleBytes = 150 * MB;
/** Least that an ordinary page needs: a photo of 12 megapixels takes 0.3 GB. */
const minPageBytes = 600 * MB;
/** A photo of 50 megapixels needs 0.4 GB, as HEIC twice as much. */
const maxPageBytes = 1_600 * MB;
/** With less, a paused task has no room: tasks run to their end. */
const pausingBytes = 1_500 * MB;
/** A small machine; above it no memory is saved this way. */
const ampleBytes = 3_000 * MB;

/** @param cores how many it may keep busy */
export function allowMemory(
  limit: Pick<MemoryAllowance, 'limitBytes' | 'from'>,
  cores: number,
): MemoryAllowance {
  const free = Math.max(0, limit.limitBytes - baseBytes);
  const isAmple = limit.limitBytes >= ampleBytes;
  const fitting = (bytes: number, most: number) => Math.max(1, Math.min(most, Math.floor(free / bytes)));
  // two at least where there is room, so that one slow file is never the only thing that runs
  const pageTasks = fitting(taskBytes, Math.max(2, cores));
  return {
    ...limit,
    pageTasks,
    pausedTasks: isAmple ? pageTasks : limit.limitBytes >= pausingBytes ? 1 : 0,
    // others are ended as soon as one of another program is needed: a start takes 0.4 s of CPU time
    pageProcesses: pageTasks + fitting(2 * idleBytes, 3) - 1,
    pageBytes: Math.max(minPageBytes, Math.min(maxPageBytes, Math.floor(free / pageTasks))),
    isThrifty: !isAmple,
    compiles: fitting(compileBytes, Number.POSITIVE_INFINITY),
    engineBytes: Math.floor(isAmple ? limit.limitBytes / 4 : free / 4),
    exports: isAmple ? 2 : 1,
    databaseCacheBytes: (isAmple ? 128 : 32) * 2 ** 20,
  };
}

let allowance: MemoryAllowance | undefined;

/** Call before any work begins. @param limitBytes MEMORY_LIMIT */
export function limitMemory(limitBytes: number | undefined): MemoryAllowance {
  const limit = limitBytes ? ({ limitBytes, from: 'MEMORY_LIMIT' } as const) : findLimit();
  allowance = allowMemory(limit, availableParallelism());
  return allowance;
}

/** The value given to `limitMemory`; otherwise the machine's memory. */
export function memoryAllowance(): MemoryAllowance {
  return allowance ?? limitMemory(undefined);
}

function findLimit(): Pick<MemoryAllowance, 'limitBytes' | 'from'> {
  // of control groups of either version; 0 or a huge number if unlimited
  const constrained = process.constrainedMemory();
  return constrained > 0 && constrained < totalmem()
    ? { limitBytes: constrained, from: 'control group' }
    : { limitBytes: totalmem(), from: 'machine' };
}

/** For the log: what is allowed, in megabytes. */
export function describeMemory(allowed: MemoryAllowance): Record<string, string | number> {
  const { from, pageTasks, pageProcesses, exports } = allowed;
  const inMegabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  return {
    limitMegabytes: inMegabytes(allowed.limitBytes),
    from,
    pagesAtOnce: pageTasks,
    pageProcesses,
    pageMegabytes: inMegabytes(allowed.pageBytes),
    compilesAtOnce: Math.min(allowed.compiles, Math.max(2, Math.floor(availableParallelism() / 2))),
    engineMegabytes: inMegabytes(allowed.engineBytes),
    exportsAtOnce: exports,
    databaseCacheMegabytes: inMegabytes(allowed.databaseCacheBytes),
  };
}

/** Set in the environment of page processes and readers where memory is short (`isThrifty`). */
export const thrifty = 'INKPROOF_THRIFTY';
