/**
 * Fixes for the newest text, from the server, which has compiled each. They are requested once the text has not
 * changed for a while, so that they delay nobody who types, and dropped with the next edit.
 */
import type { SessionAnswer, SessionRequest } from '#shared/api/compile-session.ts';
import type { LogFix } from '#shared/api/errors.ts';

/** The fix for one message, `of`, usually the first error; `none` once it is known that there is none. */
export type OfferedFix = { kind: 'trying' } | { kind: 'none' } | { kind: 'fix'; fix: LogFix; of: string };

/** The outcome of "Fix all": each step applies to the text that the previous one leaves. */
export type AllFixes =
  | { kind: 'fixed'; latex: string; steps: LogFix[]; left: number }
  /** No fix worked; the server is busy; or the text was changed in the meantime. */
  | { kind: 'none' | 'busy' | 'overtaken' };

interface FixesOptions {
  /** Returns false while there is no connection. */
  ask: (request: Extract<SessionRequest, { type: 'fix' }>) => boolean;
  show: (offered: OfferedFix | null) => void;
}

type FixesAnswer = Extract<SessionAnswer, { type: 'fixes' }>;

/** How long the text must be unchanged before its first error is tried, in ms. */
const restMs = 700;

export function createFixes({ ask, show }: FixesOptions) {
  let current: { version: number; latex: string } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The "Fix all" in progress: a second request joins it. */
  let pending: { promise: Promise<AllFixes>; resolve: (all: AllFixes) => void } | null = null;

  const askOne = (version: number, afterMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // "Fix all" tries the first error too
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
    /** A compile of the newest text has ended. `canFix`: with errors, or with warnings that may have a fix. */
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
    /** Fixes one error after the other until the text compiles, or nothing more is known. */
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
