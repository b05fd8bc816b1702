import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import { buildUpload } from './build-upload.ts';
import type { TraySource } from './tray-state.ts';

const fixture = path.resolve(import.meta.dirname, '../../../../fixtures/pdf/calculus-limits-integrals.pdf');

async function openFixture(): Promise<TraySource> {
  const file = new File([await readFile(fixture)], 'notes.pdf', { type: 'application/pdf' });
  return { id: 'notes', file, kind: 'pdf', state: 'open', pageCount: 4 };
}

async function textOf(file: File, pageNumber: number): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(await file.arrayBuffer()), verbosity: 0 })
    .promise;
  const content = await (await document.getPage(pageNumber)).getTextContent();
  return content.items.map((item) => ('str' in item ? item.str : '')).join('');
}

it('a filtered PDF has the chosen pages, in their order, rotated', async () => {
  const source = await openFixture();
  const pages = [
    { pageIndex: 3, rotation: 90 as const },
    { pageIndex: 1, rotation: 0 as const },
  ];
  const [built] = await buildUpload(
    { parts: [{ kind: 'pdf-pages', sourceId: 'notes', pages }], startPage: 1, endPage: null, pageCount: 2 },
    [source],
  );
  expect(built?.name).toBe('notes.pdf');
  const filtered = await PDFDocument.load(await built!.arrayBuffer());
  expect(filtered.getPages().map((page) => page.getRotation().angle)).toEqual([90, 0]);
  expect(await textOf(built!, 1)).toContain('Homework');
  expect(await textOf(built!, 2)).toContain('Gaussian integral');
});

it('an original is sent byte for byte', async () => {
  const source = await openFixture();
  const plan = {
    parts: [{ kind: 'original' as const, sourceId: 'notes' }],
    startPage: 1,
    endPage: null,
    pageCount: 4,
  };
  expect(await buildUpload(plan, [source])).toEqual([source.file]);
});
