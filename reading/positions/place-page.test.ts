/** A page that was read from its picture alone, against where its lines are known to stand. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShareBox, TitleBlock } from '#latex/assemble/page-body.ts';
import { chooseFrom, runsWhole } from '../../test-support/matrix.ts';
import { createPagePreparer, type PagePreparer } from '../pages/page-preparer.ts';
import { createTextLayerReader, type TextLayerReader } from '../text-layer/reader.ts';
import { sourcedPdfs } from '../text-layer/testing/fixtures.ts';
import { placeByOwnText, placeByPicture } from './place-page.ts';

const { signal } = new AbortController();
let reader: TextLayerReader;
let preparer: PagePreparer;
beforeAll(() => {
  reader = createTextLayerReader({ processes: 1 });
  preparer = createPagePreparer({ concurrency: 1, forModel: true });
});
afterAll(async () => {
  await reader.close();
  await preparer.close();
});

/** The share of `truth` that `box` covers. */
function coverage(box: ShareBox | undefined, truth: ShareBox): number {
  if (!box) return 0;
  const reach = (axis: 0 | 1) =>
    Math.min(box[axis] + box[axis + 2]!, truth[axis] + truth[axis + 2]!) - Math.max(box[axis], truth[axis]);
  return (Math.max(0, reach(0)) * Math.max(0, reach(1))) / (truth[2] * truth[3]);
}

describe('by the look of the ink', () => {
  test('most lines of the samples come to lie on themselves', { timeout: 120_000 }, async () => {
    let [hits, lines] = [0, 0];
    for (const { name, pdf } of chooseFrom(import.meta.filename, sourcedPdfs())) {
      for (let index = 0; ; index++) {
        const source = { kind: 'pdf', path: pdf, index } as const;
        const picture = await preparer.prepare(source, signal);
        const hints = { pageNumber: index + 1, pageCount: index + 1, drawings: 'figure' } as const;
        const read = await reader.read({ source, hints, picture: async () => picture, signal });
        if (read.kind !== 'transcribed') throw new Error(`${name} was not read`);
        const { places: truth = [], ...page } = read.page;
        const { places, body } = placeByPicture(page, picture.inkLines!);
        let end = 0;
        for (const place of places) {
          expect(place.start).toBeGreaterThanOrEqual(end);
          end = place.end;
          if (!body.slice(place.start, end).includes('includegraphics'))
            expect(place.isApproximate).toBe(true);
        }
        for (const line of truth) {
          if (body.slice(line.start, line.end).includes('includegraphics')) continue;
          const middle = (line.start + line.end) / 2;
          const place = places.find((one) => one.start <= middle && middle < one.end);
          lines++;
          if (coverage(place?.box, line.box) > 0.5) hits++;
        }
        if (index + 1 === (await countPages(pdf))) break;
      }
    }
    console.info(`${hits} of ${lines} lines (${((100 * hits) / lines).toFixed(1)} %) under their own box`);
    // 304 of 345 when it was written, most of them in each document
    expect(lines).toBeGreaterThan(runsWhole(import.meta.filename) ? 300 : 40);
    expect(hits / lines).toBeGreaterThan(0.86);
  });

  test('what another reader made of the lines decides, whatever their order and its mistakes', () => {
    const at = (row: number, column = 0): ShareBox => [0.1 + 0.5 * column, 0.1 * row, 0.3, 0.03];
    const ink = [
      { text: '2x+5=1S', box: at(1) },
      { text: 'x-y=z', box: at(2) },
      { text: 'x=2,4+2', box: at(3) },
      // the right column was read last, and two of its lines as one
      { text: 'z(y+2)+3y=16', box: at(1, 1) },
      { text: '5y=12 y=z,4', box: at(2, 1) },
      { text: '|', box: at(9) },
    ];
    const rows = ['2x+5=15', 'x-y=2', '2(y+2)+3y=16', '5y=12', 'x=2,4+2'];
    const body = rows.map((row) => `\\[ ${row} \\]`).join('\n\n');
    const { places } = placeByPicture({ body, figures: [] }, [], ink);
    const boxes = rows.map((row) => {
      const start = body.indexOf(row);
      return places.find((place) => place.start <= start && start < place.end)?.box;
    });
    expect(boxes).toEqual([at(1), at(2), at(1, 1), at(2, 1), at(3)]);
  });

  test('a page without any ink has no places', () => {
    expect(placeByPicture({ body: 'Words.', figures: [] }, []).places).toEqual([]);
  });

  test('drawings have the box they were cut out by, and their ink is no line', () => {
    const page = {
      body: 'A few words above.\n\n\\includegraphics[width=0.6\\linewidth]{figure-p1-1.png}\n\nA few words below.',
      figures: [{ name: 'figure-p1-1.png', box: { left: 0.2, top: 0.2, width: 0.4, height: 0.4 } }],
    };
    const ink: ShareBox[] = [
      [0.1, 0.1, 0.5, 0.02],
      [0.3, 0.3, 0.1, 0.02],
      [0.25, 0.5, 0.1, 0.02],
      [0.1, 0.7, 0.5, 0.02],
    ];
    const { places } = placeByPicture(page, ink);
    expect(places.map(({ start, end, box }) => [page.body.slice(start, end).slice(0, 16), box])).toEqual([
      ['A few words abov', ink[0]],
      ['\\includegraphics', [0.2, 0.2, 0.4, 0.4]],
      ['A few words belo', ink[3]],
    ]);
  });

  test('the title takes the lines above', () => {
    const ink: ShareBox[] = [
      [0.3, 0.1, 0.4, 0.05],
      [0.1, 0.3, 0.8, 0.02],
      [0.1, 0.33, 0.3, 0.02],
    ];
    const placed = placeByPicture(
      {
        body: `${'word '.repeat(15)}end`,
        title: { title: 'A title of some length' } as TitleBlock,
        figures: [],
      },
      ink,
    );
    for (const [index, value] of placed.title!.box!.entries()) expect(value).toBeCloseTo(ink[0]![index]!);
    expect(placed.places.map(({ box }) => box)).toEqual([ink[1], ink[2]]);
  });

  test('words that the PDF says itself are believed before the ink', () => {
    const page = { body: 'The first line\nand the second.', figures: [] };
    const box: ShareBox = [0.1, 0.5, 0.8, 0.02];
    const lines = [
      { text: 'The first line', box },
      { text: 'and the second.', box },
    ];
    expect(placeByOwnText(page, lines)?.places).toEqual([
      { start: 0, end: 14, box },
      { start: 15, end: 30, box },
    ]);
    // what covers less than half of the page says too little
    const other = '\n\nQuite another paragraph, of which the file knows nothing at all.';
    expect(placeByOwnText({ ...page, body: page.body + other }, lines)).toBeNull();
  });
});

async function countPages(path: string): Promise<number> {
  const { identifyFile } = await import('../pages/decode/identify-file.ts');
  const found = await identifyFile(path, 'sample.pdf');
  return found.pageCount;
}
