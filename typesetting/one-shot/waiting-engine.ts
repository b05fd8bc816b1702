/**
 * One engine in a box of its own that has read a document's preamble and waits for the rest. Its main.tex is a pipe
 * that we write into: TeX reads a line at a time, so it sits in the middle of the file until there is more. Lines,
 * SyncTeX and messages are those of a cold compile because the engine reads the same bytes from a file of the same
 * name. As soon as it has opened the pipe, an ordinary file takes the pipe's place in the folder, so that whoever
 * opens main.tex again finds a file.
 */
import { execFile } from 'node:child_process';
import { constants, open as openCallback } from 'node:fs';
import { chown, lstat, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type WorkLimits, watchWork } from '#platform/work/work-limit.ts';
import { engineArgs } from '../engines/finish-job.ts';
import type { AuxFiles } from '../engines/passes.ts';
import { createJobFolder, documentName, type JobFolder } from '../sandbox/job-folder.ts';
import type { Sandbox, StayingBox } from '../sandbox/open-sandbox.ts';
import type { BoxedExit, Watch } from '../sandbox/run-boxed.ts';
import { defaultFileBytes, defaultMemoryBytes } from '../sandbox/sandbox.ts';
import { watchFolder } from '../sandbox/watch-folder.ts';
import type { Asset, Engine } from '../typesetter.ts';

/** What an engine reads before it waits, and who it is for. */
export interface Opening {
  engine: Engine;
  preamble: string;
  assets: readonly Asset[];
}

export interface WaitingEngine {
  readonly folder: JobFolder;
  readonly id: number | null;
  /** The auxiliary files that lay in the folder when it started. */
  readonly auxAtStart: AuxFiles;
  /** True once it has read the whole preamble and sleeps. */
  readonly isReady: boolean;
  /** False once its box has ended. */
  readonly isAlive: boolean;
  /** Settles when it is ready, or has ended. */
  readonly settled: Promise<void>;
  /** Memory in bytes when it became ready. */
  readonly memoryBytes: number;
  /**
   * Puts these auxiliary files in place of those it started with. False when it may have read or written any already:
   * then it must not be used with them.
   * @param late names of files that this preamble is known not to read.
   */
  exchangeAux(files: AuxFiles, late: ReadonlySet<string>): Promise<boolean>;
  /** Gives it the rest of the document and waits for its end. Once only. */
  finish(latex: string, rest: string, watch: Watch): Promise<BoxedExit>;
  /** Ends it, removes its folder and gives its id back. */
  dispose(): Promise<void>;
}

const openFile = promisify(openCallback);

/** Its budget ends a job; this only stops what should escape it. */
const cpuSeconds = 120;
/** A preamble that takes more is nothing to wait for. */
const preambleLimits: WorkLimits = { cpuMs: 10_000 };
/** How long an engine may take to open its document, in ms; the document is compiled cold else. */
const maxOpenMs = 10_000;
const pollMs = 4;
const napMs = 15;
/** XeTeX looks at the first two bytes and then goes back, which a pipe cannot; after a mark it stays where it is. */
const byteOrderMark = '\uFEFF';

interface StartOptions extends Opening {
  sandbox: Sandbox;
  /** Made by it and removed on dispose. */
  folderPath: string;
  aux: AuxFiles;
}

/** Starts an engine; null when it ended before it opened the document. */
export async function startWaitingEngine(options: StartOptions): Promise<WaitingEngine | null> {
  const { sandbox, folderPath, engine, preamble, assets, aux } = options;
  const id = sandbox.takeId();
  let folder: JobFolder | undefined;
  let box: StayingBox | undefined;
  const giveUp = async () => {
    box?.kill();
    await box?.ended;
    await folder?.remove();
    sandbox.giveBackId(id);
  };
  try {
    folder = await createJobFolder(folderPath, id, preamble, assets);
    await writeAux(folder.path, id, aux);
    const pipe = path.join(folder.path, documentName);
    await rm(pipe);
    await promisify(execFile)('/usr/bin/mkfifo', ['-m', '600', pipe]);
    if (id !== null) await chown(pipe, id, id);
    const limits = { cpuSeconds, memoryBytes: defaultMemoryBytes, fileBytes: defaultFileBytes };
    box = sandbox.start(
      // the list of files read tells whether the preamble reads auxiliary ones
      { program: engine, args: ['-recorder', ...engineArgs(engine)], folder: folder.path, id, limits },
      { channels: 0 },
    );
    const stream = await openPipe(pipe, box);
    if (!stream) {
      await giveUp();
      return null;
    }
    await replaceDocument(folder.path, preamble);
    // only now does it read a byte of the user's
    stream.write((engine === 'xelatex' ? byteOrderMark : '') + preamble);
    return await follow({ sandbox, folder, id, box, stream, aux });
  } catch (error) {
    await giveUp();
    throw error;
  }
}

interface Started {
  sandbox: Sandbox;
  folder: JobFolder;
  id: number | null;
  box: StayingBox;
  stream: Socket;
  aux: AuxFiles;
}

async function follow({ sandbox, folder, id, box, stream, aux }: Started): Promise<WaitingEngine> {
  let isReady = false;
  let isAlive = true;
  let isUsed = false;
  let memoryBytes = 0;
  let disposal: Promise<void> | undefined;
  const namesAtStart = new Set(await readdir(folder.path));
  const ended = box.ended.then((end) => {
    isAlive = false;
    stream.destroy();
    return end;
  });
  const untilReady = async () => {
    const endWatch = watchFolder(folder.path, () => box.kill());
    const clock = watchWork(
      preambleLimits,
      () => box.readCpuMs(),
      () => {
        if (!isUsed) box.kill();
      },
    );
    try {
      for (let naps = 0; naps < 2 && isAlive && !isUsed; ) {
        await Promise.race([sleep(napMs, undefined, { ref: false }), ended]);
        naps = (await box.isAsleep()) ? naps + 1 : 0;
      }
      if (!isAlive || isUsed) return;
      memoryBytes = await box.measureMemory();
      isReady = isAlive && !isUsed;
    } finally {
      clock.stop();
      endWatch();
    }
  };
  return {
    folder,
    id,
    auxAtStart: aux,
    get isReady() {
      return isReady;
    },
    get isAlive() {
      return isAlive;
    },
    get memoryBytes() {
      return memoryBytes;
    },
    settled: untilReady(),
    async exchangeAux(files, late) {
      if (isSameAux(aux, files)) return true;
      if (!isReady || [...aux.keys(), ...files.keys()].some((name) => !late.has(name))) return false;
      // whatever was not there to be found must not come now
      if ([...files.keys()].some((name) => !aux.has(name))) return false;
      if (!(await isUntouched(folder.path, aux, namesAtStart))) return false;
      for (const name of aux.keys()) await rm(path.join(folder.path, name));
      await writeAux(folder.path, id, files);
      return true;
    },
    async finish(latex, rest, watch) {
      if (isUsed) throw new Error('an engine is used once');
      isUsed = true;
      let verdict: BoxedExit | null = null;
      const end = (reason: BoxedExit) => {
        verdict ??= reason;
        box.kill();
      };
      const handleAbort = () => end({ kind: 'aborted' });
      if (watch.signal.aborted) handleAbort();
      watch.signal.addEventListener('abort', handleAbort, { once: true });
      const clock = watch.budget.watch(
        () => box.readCpuMs(),
        (met) => end({ kind: 'out-of-time', met }),
      );
      const endWatch = watchFolder(folder.path, (what) => end({ kind: 'flooded', what }));
      try {
        if (!verdict) {
          await replaceDocument(folder.path, latex);
          stream.end(rest);
        }
        const { code, stderr } = await ended;
        return verdict ?? { kind: 'exited', code, stderr };
      } finally {
        clock.stop();
        endWatch();
        watch.signal.removeEventListener('abort', handleAbort);
      }
    },
    dispose() {
      disposal ??= (async () => {
        box.kill();
        await ended;
        await folder.remove();
        sandbox.giveBackId(id);
      })();
      return disposal;
    },
  };
}

/** Opens the pipe for writing once the engine opens it for reading; null when the engine ended before. */
async function openPipe(pipe: string, box: StayingBox): Promise<Socket | null> {
  let isOver = false;
  box.ended.then(() => {
    isOver = true;
  });
  const latest = Date.now() + maxOpenMs;
  while (!isOver && Date.now() < latest) {
    try {
      // without a reader this fails instead of waiting
      const fd = await openFile(pipe, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      const stream = new Socket({ fd, readable: false, writable: true });
      // an engine that ends before it has read everything is told by its box
      stream.on('error', () => {});
      return stream;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
    await sleep(pollMs);
  }
  return null;
}

/** Puts the document where the pipe was, in one step: an open descriptor is not touched by it. */
async function replaceDocument(folder: string, latex: string): Promise<void> {
  const next = `${folder}.tex`;
  try {
    await writeFile(next, latex, { flag: 'wx', mode: 0o644 });
    await rename(next, path.join(folder, documentName));
  } finally {
    await rm(next, { force: true });
  }
}

/** Writes auxiliary files that an earlier pass left, as files of the job's id: it writes them anew. */
export async function writeAux(folder: string, id: number | null, files: AuxFiles): Promise<void> {
  for (const [name, bytes] of files) {
    const handle = await open(path.join(folder, name), 'wx', 0o644);
    try {
      await handle.writeFile(bytes);
      if (id !== null) await handle.chown(id, id);
    } finally {
      await handle.close();
    }
  }
}

export function isSameAux(one: AuxFiles, other: AuxFiles): boolean {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  return [...one].every(([name, bytes]) => other.get(name)?.equals(bytes));
}

/** What TeX itself opens before it reads the document. */
const ownFiles = new Set(['main.log', 'main.fls', 'main.synctex(busy)', documentName]);

/** True when the preamble has written nothing: no file is new, and the auxiliary ones are as they were laid there. */
async function isUntouched(
  folder: string,
  aux: AuxFiles,
  namesAtStart: ReadonlySet<string>,
): Promise<boolean> {
  for (const name of await readdir(folder)) if (!namesAtStart.has(name) && !ownFiles.has(name)) return false;
  for (const [name, bytes] of aux) {
    const stat = await lstat(path.join(folder, name)).catch(() => null);
    // a preamble that opens a file for writing empties it at once
    if (!stat?.isFile() || stat.size !== bytes.length) return false;
  }
  return true;
}
