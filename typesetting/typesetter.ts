/** The typesetter's interface: LaTeX in, PDF and messages out. Strategies (cold today, warm later) stand behind it. */
import type { WorkBudget } from '#platform/work/work-limit.ts';
import type { Engine } from '#shared/api/engine.ts';
import type { LogMessage } from '#shared/api/errors.ts';

export type { Engine };

/** A file the document includes: plain name, no folders. */
export interface Asset {
  name: string;
  bytes: Uint8Array;
}

export interface CompileJob {
  /** The whole document, `\documentclass` to `\end{document}`. */
  latex: string;
  assets?: Asset[];
  /** Default: what the document asks for, or needs (`chooseEngine`). */
  engine?: Engine;
  /**
   * Whose job this is: the queue is fair between groups, and in a group between owners. Written `group/name`
   * (`queueOwner`), or without a slash for a group of one.
   */
  owner: string;
  /** `background`: nobody looks at it being done; it lets those pass who wait. Default `interactive`. */
  priority?: 'interactive' | 'background';
  /** CPU time for all passes together, in ms. Default 30 000. */
  cpuMs?: number;
  /** Elapsed time for them, in ms, from the moment the job starts. Default: as `WorkLimits`. */
  elapsedMs?: number;
  /** A bound that it shares with other compiles, in place of the two above. */
  budget?: WorkBudget;
  /** Aborting kills the whole process group. */
  signal?: AbortSignal;
  /** Told what can be shown before the job is done, in the order in which it should be shown. */
  onProgress?: (progress: CompileProgress) => void;
  /** Told when its turn has come: `readCpuMs` says how much CPU time it has used. Not for results from memory. */
  onBegin?: (readCpuMs: () => number) => void;
  /** The pages that are set when its time is over are looked at: some CPU time more makes a PDF of them. */
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

export interface IncompletePages {
  pdf: Uint8Array | null;
  /** 0 without a PDF. */
  pageCount: number;
  messages: LogMessage[];
  synctex: Uint8Array | null;
}

/**
 * What a compile came to. `failed` may still carry a PDF: TeX usually sets pages despite errors; and so may `timed-out`,
 * when `wantsPages`. Such pages are incomplete: they are to be looked at, never to be handed on.
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
   * No sandbox works here, or another time would do: `retryAfterSeconds` says when. Then the queue is full (`isOwnShare`:
   * for this owner or its group, not for others), or the machine had no processor time for the document (`isStarved`).
   */
  | {
      kind: 'refused';
      reason: string;
      isOwnShare?: boolean;
      isStarved?: boolean;
      retryAfterSeconds?: number;
    };

export interface Typesetter {
  /** `compiled` means: a PDF, and not one error in the log. */
  compile(job: CompileJob): Promise<CompileResult>;
  /** null when a sandbox works; else the sentence that says why compiling is refused. */
  readonly refusal: string | null;
  /** Ends running jobs and removes their folders. */
  close(): Promise<void>;
}
