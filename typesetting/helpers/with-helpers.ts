/**
 * A strategy that also makes lists of references, indexes, glossaries and nomenclatures
 * (docs/decisions/119-helpers-between-passes.md). TeX says in its auxiliary files what they are made of; a
 * helper makes the list; TeX reads it at the next compile. A document's last lists are given to its next
 * compile at once, so that an edit which changes none of them costs nothing more.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { LogMessage } from '#shared/api/errors.ts';
import { hashAsset } from '../engines/hash-asset.ts';
import type { AuxFiles } from '../engines/passes.ts';
import type { Strategy, StrategyJob } from '../engines/strategy.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import type { Watch } from '../sandbox/run-boxed.ts';
import type { Asset } from '../typesetter.ts';
import type { HelperTask } from './helper.ts';
import { planHelpers } from './plan-helpers.ts';
import { leftOut, type Made, runTask } from './run-task.ts';

/** Most documents whose lists are remembered. */
const maxRemembered = 200;
/** An entry may cite another one, which is then cited too; an index may push its own pages. */
const maxRounds = 3;

/** Every list of a document by the name of its file, with the hash of what it was made from. */
type Lists = ReadonlyMap<string, Made & { hash: string }>;
type Ended = Exclude<Awaited<ReturnType<typeof runTask>>, Made>;

const noLists: Lists = new Map();

export function withHelpers(strategy: Strategy, sandbox: Sandbox, workFolder: string): Strategy {
  const remembered = new Map<string, Lists>();
  let runs = 0;

  function remember(key: string, lists: Lists): void {
    remembered.delete(key);
    if (lists.size > 0) remembered.set(key, lists);
    for (const oldest of remembered.keys()) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(oldest);
    }
  }

  async function makeLists(tasks: readonly HelperTask[], known: Lists, watch: Watch): Promise<Lists | Ended> {
    const lists = new Map<string, Made & { hash: string }>();
    for (const task of tasks) {
      const hash = hashTask(task);
      const before = known.get(task.makes);
      if (before?.hash === hash) {
        lists.set(task.makes, before);
        continue;
      }
      const made = await runTask(sandbox, path.join(workFolder, `helper-${++runs}`), task, watch);
      if ('kind' in made) return made;
      lists.set(task.makes, { ...made, hash });
    }
    return lists;
  }

  return {
    name: strategy.name,
    async compile(job, watch) {
      const key = keyOf(job);
      let given = mentionsHelpers.test(job.latex) ? (remembered.get(key) ?? noLists) : noLists;
      let before: AuxFiles | undefined;
      let passes = 0;
      const progress = job.onProgress && {
        onProgress: ((shown) =>
          job.onProgress?.(
            'messages' in shown ? { ...shown, messages: shown.messages.filter(isOwn) } : shown,
          )) satisfies StrategyJob['onProgress'],
      };
      for (let round = 0; ; round++) {
        const files = toFiles(given, job.assets);
        const result = await strategy.compile(
          { ...job, ...progress, ...(before && { before }), assets: [...job.assets, ...files] },
          watch,
        );
        const { left, ...rest } = result;
        if (rest.kind !== 'compiled' && rest.kind !== 'failed') return rest;
        passes += rest.passes ?? 0;
        const { latex, assets } = job;
        const plan = planHelpers({ latex, assets, messages: rest.messages, left: left ?? new Map() });
        const tasks = [...new Map(plan.tasks.map((task) => [task.makes, task])).values()];
        const lists = await makeLists(tasks, given, watch);
        const messages = [...rest.messages.filter(isOwn), ...plan.messages];
        if ('kind' in lists) {
          if (lists.kind === 'aborted') return { kind: 'cancelled' };
          if (lists.met === 'starved') return { kind: 'starved' };
          return { ...rest, passes, messages: [...messages, ...tasks.map(tookTooLong)] };
        }
        remember(key, lists);
        if (round >= maxRounds || sameFiles(toFiles(lists, job.assets), files))
          return { ...rest, passes, messages: [...messages, ...allMessages(lists)] };
        if (rest.kind === 'compiled') {
          const { kind: _, passes: __, ...shown } = rest;
          job.onProgress?.({ kind: 'pass', ...shown, messages });
        }
        given = lists;
        before = left;
      }
    },
    close: () => strategy.close(),
  };
}

const mentionsHelpers =
  /\\(?:bibliography|addbibresource|printbibliography|nobibliography|newcites|makeindex|newindex|makeglossar(?:y|ies)|makenomenclature|printindex|print\w*gloss\w*|printnomenclature)\b/;

/** Messages that ask authors to run MakeIndex, or would have run it themselves; here that is done. */
const asksForHelper = /^(?:imakeidx: Remember to run|glossaries: can't automake) /;
const isOwn = ({ message }: LogMessage) => !asksForHelper.test(message);

const tookTooLong = (task: HelperTask): LogMessage => ({
  ...leftOut(task),
  message: `${task.what} was left out: the document used up its processor time before it.`,
});

/** Distinguishes a person's documents: by their databases and how their preamble begins. */
function keyOf({ owner, assets, latex, engine }: StrategyJob): string {
  const hash = createHash('sha256').update(latex.split('\\begin{document}', 1)[0]!.slice(0, 200));
  for (const { name } of assets) if (/\.(?:bib|bst|ist)$/i.test(name)) hash.update(`\0${name}`);
  return `${owner}\0${engine}\0${hash.digest('base64')}`;
}

/** Equal for equal work. */
function hashTask({ program, args, files }: HelperTask): string {
  const hash = createHash('sha256').update([program, ...args].join('\0'));
  for (const [name, bytes] of files) hash.update(`\0${name}\0${hashAsset(bytes)}`);
  return hash.digest('base64');
}

/** The lists as files for TeX; the document's own file of the same name takes precedence. */
function toFiles(lists: Lists, assets: readonly Asset[]): Asset[] {
  return [...lists.values()].flatMap(({ file }) =>
    file && !assets.some(({ name }) => name === file.name) ? [file] : [],
  );
}

/** Several lists of a document may use one database: its faults are reported once. */
function allMessages(lists: Lists): LogMessage[] {
  const messages = [...lists.values()].flatMap((list) => list.messages);
  return [...new Map(messages.map((one) => [`${one.file} ${one.line} ${one.message}`, one])).values()];
}

function sameFiles(a: readonly Asset[], b: readonly Asset[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, bytes }, at) => b[at]!.name === name && Buffer.from(bytes).equals(b[at]!.bytes))
  );
}
