/** Files that tests upload: fixtures, and PDFs whose small pages cost little where a scripted reader ignores them. */
import { openAsBlob } from 'node:fs';
import path from 'node:path';
import { pdfWithPages } from '#reading/pages/testing/hostile-files.ts';

const fixtures = path.join(import.meta.dirname, '../../../fixtures');

export const twoPages = 'two-pages.pdf';
export const fourPages = 'four-pages.pdf';
const drawn = new Map([
  [twoPages, 2],
  [fourPages, 4],
]);

/** @param file one of the above, or a path in `fixtures/` */
export async function openUpload(file: string): Promise<Blob> {
  const pages = drawn.get(file);
  return pages === undefined
    ? await openAsBlob(path.join(fixtures, file))
    : new Blob([new Uint8Array(pdfWithPages(pages))]);
}
