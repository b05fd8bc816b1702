/**
 * Whole pages in the strokes of held-out writers (compose-strokes.ts), from file to LaTeX, compared with
 * Tesseract.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readInk } from '#reading/ink/read-ink.ts';
import type { LineReaderDeps } from '#reading/ink/read-lines.ts';
import type { Bitmap } from '#reading/page.ts';
import { preparePixels } from '#reading/pages/prepare-page.ts';
import { toGrey } from '#reading/raster.ts';
import {
  type ComposedPage,
  composeSheet,
  exportPage,
  photograph,
  readStrokes,
  type Sheet,
  sheets,
} from './compose-strokes.ts';
import { type PageScore, scorePage } from './score-page.ts';

const pagesOfAKind = 3;

export interface SheetScores {
  name: string;
  ours: PageScore[];
  theirs: PageScore[];
  /** Time per page from file to LaTeX, and the share of its preparation. */
  ms: number;
  preparingMs: number;
}

/** A page's body by line; drawings and the delimiters of margin notes are not lines. */
export function linesOf(body: string): string[] {
  return body.split('\n').filter((line) => !/^(?:\\marginpar\{|\}%)|\\includegraphics/.test(line));
}

/** @param tesseract reads a whole page with Tesseract */
export async function readSheets(
  reader: LineReaderDeps,
  tesseract: (page: Bitmap) => Promise<string>,
): Promise<SheetScores[]> {
  const ink = await readStrokes('testset');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-sheets-'));
  const read = async (
    name: string,
    pages: readonly ComposedPage[],
    ending: 'jpg' | 'pdf',
    draw: (page: ComposedPage, at: number) => Promise<Buffer> | Buffer,
  ): Promise<SheetScores> => {
    const scores: SheetScores = { name, ours: [], theirs: [], ms: 0, preparingMs: 0 };
    for (const [at, page] of pages.entries()) {
      const file = path.join(folder, `page.${ending}`);
      await writeFile(file, await draw(page, at));
      const kind = ending === 'pdf' ? ('pdf' as const) : ('image' as const);
      const started = performance.now();
      const picture = await preparePixels({ kind, path: file, index: 0 });
      const prepared = performance.now();
      const { body } = await readInk(picture, 1, reader);
      scores.ms += (performance.now() - started) / pages.length;
      scores.preparingMs += (prepared - started) / pages.length;
      scores.ours.push(scorePage(page.lines, linesOf(body)));
      scores.theirs.push(scorePage(page.lines, (await tesseract(toGrey(picture.bitmap))).split('\n')));
    }
    return scores;
  };
  try {
    const all: SheetScores[] = [];
    const composed = Object.keys(sheets).map((name) => ({
      name,
      pages: Array.from({ length: pagesOfAKind }, (_, at) => composeSheet(ink, name as Sheet, at)),
    }));
    for (const [kind, { name, pages }] of composed.entries())
      all.push(
        await read(`sheets photographed, ${name}`, pages, 'jpg', (page, at) =>
          photograph(page, 10 * kind + at),
        ),
      );
    for (const { name, pages } of composed)
      all.push(
        await read(`the same from a tablet (PDF), ${name.replace(/^\w+, /, '')}`, pages, 'pdf', exportPage),
      );
    return all;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
