/** Runs one helper in a separate folder and box. */
import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LogMessage } from '#shared/api/errors.ts';
import { makeFolders, readJobFile } from '../sandbox/job-folder.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import { removeTree } from '../sandbox/remove-tree.ts';
import type { BoxedExit, Watch } from '../sandbox/run-boxed.ts';
import { defaultMemoryBytes } from '../sandbox/sandbox.ts';
import type { Asset } from '../typesetter.ts';
import type { HelperTask } from './helper.ts';

export interface Made {
  /** null if there is nothing to typeset. */
  file: Asset | null;
  messages: LogMessage[];
}

/** A list of 2,000 references has 1 MB. */
const maxListBytes = 4_000_000;
const maxReportBytes = 1_000_000;
/** BibTeX handles 2,000 references in a second and Biber in ten; a stranger's style may loop. */
const cpuSeconds: Record<HelperTask['program'], number> = { bibtexu: 10, makeindex: 5, biber: 20 };

/** Or how the watch ended it. */
export async function runTask(
  sandbox: Sandbox,
  folder: string,
  task: HelperTask,
  watch: Watch,
): Promise<Made | Extract<BoxedExit, { kind: 'aborted' | 'out-of-time' }>> {
  const id = sandbox.takeId();
  try {
    await mkdir(folder, { mode: 0o700 });
    makeFolders(folder, id, task.files.keys());
    for (const [name, bytes] of task.files) {
      const file = path.join(folder, name);
      await writeFile(file, task.prepare?.(name, bytes) ?? bytes, { flag: 'wx', mode: 0o644 });
      if (id !== null) await chown(file, id, id);
    }
    if (id !== null) await chown(folder, id, id);
    const exit = await sandbox.run(
      {
        program: task.program,
        args: [...task.args],
        folder,
        id,
        limits: {
          cpuSeconds: cpuSeconds[task.program],
          memoryBytes: defaultMemoryBytes,
          fileBytes: maxListBytes,
        },
      },
      watch,
    );
    if (exit.kind === 'aborted' || exit.kind === 'out-of-time') return exit;
    const [list, report] = await Promise.all([
      readJobFile(folder, task.makes, maxListBytes),
      readJobFile(folder, task.report, maxReportBytes, true),
    ]);
    const stderr = exit.kind === 'exited' ? exit.stderr : '';
    const messages = task.readReport(`${stderr}\n${report?.toString('utf8') ?? ''}`);
    const file = list && list.length > 0 ? { name: task.makes, bytes: list } : null;
    // a limit of the box leaves half a list
    const isWhole = exit.kind === 'exited' && exit.code < 128;
    if (isWhole && (file || messages.length > 0 || exit.code === 0)) return { file, messages };
    return { file: null, messages: [...messages, leftOut(task)] };
  } finally {
    await removeTree(folder);
    sandbox.giveBackId(id);
  }
}

export function leftOut({ what, program }: Pick<HelperTask, 'what' | 'program'>): LogMessage {
  const name = { bibtexu: 'BibTeX', biber: 'Biber', makeindex: 'MakeIndex' }[program];
  return {
    level: 'warning',
    file: null,
    line: null,
    message: `${what} was left out: ${name} could not make it.`,
    explanation:
      'It needed more processor time, memory or disk than it may use, or could not read what it was given.',
  };
}
