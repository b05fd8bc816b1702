/** What a compile left for BibTeX, without what changes for other reasons: each list of references for itself. */
import { createHash } from 'node:crypto';
import { type AuxFiles, readAuxFiles } from '../engines/passes.ts';
import { readJobFile } from '../sandbox/job-folder.ts';
import type { Asset } from '../typesetter.ts';

/** One list of references: a document has one, or several by multibib or biblatex's sections. */
export interface CitationList {
  /** Name of the `.aux` file without its ending; the list goes to `NAME.bbl`. */
  name: string;
  /** The `.aux` file: what is cited, from which databases, in which style. */
  aux: string;
  /** Databases by name, without `.bib`, as the document names them. */
  databases: readonly string[];
}

const plainName = /^[A-Za-z0-9][\w.-]{0,99}$/;
const maxLists = 8;
const maxAuxBytes = 2_000_000;

/** The files of a finished compile that BibTeX reads; none for a document without bibliography. */
export async function readCitationFiles(folder: string, inputs: ReadonlySet<string>): Promise<AuxFiles> {
  const main = await readJobFile(folder, 'main.aux', maxAuxBytes);
  if (!main?.includes('\\bibdata')) return new Map();
  const files = await readAuxFiles(folder, inputs);
  return new Map([...files].filter(([name]) => plainName.test(name) && /\.(?:aux|bib)$/.test(name)));
}

/** The lists of references that these files ask for. */
export function listCitations(left: AuxFiles): CitationList[] {
  const lists: CitationList[] = [];
  for (const [file, bytes] of left) {
    if (!file.endsWith('.aux') || lists.length >= maxLists) continue;
    const lines = wantedLines(bytes, left, 0);
    const data = lines.find((line) => line.startsWith('\\bibdata{'));
    if (!data) continue;
    const databases = data
      .slice('\\bibdata{'.length, -1)
      .split(',')
      .map((name) => name.trim().replace(/\.bib$/, ''));
    // BibTeX would look for a database that is written with its ending under a double one
    const aux = lines.map((line) => (line === data ? `\\bibdata{${databases.join(',')}}` : line));
    lists.push({ name: file.slice(0, -'.aux'.length), aux: `${aux.join('\n')}\n`, databases });
  }
  return lists;
}

/** Parts that are included have files of their own; what they cite stands where they are read. */
function wantedLines(bytes: Buffer, left: AuxFiles, depth: number): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const part = /^\\@input\{(.+)\}$/.exec(line)?.[1];
      const found = part && depth < 2 ? left.get(part) : undefined;
      if (found) return wantedLines(found, left, depth + 1);
      return /^\\(?:citation|bibdata|bibstyle)\{.*\}$/.test(line) ? [line] : [];
    });
}

/** The same for the same work: what is cited, in which style, from which files. */
export function hashCitations(
  lists: readonly CitationList[],
  left: AuxFiles,
  assets: readonly Asset[],
): string {
  const hash = createHash('sha256');
  const add = (name: string, bytes: Uint8Array | string) => {
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  };
  for (const { name, aux } of lists) add(name, aux);
  for (const [name, bytes] of left) if (name.endsWith('.bib')) add(name, bytes);
  for (const { name, bytes } of assets) add(name, bytes);
  return hash.digest('base64');
}
