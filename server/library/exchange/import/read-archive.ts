/**
 * Reads an untrusted ZIP archive within limits. Its declared sizes are never exceeded: each entry is unpacked into a
 * buffer of exactly its declared size, and these sizes are added up first.
 */
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { invalidInput } from '#platform/errors.ts';
import { maxFileBytes } from '#shared/api/limits.ts';

/** Largest archive, in bytes as sent. */
export const maxArchiveBytes = maxFileBytes;
/** Entries of an archive, including folders and skipped files. */
export const maxArchiveEntries = 1000;
/** Total unpacked size of all files, in bytes. */
const maxUnpackedBytes = 60_000_000;
/** Deflate reaches at most 1032:1; real documents' text stays below 20:1, drawings below 100:1. */
const maxRatio = 200;
/** Below this size the ratio is meaningless, as for an image of a blank page. */
const ratioFromBytes = 1_000_000;
const maxPathLength = 300;
const maxDepth = 12;

export interface ArchiveFile {
  /** `/`-separated, without `.` and `..`. */
  path: string;
  bytes: Uint8Array;
}

/** @throws ApiError INVALID_INPUT if it is not an archive, is damaged, has paths outside itself, or is too large. */
export function readArchive(archive: Uint8Array): ArchiveFile[] {
  if (archive.length > maxArchiveBytes)
    throw invalidInput(`The archive is larger than ${maxArchiveBytes / 1_000_000} MB.`);
  const isZip = archive[0] === 0x50 && archive[1] === 0x4b;
  if (!isZip) throw invalidInput('This is not a ZIP archive. Send a .tex file, or a .zip with one document.');
  let entries = 0;
  let total = 0;
  const paths = new Map<string, string>();
  const take = ({ name, originalSize, size, compression }: UnzipFileInfo): boolean => {
    if (++entries > maxArchiveEntries)
      throw invalidInput(`The archive has more than ${maxArchiveEntries} files.`);
    const path = safePath(name);
    if (name.endsWith('/') || isClutter(path)) return false;
    if (compression !== 0 && compression !== 8)
      throw invalidInput(
        `“${shown(name)}” uses a compression method that is not supported. Create a plain ZIP.`,
      );
    if (paths.has(name)) throw invalidInput(`The archive contains “${shown(name)}” twice.`);
    // a stored (uncompressed) entry takes its actual size, whatever it declares
    total += Math.max(originalSize, size);
    const isBomb = originalSize > ratioFromBytes && originalSize > size * maxRatio;
    if (isBomb || total > maxUnpackedBytes)
      throw invalidInput(
        `The archive unpacks to more than ${maxUnpackedBytes / 1_000_000} MB, or far more than it should.`,
      );
    paths.set(name, path);
    return true;
  };
  const files = unpack(archive, take);
  return [...paths].map(([name, path]) => ({ path, bytes: files[name] ?? new Uint8Array() }));
}

function unpack(archive: Uint8Array, filter: (info: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(archive, { filter });
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiError') throw error;
    throw invalidInput('The archive is damaged or encrypted and cannot be unpacked.', error);
  }
}

/** @throws ApiError INVALID_INPUT for a path that leads out of the archive. */
function safePath(name: string): string {
  const parts = name
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const isHostile =
    name.length > maxPathLength ||
    parts.length > maxDepth ||
    parts.includes('..') ||
    /^[/\\]|^[A-Za-z]:/.test(name) ||
    /\p{Cc}/u.test(name);
  if (isHostile)
    throw invalidInput(`The archive has a file with the name “${shown(name)}”, which is not allowed.`);
  return parts.join('/');
}

/** Files that file managers add to archives. */
const isClutter = (path: string) => /(^|\/)(__MACOSX|\.[^/]*|Thumbs\.db|desktop\.ini)(\/|$)/i.test(path);

const shown = (name: string) => name.replace(/\p{C}/gu, '�').slice(0, 80);
