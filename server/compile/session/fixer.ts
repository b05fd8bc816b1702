/**
 * Tries fixes for what does not compile: one trial at a time per document, ended by the next edit, and few in
 * total. Each candidate is a compile that yields to everybody's pages; the total work of a trial is limited.
 */
import { createHash } from 'node:crypto';
import type { FairQueue } from '#platform/work/fair-queue.ts';
import { WorkBudget } from '#platform/work/work-limit.ts';
import { fixAll, tryFixes } from '#proving/index.ts';
import type { SessionAnswer } from '#shared/api/compile-session.ts';
import type { CompileResult, Typesetter } from '#typesetting/index.ts';
import type { DocumentState } from './live-compiler.ts';

/** CPU time of all candidates together, in ms: for one message, and for a whole document. */
const budgets = { one: 15_000, all: 60_000 };
/** Cached answers: whoever undoes an edit is answered at once. */
const maxCached = 16;

type Fixes = Pick<Extract<SessionAnswer, { type: 'fixes' }>, 'fixes' | 'of' | 'left'>;

export interface Fixer {
  /** Answered once, unless an edit comes first. */
  ask(state: DocumentState, all: boolean): void;
  /** The text has changed: pending requests are obsolete. */
  stop(): void;
  close(): Promise<void>;
}

interface FixerOptions {
  typesetter: Typesetter;
  /** The queue for trials of all sessions. */
  turns: FairQueue;
  getOwner: () => string;
  answer(answer: Extract<SessionAnswer, { type: 'fixes' }>): void;
  fail(cause: unknown): void;
}

/** How many trials may run, and wait, at once. */
export const trialLimits = {
  concurrency: 1,
  maxWaitingPerOwner: 2,
  maxWaitingPerGroup: 16,
  maxWaiting: 64,
};

export function createFixer({ typesetter, turns, getOwner, answer, fail }: FixerOptions): Fixer {
  let running: { controller: AbortController; done: Promise<void> } | null = null;
  const cache = new Map<string, Fixes>();

  const attempt = async (state: DocumentState, all: boolean, signal: AbortSignal): Promise<Fixes | null> => {
    const budget = new WorkBudget({ cpuMs: all ? budgets.all : budgets.one });
    let isBusy = false;
    const compile = async (latex: string): Promise<CompileResult | null> => {
      if (signal.aborted || budget.leftMs === 0) return null;
      const { assets, engine } = state;
      const job = { latex: latex.toWellFormed(), assets, engine, owner: getOwner(), signal };
      const result = await typesetter.compile({ ...job, priority: 'background', budget });
      if (result.kind === 'refused') isBusy = true;
      return result;
    };
    // usually cached from a moment ago
    const before = await compile(state.latex);
    if (before === null || before.kind === 'cancelled' || isBusy) return null;
    if (all) {
      const { steps, result } = await fixAll(state.latex, before, compile);
      return isBusy || signal.aborted ? null : { fixes: steps, left: countErrors(result) };
    }
    const tried = await tryFixes(state.latex, before, { compile });
    if (isBusy || signal.aborted) return null;
    const left = countErrors(tried?.result ?? before);
    return tried ? { fixes: [tried.fix], of: tried.of.message, left } : { fixes: [], left };
  };

  const run = async (state: DocumentState, all: boolean, signal: AbortSignal) => {
    const { version } = state;
    const key = keyOf(state, all);
    const known = cache.get(key);
    if (known) return answer({ type: 'fixes', version, all, ...known });
    const admission = await turns.run(getOwner(), signal, () => attempt(state, all, signal));
    if (signal.aborted || admission.kind === 'cancelled') return;
    const found = admission.kind === 'ran' ? admission.value : null;
    if (found === null) {
      const retryAfter = admission.kind === 'full' ? admission.retryAfterSeconds : busySeconds;
      return answer({ type: 'fixes', version, all, fixes: [], left: 0, retry_after: retryAfter });
    }
    cache.set(key, found);
    for (const oldest of cache.keys()) if (cache.size > maxCached) cache.delete(oldest);
    answer({ type: 'fixes', version, all, ...found });
  };

  const stop = () => running?.controller.abort();

  return {
    ask(state, all) {
      stop();
      const controller = new AbortController();
      const before = running?.done;
      const done = Promise.resolve(before)
        .then(() => run(state, all, controller.signal))
        .catch((error: unknown) => {
          if (!controller.signal.aborted) fail(error);
        });
      running = { controller, done };
    },
    stop,
    async close() {
      stop();
      await running?.done;
    },
  };
}

/** When to ask a busy server again. */
const busySeconds = 10;

const countErrors = (result: CompileResult) =>
  'messages' in result ? result.messages.filter(({ level }) => level === 'error').length : 0;

function keyOf({ latex, assets, engine }: DocumentState, all: boolean): string {
  const hash = createHash('sha256')
    .update(`${all} ${engine ?? ''} ${latex.length}:`)
    .update(latex);
  for (const { name, bytes } of assets) hash.update(`${name} ${bytes.length}:`).update(bytes);
  return hash.digest('base64');
}
