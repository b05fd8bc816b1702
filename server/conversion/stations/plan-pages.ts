/** Which pages of which files a conversion reads. */
import { type PageRange, selectPages } from './page-range.ts';

export interface PlannedPage {
  /** 1-based position in the document. */
  number: number;
  /** Which file, and which page of it, both from 0. */
  fileIndex: number;
  pageIndex: number;
}

/**
 * The pages in a range, over all files joined in the order sent.
 * @throws ApiError INVALID_INPUT past the end, PDF_TOO_LONG for more than 200 pages
 */
export function planPages(files: readonly { pageCount: number }[], range: PageRange): PlannedPage[] {
  const { first, last } = selectPages(
    range,
    files.reduce((sum, file) => sum + file.pageCount, 0),
  );
  const planned: PlannedPage[] = [];
  let place = 0;
  for (const [fileIndex, file] of files.entries()) {
    // a circular or hostile page count must not cause a loop of that length
    const from = Math.max(0, first - 1 - place);
    const to = Math.min(file.pageCount, last - place);
    for (let pageIndex = from; pageIndex < to; pageIndex++)
      planned.push({ number: planned.length + 1, fileIndex, pageIndex });
    place += file.pageCount;
  }
  return planned;
}
