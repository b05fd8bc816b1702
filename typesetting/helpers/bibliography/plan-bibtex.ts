/** What a compile left for BibTeX, without what changes for other reasons: each list of references separately. */
import type { AuxFiles } from '../../engines/passes.ts';
import { type Compiled, type HelperPlan, type HelperTask, isPlainName } from '../helper.ts';
import { findDatabases } from './databases.ts';
import { prepareDatabase } from './prepare-database.ts';
import { readBibtexReport } from './read-bibtex-report.ts';

/** One list of references: a document has one, or several by multibib or biblatex's sections. */
interface CitationList {
  /** Name of the `.aux` file without its ending; the list goes to `NAME.bbl`. */
  name: string;
  /** The `.aux` file: what is cited, from which databases, in which style. */
  aux: string;
  /** Databases by name, without `.bib`, as the document names them. */
  databases: readonly string[];
}

const maxLists = 8;

export function planBibtex(compiled: Compiled): HelperPlan {
  const lists = listCitations(compiled.left);
  const { files, missing } = findDatabases(
    lists.flatMap(({ databases }) => databases).map((name) => `${name}.bib`),
    compiled,
  );
  // without a database of the document's, BibTeX would only repeat that
  const readable = lists.filter(({ databases }) =>
    databases.some((name) => files.has(`${name}.bib`) && !name.endsWith('-blx')),
  );
  for (const { name, bytes } of compiled.assets) if (/\.bst$/i.test(name)) files.set(name, bytes);
  return { tasks: readable.map((list) => toTask(list, files, compiled.latex)), messages: missing };
}

function toTask(
  { name, aux }: CitationList,
  files: ReadonlyMap<string, Uint8Array>,
  latex: string,
): HelperTask {
  return {
    program: 'bibtexu',
    args: ['--wolfgang', '-l', 'en', name],
    files: new Map([...files, [`${name}.aux`, Buffer.from(aux)]]),
    prepare: (file, bytes) => (/\.bib$/i.test(file) ? prepareDatabase(bytes) : bytes),
    makes: `${name}.bbl`,
    report: `${name}.blg`,
    what: 'The list of references',
    readReport: (report) => readBibtexReport(report, latex),
  };
}

/** The lists of references that these files request. */
function listCitations(left: AuxFiles): CitationList[] {
  const lists: CitationList[] = [];
  if (!left.get('main.aux')?.includes('\\bibdata')) return lists;
  for (const [file, bytes] of left) {
    if (!file.endsWith('.aux') || !isPlainName(file) || lists.length >= maxLists) continue;
    const lines = wantedLines(bytes, left, 0);
    const data = lines.find((line) => line.startsWith('\\bibdata{'));
    if (!data) continue;
    const databases = data
      .slice('\\bibdata{'.length, -1)
      .split(',')
      .map((name) => name.trim().replace(/\.bib$/, ''));
    // BibTeX appends the ending to a database name even if it already has one
    const aux = lines.map((line) => (line === data ? `\\bibdata{${databases.join(',')}}` : line));
    lists.push({ name: file.slice(0, -'.aux'.length), aux: `${aux.join('\n')}\n`, databases });
  }
  return lists;
}

/** Included parts have their own files; what they cite belongs where they are read. */
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
