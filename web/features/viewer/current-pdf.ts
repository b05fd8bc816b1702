/** A PDF that the server stores and recreates: loads it, follows changes, and reports why there is none. */
import { useEffect, useState } from 'react';
import type { ErrorObject } from '#shared/api/errors.ts';
import type { ApiResult } from '#web/lib/api/api-client.ts';

/** What is known of a PDF before it is loaded. */
interface PdfFacts {
  title: string;
  /** Identifies the PDF; null if there is none. */
  mark: string | null;
  /**
   * Whether a newer one is being created, was tried and did not compile, or is never made for this document; null: it
   * is up to date.
   */
  next: 'making' | 'failed' | 'never' | null;
}

export interface PdfSource {
  ask(signal: AbortSignal): Promise<ApiResult<PdfFacts>>;
  fetch(signal: AbortSignal): Promise<ApiResult<Blob>>;
}

export type CurrentPdf =
  | { kind: 'loading' }
  | { kind: 'failed'; error: ErrorObject }
  /** `pdf` null: there is none yet. */
  | { kind: 'known'; facts: PdfFacts; pdf: Blob | null };

/** Polling intervals while a PDF is being created, in ms: the first, and the maximum. */
const firstPauseMs = 2_000;
const longestPauseMs = 15_000;

/**
 * Follows the PDF until there is nothing to wait for, and checks again when the user returns to the page.
 * A failed check leaves the screen as it is; a PDF that no longer exists is removed.
 * @param source null: not allowed to load yet
 */
export function useCurrentPdf(source: PdfSource | null): { current: CurrentPdf; reload: () => void } {
  const [current, setCurrent] = useState<CurrentPdf>({ kind: 'loading' });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    // a retry: runs the effect again
    void tries;
    setCurrent({ kind: 'loading' });
    if (source === null) return;
    const end = new AbortController();
    follow(source, setCurrent, end.signal).catch((error: unknown) => {
      if (!end.signal.aborted) throw error;
    });
    return () => end.abort();
  }, [source, tries]);
  return { current, reload: () => setTries((count) => count + 1) };
}

async function follow(
  source: PdfSource,
  show: (current: CurrentPdf) => void,
  signal: AbortSignal,
): Promise<void> {
  let shown = null as { mark: string; pdf: Blob } | null;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    const answer = await source.ask(signal);
    let isOver = !answer.ok || answer.data.next !== 'making';
    if (answer.ok) {
      const facts = answer.data;
      if (facts.mark === null) show({ kind: 'known', facts, pdf: null });
      else if (shown?.mark === facts.mark) show({ kind: 'known', facts, pdf: shown.pdf });
      else {
        const fetched = await source.fetch(signal);
        if (fetched.ok) {
          shown = { mark: facts.mark, pdf: fetched.data };
          show({ kind: 'known', facts, pdf: fetched.data });
        } else if (shown === null) show({ kind: 'failed', error: fetched.error });
        // it was replaced between the two calls
        if (!fetched.ok && fetched.error.code === 'NOT_FOUND') isOver = false;
      }
    } else if (shown === null || answer.error.code === 'NOT_FOUND')
      show({ kind: 'failed', error: answer.error });
    signal.throwIfAborted();
    await (isOver ? untilSeenAgain(signal) : pause(pauseMs, signal));
    pauseMs = isOver ? firstPauseMs : Math.min(pauseMs * 1.25, longestPauseMs);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function untilSeenAgain(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ending = new AbortController();
    const done = () => {
      ending.abort();
      resolve();
    };
    const check = () => document.visibilityState === 'visible' && done();
    document.addEventListener('visibilitychange', check, { signal: ending.signal });
    signal.addEventListener('abort', done, { signal: ending.signal });
  });
}
