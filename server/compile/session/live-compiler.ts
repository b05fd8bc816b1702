/**
 * Compiles the newest state of one document, one compile at a time. A newer state cancels the compile of an older one,
 * unless nothing has been shown for a while: whoever types without a pause still sees the page follow.
 *
 *   submit ──► waiting ──► running ──► result ──► running (what was submitted meanwhile)
 *                            └─ cancelled by a newer one: superseded ─┘
 */
import { performance } from 'node:perf_hooks';
import { ApiError } from '#platform/errors.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import type { Asset, CompileProgress, CompileResult, Engine, Typesetter } from '#typesetting/index.ts';
import { requireCompiled, tellableMessages } from '#typesetting/index.ts';

/** One state of the document. */
export interface DocumentState {
  version: number;
  latex: string;
  assets: Asset[];
  engine?: Engine;
}

/** What a compile shows; `hasEnded`: nothing more comes of this version. */
export interface Outcome {
  version: number;
  pageCount: number;
  messages: LogMessage[];
  pdf: Uint8Array | null;
  synctex: Uint8Array | null;
  /** Why it failed; null for a document that compiles. */
  error: ApiError | null;
  hasEnded: boolean;
}

/** Told in the order in which things happen. */
export interface LiveOutput {
  compiling(version: number): void;
  pages(version: number, progress: Extract<CompileProgress, { kind: 'pages' }>): void;
  outcome(outcome: Outcome): void;
  superseded(version: number): void;
  problem(error: ApiError): void;
}

export interface LiveCompiler {
  submit(state: DocumentState): void;
  /** Ends what runs. Resolves once nothing of it is left. */
  close(): Promise<void>;
}

interface LiveCompilerOptions {
  typesetter: Typesetter;
  /** Whose turn a compile takes, asked when it begins. */
  getOwner: () => string;
  output: LiveOutput;
}

/**
 * An edit cancels the running compile for so many of its usual durations after the first edit that nobody has seen
 * yet; within these bounds, in ms. Later edits wait for it.
 */
const patience = { durations: 1.5, leastMs: 200, mostMs: 1_500 };
/** A refused compile is tried again after what the queue says, and at least after this, in ms. */
const leastRetryMs = 500;

export function createLiveCompiler({ typesetter, getOwner, output }: LiveCompilerOptions): LiveCompiler {
  let waiting: (DocumentState & { submittedAt: number }) | null = null;
  let running: { controller: AbortController; done: Promise<void> } | null = null;
  let retry: NodeJS.Timeout | null = null;
  let isClosed = false;
  /** When the first edit came that nothing has been shown of since. */
  let unseenSince: number | null = null;
  /** Moving average of a compile, in ms. */
  let usualMs = 1_000;

  const noticeShown = () => {
    unseenSince = waiting?.submittedAt ?? null;
  };
  const mayCancel = (now: number) => {
    const limit = Math.min(patience.mostMs, Math.max(patience.leastMs, usualMs * patience.durations));
    return now - (unseenSince ?? now) < limit;
  };

  const submit = (state: DocumentState) => {
    if (isClosed) return;
    const now = performance.now();
    if (waiting) output.superseded(waiting.version);
    waiting = { ...state, submittedAt: now };
    unseenSince ??= now;
    if (running && mayCancel(now)) running.controller.abort();
    else if (!running && !retry) begin();
  };

  const begin = () => {
    if (!waiting || isClosed) return;
    const state = waiting;
    waiting = null;
    const controller = new AbortController();
    const done = compile(state, controller.signal).finally(() => {
      running = null;
      if (!retry) begin();
    });
    running = { controller, done };
  };

  const compile = async (state: DocumentState & { submittedAt: number }, signal: AbortSignal) => {
    const { version } = state;
    const begun = performance.now();
    output.compiling(version);
    let result: CompileResult;
    try {
      result = await typesetter.compile({
        // half a surrogate pair is no character; the same length, so that columns stay
        latex: state.latex.toWellFormed(),
        assets: state.assets,
        engine: state.engine,
        owner: getOwner(),
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) showProgress(version, progress);
        },
      });
    } catch (cause) {
      if (!isClosed) output.problem(new ApiError('UNEXPECTED', { cause }));
      return;
    }
    if (isClosed) return;
    if (result.kind === 'cancelled') return output.superseded(version);
    if (result.kind === 'refused') return tryLater(state, result);
    usualMs = usualMs * 0.7 + (performance.now() - begun) * 0.3;
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
    // a failed compile's pages are not shown: the last good ones stay
    const compiled = result.kind === 'compiled' ? result : { pdf: null, pageCount: 0, synctex: null };
    const { pdf, pageCount, synctex } = compiled;
    const messages = tellableMessages(result.messages);
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
      Math.max(leastRetryMs, refused.retryAfterSeconds * 1000),
    );
  };

  return {
    submit,
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
