/** A page preparer for the tests of a file, and the files they give to it; all are gone after them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { PageSource } from '../../page.ts';
import { createPagePreparer, type PagePreparer } from '../page-preparer.ts';

export const fixtures = path.resolve('fixtures');

export function openPreparer(): {
  preparer: PagePreparer;
  /** @param file within the fixtures, or absolute */
  source(file: string, index?: number): PageSource;
  saved(bytes: Uint8Array, ending: string): PageSource;
} {
  const folder = mkdtempSync(path.join(tmpdir(), 'inkproof-pages-'));
  const preparer = createPagePreparer({ concurrency: 2 });
  afterAll(async () => {
    await preparer.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const source = (file: string, index = 0): PageSource => ({
    kind: file.endsWith('.pdf') ? 'pdf' : 'image',
    path: path.isAbsolute(file) ? file : path.join(fixtures, file),
    index,
  });
  let fileCount = 0;
  return {
    preparer,
    source,
    saved(bytes, ending) {
      const file = path.join(folder, `${fileCount++}.${ending}`);
      writeFileSync(file, bytes);
      return source(file);
    },
  };
}
