/**
 * The folders that jobs work in: made for one job, owned by its id, removed after it. What a job left in its
 * folder is hostile: it is read only as a regular file, never through a link, and never beyond a limit.
 */
import {
  chownSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  read,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { chmod, chown, lstat, mkdir, opendir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fileNamePattern, folderOf, listFolders } from '#shared/api/file-name.ts';
import type { Asset } from '../typesetter.ts';
import { removeTree } from './remove-tree.ts';

/**
 * Files up to this size are read and written at once: the five trips to Node's thread pool that a file takes
 * otherwise cost more than a millisecond, and an edit reads and writes a dozen files.
 */
const maxBytesAtOnce = 500_000;
/** The document's name in its folder. */
export const documentName = 'main.tex';

/** Files under the document's own name that TeX and its helpers never write. */
const besideMain = /^main\.(?:bib|bst|cls|sty|tikz)$/;

/** True if an asset may be written under this name, next to the document or in a folder below it. */
export function isSafeAssetName(name: string): boolean {
  return (
    fileNamePattern.test(name) &&
    (!/^main(?:\.|$)/i.test(name) || besideMain.test(name)) &&
    !/\.(cfg|cnf|fmt)$/i.test(name)
  );
}

/** Files that TeX, its driver and its format make under the document's name; helpers' lists may have any other. */
const reserved = /^main\.(?:tex|aux|log|fls|xdv|dvi|pdf|synctex|cfg|cnf|fmt)$/i;

/** True for an asset's name, and for a list made by a helper: `main.bbl`, `main.ind`. */
export function isPlaceableName(name: string): boolean {
  return isSafeAssetName(name) || (/^main\.[\w-]{1,20}$/.test(name) && !reserved.test(name));
}

export interface JobFolder {
  path: string;
  /** Names of the files we wrote; everything else in the folder came from the job. */
  inputs: ReadonlySet<string>;
  remove(): Promise<void>;
}

/**
 * One folder per process below `workDir`, named after the process and its start time so that a killed one's
 * leftovers can be told from a living one's. Traversable but not listable for job ids.
 * @throws Error if `workDir` belongs to another user or others may write in it.
 */
export async function openWorkFolder(workDir: string): Promise<string> {
  await mkdir(workDir, { recursive: true, mode: 0o755 });
  const found = await lstat(workDir);
  // below a shared /tmp somebody else may have made it first
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0)
    throw new Error(
      `${workDir} must be a folder that belongs to this user alone; remove it or name another.`,
    );
  await removeLeftovers(workDir);
  const base = path.join(workDir, `typesetting-${process.pid}-${startTimeOf(process.pid) ?? 0}`);
  let folder = base;
  // one process may have several typesetters
  for (let count = 1; !(await tryMakeFolder(folder)); count++) folder = `${base}-${count}`;
  await chmod(folder, 0o711);
  return folder;
}

async function tryMakeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeLeftovers(workDir: string): Promise<void> {
  for (const name of readdirSync(workDir)) {
    const match = /^typesetting-(\d+)-(\d+)(?:-\d+)?$/.exec(name);
    if (!match || startTimeOf(Number(match[1])) === match[2]) continue;
    const folder = path.join(workDir, name);
    await endProcessesOver(folder);
    await removeTree(folder);
  }
}

/** Programs that build a box, in the order in which one process becomes the next. */
const builders = /(?:^|\/)(?:bash|choom|setpriv|bwrap|jail)$/;

/** A second's worth: a process that the kernel cannot end must not keep the server from starting. */
const maxLooks = 200;

/**
 * Ends what a killed server left running over its folder: a bubblewrap that was still being set up
 * waits for ever for a builder that no longer exists, and keeps its job's id in use. Looks until nothing is found,
 * since a builder may start another between the look and its end.
 */
async function endProcessesOver(folder: string): Promise<void> {
  for (let found = true, looks = 0; found && looks < maxLooks; looks++) {
    found = false;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const words = line.split('\0');
        if (builders.test(words[0]!) && words.some((word) => word.startsWith(`${folder}/`))) {
          process.kill(Number(pid), 'SIGKILL');
          found = true;
        } else if (line === '' && readlinkSync(`/proc/${pid}/exe`)) {
          // alive without words: it is just becoming another program
          found = true;
        }
      } catch {
        // ended meanwhile, or another user's
      }
    }
    if (found) await setTimeout(5);
  }
}

/**
 * Start time of a living process in clock ticks since boot (field 22 of /proc/PID/stat); null if there is none.
 * One that has ended and only waits to be reaped (state Z or X, field 3) is not alive.
 */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/**
 * Makes a job's folder with its document and assets, readable only by its id (and root).
 * @param before TeX's auxiliary files of an earlier compile of this text, to be read and overwritten.
 * @throws Error if an asset's name is not a safe one, or clashes with another: callers check with isSafeAssetName and
 * findNameClash first.
 */
export async function createJobFolder(
  folder: string,
  id: number | null,
  latex: string,
  assets: readonly Asset[],
  before: ReadonlyMap<string, Buffer> = new Map(),
): Promise<JobFolder> {
  const inputs = new Set([documentName]);
  for (const asset of assets) {
    if (!isPlaceableName(asset.name)) throw new Error('an asset needs a plain file name');
    inputs.add(asset.name);
  }
  await mkdir(folder, { mode: 0o700 });
  const remove = () => removeTree(folder);
  try {
    await writeJobFile(folder, documentName, latex);
    const place = async (name: string, bytes: Uint8Array) => {
      await writeJobFile(folder, name, bytes);
      // imported documents bring files that they overwrite themselves
      if (id !== null) await chown(path.join(folder, name), id, id);
    };
    makeFolders(folder, id, inputs);
    for (const { name, bytes } of assets) await place(name, bytes);
    for (const [name, bytes] of placeable(before, inputs)) await place(name, bytes);
    if (id !== null) await chown(folder, id, id);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path: folder, inputs, remove };
}

/** Files and bytes in a folder and its subfolders, which count as files too; stops counting at `maxFiles`. */
export async function measureFolder(
  folder: string,
  maxFiles: number,
): Promise<{ files: number; bytes: number }> {
  let files = 0;
  let bytes = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    // files that a job makes and removes meanwhile may be missing; the folder itself must exist
    const entries = await opendir(next).catch((error) => {
      if (next === folder) throw error;
      return [];
    });
    for await (const entry of entries) {
      if (++files >= maxFiles) return { files, bytes };
      const place = path.join(next, entry.name);
      if (entry.isDirectory()) folders.push(place);
      const stat = await lstat(place).catch(() => null);
      // blocks, not length: a sparse file costs what it occupies
      if (stat) bytes += Math.max(stat.blocks * 512, Math.min(stat.size, 4096));
    }
  }
  return { files, bytes };
}

/** Makes the folders that these files lie in, below a job's folder; the job's id may write in them. */
export function makeFolders(folder: string, id: number | null, names: Iterable<string>): void {
  for (const inner of listFolders(names)) {
    const place = path.join(folder, inner);
    mkdirSync(place, { mode: 0o700 });
    if (id !== null) chownSync(place, id, id);
  }
}

/**
 * The files of an earlier compile to place next to these inputs: none that is now an input itself, or
 * that was in a folder which no longer exists.
 */
export function placeable<Content>(
  before: ReadonlyMap<string, Content>,
  inputs: ReadonlySet<string>,
): [string, Content][] {
  const folders = new Set(['', ...listFolders(inputs)]);
  return [...before].filter(
    ([name]) => !inputs.has(name) && !folders.has(name) && folders.has(folderOf(name)),
  );
}

/**
 * Calls `use` with a path of a folder inside a job's folder that leads there and nowhere else: a job may put a link in
 * the place of a folder at any time. Null if it is missing or not a folder.
 */
export function inJobFolder<Result>(
  folder: string,
  inner: string,
  use: (place: string) => Result,
): Result | null {
  if (inner === '') return use(folder);
  const opened: number[] = [];
  let place = folder;
  try {
    for (const part of inner.split('/')) {
      const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
      const fd = openSync(path.join(place, part), flags);
      opened.push(fd);
      place = `/proc/self/fd/${fd}`;
    }
    return use(place);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** Opens a file a job left, if it is a regular one; never follows a link and never blocks on a pipe. */
function openRegular(folder: string, name: string): { fd: number; size: number } | null {
  return inJobFolder(folder, folderOf(name), (place) => openHere(path.join(place, path.basename(name))));
}

function openHere(file: string): { fd: number; size: number } | null {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (stat.isFile() && stat.nlink === 1) return { fd, size: stat.size };
    closeSync(fd);
    return null;
  } catch {
    return null;
  }
}

const readPart = promisify(read);

/**
 * Reads a file a job left; null if it is missing, not a regular file, or (unless `allowPart`) longer than
 * `maxBytes`.
 */
export async function readJobFile(
  folder: string,
  name: string,
  maxBytes: number,
  allowPart = false,
): Promise<Buffer | null> {
  const file = openRegular(folder, name);
  if (!file) return null;
  const { fd, size } = file;
  try {
    if (size > maxBytes && !allowPart) return null;
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    let done = 0;
    while (done < bytes.length) {
      const left = bytes.length - done;
      const count =
        size <= maxBytesAtOnce
          ? readSync(fd, bytes, done, left, done)
          : (await readPart(fd, bytes, done, left, done)).bytesRead;
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  } finally {
    closeSync(fd);
  }
}

/** Writes a new file for a job. @throws if there is one. */
export async function writeJobFile(folder: string, name: string, bytes: Uint8Array | string): Promise<void> {
  const file = path.join(folder, name);
  const options = { flag: 'wx', mode: 0o644 };
  if (bytes.length <= maxBytesAtOnce) writeFileSync(file, bytes, options);
  else await writeFile(file, bytes, options);
}
