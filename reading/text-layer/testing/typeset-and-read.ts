/** Typesets a document and reads it back, for tests of the reader. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { createTypesetter } from '#typesetting/index.ts';
import type { TranscribedPage } from '../../transcriber.ts';
import { createTextLayerReader } from '../reader.ts';
import { workDir } from './fixtures.ts';

export interface RoundTrip {
  /** Sets `body` with the preamble; the PDF's path. */
  typeset(body: string, preamble?: string): Promise<string>;
  /** Reads page `index` of a PDF as page `pageNumber` of a conversion. */
  readPage(file: string, place: { index: number; pageNumber: number }): Promise<TranscribedPage>;
  /** Sets a body and reads its first page. */
  read(body: string, preamble?: string): Promise<string>;
  close(): Promise<void>;
}

/** Words that show where a page's text stands: from one margin to the other, over several lines. */
export const filler =
  'These are words enough to fill some lines of the page from one margin to the other, so that a reader of the page can tell where its text begins and where it ends, and how far apart its lines are set when nothing stands between them.';

const standardPreamble = '\\documentclass{article}\\usepackage{amsmath,amssymb,amsthm,enumitem,booktabs}';

/** Figures are cropped from it: their content does not matter here. */
export async function blankPicture() {
  const create = { width: 1240, height: 1754, channels: 3, background: '#fff' } as const;
  return {
    bitmap: { width: 1, height: 1, channels: 1, data: new Uint8Array(1) } as const,
    origin: 'render' as const,
    preview: new Uint8Array(await sharp({ create }).jpeg().toBuffer()),
    warnings: [],
  };
}

/** @throws Error when a document does not compile or its page is not read */
export async function openRoundTrip(): Promise<RoundTrip> {
  const typesetter = await createTypesetter({ workDir });
  const reader = createTextLayerReader({ processes: 1 });
  const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-round-trip-'));
  let count = 0;
  const typeset: RoundTrip['typeset'] = async (body, preamble = standardPreamble) => {
    const result = await typesetter.compile({
      latex: `${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`,
      engine: 'pdflatex',
      owner: 'structure',
      cpuMs: 60_000,
    });
    if (result.kind !== 'compiled') throw new Error(JSON.stringify(result).slice(0, 500));
    const file = path.join(folder, `${count++}.pdf`);
    await writeFile(file, result.pdf);
    return file;
  };
  const readPage: RoundTrip['readPage'] = async (file, { index, pageNumber }) => {
    const answer = await reader.read({
      source: { kind: 'pdf', path: file, index },
      picture: blankPicture,
      hints: { pageNumber, pageCount: 1, drawings: 'figure' },
      signal: new AbortController().signal,
    });
    if (answer.kind !== 'transcribed') throw new Error(JSON.stringify(answer));
    return answer.page;
  };
  return {
    typeset,
    readPage,
    read: async (body, preamble) =>
      (await readPage(await typeset(body, preamble), { index: 0, pageNumber: 1 })).body,
    async close() {
      await reader.close();
      await typesetter.close();
      await rm(folder, { recursive: true });
    },
  };
}
