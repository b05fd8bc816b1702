/** The cold strategy: every job starts its engine from nothing, in a folder and a box of its own. */
import path from 'node:path';
import type { LogMessage } from '#shared/api/errors.ts';
import { readLog } from '#shared/latex/log.ts';
import { createJobFolder, type JobFolder, readJobFile } from './job-folder.ts';
import type { Sandbox } from './open-sandbox.ts';
import { isSettled, maxPasses, readAuxState } from './passes.ts';
import type { BoxedExit, Watch } from './run-boxed.ts';
import { type BoxedProgram, defaultFileBytes, defaultMemoryBytes } from './sandbox.ts';
import type { Strategy, StrategyJob, StrategyResult } from './strategy.ts';

/** Most of a log that is read; messages beyond it are more than anyone reads. */
const maxLogBytes = 4_000_000;
const maxSynctexBytes = 20_000_000;

const engineArgs = [
  '-no-shell-escape',
  // a first line `%&name` would load the document's own format
  '-no-parse-first-line',
  '-interaction=nonstopmode',
  '-file-line-error',
  '-synctex=1',
];

interface Running {
  sandbox: Sandbox;
  folder: JobFolder;
  id: number | null;
  watch: Watch;
}

export function createColdStrategy(sandbox: Sandbox, workFolder: string): Strategy {
  let count = 0;
  return {
    name: 'cold',
    async compile(job, watch) {
      const id = sandbox.takeId();
      try {
        const folder = await createJobFolder(
          path.join(workFolder, `job-${++count}`),
          id,
          job.latex,
          job.assets,
        );
        try {
          return await compileIn({ sandbox, folder, id, watch }, job);
        } finally {
          await folder.remove();
        }
      } finally {
        sandbox.giveBackId(id);
      }
    },
    close: async () => {},
  };
}

async function compileIn(running: Running, job: StrategyJob): Promise<StrategyResult> {
  const { folder } = running;
  const usesXdv = job.engine === 'xelatex';
  let messages: LogMessage[] = [];
  let before = await readAuxState(folder.path, folder.inputs);
  let passes = 0;
  for (;;) {
    const exit = await run(running, job.engine, [...(usesXdv ? ['-no-pdf'] : []), ...engineArgs, 'main.tex']);
    passes++;
    if (exit.kind === 'aborted') return { kind: 'cancelled' };
    const log = await readJobFile(folder.path, 'main.log', maxLogBytes, true);
    messages = log ? readLog(log.toString('utf8'), job.latex) : [];
    if (exit.kind === 'out-of-time') return { kind: 'timed-out', messages };
    const ended = explainEnd(exit);
    if (ended) return { kind: 'failed', pdf: null, messages: [ended, ...messages], passes };
    // no log at all: the engine never ran
    if (!log) throw new Error(`the sandbox did not start: ${exit.kind === 'exited' ? exit.stderr : ''}`);
    if (messages.some((message) => message.level === 'error')) break;
    const after = await readAuxState(folder.path, folder.inputs);
    if (passes >= maxPasses || isSettled(before, after)) break;
    before = after;
  }
  return finish(running, usesXdv, messages, passes);
}

/** Makes the PDF of the last pass and reads everything back. */
async function finish(
  running: Running,
  usesXdv: boolean,
  messages: LogMessage[],
  passes: number,
): Promise<StrategyResult> {
  const { folder } = running;
  if (usesXdv && (await readJobFile(folder.path, 'main.xdv', defaultFileBytes))) {
    // what xelatex itself would call: -E embeds fonts whatever their licence bits say
    const exit = await run(running, 'xdvipdfmx', ['-q', '-E', '-o', 'main.pdf', 'main.xdv']);
    if (exit.kind === 'aborted') return { kind: 'cancelled' };
    if (exit.kind === 'out-of-time') return { kind: 'timed-out', messages };
    const ended = explainEnd(exit);
    if (ended) return { kind: 'failed', pdf: null, messages: [ended, ...messages], passes };
    if (exit.kind === 'exited' && exit.code !== 0) messages = [...messages, ...readDriverErrors(exit.stderr)];
  }
  const pdf = await readPdf(folder.path);
  const hasError = messages.some((message) => message.level === 'error');
  if (!pdf && !hasError) messages = [...messages, noPages];
  if (!pdf || hasError) return { kind: 'failed', pdf, messages, passes };
  const synctex = await readJobFile(folder.path, 'main.synctex.gz', maxSynctexBytes);
  return { kind: 'compiled', pdf, pageCount: await countPages(folder.path), messages, synctex, passes };
}

function run(running: Running, program: BoxedProgram, args: string[]): Promise<BoxedExit> {
  const { sandbox, folder, id, watch } = running;
  // the wall clock decides; the CPU limit only stops what should escape it
  const cpuSeconds = Math.max(1, Math.ceil((watch.deadline - Date.now()) / 1000)) + 1;
  const limits = { cpuSeconds, memoryBytes: defaultMemoryBytes, fileBytes: defaultFileBytes };
  return sandbox.run({ program, args, folder: folder.path, id, limits }, watch);
}

async function readPdf(folder: string): Promise<Uint8Array | null> {
  const pdf = await readJobFile(folder, 'main.pdf', defaultFileBytes);
  return pdf?.subarray(0, 5).toString('latin1') === '%PDF-' ? pdf : null;
}

/** TeX's own count, from the end of its log. */
async function countPages(folder: string): Promise<number> {
  const log = await readJobFile(folder, 'main.log', maxLogBytes, true);
  const match = /^Output written on main\.\w+ \((\d+) pages?/m.exec(log?.toString('utf8') ?? '');
  return match ? Number(match[1]) : 0;
}

const noPages: LogMessage = {
  level: 'error',
  file: 'main.tex',
  line: null,
  message: 'No pages of output.',
  explanation:
    'The document produced no page: there is nothing to print between \\begin{document} and \\end{document}.',
};

/** A message for an end that TeX's log does not tell of: a limit of the box. */
function explainEnd(exit: BoxedExit): LogMessage | null {
  if (exit.kind === 'flooded')
    return {
      level: 'error',
      file: null,
      line: null,
      message: `The document wrote too ${exit.what === 'files' ? 'many files' : 'much'} and was stopped.`,
      explanation:
        'A compile may write 600 files and 200 MB in all. This usually is a loop around \\write or \\openout.',
    };
  if (exit.kind !== 'exited' || exit.code <= 128) return null;
  const signal = exit.code - 128;
  // SIGXFSZ: one file too large; SIGXCPU and SIGKILL: processor time; SIGABRT, SIGSEGV, SIGBUS: out of memory
  const what =
    signal === 25
      ? 'wrote a file of more than 50 MB'
      : signal === 24 || signal === 9
        ? 'used more processor time than a compile may'
        : 'needed more memory than a compile may use';
  return { level: 'error', file: null, line: null, message: `The document ${what} and was stopped.` };
}

/** xdvipdfmx has no log; its complaints are on stderr. */
function readDriverErrors(stderr: string): LogMessage[] {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^(?:xdvipdfmx|dvipdfmx):(?:fatal|warning):\s*/, '').trim())
    .filter((line) => line !== '' && !/^(?:Output file removed|No output PDF file written)/.test(line));
  const message = lines.slice(0, 3).join(' ') || 'The PDF could not be written.';
  return [
    {
      level: 'error',
      file: null,
      line: null,
      message,
      explanation:
        'The pages were set, but writing the PDF failed, usually on a picture or a font it cannot use.',
    },
  ];
}
