/**
 * What a conversion may do in which state. Pure: the store asks here and writes what comes back, under the
 * conversion's row lock.
 *
 *   reading ──► assembling ──► delivered
 *      │  ▲          │           │  (a page failed and is retried: reading again)
 *      │  └──────────┼───────────┤
 *      └──────► failed ◄─────────┘        any of them ──► cancelled (by the user), expired (60 minutes)
 */

import { blankDocument } from '#reading/index.ts';
import type { ConversionState, PageState } from '#shared/api/conversion.ts';
import type { ErrorCode, ErrorObject, Warning } from '#shared/api/errors.ts';
import { describeError } from '#shared/api/errors.ts';

export interface PageFacts {
  number: number;
  state: PageState;
  error: ErrorObject | null;
  /** It was read and is blank. */
  isBlank?: boolean;
}

/** At rest nothing happens without the user: streams end, and plain calls return. */
export function isAtRest(state: ConversionState): boolean {
  return state !== 'reading' && state !== 'assembling';
}

/** A publisher's marks are unambiguous: such a conversion ends at once and its pages cannot be retried. */
const finalCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['COPYRIGHT_DETECTED', 'COPYRIGHTED_PDF']);

/** Whether the work is over for good; upload, renders and crops are then deleted. */
export function isOver(
  state: ConversionState,
  error: ErrorObject | null,
  pages: readonly PageFacts[],
): boolean {
  switch (state) {
    case 'reading':
    case 'assembling':
      return false;
    case 'delivered':
      return pages.every((page) => page.state === 'read');
    case 'failed':
      return error !== null && finalCodes.has(error.code);
    case 'cancelled':
    case 'expired':
      return true;
  }
}

/** What follows `reading` once no page is waiting or being read; null until then. */
export type AfterReading =
  | { kind: 'assemble' }
  /** A retry changed nothing: the delivery stands, and is reported again. */
  | { kind: 'deliver-again' }
  | { kind: 'fail'; error: ErrorObject };

/** @param deliveredPages the pages of an earlier delivery; null before the first */
export function decideAfterReading(
  pages: readonly PageFacts[],
  deliveredPages: readonly number[] | null,
): AfterReading | null {
  if (pages.some((page) => page.state === 'waiting' || page.state === 'reading')) return null;
  const read = pages.filter((page) => page.state === 'read').map((page) => page.number);
  if (pages.every((page) => page.isBlank)) return { kind: 'fail', error: blankDocument };
  if (pages.every((page) => page.isBlank || page.state === 'failed'))
    return { kind: 'fail', error: errorOfAllPages(pages) };
  const isUnchanged = deliveredPages !== null && deliveredPages.join() === read.join();
  return isUnchanged ? { kind: 'deliver-again' } : { kind: 'assemble' };
}

/**
 * For when every page that is not blank failed: their common code if there is one, else GENERATION_FAILED, with
 * each page's reason as a warning.
 */
function errorOfAllPages(pages: readonly PageFacts[]): ErrorObject {
  const errors = pages.flatMap((page) => (page.error ? [page.error] : []));
  const codes = new Set(errors.map((error) => error.code));
  const [first] = errors;
  const warnings = warningsOfFailedPages(pages);
  if (first && codes.size === 1 && first.code !== 'UNEXPECTED') return { ...first, warnings };
  const code = 'GENERATION_FAILED';
  return { code, error: describeError({ code, error: '', source: 'server' }), source: 'server', warnings };
}

/** Warnings of a partial delivery about its missing pages. */
export function warningsOfFailedPages(pages: readonly PageFacts[]): Warning[] {
  return pages
    .filter((page) => page.state === 'failed')
    .map((page) => ({
      code: 'PAGE_FAILED',
      message: `Page ${page.number} is missing: ${page.error?.error ?? 'it could not be read.'}`,
      page: page.number,
    }));
}

export type RetryDecision = { kind: 'retry' } | { kind: 'refuse'; reason: string };

/** A failed page may be retried until the work is over; after a failed assembly, any page. */
export function decideRetry(state: ConversionState, isWorkOver: boolean, page: PageFacts): RetryDecision {
  if (isWorkOver) return { kind: 'refuse', reason: 'This conversion has ended. Please send the file again.' };
  if (page.state === 'failed') return { kind: 'retry' };
  if (state === 'failed') return { kind: 'retry' };
  const reason =
    page.state === 'read'
      ? `Page ${page.number} has been read; only a page that failed can be read again.`
      : `Page ${page.number} is still being read.`;
  return { kind: 'refuse', reason };
}
