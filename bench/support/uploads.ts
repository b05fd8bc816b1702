/** Files to convert, and their conversion by a running product. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { drawHandwriting } from '#reading/ink/testing/handwriting.ts';

const fixtures = path.join(import.meta.dirname, '../../fixtures');

export interface Upload {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Real pages with text: the typeset fixtures, repeated. */
export async function makePdf(pageCount: number): Promise<Uint8Array<ArrayBuffer>> {
  const folder = path.join(fixtures, 'pdf');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pdf')).sort();
  const whole = await PDFDocument.create();
  while (whole.getPageCount() < pageCount) {
    for (const name of names) {
      const part = await PDFDocument.load(await readFile(path.join(folder, name)));
      for (const page of await whole.copyPages(part, part.getPageIndices()))
        if (whole.getPageCount() < pageCount) whole.addPage(page);
    }
  }
  return new Uint8Array(await whole.save());
}

/** Three scanned pages. */
export async function readScans(): Promise<Upload[]> {
  const names = [
    'grammaire-subjonctif-scan-p1',
    'grammaire-subjonctif-scan-p2',
    'probability-table-skewed-p1',
  ];
  return await Promise.all(
    names.map(async (name) => ({
      name: `${name}.jpg`,
      bytes: new Uint8Array(await readFile(path.join(fixtures, 'scans', `${name}.jpg`))),
    })),
  );
}

/** Three pages of handwriting. */
export async function writePages(): Promise<Upload[]> {
  const lines = ['we come here now', 'now we see more', 'more or less new', 'we use a name'];
  return await Promise.all(
    [lines, lines.slice(1), lines.slice(2)].map(async (words, index) => ({
      name: `ink-${index}.png`,
      bytes: new Uint8Array(await drawHandwriting(words)),
    })),
  );
}

/** @throws Error if the document is not delivered with every page */
export async function convertUploads(
  address: string,
  authorization: string,
  files: readonly Upload[],
): Promise<void> {
  const form = new FormData();
  for (const { name, bytes } of files) form.append('file', new Blob([bytes]), name);
  const answer = await fetch(`${address}/api/v1/process`, {
    method: 'POST',
    body: form,
    headers: { Accept: 'text/event-stream', Authorization: authorization },
  });
  const last = (await answer.text()).trim().split('\n\n').at(-1) ?? '';
  if (!last.includes('event: delivered') || last.includes('PAGE_FAILED'))
    throw new Error(`the document was not delivered whole: ${last.slice(0, 500)}`);
}
