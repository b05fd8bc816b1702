/** Hand-made SyncTeX files; typesetting's places.test.ts does the same with what the engines write. */
import { describe, expect, test } from 'vitest';
import { readSynctex } from './synctex.ts';

/** One point, so that positions can be written in points. */
const pt = 65_781.76;
const at = (points: number) => Math.round(points * pt);

interface Options {
  magnification?: number;
  unit?: number;
  offset?: number;
  end?: string;
  inputs?: string;
  sheets?: string;
}

/** A page with a head, two lines of text (source lines 5 and 6 of a paragraph that ends on 7), a heading and a table. */
function document(options: Options = {}): string {
  const {
    magnification = 1000,
    unit = 1,
    offset = 0,
    end = 'Postamble:\nCount:1\nPost scriptum:\n',
  } = options;
  const n = (points: number) => Math.round(((at(points) - offset) * 1000) / magnification / unit);
  const size = (points: number) => Math.round((at(points) * 1000) / magnification / unit);
  const box = (line: number, x: number, base: number, width: number, height: number, depth = 2) =>
    `1,${line}:${n(x)},${n(base)}:${size(width)},${size(height)},${size(depth)}`;
  const leaf = (kind: string, line: number, x: number, base: number) => `${kind}1,${line}:${n(x)},${n(base)}`;
  const page = [
    '{1',
    `[${box(30, 0, 800, 600, 800, 0)}`,
    `[${box(30, 50, 60, 500, 20, 0)}`,
    `(${box(30, 50, 60, 500, 10)}`,
    leaf('x', 30, 80, 60),
    leaf('g', 30, 550, 60),
    ')',
    ']',
    `[${box(30, 50, 700, 500, 600, 0)}`,
    `(${box(3, 50, 110, 500, 10)}`,
    leaf('x', 3, 120, 110),
    leaf('g', 3, 550, 110),
    ')',
    `(${box(7, 50, 150, 500, 10)}`,
    leaf('x', 7, 90, 150),
    leaf('g', 5, 100, 150),
    leaf('x', 5, 200, 150),
    leaf('g', 5, 210, 150),
    leaf('x', 5, 540, 150),
    leaf('g', 7, 550, 150),
    ')',
    `(${box(7, 50, 170, 500, 10)}`,
    leaf('x', 6, 90, 170),
    leaf('g', 6, 100, 170),
    leaf('x', 6, 150, 170),
    leaf('k', 7, 540, 170),
    leaf('g', 7, 550, 170),
    ')',
    `(${box(14, 50, 220, 500, 40, 40)}`,
    `[${box(13, 50, 220, 200, 40, 40)}`,
    `(${box(11, 50, 190, 200, 10)}`,
    leaf('g', 10, 150, 190),
    leaf('g', 11, 250, 190),
    ')',
    `(${box(12, 50, 250, 200, 10)}`,
    leaf('g', 12, 150, 250),
    leaf('g', 12, 250, 250),
    ')',
    ']',
    ')',
    ']',
    ']',
    '}1',
  ].join('\n');
  const inputs = options.inputs ?? 'Input:1:/work/./main.tex\nInput:2:/usr/share/texmf/article.cls';
  return `SyncTeX Version:1\n${inputs}\nOutput:pdf\nMagnification:${magnification}\nUnit:${unit}\nX Offset:${offset}\nY Offset:${offset}\nContent:\n!100\n${options.sheets ?? page}\n!200\n${end}`;
}

const whole = readSynctex(document())!;
const lineAt = (x: number, y: number, page = 1) => whole.findInSource({ page, x, y })?.line ?? null;

describe('findInPdf', () => {
  test('returns the line of text that contains a source line', () => {
    const place = whole.findInPdf({ file: 'main.tex', line: 5 })!;
    expect(place).toMatchObject({ page: 1, line: 5 });
    expect(place.rectangles).toHaveLength(1);
    const { x, y, width, height } = place.focus;
    expect([x, y, width, height].map(Math.round)).toEqual([50, 140, 500, 12]);
  });

  test('does not take the line that ends a paragraph for the whole paragraph', () => {
    expect(whole.findInPdf({ file: 'main.tex', line: 7 })!.rectangles).toHaveLength(2);
    const withMore = document().replace(`(1,14:`, `(1,7:`);
    expect(readSynctex(withMore)!.findInPdf({ file: 'main.tex', line: 6 })!.rectangles).toHaveLength(1);
  });

  test('returns the row of a table, not the whole table', () => {
    const { focus } = whole.findInPdf({ file: 'main.tex', line: 12 })!;
    expect([Math.round(focus.y), Math.round(focus.height)]).toEqual([240, 12]);
  });

  test('returns the nearest line for one without output, the later of two', () => {
    expect(whole.findInPdf({ file: 'main.tex', line: 4 })?.line).toBe(5);
    expect(whole.findInPdf({ file: 'main.tex', line: 1 })?.line).toBe(3);
    expect(whole.findInPdf({ file: 'main.tex', line: 9_999 })?.line).toBe(14);
    expect(whole.findInPdf({ file: 'main.tex', line: -3 })?.line).toBe(3);
  });

  test('ignores the head of the page', () => {
    expect(whole.findInPdf({ file: 'main.tex', line: 30 })?.line).toBe(14);
  });

  test('accepts a file by each of its names', () => {
    for (const file of ['main.tex', './main.tex', '/work/main.tex', '/work/./main.tex', 'main'])
      expect(whole.findInPdf({ file, line: 5 })?.page).toBe(1);
    expect(whole.findInPdf({ file: 'other.tex', line: 5 })).toBeNull();
    expect(whole.files).toEqual(['main.tex']);
    const elsewhere = readSynctex(document({ inputs: 'Input:1:/tmp/jobs/17/./main.tex' }))!;
    expect(elsewhere.findInSource({ page: 1, x: 60, y: 107 })).toEqual({ file: 'main.tex', line: 3 });
  });

  test('uses the column to choose among the lines of a long paragraph', () => {
    const rows = Array.from(
      { length: 4 },
      (_, row) =>
        `(1,9:0,${at(100 + 20 * row)}:${at(300)},${at(10)},0\ng1,8:${at(50)},${at(100 + 20 * row)}\nx1,8:${at(80)},${at(100 + 20 * row)}\ng1,9:${at(300)},${at(100 + 20 * row)}\n)`,
    );
    const synctex = readSynctex(
      document({ sheets: `{1\n[1,9:0,0:${at(300)},0,0\n${rows.join('\n')}\n]\n}` }),
    )!;
    const focus = (column: number) =>
      Math.round(synctex.findInPdf({ file: 'main.tex', line: 8, column, lineLength: 200 })!.focus.y);
    expect([0, 60, 120, 199, 500].map(focus)).toEqual([90, 110, 130, 150, 150]);
  });

  test('prefers the page in view', () => {
    const sheet = (page: number) =>
      `{${page}\n(1,4:0,${at(50)}:${at(100)},${at(10)},0\nx1,4:${at(20)},${at(50)}\ng1,4:${at(30)},${at(50)}\nx1,4:${at(90)},${at(50)}\n)\n}`;
    const synctex = readSynctex(document({ sheets: [1, 2, 3].map(sheet).join('\n') }))!;
    expect(synctex.findInPdf({ file: 'main.tex', line: 4 })?.page).toBe(1);
    expect(synctex.findInPdf({ file: 'main.tex', line: 4, nearPage: 3 })?.page).toBe(3);
    expect(synctex.pageCount).toBe(3);
  });
});

describe('findInSource', () => {
  test('gives a word the line of the glue after it', () => {
    expect(lineAt(150, 147)).toBe(5);
    expect(lineAt(70, 147)).toBe(5);
    expect(lineAt(70, 167)).toBe(6);
  });

  test('finds headings, cells, and the end of a paragraph for a click next to it', () => {
    expect(lineAt(80, 105)).toBe(3);
    expect(lineAt(70, 187)).toBe(10);
    expect(lineAt(200, 247)).toBe(12);
    expect(lineAt(500, 167)).toBe(6);
    expect(lineAt(60, 205)).toBe(10);
    expect(lineAt(60, 235)).toBe(12);
  });

  test('takes a click in the margin for the line next to it', () => {
    expect(lineAt(590, 168)).toBe(6);
    expect(lineAt(5, 109)).toBe(3);
    expect(lineAt(300, 790)).toBe(12);
  });

  test('returns nothing for a page that does not exist', () => {
    expect(lineAt(10, 10, 2)).toBeNull();
    expect(lineAt(10, 10, -1)).toBeNull();
    expect(lineAt(Number.NaN, 10, 1)).toBeNull();
  });

  test('leads from a table of contents to the command that prints it', () => {
    const sheets = `{1\n[1,9:0,0:${at(300)},0,0\n(1,4:0,${at(50)}:${at(100)},${at(10)},0\ng1,4:${at(30)},${at(50)}\n)\n(2,1:0,${at(80)}:${at(100)},${at(10)},0\ng2,1:${at(30)},${at(80)}\n)\n]\n}`;
    const inputs = 'Input:1:/work/./main.tex\nInput:2:/work/./main.toc';
    const synctex = readSynctex(document({ sheets, inputs }))!;
    expect(synctex.findInSource({ page: 1, x: 20, y: 75 })).toEqual({ file: 'main.tex', line: 4 });
  });
});

test.each([
  { offset: 4_736_287 },
  { magnification: 2000 },
  { unit: 8 },
  { magnification: 1200, unit: 2, offset: 4_736_286 },
])('units and offsets of %o change no place', (options) => {
  const synctex = readSynctex(document(options))!;
  // the offset is in units, before magnification
  const shift = options.unit && options.offset ? (options.offset * (options.unit - 1)) / pt : 0;
  expect(synctex.findInPdf({ file: 'main.tex', line: 5 })!.focus.x).toBeCloseTo(50 + shift, 0);
  expect(synctex.findInSource({ page: 1, x: 150 + shift, y: 147 + shift })?.line).toBe(5);
});

test('a post scriptum replaces the magnification and the offset', () => {
  const end = 'Postamble:\nCount:1\nPost scriptum:\nMagnification:2.0\nX Offset:1in\nY Offset:0pt\n';
  const { focus } = readSynctex(document({ end }))!.findInPdf({ file: 'main.tex', line: 5 })!;
  expect([focus.x, focus.width].map(Math.round)).toEqual([172, 1000]);
});

test('the content of a form is found where the form is shown', () => {
  const form = `<7\n(1,21:0,0:${at(100)},${at(10)},0\ng1,21:${at(40)},0\nx1,21:${at(90)},0\ng1,21:${at(100)},0\n)\n>`;
  const sheets = `${form}\n{1\n(1,25:${at(200)},${at(300)}:0,0,0\nf7:${at(200)},${at(300)}\n)\n}`;
  const synctex = readSynctex(document({ sheets }))!;
  const { focus } = synctex.findInPdf({ file: 'main.tex', line: 21 })!;
  expect([focus.x, focus.y].map(Math.round)).toEqual([200, 290]);
  expect(synctex.findInSource({ page: 1, x: 230, y: 295 })?.line).toBe(21);
});

describe('files that no engine wrote', () => {
  test('a file in another format is refused', () => {
    for (const text of ['', 'Hello', '%PDF-1.5', 'SyncTeX']) expect(readSynctex(text)).toBeNull();
    expect(readSynctex(new Uint8Array([0x1f, 0x8b, 8, 0]))).toBeNull();
  });

  test('a truncated file is searched as far as it goes', () => {
    const text = document();
    expect(whole.isComplete).toBe(true);
    for (let length = 17; length < text.length - 30; length += 7) {
      const synctex = readSynctex(text.slice(0, length))!;
      expect(synctex.isComplete).toBe(false);
      synctex.findInPdf({ file: 'main.tex', line: 5 });
      synctex.findInSource({ page: 1, x: 100, y: 147 });
    }
    const half = readSynctex(text.slice(0, text.indexOf('(1,14:')))!;
    expect(half.findInSource({ page: 1, x: 150, y: 147 })?.line).toBe(5);
  });

  test('bytes changed at random never throw', () => {
    const bytes = new TextEncoder().encode(document());
    let seed = 1;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 400; round++) {
      const copy = bytes.slice();
      for (let changes = 0; changes < 12; changes++) copy[17 + next(copy.length - 17)] = next(256);
      const synctex = readSynctex(copy);
      for (let line = 0; line < 31; line += 5) synctex?.findInPdf({ file: 'main.tex', line });
      synctex?.findInSource({ page: 1, x: next(600), y: next(800) });
    }
  });

  test('endless boxes, numbers and lines are handled within bounds', () => {
    const head = 'SyncTeX Version:1\nInput:1:/work/./main.tex\nContent:\n{1\n';
    const deep = readSynctex(head + '[1,1:0,0:9,9,0\n'.repeat(50_000))!;
    expect(deep.isComplete).toBe(false);
    expect(deep.findInSource({ page: 1, x: 0, y: 0 })).toBeNull();
    const big = readSynctex(`${head}(1,1:0,0:${'9'.repeat(100_000)},9,9\ng1,1:5,5\n)\n}`)!;
    expect(big.findInSource({ page: 1, x: 0, y: 0 })?.line).toBe(1);
    expect(readSynctex(`${head}Input:2:${'a'.repeat(1_000_000)}`)?.pageCount).toBe(1);
  });

  test('a form that contains itself does not loop', () => {
    const sheets = `<1\n(1,2:0,0:${at(100)},${at(100)},0\ng1,2:5,5\n${'f1:0,0\n'.repeat(300)})\n>\n{1\n(1,3:0,0:0,0,0\n${'f1:0,0\n'.repeat(300)})\n}`;
    const synctex = readSynctex(document({ sheets }))!;
    expect(synctex.findInPdf({ file: 'main.tex', line: 2 })!.rectangles.length).toBeGreaterThan(0);
    expect(synctex.findInSource({ page: 1, x: 1, y: -1 })?.line).toBe(2);
  });

  test('a million records of one line are searched within bounds', () => {
    const sheets = `{1\n${`(1,2:0,${at(50)}:${at(9)},${at(9)},0\ng1,2:5,5\n)\n`.repeat(120_000)}}`;
    const place = readSynctex(document({ sheets }))!.findInPdf({ file: 'main.tex', line: 2 })!;
    expect(place.rectangles.length).toBeLessThanOrEqual(500);
  });
});
