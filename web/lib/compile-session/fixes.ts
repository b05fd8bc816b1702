/**
 * Fixes of the newest text, from the server, which has compiled each. They are asked for once the text has rested, so
 * that nobody who types waits behind them, and thrown away with the next edit.
 */
import type { SessionAnswer, SessionRequest } from '#shared/api/compile-session.ts';
import type { LogFix } from '#shared/api/errors.ts';

/** The fix of one message, `of`: the first error, as a rule; `none` once it is known that there is none. */
export type OfferedFix = { kind: 'trying' } | { kind: 'none' } | { kind: 'fix'; fix: LogFix; of: string };

/** What "Fix all" came to: each step is for the text that the one before it leaves. */
export type AllFixes =
  | { kind: 'fixed'; latex: string; steps: LogFix[]; left: number }
  /** Nothing held; or the server is busy; or the text was changed meanwhile. */
  | { kind: 'none' | 'busy' | 'overtaken' };

interface FixesOptions {
  /** False while there is no connection. */
  ask: (request: Extract<SessionRequest, { type: 'fix' }>) => boolean;
  show: (offered: OfferedFix | null) => void;
}

type FixesAnswer = Extract<SessionAnswer, { type: 'fixes' }>;

/** The text rests for so long before its first error is worth trying, in ms. */
const restMs = 700;

export function createFixes({ ask, show }: FixesOptions) {
  let current: { version: number; latex: string } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** "Fix all" under way: asked for twice, it is one. */
  let pending: { promise: Promise<AllFixes>; resolve: (all: AllFixes) => void } | null = null;

  const askOne = (version: number, afterMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // the first error of a whole is among what "Fix all" tries
      if (pending === null && !ask({ type: 'fix', version, all: false })) show(null);
    }, afterMs);
  };
  const endAll = (all: AllFixes) => {
    pending?.resolve(all);
    pending = null;
  };
  const forget = () => {
    clearTimeout(timer);
    current = null;
    endAll({ kind: 'overtaken' });
    show(null);
  };

  return {
    /** The text has changed, or the connection is lost. */
    forget,
    /** A compile of the newest text has ended. `canFix`: with errors, or warnings that a fix may go with. */
    reported(report: { version: number; latex: string; canFix: boolean }) {
      if (current?.version === report.version) return;
      forget();
      if (!report.canFix) return;
      current = report;
      show({ kind: 'trying' });
      askOne(report.version, restMs);
    },
    take({ version, all, fixes, of, left, retry_after: retryAfter }: FixesAnswer) {
      if (current?.version !== version) return;
      const { latex } = current;
      const [first] = fixes;
      if (all) {
        if (retryAfter !== undefined) return endAll({ kind: 'busy' });
        return endAll(first ? { kind: 'fixed', latex, steps: fixes, left } : { kind: 'none' });
      }
      if (retryAfter !== undefined) return askOne(version, retryAfter * 1_000);
      show(first && of !== undefined ? { kind: 'fix', fix: first, of } : { kind: 'none' });
    },
    /** One after the other until the text compiles, or nothing more is known. */
    all(): Promise<AllFixes> {
      if (pending) return pending.promise;
      if (current === null) return Promise.resolve({ kind: 'overtaken' });
      clearTimeout(timer);
      if (!ask({ type: 'fix', version: current.version, all: true }))
        return Promise.resolve({ kind: 'busy' });
      let resolve: (all: AllFixes) => void = () => undefined;
      const promise = new Promise<AllFixes>((settle) => {
        resolve = settle;
      });
      pending = { promise, resolve };
      return promise;
    },
  };
}
