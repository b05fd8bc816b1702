/** Which pages of the upload are to be read. Page numbers count from 1 over all files in the order sent. */

import { ApiError, invalidInput } from '#platform/errors.ts';
import { describePageLimit } from '#shared/api/conversion.ts';
import { maxPages } from '#shared/api/limits.ts';

export interface PageRange {
  startPage: number;
  /** Null: to the end. */
  endPage: number | null;
}

function parsePageNumber(name: string, value: string): number {
  const text = value.trim();
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw invalidInput(`${name} must be a page number such as 1 or 12, not “${text.slice(0, 30)}”.`);
  const number = Number(text);
  if (number < 1) throw invalidInput(`${name} must be 1 or more: pages are counted from 1.`);
  return number;
}

/**
 * Parses the form fields `start_page` (default 1) and `end_page` (default: the last page). Empty counts as not
 * given.
 * @throws ApiError INVALID_INPUT for text, zero, negative numbers, and an end before the start.
 */
export function parsePageRange(fields: ReadonlyMap<string, string>): PageRange {
  const given = (name: string): number | null => {
    const value = fields.get(name)?.trim();
    return value ? parsePageNumber(name, value) : null;
  };
  const startPage = given('start_page') ?? 1;
  const endPage = given('end_page');
  if (endPage !== null && endPage < startPage)
    throw invalidInput(`end_page (${endPage}) comes before start_page (${startPage}). Swap them.`);
  return { startPage, endPage };
}

/**
 * Applies a range to the upload; the limit counts the requested pages, not the whole file.
 * @returns the first and last page, 1-based and inclusive.
 * @throws ApiError INVALID_INPUT past the end, PDF_TOO_LONG beyond 200 pages.
 */
export function selectPages(range: PageRange, pageCount: number): { first: number; last: number } {
  const pages = pageCount === 1 ? '1 page' : `${pageCount} pages`;
  if (range.startPage > pageCount)
    throw invalidInput(
      `start_page is ${range.startPage}, but there ${pageCount === 1 ? 'is' : 'are'} only ${pages}.`,
    );
  if (range.endPage !== null && range.endPage > pageCount)
    throw invalidInput(
      `end_page is ${range.endPage}, but there ${pageCount === 1 ? 'is' : 'are'} only ${pages}.`,
    );
  const last = range.endPage ?? pageCount;
  const pagesInRange = last - range.startPage + 1;
  if (pagesInRange > maxPages)
    throw new ApiError('PDF_TOO_LONG', { warnings: [describePageLimit(pagesInRange, pageCount)] });
  return { first: range.startPage, last };
}
