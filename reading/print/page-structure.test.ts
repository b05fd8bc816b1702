import { describe, expect, it } from 'vitest';
import type { Box } from '../box.ts';
import type { Bitmap } from '../page.ts';
import { findAlignedTables } from './find-aligned-tables.ts';
import { findFootnotes, placeFootnotes } from './find-footnotes.ts';
import { findFurniture } from './find-furniture.ts';
import { findListings } from './find-listings.ts';
import type { Table } from './find-tables.ts';
import { joinLines, orderLines } from './join-lines.ts';
import type { Line } from './printed-page.ts';
import { leading, letter, pageOf, setLine, textOf } from './testing/set-lines.ts';
import { writeBody } from './write-body.ts';

const sentences = [
  'The first measurement was taken on a rainy day and the',
  'second one on the day after, when nobody was in the house',
  'but the person who had to write down what it showed then.',
];

describe('lines that Tesseract split', () => {
  it('are one again where a neighbour runs across the space', () => {
    const parts = [
      setLine('Cells in such a', 0),
      setLine('shrink, as everybody can see here.', 1),
      setLine('solution', 0, 20),
    ];
    expect(joinLines(parts).map(textOf)).toEqual([
      'Cells in such a solution',
      'shrink, as everybody can see here.',
    ]);
  });

  it('stay apart in two columns', () => {
    const columns = [0, 1, 2].flatMap((row) => [
      setLine('left column', row),
      setLine('right column', row, 14),
    ]);
    expect(joinLines([setLine('A title over both of the columns', -1), ...columns])).toHaveLength(7);
  });
});

describe('lines that Tesseract lists after one below them', () => {
  it('come before it, in each column', () => {
    const [first, second, third] = sentences.map((text, row) => setLine(text, row));
    expect(orderLines([first!, third!, second!]).map(textOf)).toEqual(sentences);
    const columns = [setLine('left above', 0), setLine('left below', 1), setLine('right above', 0, 30)];
    expect(orderLines(columns).map(textOf)).toEqual(['left above', 'left below', 'right above']);
  });
});

describe('tables without rules', () => {
  const find = (texts: string[]) => {
    const lines = texts.map((text, row) => setLine(text, row));
    const { tables, rest } = findAlignedTables(pageOf(lines), lines);
    const cells = tables.map(({ rows }) =>
      rows.map((row) => row.map((cell) => cell.map(({ text }) => text).join(' '))),
    );
    return { cells, rest: rest.map(textOf) };
  };

  it('are found by their columns; the second line of a cell belongs to the row above', () => {
    const { cells, rest } = find([
      'to be     that I am, you are       that we are,',
      '                                   they are',
      'to have   that I have              that we have',
      'to go     that I go, you go        that we go',
    ]);
    expect(cells).toEqual([
      [
        ['to be', 'that I am, you are', 'that we are, they are'],
        ['to have', 'that I have', 'that we have'],
        ['to go', 'that I go, you go', 'that we go'],
      ],
    ]);
    expect(rest).toEqual([]);
  });

  it.each([
    ['prose', sentences],
    ['a calculation', ['x + 1 = 3     so x = 2', 'y + 1 = 5     so y = 4', 'z + 1 = 7     so z = 6']],
    ['a list', ['a)    one thing', 'b)    another one', 'c)    the last']],
    ['a form', ['Name      ............', 'Class     ............', 'Date      ............']],
  ])('%s is none', (_, texts) => {
    expect(find(texts).cells).toEqual([]);
  });
});

describe('listings', () => {
  it('are lines of letters of one width, with their spaces', () => {
    const code = [
      'def add(items, start):',
      '    total = start',
      '    for item in items:',
      '        total += item',
      '',
      'print(add([1, 2], 0)) # 3',
    ];
    const lines = code.flatMap((text, row) => (text ? [setLine(text, row)] : []));
    const { listings, rest } = findListings(lines);
    expect(listings.map((listing) => listing.lines)).toEqual([code]);
    expect(rest).toEqual([]);
    const { body, packages } = writeBody({ ...parts([setLine('Listing 1: A sum', -1)]), listings });
    expect(body).toMatch(/^\\begin\{lstlisting\}\[[^\]]*caption=\{A sum\}\]\ndef add/);
    expect(packages).toContainEqual({ name: 'listings' });
  });

  it('prose is none', () => {
    const lines = sentences.map((text, row) => {
      const line = setLine(text, row);
      // the letters of prose are as wide as they need
      let left = line.left;
      const words = line.words.map((word) => {
        const width = [...word.text].reduce(
          (sum, c) => sum + (/[ijlt,.]/.test(c) ? 5 : /[mw]/.test(c) ? 16 : 10),
          0,
        );
        left += width + 6;
        return { ...word, left: left - width - 6, right: left - 6 };
      });
      return { ...line, words };
    });
    expect(findListings(lines).listings).toEqual([]);
  });
});

describe('running heads and page numbers', () => {
  const text = sentences.map((sentence, row) => setLine(sentence, row));
  const left = (
    extra: Line[],
    rules: { left: number; top: number; right: number; bottom: number }[] = [],
  ) => {
    const lines = [...extra, ...text];
    const found = findFurniture(pageOf(lines, rules), lines);
    return lines.filter((line) => !found.has(line)).map(textOf);
  };

  it('a row over a rule is a head, even in two parts', () => {
    const head = [setLine('Number theory', 0, 0, 60), setLine('Sheet 5', 0, 60, 60)];
    expect(left(head, [{ left: 100, right: 800, top: 84, bottom: 86 }])).toEqual(sentences);
    expect(left(head)).toEqual(['Number theory', 'Sheet 5', ...sentences]);
  });

  it('a page number apart from words is one', () => {
    expect(left([setLine('12           Rings and fields', 0, 0, 60)])).toEqual(sentences);
    expect(left([setLine('Page 3 of 7', 0, 30, 1340)])).toEqual(sentences);
  });
});

describe('footnotes', () => {
  const rule = { left: 100, right: 300, top: 1190, bottom: 1192 };
  const note = (text: string, row: number) => ({ ...setLine(text, row, 0, 1200), size: 18 });
  const text = [
    setLine('The letter of the seventeenth century! was', 0),
    setLine('soon forgotten by everybody who read? it', 1),
    setLine('in the library, and by those who had not.', 2),
  ];
  const notes = [note('!It was found later', 0), note('among papers.', 1), note('?They were few.', 2)];
  const write = (lines: Line[]) => {
    const page = pageOf(lines, [rule]);
    const { rest, footnotes } = findFootnotes(drawn(lines), page, lines);
    return writeBody({ ...parts(placeFootnotes(rest, footnotes)), page }).body;
  };

  it('are written at their marks, without the printed ones', () => {
    expect(write([...text, ...notes])).toBe(
      'The letter of the seventeenth century\\footnote{It was found later\namong papers.} was\nsoon forgotten by everybody who read\\footnote{They were few.} it\nin the library, and by those who had not.',
    );
  });

  it('stay where they are if a mark is not found', () => {
    expect(write([text[0]!, text[2]!, ...notes])).toContain('!It was found later');
  });

  it('are in smaller type', () => {
    expect(write([...text, ...notes.map((line) => ({ ...line, size: 22 }))])).not.toContain('\\footnote');
  });
});

/** Letters as blocks on the line; "!" and "?" stand for a raised figure, as Tesseract reads it. */
function drawn(lines: readonly Line[]): Bitmap {
  const [width, height] = [1000, 1400];
  const data = Buffer.alloc(width * height, 255);
  const paint = ({ left, top, right, bottom }: Box) => {
    for (let y = top; y < bottom; y++) data.fill(0, y * width + left, y * width + right);
  };
  for (const word of lines.flatMap(({ words }) => words))
    [...word.text].forEach((sign, at) => {
      const left = word.left + at * letter;
      const isMark = /[!?]/.test(sign);
      const top = word.top + (isMark ? 0 : /[.,]/.test(sign) ? 14 : 6);
      paint({ left, right: left + (isMark ? 5 : 7), top, bottom: isMark ? top + 10 : word.top + 18 });
    });
  return { width, height, channels: 1, data };
}

const parts = (lines: Line[], tables: Table[] = []) => ({
  page: pageOf(lines),
  lines,
  tables,
  figures: [],
  listings: [],
  isFirstPage: false,
});

describe('what LaTeX makes itself', () => {
  it('a caption belongs to its table, with its number', () => {
    const rows = ['one   two', 'three four', 'five  six'].map((text, row) => setLine(text, row));
    const words = rows.map((row) => row.words.map((word) => [word]));
    const box = { left: 100, right: 200, top: 200, bottom: 200 + 3 * leading };
    const table = { box, rows: words, size: 20, rulesAfter: new Set<number>(), hasUprightRules: false };
    const caption = [setLine('Table 3: Numbers that are', 3), setLine('written as words', 4)];
    const { body } = writeBody(parts([setLine('Some text before it.', -2), ...caption], [table]));
    expect(body).toBe(
      'Some text before it.\n\n\\setcounter{table}{2}\n\\begin{table}[htbp]\n\\centering\n\\begin{tabular}{ll}\none & two \\\\\nthree & four \\\\\nfive & six \\\\\n\\end{tabular}\n\\caption{Numbers that are\nwritten as words}\n\\end{table}',
    );
  });

  it('a table of contents', () => {
    const lines = [
      setLine('Contents', 0),
      setLine('1 Searching                  1', 1),
      setLine('2 Sorting . . . . . . . . .  4', 2),
      setLine('We begin with a search for the smallest of them.', 4),
    ];
    expect(writeBody(parts(lines)).body).toBe(
      '\\tableofcontents\n\nWe begin with a search for the smallest of them.',
    );
  });
});
