import { expect, test } from 'vitest';
import type { Bitmap } from '../../page.ts';
import { ringMark } from '../bars/erase-ring.ts';
import { draw, height, line, photographed, width } from '../testing/draw-page.ts';
import { findInkLines, findInkRows } from './find-ink-lines.ts';

const tops = (boxes: readonly [number, number, number, number][]) =>
  boxes.map(([, top, , tall]) => Math.round((top + tall / 2) * height));

const ruled = (colour: string) =>
  Array.from(
    { length: 30 },
    (_, row) => `<path d="M0 ${60 + 44 * row}H1000" stroke="${colour}" stroke-width="2"/>`,
  ).join('');
const words = [
  line('where the first line of it stands', 190),
  line('a second, and it is longer than that', 322),
  line('third', 454),
].join('');

test.each([
  ['plain', ''],
  ['ruled', ruled('#8a9bd8')],
  ['ruled as dark as the ink', ruled('#000')],
])('finds three lines on %s paper', async (_, paper) => {
  const boxes = findInkLines(await draw(paper + words), true);
  expect(boxes).toHaveLength(3);
  for (const [index, middle] of tops(boxes).entries())
    expect(Math.abs(middle - [182, 314, 446][index]!)).toBeLessThan(14);
});

test('two columns are read one after the other, what runs across both first', async () => {
  const column = (x: number) =>
    Array.from({ length: 12 }, (_, row) => line('some words of a column', 300 + 50 * row, x, 28)).join('');
  const boxes = findInkLines(
    await draw(
      line('A heading that runs over both of the columns here', 150, 100, 36) + column(100) + column(560),
    ),
    false,
  );
  expect(boxes).toHaveLength(25);
  expect(boxes[0]![2]).toBeGreaterThan(0.6);
  expect(boxes.slice(1, 13).every(([left]) => left < 0.2)).toBe(true);
  expect(boxes.slice(13).every(([left]) => left > 0.5)).toBe(true);
});

test('a fraction is one line with what stands beside it', async () => {
  const fraction = `${line('x =', 412, 300)}${line('a + b', 385, 370)}<path d="M365 400H450" stroke="#000" stroke-width="2"/>${line('c + d', 432, 370)}`;
  const boxes = findInkLines(
    await draw(line('before it some words', 300) + fraction + line('after it some more', 520)),
    false,
  );
  expect(boxes).toHaveLength(3);
  expect(boxes[1]![3] * height).toBeGreaterThan(55);
});

test('holes along a side, and the table beside the paper, are no lines', async () => {
  const holes = Array.from(
    { length: 24 },
    (_, at) => `<circle cx="${60 - at}" cy="${80 + 55 * at}" r="14"/>`,
  ).join('');
  const table = '<rect x="0" y="1370" width="1000" height="30" fill="#333"/>';
  const boxes = findInkLines(await draw(ruled('#8a9bd8') + holes + table + words), true);
  expect(boxes).toHaveLength(3);
  for (const [index, middle] of tops(boxes).entries())
    expect(Math.abs(middle - [182, 314, 446][index]!)).toBeLessThan(14);
  expect(boxes.every(([left]) => left > 0.08)).toBe(true);
});

/** Whether something of a ring was taken away within 8 pixels of a place on the page. */
function ringNear({ data, width: wide, height: tall }: Bitmap, x: number, y: number): boolean {
  return data.some((mark, at) => {
    const [left, top] = [((at % wide) * width) / wide, (Math.floor(at / wide) * height) / tall];
    return mark === ringMark && Math.hypot(left - x, top - y) < 8;
  });
}

test('the ring round a number is taken away, the number stays', async () => {
  const ring = '<circle cx="130" cy="180" r="30" fill="none" stroke="#000" stroke-width="3"/>';
  const page = await draw(
    ring + line('7', 193, 120, 40) + line('what the exercise asks', 190, 200) + line('and more', 290),
  );
  const { boxes, foreign } = findInkRows(page, true);
  expect(boxes).toHaveLength(2);
  expect(ringNear(foreign, 100, 180)).toBe(true);
  expect(ringNear(foreign, 130, 178)).toBe(false);
});

test('a ring that its number touches is taken away without the number', async () => {
  const ring = '<circle cx="130" cy="180" r="30" fill="none" stroke="#000" stroke-width="3"/>';
  const number = '<path d="M112 168 H142 L128 207" fill="none" stroke="#000" stroke-width="4"/>';
  const page = await draw(ring + number + line('what the exercise asks', 190, 200) + line('and more', 290));
  const { ringed, foreign } = findInkRows(page, true);
  expect(ringed).toEqual([0]);
  expect([ringNear(foreign, 100, 180), ringNear(foreign, 160, 180)]).toEqual([true, true]);
  expect([ringNear(foreign, 125, 170), ringNear(foreign, 134, 190)]).toEqual([false, false]);
  // a round letter is no ring
  const letters = await draw(line('O what a day', 190, 100, 60) + line('and more of it', 290));
  expect(findInkRows(letters, true).ringed).toEqual([]);
});

test.each([
  ['plain', ''],
  ['ruled', ruled('#8a9bd8')],
])('a line drawn under the first row is seen on %s paper, and no other is', async (_, paper) => {
  const below = line('a second, and it is longer than that', 322) + line('third', 454);
  const heading = line('A heading of some words', 190, 120, 36);
  const drawn = '<path d="M118 203 L300 205 L500 202" fill="none" stroke="#000" stroke-width="3"/>';
  expect(findInkRows(await draw(paper + heading + drawn + below), true).underlined).toEqual([0]);
  expect(findInkRows(await draw(paper + heading + below), true).underlined).toEqual([]);
});

const rowsOf = (texts: readonly string[], x: number) =>
  texts.map((text, row) => line(text, 200 + 70 * row, x)).join('');
const sentences = [
  'of all that was written on this page',
  'the longer lines begin together here',
  'and every one of them is a line of text',
  'beside which somebody made a remark',
  'that belongs to what it stands beside',
  'and to nothing else on the page',
];

test.each([
  ['left', 60, 330],
  ['right', 760, 60],
])('a note in the %s margin is none of the line beside it', async (_, note, text) => {
  const page = await draw(rowsOf(sentences, text) + line('a remark', 415, note, 26));
  const { boxes, notesFrom } = findInkRows(page, true);
  expect(boxes).toHaveLength(7);
  expect(notesFrom).toBe(6);
  expect(boxes[6]![2]).toBeLessThan(0.15);
  expect(boxes.slice(0, 6).every(([left]) => Math.abs(left - boxes[0]![0]) < 0.02)).toBe(true);
});

test('the numbers of a list are no notes, nor are the ends of long lines', async () => {
  const numbers = sentences.map((_, row) => line(`${row + 1}.`, 200 + 70 * row, 100)).join('');
  const { boxes, notesFrom } = findInkRows(await draw(numbers + rowsOf(sentences, 160)), true);
  expect(boxes).toHaveLength(6);
  expect(notesFrom).toBe(6);
  const ragged = sentences.map((text, row) => (row % 3 === 0 ? `${text} and more` : text.slice(0, 24)));
  expect(findInkRows(await draw(rowsOf(ragged, 120)), true)).toMatchObject({ notesFrom: 6 });
});

test('the numbers of exercises, a little apart, are no notes', async () => {
  const numbers = [200, 340, 480].map((y, at) => line(`${at + 1} )`, y, 60)).join('');
  const { notesFrom, boxes } = findInkRows(await draw(numbers + rowsOf(sentences, 160)), true);
  expect(notesFrom).toBe(boxes.length);
});

test('calculations beside shorter ones are no notes in the margin', async () => {
  const steps = ['2x + 5 = 15 and 3x = 9 or less', '2x = 10', 'x = 5', '3y = 9', 'y = 3', 'so x = 5 = y'];
  const beside = [345, 415, 485].map((y) => line('z = 2 ( y + 2 )', y, 560)).join('');
  const { notesFrom, boxes } = findInkRows(await draw(rowsOf(steps, 60) + beside), true);
  expect(notesFrom).toBe(boxes.length);
});

test('the printed days of a diary are no line; marks drawn less evenly are', async () => {
  const cells = (places: readonly number[]) =>
    places.map((x) => `<path d="M${x} 70V104" stroke="#000" stroke-width="2"/>`).join('') +
    places
      .slice(1)
      .map((x) => line('M', 98, x - 32, 26))
      .join('');
  const even = await draw(words + cells([120, 160, 200, 240, 280, 320, 360, 400]));
  expect(findInkRows(even, true).boxes).toHaveLength(3);
  const uneven = await draw(words + cells([120, 156, 203, 240, 289, 320, 354, 400]));
  expect(findInkRows(uneven, true).boxes).toHaveLength(4);
});

test('a minus in front of a row is of it', async () => {
  const minus = '<path d="M120 312H142" stroke="#000" stroke-width="3"/>';
  const [box] = findInkLines(await draw(minus + line('2 + ( -3 ) = -5', 322, 160)), true);
  expect(box![0] * width).toBeLessThan(125);
});

test('writing is not joined with what touches the edge of the page', async () => {
  const hole = '<circle cx="0" cy="180" r="20" fill="none" stroke="#000" stroke-width="3"/>';
  const page = await draw(hole + line('4 ) where the first line stands', 190, 60));
  const seen: [number, number, number, number][] = [[55 / width, 150 / height, 400 / width, 60 / height]];
  expect(findInkRows(page, true, true, seen).boxes[0]![0] * width).toBeGreaterThan(50);
});

test('where the strokes of a thick pen meet, there is no hole', async () => {
  const thick = `<g stroke="#000" stroke-width="9">${line('a b d', 560, 120, 44)}</g>`;
  const seen = [160, 292, 424, 515].map((y): [number, number, number, number] => [
    0.1,
    y / height,
    0.6,
    0.05,
  ]);
  const { foreign } = findInkRows(photographed(await draw(words + thick)), true, true, seen);
  expect(foreign.data.filter((mark) => mark === 1)).toHaveLength(0);
});

test('holes that were taken for text are no lines', async () => {
  const holes = [400, 440, 480, 520].map((y) => `<circle cx="60" cy="${y}" r="14"/>`).join('');
  const seen = [160, 292, 424].map((y): [number, number, number, number] => [0.1, y / height, 0.6, 0.05]);
  seen.push([0.04, 380 / height, 0.05, 160 / height]);
  const { boxes } = findInkRows(photographed(await draw(words + holes)), true, true, seen);
  expect(boxes).toHaveLength(3);
  expect(boxes.every(([left]) => left > 0.1)).toBe(true);
});

test('a short line close under a formula may be its denominator', async () => {
  const page = await draw(
    line('d', 180, 128) + line('( 5 x ) = 5 and so on', 190, 200) + line('dx', 215, 122),
  );
  const { boxes, maybeJoined } = findInkRows(photographed(page), true);
  expect(boxes).toHaveLength(2);
  expect(maybeJoined).toMatchObject([{ row: 0, added: [1], as: 'fraction' }]);
});

test('a drawing is told from the writing round it, its labels go with it', async () => {
  const drawing =
    '<path d="M300 900V600M300 900H700M310 890C400 700 500 640 690 620" fill="none" stroke="#000" stroke-width="4"/>';
  const page = await draw(words + drawing + line('y', 650, 310) + line('where it ends', 1100));
  const { boxes, drawings } = findInkRows(page, true);
  expect(boxes).toHaveLength(4);
  expect(drawings).toHaveLength(1);
  expect(drawings[0]!.map((share) => Math.round(share * 20))).toEqual([6, 9, 8, 4]);
  expect(findInkLines(page, true).length).toBeGreaterThan(4);
});

test('three rows whose first letters touch are three lines', async () => {
  const steps = [300, 352, 404].map((y) => line('( 2 ) = 8 - 8 + 1 and so on', y, 150)).join('');
  const touching = '<path d="M140 262C124 300 144 390 130 430" fill="none" stroke="#000" stroke-width="4"/>';
  const boxes = findInkLines(await draw(line('of a function, for two', 200) + steps + touching), true);
  expect(boxes).toHaveLength(4);
  for (const [index, middle] of tops(boxes).entries())
    expect(Math.abs(middle - [192, 292, 344, 396][index]!)).toBeLessThan(14);
});

test('an empty page has none', async () => {
  expect(findInkLines(await draw(''), true)).toEqual([]);
});

test('pencil too faint for ink is found where text was detected, on ruling as faint', async () => {
  const pencil = words.replaceAll('<text', '<text fill="#e4e4e4"');
  const page = await draw(ruled('#f0f0f0') + pencil);
  const seen = [190, 322, 454].map((y): [number, number, number, number] => [
    110 / width,
    (y - 40) / height,
    (y === 454 ? 90 : 460) / width,
    60 / height,
  ]);
  const { boxes } = findInkRows(page, true, true, seen);
  expect(boxes).toHaveLength(3);
  // to its last word
  expect(boxes[1]![0] + boxes[1]![2]).toBeGreaterThan(0.5);
  for (const [index, middle] of tops(boxes).entries())
    expect(Math.abs(middle - [182, 314, 446][index]!)).toBeLessThan(14);
});

test('the edge of the paper close to the lines does not join them', async () => {
  const edge = '<path d="M112 150L60 350" stroke="#000" stroke-width="8"/>';
  const rows = [190, 330].map((y) => line('where the line of it stands', y, 116)).join('');
  const seen = [190, 330].map((y): [number, number, number, number] => [
    104 / width,
    (y - 40) / height,
    400 / width,
    60 / height,
  ]);
  expect(findInkRows(photographed(await draw(rows + edge)), true, true, seen).boxes).toHaveLength(2);
});

test('the bar of a root, unlike that of a fraction, does not join the line above', async () => {
  const bar = '<path d="M228 284H330" stroke="#000" stroke-width="3"/>';
  const above = line('c = 10 + 12 and so on', 270);
  const root = line('so c =', 312) + line('36 + 64', 312, 228);
  expect(findInkLines(await draw(above + bar + root), true)).toHaveLength(2);
  const fraction = line('10 + 12', 276, 228) + line('c =', 292);
  expect(findInkLines(await draw(fraction + bar + line('36 + 64', 312, 228)), true)).toHaveLength(1);
  // the numerators of two fractions are a row wider than either bar
  const second = '<path d="M420 284H522" stroke="#000" stroke-width="3"/>';
  const over = line('10 + 12', 270, 228) + line('2 + 12', 270, 420);
  const under =
    line('so c =', 304) + line('36 + 64', 312, 228) + line('= 1 + 8', 304, 340) + line('8 + 64', 312, 430);
  expect(findInkLines(await draw(over + bar + second + under), true)).toHaveLength(1);
});

test('a wide fraction whose parts are far from its bar is one row, though its bar is as long as ruling', async () => {
  const page = await draw(
    `${line('before it some words', 180)}${line('a + b + c + d', 392, 300)}<path d="M200 420H640" stroke="#000" stroke-width="3"/>${line('e + f', 470, 380)}${line('after it some more', 620)}`,
  );
  const at = (x: number, y: number, wide: number): [number, number, number, number] => [
    x / width,
    y / height,
    wide / width,
    46 / height,
  ];
  const seen = [at(110, 150, 300), at(290, 362, 220), at(370, 440, 110), at(110, 590, 300)];
  const { boxes, built } = findInkRows(page, true, true, seen);
  expect(boxes).toHaveLength(3);
  expect(built).toMatchObject([{ row: 1, barred: [{ kind: 'fraction' }] }]);
});
