/** Runs BibTeX over a document's citations, in a folder and a box of its own. */
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LogMessage } from '#shared/api/errors.ts';
import type { AuxFiles } from '../engines/passes.ts';
import { readJobFile } from '../sandbox/job-folder.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import type { BoxedExit, Watch } from '../sandbox/run-boxed.ts';
import { defaultMemoryBytes } from '../sandbox/sandbox.ts';
import type { Asset } from '../typesetter.ts';
import type { CitationList } from './citation-files.ts';
import { prepareDatabase } from './prepare-database.ts';
import { missingDatabase, readReport } from './read-report.ts';

export interface References {
  /** `NAME.bbl` of every list that has entries. */
  files: Asset[];
  messages: LogMessage[];
}

/** A list of 2,000 references has 1 MB. */
const maxListBytes = 4_000_000;
const maxReportBytes = 1_000_000;
/** BibTeX sets 2,000 references in a second; a style of a stranger's may loop. */
const maxCpuSeconds = 10;

export interface BibtexJob {
  lists: readonly CitationList[];
  /** Databases that the document wrote itself. */
  left: AuxFiles;
  /** The document's own databases and styles. */
  assets: readonly Asset[];
}

/** Or how the watch ended it. */
export async function runBibtex(
  sandbox: Sandbox,
  folder: string,
  { lists, left, assets }: BibtexJob,
  watch: Watch,
): Promise<References | Extract<BoxedExit, { kind: 'aborted' | 'out-of-time' }>> {
  const id = sandbox.takeId();
  try {
    await mkdir(folder, { mode: 0o700 });
    const place = async (name: string, content: string | Uint8Array) => {
      await writeFile(path.join(folder, name), content, { mode: 0o644 });
      if (id !== null) await chown(path.join(folder, name), id, id);
    };
    const databases = new Set<string>();
    for (const [name, bytes] of [
      ...[...left].filter(([name]) => name.endsWith('.bib')),
      ...assets.map(({ name, bytes }) => [name, bytes] as const),
    ]) {
      const isDatabase = /\.bib$/i.test(name);
      if (isDatabase) databases.add(name.replace(/\.bib$/i, ''));
      await place(name, isDatabase ? prepareDatabase(bytes) : bytes);
    }
    const found: References = { files: [], messages: [] };
    for (const name of new Set(lists.flatMap((list) => list.databases)))
      if (name !== '' && !databases.has(name) && !isOfDistribution(name))
        found.messages.push(missingDatabase(name));
    // without a database of the document's, BibTeX would only say so again
    const readable = lists.filter((list) =>
      list.databases.some((name) => databases.has(name) && !name.endsWith('-blx')),
    );
    // all before the first run: from then on the folder is the box's, which could lay links in our way
    for (const list of readable) await place(`${list.name}.aux`, list.aux);
    if (id !== null) await chown(folder, id, id);
    for (const list of readable) {
      const limits = { cpuSeconds: maxCpuSeconds, memoryBytes: defaultMemoryBytes, fileBytes: maxListBytes };
      const args = ['--wolfgang', '-l', 'en', list.name];
      const exit = await sandbox.run({ program: 'bibtexu', args, folder, id, limits }, watch);
      if (exit.kind === 'aborted' || exit.kind === 'out-of-time') return exit;
      const [bbl, report] = await Promise.all([
        readJobFile(folder, `${list.name}.bbl`, maxListBytes),
        readJobFile(folder, `${list.name}.blg`, maxReportBytes, true),
      ]);
      if (bbl && bbl.length > 0) found.files.push({ name: `${list.name}.bbl`, bytes: bbl });
      found.messages.push(
        ...readReport(report?.toString('utf8') ?? '').filter(
          ({ message }) => !found.messages.some((known) => known.message === message),
        ),
      );
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    sandbox.giveBackId(id);
  }
}

/** Databases that come with TeX: journals' names, and biblatex's and REVTeX's examples. */
const isOfDistribution = (name: string) =>
  /^(?:IEEE(?:abrv|full|example)|ieeeabrv|xampl|acm|.*-blx)$/i.test(name);
