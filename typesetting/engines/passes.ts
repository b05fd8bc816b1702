/**
 * Whether TeX must run again. LaTeX leaves what the next pass needs in auxiliary files; a pass whose auxiliary
 * files equal those it read would change nothing, so it is not run. Skipping passes is the largest saving there
 * is.
 */
import { createHash } from 'node:crypto';
import { type Dirent, opendirSync } from 'node:fs';
import { listFolders } from '#shared/api/file-name.ts';
import { inJobFolder, readJobFile } from '../sandbox/job-folder.ts';

/** TeX needs at most this many in practice (contents that push a page, then references to it). */
export const maxPasses = 4;
/** A larger auxiliary file is runaway output, not a table of contents. */
const maxAuxBytes = 8_000_000;
/** Limit for all of them: they are kept in this process's memory between compiles. */
const maxAllAuxBytes = 32_000_000;

/** Name → hash of every file a pass left for the next one. */
export type AuxState = ReadonlyMap<string, string>;

const results = /\.(?:log|fls|xdv|pdf|synctex\.gz|synctex|dvi)$/;
/**
 * Lines of a first `.aux` that change nothing when read back: no table, no label, no citation.
 * `\@writefile{toc}` matters only through a .toc file, which is then seen itself. The rest is what hyperref and
 * babel always write.
 */
const inertLines = [
  /^\s*$/,
  /^\\relax ?$/,
  /^\\gdef ?\\@abspage@last\{\d+\}$/,
  /^\\@writefile\{\w+\}\{.*$/,
  /^\\providecommand\*?\\?[\\A-Za-z@{}]+(?:\[\d\])?\{.*\}$/,
  /^\\HyPL@Entry\{0<<\/S\/D>>\}$/,
  /^\\HyperFirstAtBeginDocument\{\\ifx\\hyper@anchor\\@undefined$/,
  /^\\AtEndDocument\{\\ifx\\hyper@anchor\\@undefined$/,
  /^\\(?:global\\let\\oldnewlabel\\newlabel|let\\newlabel\\oldnewlabel|global\\let\\hyper@last\\relax ?)$/,
  /^\\gdef\\newlabel(?:xx)?#.*$/,
  /^\\gdef\\HyperFirstAtBeginDocument#1\{#1\}$/,
  /^\\fi\}$/,
  /^\\@nameuse\{bbl@beforestart\}$/,
  /^\\babel@aux\{[\w-]*\}\{\}$/,
  /^\\selectlanguage ?\*?\{\w*\}$/,
  /^\\catcode.*\\active.*$/,
  /^\\bibstyle\{.*\}$/,
];

/** The lines above are short; on a long line of braces alone a pattern would search for seconds. */
const maxInertLine = 1_000;

/** Name → content of every file a pass left for the next one. */
export type AuxFiles = ReadonlyMap<string, Buffer>;

/** Entries of one folder that are looked at: a job with so many files is ended (`watch-folder.ts`). */
const maxEntries = 600;

function listEntries(folder: string): Dirent[] {
  const entries: Dirent[] = [];
  const opened = opendirSync(folder);
  try {
    for (let entry = opened.readSync(); entry && entries.length < maxEntries; entry = opened.readSync())
      entries.push(entry);
  } finally {
    opened.closeSync();
  }
  return entries;
}

/** What a pass left behind, except inputs and results. */
export async function readAuxFiles(folder: string, inputs: ReadonlySet<string>): Promise<AuxFiles> {
  const files = new Map<string, Buffer>();
  let left = maxAllAuxBytes;
  // a part in a folder has its .aux file there; what the job made a folder for itself is not read back
  for (const inner of ['', ...listFolders(inputs)])
    for (const entry of inJobFolder(folder, inner, listEntries) ?? []) {
      const name = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (inputs.has(name) || results.test(name) || !entry.isFile()) continue;
      const bytes = await readJobFile(folder, name, Math.min(maxAuxBytes, left), true);
      if (!bytes) continue;
      files.set(name, bytes);
      left -= bytes.length;
      if (left <= 0) return files;
    }
  return files;
}

/** The parts of these files that can change the next pass. */
export function toAuxState(files: AuxFiles): AuxState {
  const state = new Map<string, string>();
  for (const [name, bytes] of files)
    if (!isInert(name, bytes)) state.set(name, createHash('sha256').update(bytes).digest('base64'));
  return state;
}

export async function readAuxState(folder: string, inputs: ReadonlySet<string>): Promise<AuxState> {
  return toAuxState(await readAuxFiles(folder, inputs));
}

/** True if the two passes left the same. An empty first state means that nothing left was worth reading back. */
export function isSettled(before: AuxState, after: AuxState): boolean {
  if (before.size !== after.size) return false;
  for (const [name, hash] of after) if (before.get(name) !== hash) return false;
  return true;
}

/** Read only by helpers: entries of indexes and glossaries, Biber's input, styles for MakeIndex. */
const forHelpers = /\.(?:bcf|run\.xml|ist)$/;
const isEntries = (bytes: Buffer) => /^\\(?:index|glossary)entry\b/.test(bytes.toString('latin1', 0, 16));

function isInert(name: string, bytes: Buffer): boolean {
  if (bytes.length === 0 || forHelpers.test(name) || isEntries(bytes)) return true;
  if (!name.endsWith('.aux') || bytes.length > 100_000) return false;
  return bytes
    .toString('utf8')
    .split('\n')
    .every((line) => line.length <= maxInertLine && inertLines.some((pattern) => pattern.test(line)));
}
