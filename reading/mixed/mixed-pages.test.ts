/** Pages that are print in part and handwriting in part, from the picture to LaTeX, by the weights that are shipped. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseFrom, runsWhole } from '../../test-support/matrix.ts';
import { createEmbeddedTranscriber } from '../embedded.ts';
import { openInkReader } from '../ink/reader.ts';
import { createHand, createTablet, drawPage, drawPdf } from '../ink/testing/handwriting.ts';
import type { PageSource } from '../page.ts';
import { createPagePreparer, type PagePreparer } from '../pages/page-preparer.ts';
import { fixtureFolder } from '../text-layer/testing/fixtures.ts';
import type { TranscribedPage, Transcriber } from '../transcriber.ts';

let folder: string;
let reader: Transcriber;
let preparer: PagePreparer;
let inkReads = 0;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'inkproof-mixed-'));
  preparer = createPagePreparer({ concurrency: 1 });
  const ink = openInkReader()!;
  const read: typeof ink.read = (...page) => {
    inkReads++;
    return ink.read(...page);
  };
  reader = createEmbeddedTranscriber({ ink: { ...ink, read } });
});
afterAll(async () => {
  await Promise.all([reader.close(), preparer.close()]);
  rmSync(folder, { recursive: true, force: true });
});

async function read(picture: Buffer): Promise<TranscribedPage> {
  const file = path.join(folder, 'page.png');
  writeFileSync(file, picture);
  return await readSource({ kind: 'image', path: file, index: 0 });
}

async function readSource(source: PageSource): Promise<TranscribedPage> {
  const result = await reader.transcribe({
    source,
    picture: () => preparer.look(source),
    hints: { pageNumber: 1, pageCount: 1, drawings: 'figure' },
    signal: new AbortController().signal,
  });
  if (result.kind !== 'transcribed') throw new Error(result.kind);
  return result.page;
}

const print = (text: string, left: number, baseline: number, font = 'DejaVu Serif', size = 38) =>
  `<text x="${left}" y="${baseline}" font-family="${font}" font-size="${size}" fill="#111">${text}</text>`;

test('a printed sheet filled in by hand is read by both readers, each where it stands', async () => {
  const write = createHand();
  const page = await read(
    await drawPage(1500, 1500, [
      print('Worksheet on the history of the northern coast', 140, 160),
      print('Answer every question in complete sentences.', 140, 260),
      print('1. What did the sailors see from the harbour?', 140, 400),
      write('he saw land in the north', 200, 500),
      print('2. Where did the messenger go afterwards?', 140, 700),
      write('and ran home to tell us', 200, 800),
      print('Thank you for taking part in this exercise.', 140, 1000),
    ]),
  );
  const at = (words: string) => {
    expect(page.body).toContain(words);
    return page.body.indexOf(words);
  };
  const order = [
    at('history of the northern coast'),
    at('sailors see from the harbour'),
    at('saw land in'),
    at('messenger go afterwards'),
    at('and ran home'),
    at('Thank you for taking part'),
  ];
  expect(order).toEqual([...order].sort((a, b) => a - b));
  // print is not doubted, and each hand-written line has its own ink
  const place = page.places!.find(({ start, end }) => page.body.slice(start, end).includes('ran home'))!;
  expect(place.box[1] + place.box[3] / 2).toBeCloseTo(780 / 1500, 1);
  expect(place.box[3]).toBeLessThan(0.1);
  for (const { start, end } of page.places!) expect(end).toBeGreaterThan(start);
  expect(page.warnings.map(({ code }) => code)).toEqual(['HANDWRITING_UNSURE']);
});

if (runsWhole(import.meta.filename))
  test('what is written into a blank stands in its line', async () => {
    const write = createHand();
    const small = (text: string, baseline: number) => print(text, 140, baseline, 'Liberation Serif', 32);
    const page = await read(
      await drawPage(1500, 1100, [
        small('Report of the harbour master to the council', 160),
        small('The name of the ship is', 320),
        `<path d="M560 342H1000" stroke="#222" stroke-width="2"/>`,
        write('and land', 620, 320),
        small('It arrived early in the morning with the tide.', 480),
        small('Nobody on board was ill, and nothing was lost.', 640),
      ]),
    );
    expect(page.body).toMatch(/The name of the ship is and land\b[\s\S]*It arrived early/);
  });

test('ink drawn on a typed PDF goes between its lines, and what is typed stays as exact as it is', async () => {
  const write = createTablet(0.42);
  const typed = [
    'The tide at the northern harbour',
    'Every ship waits for the tide before it enters the harbour.',
    'The pilot comes on board when the water is high enough.',
    'Afterwards the crew may leave the ship for the night.',
  ];
  const pdf = drawPdf([
    {
      width: 595,
      height: 842,
      print: typed.map((text, at) => ({ text, left: 72, baseline: 90 + 130 * at, size: at === 0 ? 17 : 12 })),
      ink: [write('he saw land in the north', 90, 275), write('and ran home to tell us', 90, 405)].join('\n'),
    },
  ]);
  const file = path.join(folder, 'typed.pdf');
  writeFileSync(file, pdf);
  const page = await readSource({ kind: 'pdf', path: file, index: 0 });
  const order = [typed[1]!, typed[2]!, 'home to tell us', typed[3]!].map((words) => page.body.indexOf(words));
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(page.body).toContain('saw land');
  // the ink is text now, no picture of it
  expect(page.figures).toEqual([]);
  expect(page.body).not.toContain('\\includegraphics');
  const ink = page.places!.find(({ start, end }) => page.body.slice(start, end).includes('home to tell us'))!;
  expect(ink.box[1] + ink.box[3] / 2).toBeCloseTo(400 / 842, 1);
});

test('a diagram on a typed PDF stays a picture, and nobody waits for it to be read as handwriting', async () => {
  const file = path.join(fixtureFolder, 'pdf/physics-mechanics-tikz.pdf');
  inkReads = 0;
  const page = await readSource({ kind: 'pdf', path: file, index: 0 });
  expect(page.figures).toHaveLength(1);
  expect(inkReads).toBe(0);
});

if (runsWhole(import.meta.filename))
  test('crossed-out words are left out, with a warning', async () => {
    const write = createHand();
    const strike = (left: number, right: number, y: number) =>
      `<path d="M${left} ${y}Q${(left + right) / 2} ${y - 5} ${right} ${y + 4}" fill="none" stroke="#1d2340" stroke-width="4"/>`;
    const line = 'and ran home to tell us';
    const plain = await read(await drawPage(1400, 700, [write(line, 130, 200), write(line, 130, 400)]));
    expect(plain.body.match(/home/g)).toHaveLength(2);
    expect(plain.warnings.map(({ code }) => code)).not.toContain('CROSSED_OUT_LEFT_OUT');

    const again = createHand();
    const page = await read(
      await drawPage(1400, 700, [again(line, 130, 200), again(line, 130, 400), strike(255, 375, 388)]),
    );
    expect(page.body.match(/home/g)).toHaveLength(1);
    expect(page.body).toMatch(/\band\b[^.]*\btell us/);
    expect(page.warnings.map(({ code }) => code)).toContain('CROSSED_OUT_LEFT_OUT');
  });

const printed: Record<string, PageSource> = {
  photographed: {
    kind: 'image',
    path: path.join(fixtureFolder, 'scans/probability-table-photographed-p1.jpg'),
    index: 0,
  },
  scanned: {
    kind: 'pdf',
    path: path.join(fixtureFolder, 'scans/probability-table+grammaire-subjonctif-image-only.pdf'),
    index: 0,
  },
};

// one photographed with formulas is read to a document in ../print/formulas/formulas.test.ts
test.each(chooseFrom(import.meta.filename, Object.keys(printed), 0))(
  'a %s page of print with formulas and a table is all print',
  async (how) => {
    const page = await readSource(printed[how]!);
    expect(page.body).toContain('\\begin{tabular}');
    expect(page.warnings.map(({ code }) => code)).not.toContain('HANDWRITING_UNSURE');
  },
);
