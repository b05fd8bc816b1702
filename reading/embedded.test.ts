/** Which reader gets a page, and the warnings for pages that no reader can read. */
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainPage, type ShareBox } from '#latex/assemble/page-body.ts';
import { createEmbeddedTranscriber } from './embedded.ts';
import type { InkLine } from './ink/read-lines.ts';
import type { InkReader } from './ink/reader.ts';
import type { PreparedPage } from './page.ts';
import type { ReadPage, ReadWord } from './print/read-print.ts';
import { createTextLayerReader, type TextLayerReader } from './text-layer/reader.ts';
import { copiedFixture } from './text-layer/testing/copied-fixture.ts';
import { fixtureFolder } from './text-layer/testing/fixtures.ts';
import type { Transcription } from './transcriber.ts';

let textLayer: TextLayerReader;
let picture: PreparedPage;
beforeAll(async () => {
  textLayer = createTextLayerReader({ processes: 1 });
  const preview = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer();
  picture = {
    bitmap: { width: 1, height: 1, channels: 1, data: new Uint8Array(1) },
    origin: 'photo',
    preview: new Uint8Array(preview),
    warnings: [],
  };
});
afterAll(() => textLayer.close());

const hints = { pageNumber: 3, pageCount: 4, drawings: 'figure' as const };

/** A stand-in for the print reader: its answers are fixed and its calls counted. */
function withPrint(answer: Partial<ReadPage>, ink: InkReader | null = null, ownText = textLayer) {
  let printReads = 0;
  const page: ReadPage = {
    ...plainPage('Words.'),
    figures: [],
    confidence: 0.9,
    ...answer,
  };
  const transcriber = createEmbeddedTranscriber({
    textLayer: ownText,
    ink,
    print: async () => {
      printReads += 1;
      return page;
    },
  });
  const read = (source: { kind: 'pdf' | 'image'; path: string; index: number }) =>
    transcriber.transcribe({
      source,
      picture: async () => picture,
      hints,
      signal: new AbortController().signal,
    });
  return { read, printReads: () => printReads };
}

const text = {
  kind: 'pdf' as const,
  path: path.join(fixtureFolder, 'pdf/calculus-limits-integrals.pdf'),
  index: 0,
};
const scan = {
  kind: 'pdf' as const,
  path: path.join(fixtureFolder, 'scans/probability-table+grammaire-subjonctif-image-only.pdf'),
  index: 0,
};

describe('the embedded reader', () => {
  test('reads a text layer from its glyphs, without a picture', async () => {
    const { read, printReads } = withPrint({});
    const result = await read(text);
    expect(result).toMatchObject({
      kind: 'transcribed',
      page: { body: expect.stringContaining('\\frac{\\sin x}{x}') },
    });
    expect(printReads()).toBe(0);
  });

  test('reads a scan in a PDF as print', async () => {
    const { read, printReads } = withPrint({ body: 'Printed words.' });
    expect(await read(scan)).toMatchObject({
      kind: 'transcribed',
      page: { body: 'Printed words.', warnings: [] },
    });
    expect(printReads()).toBe(1);
  });

  test('warns when a page’s own text was too much and its picture was read instead', async () => {
    const hasty = createTextLayerReader({ processes: 1, limits: { cpuMs: 0 } });
    const { read } = withPrint({ body: 'Printed words.' }, null, hasty);
    const other = { ...text, path: await copiedFixture('pdf/physics-mechanics-tikz.pdf') };
    expect(await read(other)).toMatchObject({
      page: { body: 'Printed words.', warnings: [{ code: 'TEXT_LAYER_SKIPPED' }] },
    });
    await hasty.close();
  });

  test('leaves a page for later, rather than reading it worse, when the machine is busy', async () => {
    const starved = createTextLayerReader({ processes: 1, limits: { cpuMs: 30_000, elapsedMs: 1 } });
    const { read, printReads } = withPrint({ body: 'Printed words.' }, null, starved);
    await expect(read(text)).rejects.toMatchObject({ code: 'BUSY' });
    expect(printReads()).toBe(0);
    await starved.close();
  });

  test('warns when handwriting was too much to read', async () => {
    const overwhelmed: InkReader = { read: async () => null, close: async () => {} };
    const { read } = withPrint({ confidence: 0.65 }, overwhelmed);
    expect(await read({ kind: 'image', path: '', index: 0 })).toMatchObject({
      page: { body: 'Words.', warnings: [{ code: 'HANDWRITING_SKIPPED' }] },
    });
  });

  test('warns that handwriting was not read, and marks the guess as doubtful', async () => {
    const { read } = withPrint({ body: 'lt ls rn0t', confidence: 0.5 });
    const result = await read({ kind: 'image', path: '', index: 0 });
    if (result.kind !== 'transcribed') throw new Error(result.kind);
    expect(result.page.warnings[0]?.code).toBe('HANDWRITING_NOT_READ');
    expect(result.page.warnings[0]?.message).toMatch(/could not be read.*vision model/i);
    expect(result.page.doubtful).toMatchObject([{ start: 0, end: 10, confidence: 0.5 }]);
  });

  test('keeps the picture of a handwritten page that cannot be read', async () => {
    const { read } = withPrint({ body: '~~', confidence: 0.1 });
    const result = await read({ kind: 'image', path: '', index: 0 });
    if (result.kind !== 'transcribed') throw new Error(result.kind);
    expect(result.page.body).toContain('\\includegraphics');
    expect(result.page.body).not.toContain('~~');
    expect(result.page.figures).toMatchObject([{ name: 'figure-p3-1.png' }]);
    expect(result.page.warnings[0]?.code).toBe('HANDWRITING_NOT_READ');
  });

  test.each([
    [0.4, ['HANDWRITING_UNSURE']],
    [0.95, []],
  ])('what is not print is read as ink; below %d it is marked as uncertain', async (confidence, codes) => {
    const { read } = withPrint(
      { body: 'lt ls rn0t', confidence: 0.5 },
      inkThatReads('It is not', confidence),
    );
    const result = await read({ kind: 'image', path: '', index: 0 });
    if (result.kind !== 'transcribed') throw new Error(result.kind);
    expect(result.page.body).toBe('It is not');
    expect(result.page.warnings.map(({ code }) => code)).toEqual(codes);
  });

  test('reads writing too faint for print as ink; only a page with neither is blank', async () => {
    const page = { kind: 'image', path: '', index: 0 } as const;
    const nothing = { body: '', confidence: 1 };
    const pencil = await withPrint(nothing, inkThatReads('2x = 10', 0.4)).read(page);
    expect(pencil).toMatchObject({ page: { body: '2x = 10' } });
    const illegible = await withPrint(nothing, inkThatReads('x', 0.4, false)).read(page);
    expect(illegible).toMatchObject({ page: { body: expect.stringContaining('\\includegraphics') } });
    const empty = await withPrint(nothing, inkThatReads('', 1)).read(page);
    expect(empty).toMatchObject({ page: { body: '', figures: [], warnings: [] } });
  });

  test('reads print as print, and does not use ink that is only a guess', async () => {
    const page = { kind: 'image', path: '', index: 0 } as const;
    const printed = await withPrint({ confidence: 0.9 }, inkThatReads('Ink', 0.9)).read(page);
    expect(printed).toMatchObject({ page: { body: 'Words.', warnings: [] } });
    const unsure = await withPrint({ confidence: 0.65 }, inkThatReads('Ink', 0.2)).read(page);
    expect(unsure).toMatchObject({ page: { body: 'Words.', warnings: [] } });
    const written = await withPrint({ confidence: 0.65 }, inkThatReads('Ink', 0.5)).read(page);
    expect(written).toMatchObject({ page: { body: 'Ink' } });
    const guessed = await withPrint({ body: '~~', confidence: 0.1 }, inkThatReads('Ink', 0.4, false)).read(
      page,
    );
    expect(guessed).toMatchObject({ page: { body: expect.stringContaining('\\includegraphics') } });
  });

  test.each([
    ['a sheet that is nearly all sure print is not ink, however well it reads', 10, 0.9, 'print with ink'],
    ['a page that has few sure words is', 3, 0.55, 'ink as a whole'],
    ['a neat hand that looks like print is ink', 7, 0.55, 'ink as a whole'],
  ])('%s', async (_, sureLines, sureOfAll, expected) => {
    const transcriber = createEmbeddedTranscriber({
      textLayer,
      formulas: null,
      ink: inkBesidePrint(sureOfAll),
      print: async (_picture, _hints, _signal, options) => {
        const claimed = (await options?.claim?.(wordsOfSheet(sureLines))) ?? [];
        const places = [{ start: 0, end: 5, box: [0.1, 0.05, 0.6, 0.5] as ShareBox }];
        const body = claimed.length > 0 ? 'print' : 'all print';
        return { ...plainPage(body), places, figures: [], confidence: 0.7 };
      },
    });
    const data = new Uint8Array(100 * 100).fill(255).fill(0, 70 * 100, 75 * 100);
    const bitmap = { width: 100, height: 100, channels: 1 as const, data };
    const { page } = (await transcriber.transcribe({
      source: { kind: 'image', path: '', index: 0 },
      picture: async () => ({ ...picture, bitmap }),
      hints,
      signal: new AbortController().signal,
    })) as Extract<Transcription, { kind: 'transcribed' }>;
    expect(page.body.replace(/\s+/g, ' ').trim()).toBe(expected);
  });
});

/** Ten printed lines over a blank that somebody filled in; of the lines that are not sure, Tesseract only guesses. */
function wordsOfSheet(sureLines: number): ReadWord[] {
  return Array.from({ length: 10 }, (_, line) =>
    ['printed', 'words', 'here'].map((text, at) => ({
      text,
      confidence: line < sureLines ? 0.95 : 0.5,
      box: [0.1 + 0.2 * at, 0.05 + 0.05 * line, 0.15, 0.02] as ShareBox,
      line,
    })),
  ).flat();
}

const writtenLine: InkLine = {
  box: [0.1, 0.68, 0.5, 0.09],
  tokens: [...'with ink'].map((token, at) => ({ token, probability: 0.999, from: at, to: at + 1 })),
  share: 0.99,
  score: 0,
  fluency: 0,
};

/** Reads `with ink` where print is hidden, and is so sure of the page as a whole. */
const inkBesidePrint = (sureOfAll: number): InkReader => ({
  read: async ({ isRest }) => {
    const page = await inkThatReads('ink as a whole', sureOfAll).read(
      picture,
      1,
      new AbortController().signal,
    );
    return isRest ? { ...page!, lines: [writtenLine] } : page;
  },
  close: async () => {},
});

function inkThatReads(body: string, confidence: number, isWriting = true): InkReader {
  return {
    read: async () => ({
      body,
      confidence,
      isWriting,
      packages: [],
      preamble: [],
      figures: [],
      warnings: [],
      doubtful: [],
      lines: [],
      startsParagraph: true,
      endsParagraph: true,
    }),
    close: async () => {},
  };
}
