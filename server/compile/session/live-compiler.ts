/**
 * Compiles the newest state of one document, one compile at a time. A newer state ends the compile of an older
 * one, unless nothing has been shown for a while and that compile may be about to end: whoever types without a
 * pause still sees the page follow, and nobody waits for a loop that never ends
 * (docs/decisions/117-the-newest-edit-wins.md).
 *
 *   submit ──► waiting ──► running ──► result ──► running (what was submitted meanwhile)
 *                            ├─ ended by a newer one: superseded ─┘
 *                            └─ stop: stopped
 */
import { performance } from 'node:perf_hooks';
import { ApiError } from '#platform/errors.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import type { Asset, CompileProgress, CompileResult, Engine, Typesetter } from '#typesetting/index.ts';
import { publicMessages, requireCompiled } from '#typesetting/index.ts';

/** One state of the document. */
export interface DocumentState {
  version: number;
  latex: string;
  assets: Asset[];
  engine?: Engine;
}

/** What a compile shows; `hasEnded`: nothing more will come of this version. */
export interface Outcome {
  version: number;
  pageCount: number;
  messages: LogMessage[];
  /** With an error: what TeX has typeset nevertheless, incomplete. */
  pdf: Uint8Array | null;
  synctex: Uint8Array | null;
  /** Why it failed; null for a document that compiles. */
  error: ApiError | null;
  hasEnded: boolean;
}

/** Called in the order in which things happen. */
interface LiveOutput {
  compiling(version: number): void;
  pages(version: number, progress: Extract<CompileProgress, { kind: 'pages' }>): void;
  outcome(outcome: Outcome): void;
  superseded(version: number): void;
  stopped(version: number): void;
  problem(error: ApiError): void;
}

export interface LiveCompiler {
  submit(state: DocumentState): void;
  /** Ends what runs and drops what waits; the next state is compiled as usual. */
  stop(): void;
  /** Ends what runs. Resolves once nothing of it remains. */
  close(): Promise<void>;
}

interface Running {
  controller: AbortController;
  /** Null until its turn has come. */
  readCpuMs: (() => number) | null;
  isStopped: boolean;
  /** Settles when nothing of it remains. */
  done: Promise<void>;
}

interface LiveCompilerOptions {
  typesetter: Typesetter;
  /** Whose turn a compile takes, evaluated when it begins. */
  getOwner: () => string;
  /** Whether the document still exists; checked during a long compile, which ends if it does not. */
  isThere?: () => Promise<boolean>;
  output: LiveOutput;
}

/**
 * For how long after the first edit not yet shown an edit may cancel the running compile, in multiples of its
 * usual duration and within these bounds, in ms. Later edits wait for it.
 */
const patience = { durations: 1.5, minMs: 200, maxMs: 1_500 };
/**
 * CPU time, in ms, after which an overtaken compile is not waited for any more: this many times what the dearer
 * of the session's first compile and its last one took. An edit of the preamble costs as much as the first did,
 * and anything new in the text costs more. For a document not yet compiled, the typesetter's figure counts:
 * longer than nearly every compile of a person's (`asideAfterMs`).
 */
const overtaken = { times: 2, minMs: patience.maxMs, unknownMs: 4_000 };
/** How often an overtaken compile is checked, in ms. */
const lookEveryMs = 100;
/** How often the document's existence is checked, in ms; most compiles end before. */
const askEveryMs = 2_000;
/** A refused compile is retried after the time the queue gives, and at least after this, in ms. */
const minRetryMs = 500;

export function createLiveCompiler(options: LiveCompilerOptions): LiveCompiler {
  const { typesetter, getOwner, output } = options;
  let waiting: (DocumentState & { submittedAt: number }) | null = null;
  let running: Running | null = null;
  let retry: NodeJS.Timeout | null = null;
  let isClosed = false;
  /** When the first edit came that nothing shown includes. */
  let unseenSince: number | null = null;
  /** Moving average of a compile's duration, in ms. */
  let usualMs = 1_000;
  /** CPU time of the first compile that ended by itself, and of the last one; null before. */
  let firstCpuMs: number | null = null;
  let lastCpuMs = 0;

  const noticeShown = () => {
    unseenSince = waiting?.submittedAt ?? null;
  };
  const mayCancel = (now: number) => {
    const limit = Math.min(patience.maxMs, Math.max(patience.minMs, usualMs * patience.durations));
    return now - (unseenSince ?? now) < limit;
  };
  /** It has not even begun, or has used more than a compile that is about to end would. */
  const isHopeless = ({ readCpuMs }: Running) => {
    if (readCpuMs === null) return true;
    const most =
      firstCpuMs === null
        ? overtaken.unknownMs
        : Math.max(overtaken.minMs, overtaken.times * Math.max(firstCpuMs, lastCpuMs));
    return readCpuMs() >= most;
  };
  const endHopeless = () => {
    if (running && waiting && isHopeless(running)) running.controller.abort();
  };

  const submit = (state: DocumentState) => {
    if (isClosed) return;
    const now = performance.now();
    if (waiting) output.superseded(waiting.version);
    waiting = { ...state, submittedAt: now };
    unseenSince ??= now;
    if (running && mayCancel(now)) running.controller.abort();
    else if (running) endHopeless();
    else if (!retry) begin();
  };

  const begin = () => {
    if (!waiting || isClosed) return;
    const state = waiting;
    waiting = null;
    const run: Running = {
      controller: new AbortController(),
      readCpuMs: null,
      isStopped: false,
      done: Promise.resolve(),
    };
    running = run;
    const looks = setInterval(endHopeless, lookEveryMs);
    const asks = setInterval(() => void askForDocument(), askEveryMs);
    run.done = compile(state, run).finally(() => {
      clearInterval(looks);
      clearInterval(asks);
      running = null;
      if (!retry) begin();
    });
  };

  const stop = () => {
    if (retry) clearTimeout(retry);
    retry = null;
    unseenSince = null;
    if (waiting) output.stopped(waiting.version);
    waiting = null;
    if (!running) return;
    running.isStopped = true;
    running.controller.abort();
  };

  const askForDocument = async () => {
    const asStarted = running;
    // if the database is unavailable, the document counts as existing
    const isThere = (await options.isThere?.().catch(() => true)) ?? true;
    if (!isThere && asStarted !== null && asStarted === running) stop();
  };

  const compile = async (state: DocumentState & { submittedAt: number }, run: Running) => {
    const { version } = state;
    const { signal } = run.controller;
    const startedMs = performance.now();
    output.compiling(version);
    let result: CompileResult;
    try {
      result = await typesetter.compile({
        // half a surrogate pair is not a character; the same length, so that columns stay
        latex: state.latex.toWellFormed(),
        assets: state.assets,
        engine: state.engine,
        owner: getOwner(),
        signal,
        wantsPages: true,
        onBegin: (readCpuMs) => {
          run.readCpuMs = readCpuMs;
        },
        onProgress: (progress) => {
          if (!signal.aborted) showProgress(version, progress);
        },
      });
    } catch (cause) {
      // failures while a compile is being ended do not matter
      result = { kind: 'cancelled' };
      if (!signal.aborted)
        return isClosed ? undefined : output.problem(new ApiError('UNEXPECTED', { cause }));
    }
    if (isClosed) return;
    if (run.isStopped) return output.stopped(version);
    if (result.kind === 'cancelled') return output.superseded(version);
    if (result.kind === 'refused') return tryLater(state, result);
    if (result.kind !== 'timed-out' && run.readCpuMs) {
      lastCpuMs = run.readCpuMs();
      firstCpuMs ??= lastCpuMs;
    }
    usualMs = usualMs * 0.7 + (performance.now() - startedMs) * 0.3;
    showResult(version, result);
  };

  const showProgress = (version: number, progress: CompileProgress) => {
    if (progress.kind === 'pages') output.pages(version, progress);
    else output.outcome({ ...progress, version, error: null, hasEnded: false });
    noticeShown();
  };

  const showResult = (
    version: number,
    result: Exclude<CompileResult, { kind: 'cancelled' } | { kind: 'refused' }>,
  ) => {
    const error = findError(result);
    const { pdf, pageCount, synctex } = result;
    const messages = publicMessages(result.messages);
    output.outcome({ version, pdf, pageCount, synctex, messages, error, hasEnded: true });
    noticeShown();
  };

  const tryLater = (
    state: DocumentState & { submittedAt: number },
    refused: Extract<CompileResult, { kind: 'refused' }>,
  ) => {
    output.problem(findError(refused) ?? new ApiError('BUSY'));
    if (refused.retryAfterSeconds === undefined) return;
    waiting ??= state;
    retry = setTimeout(
      () => {
        retry = null;
        if (!running) begin();
      },
      Math.max(minRetryMs, refused.retryAfterSeconds * 1000),
    );
  };

  return {
    submit,
    stop,
    async close() {
      isClosed = true;
      waiting = null;
      if (retry) clearTimeout(retry);
      running?.controller.abort();
      await running?.done;
    },
  };
}

/** The catalogue's error for a result; null for a document that compiles. */
function findError(result: CompileResult): ApiError | null {
  try {
    requireCompiled(result, 'user');
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
