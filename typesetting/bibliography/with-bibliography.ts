/**
 * A strategy that sets lists of references, too (docs/decisions/087-bibliographies.md). TeX says in its auxiliary file
 * what is cited; BibTeX makes the list of it; TeX reads the list at the next compile. The list that a document got last
 * is given to its next compile at once, so that an edit which cites nothing new costs nothing more.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { LogMessage } from '#shared/api/errors.ts';
import type { AuxFiles } from '../engines/passes.ts';
import type { Strategy, StrategyJob } from '../engines/strategy.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import type { Watch } from '../sandbox/run-boxed.ts';
import type { Asset } from '../typesetter.ts';
import { hashCitations, listCitations } from './citation-files.ts';
import { type References, runBibtex } from './run-bibtex.ts';

/** Documents whose list is remembered. */
const maxRemembered = 200;
/** An entry may cite another one, which then is cited, too: the second list has it. */
const maxLists = 3;

type Ended = Exclude<Awaited<ReturnType<typeof runBibtex>>, References>;

interface Known extends References {
  /** Of what was cited when the list was made. */
  hash: string;
}

export function withBibliography(strategy: Strategy, sandbox: Sandbox, workFolder: string): Strategy {
  const remembered = new Map<string, Known>();
  let count = 0;

  function remember(key: string, known: Known | null): void {
    remembered.delete(key);
    if (known) remembered.set(key, known);
    for (const oldest of remembered.keys()) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(oldest);
    }
  }

  async function makeList(job: StrategyJob, left: AuxFiles, watch: Watch): Promise<Known | Ended> {
    const lists = listCitations(left);
    const own = bibliographyFiles(job.assets);
    const hash = hashCitations(lists, left, own);
    const known = remembered.get(keyOf(job));
    if (known?.hash === hash) return known;
    const folder = path.join(workFolder, `bibliography-${++count}`);
    const made = await runBibtex(sandbox, folder, { lists, left, assets: own }, watch);
    return 'kind' in made ? made : { ...made, hash };
  }

  return {
    name: strategy.name,
    async compile(job, watch) {
      const key = keyOf(job);
      let given = mentionsBibliography.test(job.latex) ? (remembered.get(key) ?? null) : null;
      let passes = 0;
      for (let count = 0; ; count++) {
        const files = given?.files.filter(({ name }) => !job.assets.some((asset) => asset.name === name));
        const result = await strategy.compile(
          files?.length ? { ...job, assets: [...job.assets, ...files] } : job,
          watch,
        );
        const { cited, ...rest } = result;
        if (rest.kind !== 'compiled' && rest.kind !== 'failed') return rest;
        passes += rest.passes ?? 0;
        const list = cited && cited.size > 0 ? await makeList(job, cited, watch) : null;
        if (list && 'kind' in list) {
          if (list.kind === 'aborted') return { kind: 'cancelled' };
          if (list.met === 'starved') return { kind: 'starved' };
          return { ...rest, passes, messages: [...rest.messages, listTookTooLong] };
        }
        if (list || given) remember(key, list);
        if (count >= maxLists || sameFiles(list?.files, given?.files))
          return {
            ...rest,
            passes,
            messages: [...rest.messages, ...(list?.messages ?? [])],
          };
        if (rest.kind === 'compiled') {
          const { kind: _, passes: __, ...shown } = rest;
          job.onProgress?.({ kind: 'pass', ...shown });
        }
        given = list;
      }
    },
    close: () => strategy.close(),
  };
}

const mentionsBibliography = /\\(?:bibliography|addbibresource|printbibliography|nobibliography|newcites)\b/;

const bibliographyFiles = (assets: readonly Asset[]) =>
  assets.filter(({ name }) => /\.(?:bib|bst)$/i.test(name));

const listTookTooLong: LogMessage = {
  level: 'warning',
  file: null,
  line: null,
  message: 'The list of references was left out: the document used up its processor time before it.',
};

/** One document of a person's among others: by its databases and how its preamble begins. */
function keyOf({ owner, assets, latex, engine }: StrategyJob): string {
  const hash = createHash('sha256').update(latex.split('\\begin{document}', 1)[0]!.slice(0, 200));
  for (const { name } of bibliographyFiles(assets)) hash.update(`\0${name}`);
  return `${owner}\0${engine}\0${hash.digest('base64')}`;
}

function sameFiles(a: readonly Asset[] = [], b: readonly Asset[] = []): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, bytes }, at) => b[at]!.name === name && Buffer.from(bytes).equals(b[at]!.bytes))
  );
}
