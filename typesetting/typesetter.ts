/** The typesetter's interface: LaTeX in, PDF and messages out, implemented by strategies, warm or cold. */
import type { WorkBudget } from '#platform/work/work-limit.ts';
import type { Engine } from '#shared/api/engine.ts';
import type { LogMessage } from '#shared/api/errors.ts';

export type { Engine };

/** A file that the document reads. */
export interface Asset {
  /** As the LaTeX names it, in folders or not (`fileNamePattern`). */
  name: string;
  bytes: Uint8Array;
}

export interface CompileJob {
  /** The whole document, `\documentclass` to `\end{document}`. */
  latex: string;
  assets?: Asset[];
  /** Default: what the document requests, or needs (`chooseEngine`). */
  engine?: Engine;
  /**
   * Whose job this is: the queue is fair between groups, and within a group between owners. Written
   * `group/name` (`queueOwner`), or without a slash for a group of one.
   */
  owner: string;
  /**
   * `background`: nobody is waiting for it; it lets jobs that somebody waits for go first. Default
   * `interactive`.
   */
  priority?: 'interactive' | 'background';
  /** CPU time for all passes together, in ms. Default 30 000. */
  cpuMs?: number;
  /** Elapsed time for them, in ms, from the moment the job starts. Default: as `WorkLimits`. */
  elapsedMs?: number;
  /** A limit shared with other compiles, instead of the two above. */
  budget?: WorkBudget;
  /** Aborting kills the whole process group. */
  signal?: AbortSignal;
  /** Receives what can be shown before the job is done, in the order in which it should be shown. */
  onProgress?: (progress: CompileProgress) => void;
  /** Called when its turn has come: `readCpuMs` returns the CPU time used so far. Not for cached results. */
  onBegin?: (readCpuMs: () => number) => void;
  /** If it runs out of time, spend some more CPU time to make a PDF of the pages typeset so far. */
  wantsPages?: boolean;
}

/** What a compile can show before it ends. Only warm engines know pages before the whole document. */
export type CompileProgress =
  /** A PDF in which pages `firstPage` to `lastPage` (1-based) are right; the others may be blank, or missing. */
  | { kind: 'pages'; pdf: Uint8Array; firstPage: number; lastPage: number }
  /** The whole document after a pass that another one follows: only references and contents may still change. */
  | {
      kind: 'pass';
      pdf: Uint8Array;
      pageCount: number;
      messages: LogMessage[];
      synctex: Uint8Array | null;
    };

interface IncompletePages {
  pdf: Uint8Array | null;
  /** 0 without a PDF. */
  pageCount: number;
  messages: LogMessage[];
  synctex: Uint8Array | null;
}

/**
 * The result of a compile. `failed` may still carry a PDF, because TeX usually typesets pages despite errors;
 * and so may `timed-out`, with `wantsPages`. Such pages are incomplete: they may be shown, never passed on.
 */
export type CompileResult =
  | {
      kind: 'compiled';
      pdf: Uint8Array;
      pageCount: number;
      messages: LogMessage[];
      synctex: Uint8Array | null;
    }
  | ({ kind: 'failed' } & IncompletePages)
  | ({ kind: 'timed-out' } & IncompletePages)
  | { kind: 'cancelled' }
  /**
   * No sandbox works here, or retrying later would help: `retryAfterSeconds` says when. In that case the queue
   * is full (`isOwnShare`: for this owner or its group, not for others), or the machine had no processor time
   * for the document (`isStarved`).
   */
  | {
      kind: 'refused';
      reason: string;
      isOwnShare?: boolean;
      isStarved?: boolean;
      retryAfterSeconds?: number;
    };

export interface Typesetter {
  /** `compiled` means: a PDF, and no error in the log. */
  compile(job: CompileJob): Promise<CompileResult>;
  /** null if a sandbox works; otherwise the sentence that says why compiling is refused. */
  readonly refusal: string | null;
  /** Ends running jobs and removes their folders. */
  close(): Promise<void>;
}
