/**
 * Shared by all strategies around their engine: the engine's switches, a pass's result, the PDF of the last
 * pass, and what is read back. Only where the engine comes from differs.
 */

import { readLog } from '#latex/log/log.ts';
import { type LimitMet, WorkBudget } from '#platform/work/work-limit.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import { type JobFolder, readJobFile } from '../sandbox/job-folder.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import { type BoxedExit, cpuSecondsLeft, type Watch } from '../sandbox/run-boxed.ts';
import { type BoxedProgram, defaultFileBytes, defaultMemoryBytes } from '../sandbox/sandbox.ts';
import type { Engine } from '../typesetter.ts';
import { type AuxFiles, maxPasses } from './passes.ts';
import type { StrategyJob, StrategyResult } from './strategy.ts';

/** Most of a log that is read; it holds more messages than anyone reads. */
const maxLogBytes = 4_000_000;
const maxSynctexBytes = 20_000_000;

/** Warnings of LaTeX, hyperref, longtable and biblatex for people who start each pass themselves. */
const asksForAnotherPass =
  /\bRerun (?:to get|LaTeX|latex)|^(?:LaTeX: )?(?:Label\(s\)|Citation\(s\)) may have changed|\bTable widths have changed|\(re\)run (?:BibTeX|Biber)/;

/** The engine's switches and the document's name: the same whether it starts cold or warm. */
export function engineArgs(engine: Engine): string[] {
  return [
    // xelatex would start xdvipdfmx itself, after every pass
    ...(engine === 'xelatex' ? ['-no-pdf'] : []),
    '-no-shell-escape',
    // a first line `%&name` would load the document's own format
    '-no-parse-first-line',
    '-interaction=nonstopmode',
    '-file-line-error',
    '-synctex=1',
    'main.tex',
  ];
}

/** Where a pass runs: a folder and the id that owns it. */
export interface JobPlace {
  sandbox: Sandbox;
  folder: JobFolder;
  id: number | null;
  watch: Watch;
  /** Makes main.pdf from main.xdv, if something faster than starting xdvipdfmx is available. */
  drive?: (watch: Watch) => Promise<BoxedExit>;
}

/** CPU time for the PDF of what was typeset when time ran out, in ms: a sixth of what a compile may use. */
const lastPagesCpuMs = 5_000;

/** The result of a pass: the job's result if nothing can follow it, otherwise its messages. */
export type JudgedPass =
  | { kind: 'over'; result: StrategyResult }
  /** Its time ran out, and TeX ended the document where it was. */
  | { kind: 'cut-short'; messages: LogMessage[] }
  | { kind: 'read'; messages: LogMessage[]; hasError: boolean };

/**
 * Reads what a pass left.
 * @param passes run so far, including this one.
 * @throws Error if the engine left no log, i.e. never ran: the sandbox did not start. Only Lua can remove one.
 */
export async function judgePass(
  folder: string,
  exit: BoxedExit,
  job: Pick<StrategyJob, 'latex' | 'wantsPages' | 'engine'>,
  passes: number,
): Promise<JudgedPass> {
  if (exit.kind === 'aborted') return { kind: 'over', result: { kind: 'cancelled' } };
  const log = await readJobFile(folder, 'main.log', maxLogBytes, true);
  const messages = log ? readLog(log.toString('utf8'), job.latex) : [];
  const met = limitMet(exit);
  if (met) {
    const hasLastWords = exit.kind === 'out-of-time' && exit.hasLastWords === true;
    const reported = addTimeOut(messages, hasLastWords ? readPageCount(log) : null);
    if (hasLastWords && job.wantsPages) return { kind: 'cut-short', messages: reported };
    return { kind: 'over', result: timedOut(met, reported) };
  }
  const ended = explainEnd(exit);
  if (ended)
    return {
      kind: 'over',
      result: { kind: 'failed', ...noPdf, messages: [ended, ...messages], passes },
    };
  if (!log && job.engine === 'lualatex')
    return { kind: 'over', result: { kind: 'failed', ...noPdf, messages: [noLog], passes } };
  if (!log) throw new Error(`the sandbox did not start: ${exit.kind === 'exited' ? exit.stderr : ''}`);
  return { kind: 'read', messages, hasError: messages.some(({ level }) => level === 'error') };
}

/**
 * Makes the PDF of a pass and reads everything back.
 * @param left what else the pass left.
 */
export async function finishJob(
  place: JobPlace,
  engine: Engine,
  messages: LogMessage[],
  passes: number,
  left: AuxFiles,
): Promise<StrategyResult> {
  const { folder } = place;
  if (engine === 'xelatex' && (await readJobFile(folder.path, 'main.xdv', 1, true))?.length) {
    // what xelatex itself would call: -E embeds fonts whatever their licence bits say
    const exit = await (place.drive?.(place.watch) ??
      runInPlace(place, 'xdvipdfmx', ['-q', '-E', '-o', 'main.pdf', 'main.xdv']));
    if (exit.kind === 'aborted') return { kind: 'cancelled' };
    const met = limitMet(exit);
    if (met) return timedOut(met, messages);
    const ended = explainEnd(exit);
    if (ended) return { kind: 'failed', ...noPdf, messages: [ended, ...messages], passes };
    if (exit.kind === 'exited' && exit.code !== 0) messages = [...messages, ...readDriverErrors(exit.stderr)];
  }
  const [pdf, synctex, log] = await Promise.all([
    readPdf(folder.path),
    readJobFile(folder.path, 'main.synctex.gz', maxSynctexBytes),
    readJobFile(folder.path, 'main.log', maxLogBytes, true),
  ]);
  // passes continue while they change anything; after the last one allowed, this warning still says something
  if (passes < maxPasses) messages = messages.filter(({ message }) => !asksForAnotherPass.test(message));
  const hasError = messages.some((message) => message.level === 'error');
  if (!pdf && !hasError) messages = [...messages, hasEnded(log) ? noPages : brokeOff];
  const pageCount = readPageCount(log);
  if (!pdf) return { kind: 'failed', ...noPdf, messages, passes, left };
  if (hasError) return { kind: 'failed', pdf, pageCount, messages, synctex, passes, left };
  return { kind: 'compiled', pdf, pageCount, messages, synctex, passes, left };
}

/** Like `finishJob`, for a document whose time ran out: if the pages cannot be made quickly, there are none. */
export async function finishCutShort(
  place: JobPlace,
  engine: Engine,
  messages: LogMessage[],
  passes: number,
): Promise<StrategyResult> {
  const { signal } = place.watch;
  const watch = { budget: new WorkBudget({ cpuMs: lastPagesCpuMs }), signal };
  const finished = await finishJob({ ...place, watch }, engine, messages, passes, new Map());
  if (finished.kind === 'cancelled') return finished;
  const pages = finished.kind === 'failed' ? finished : noPdf;
  return { kind: 'timed-out', pdf: pages.pdf, pageCount: pages.pageCount, synctex: pages.synctex, messages };
}

/** Runs one program in the job's folder, from scratch. */
export function runInPlace(place: JobPlace, program: BoxedProgram, args: string[]): Promise<BoxedExit> {
  const { sandbox, folder, id, watch } = place;
  const limits = {
    cpuSeconds: cpuSecondsLeft(watch),
    memoryBytes: defaultMemoryBytes,
    fileBytes: defaultFileBytes,
  };
  return sandbox.run({ program, args, folder: folder.path, id, limits }, watch);
}

async function readPdf(folder: string): Promise<Uint8Array | null> {
  const pdf = await readJobFile(folder, 'main.pdf', defaultFileBytes);
  // a driver that gives up midway leaves an incomplete one
  const isWhole =
    pdf?.subarray(0, 5).toString('latin1') === '%PDF-' && pdf.subarray(-1_024).includes('%%EOF');
  return isWhole ? pdf : null;
}

/** TeX's own count, from the end of its log. */
function readPageCount(log: Buffer | null): number {
  // it is at the very end
  const end = log?.toString('latin1', Math.max(0, log.length - 2_000)) ?? '';
  const match = /^Output written on main\.\w+ \((\d+) pages?/m.exec(end);
  return match ? Number(match[1]) : 0;
}

/** Whether TeX reached the end of its own log. */
function hasEnded(log: Buffer | null): boolean {
  const end = log?.toString('latin1', Math.max(0, log.length - 2_000)) ?? '';
  return /^(?:Output written on |No pages of output)/m.test(end);
}

const noLog: LogMessage = {
  level: 'error',
  file: null,
  line: null,
  message: 'TeX left no log, so nothing is known about the document.',
  explanation: 'Lua code has removed main.log, or put something else in its place.',
};

const brokeOff: LogMessage = {
  level: 'error',
  file: 'main.tex',
  line: null,
  message: 'TeX stopped before the end of the document.',
  explanation: 'TeX could not go on, usually because it had used up its memory.',
  suggestion: 'Look for a command that uses itself, or a very large table or picture.',
};

const noPdf = { pdf: null, pageCount: 0, synctex: null } as const;

const noPages: LogMessage = {
  level: 'error',
  file: 'main.tex',
  line: null,
  message: 'No pages of output.',
  explanation:
    'The document produced no page: there is nothing to print between \\begin{document} and \\end{document}.',
};

/** The time limit that ended a program, null if none did. 152: SIGXCPU, the system's own limit. */
function limitMet(exit: BoxedExit): LimitMet | null {
  if (exit.kind === 'out-of-time') return exit.met;
  return exit.kind === 'exited' && exit.code === 152 ? 'spent' : null;
}

function timedOut(met: LimitMet, messages: LogMessage[]): StrategyResult {
  return met === 'starved' ? { kind: 'starved' } : { kind: 'timed-out', ...noPdf, messages };
}

/**
 * Puts the time-out first and, if TeX itself reported it, at which line and after how many pages.
 * @param pageCount null if it did not
 */
function addTimeOut(messages: readonly LogMessage[], pageCount: number | null): LogMessage[] {
  const isInterruption = ({ message }: LogMessage) => message === 'Interruption.';
  const at = messages.find(isInterruption);
  const { file = null, line = null, context } = at ?? {};
  const pages = pageCount === 0 ? 'no page' : pageCount === 1 ? '1 page' : `${pageCount} pages`;
  const timeOut: LogMessage = {
    level: 'error',
    file,
    line,
    message: 'Compiling took too long and was stopped.',
    ...(context ? { context } : {}),
    explanation:
      pageCount === null
        ? 'Compiling took too long and was stopped before TeX could report how far it was.'
        : `Compiling took too long and was stopped${line === null ? '' : ' here'}, with ${pages} set.`,
    suggestion: 'Look for a loop that does not end, or a command that uses itself.',
  };
  return [timeOut, ...messages.filter((message) => !isInterruption(message))];
}

/** A message for an end that TeX's log does not mention: a limit of the box. */
function explainEnd(exit: BoxedExit): LogMessage | null {
  if (exit.kind === 'flooded')
    return {
      level: 'error',
      file: null,
      line: null,
      message: `The document wrote too ${exit.what === 'files' ? 'many files' : 'much'} and was stopped.`,
      explanation:
        'A compile may write 600 files and 200 MB in total. The cause is usually a loop around \\write or \\openout.',
    };
  if (exit.kind !== 'exited' || exit.code <= 128) return null;
  const signal = exit.code - 128;
  // SIGXFSZ: one file too large; SIGKILL: processor time; SIGABRT, SIGSEGV, SIGBUS: out of memory
  const what =
    signal === 25
      ? 'wrote a file of more than 50 MB'
      : signal === 9
        ? 'used more processor time than a compile may'
        : 'needed more memory than a compile may use';
  return { level: 'error', file: null, line: null, message: `The document ${what} and was stopped.` };
}

/** xdvipdfmx has no log; its messages are on stderr. */
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
