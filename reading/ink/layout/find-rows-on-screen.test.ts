import { expect, test } from 'vitest';
import type { Bitmap } from '../../page.ts';
import { draw, height, line, photographed, stroke, width } from '../testing/draw-page.ts';
import { findInkRows } from './find-ink-lines.ts';

test('on a drawing from a screen, where no ruling hides a bar, a small line close to a longer one may be its limits', async () => {
  const under = (y: number) =>
    draw(line('lim f ( x ) > 0', 190) + line('n + 1', y, 120, 22) + line('and so on', 400));
  const [close, apart] = [findInkRows(await under(216), true), findInkRows(await under(226), true)];
  expect([close, apart].map(({ boxes }) => boxes.length)).toEqual([3, 3]);
  expect(close.maybeJoined).toMatchObject([{ row: 0, added: [1], as: 'limits' }]);
  expect(apart.maybeJoined).toEqual([]);
});

test('on a drawing from a screen, a small sign above the end of a line may be its exponent', async () => {
  const behind = (x: number) => draw(line('16 = z', 190) + line('m', 162, x, 24) + line('and so on', 400));
  const [close, apart] = [findInkRows(await behind(206), true), findInkRows(await behind(222), true)];
  expect(close.maybeJoined).toMatchObject([{ row: 1, added: [0], as: 'limits' }]);
  expect(apart.maybeJoined).toEqual([]);
});

test('on a drawing from a screen, limits above and below may all be of one line, with its fractions', async () => {
  const fraction = line('3', 180, 220) + line('4', 216, 220) + stroke('M214 188H244', 3);
  const limits = line('N', 162, 128, 22) + line('k = 1', 224, 116, 22);
  const page = await draw(limits + line('S x =', 195) + fraction + line('and so on', 400));
  const { boxes, maybeJoined, built } = findInkRows(page, true);
  const row = maybeJoined[0]!.row;
  expect(maybeJoined[0]!.added).toHaveLength(2);
  expect(maybeJoined.slice(1).map(({ added }) => added)).toEqual(maybeJoined[0]!.added.map((one) => [one]));
  expect(built.map((one) => one.row)).toEqual([row, ...maybeJoined.map((_, at) => boxes.length + at)]);
});

test('on a drawing from a screen, an exponent of several signs behind a letter is on its line', async () => {
  const page = await draw(line('x', 200, 120, 60) + line('a+b', 178, 156, 24) + line('and so on', 400));
  const ends = (of: Bitmap) =>
    findInkRows(of, true).boxes.map(([left, , wide]) => Math.round(((left + wide) * width) / 10));
  expect(ends(page)).toHaveLength(2);
  expect(ends(page)[0]).toBe(19);
});

test('on a drawing from a screen, the sign of a root is no drawing, however large it is', async () => {
  const root = stroke('M300 190L330 260L360 130H560', 3) + line('x + y + z', 200, 380, 40);
  const page = await draw(line('a =', 200, 200) + root + line('and then so on', 500));
  const { boxes, drawings } = findInkRows(page, true);
  expect(drawings).toEqual([]);
  expect(Math.round(((boxes[0]![0] + boxes[0]![2]) * width) / 10)).toBe(56);
});

test('a thin stroke is a sign on a drawing from a screen, unless it is drawn around something', async () => {
  const draws = (formula: string) => draw(formula + line('and then so on', 400) + line('a + b = c', 500));
  const integral = await draws(line('f ( x ) = x', 200, 180) + stroke('M172 140C130 130 160 260 110 252'));
  const root = await draws(line('x + y + z', 200, 180) + stroke('M120 190L138 212L160 168H320'));
  const bracket = await draws(line('f ( x ) = x', 200, 180) + stroke('M120 150H160V240H120', 1));
  const frame = await draws(line('f ( x ) = x', 200, 180) + stroke('M120 140V250H440V140Z', 1));
  const startOf = (page: Bitmap) => Math.round(findInkRows(page, true).boxes[0]![0] * width);
  expect([integral, root, bracket, frame].map(startOf)).toEqual([111, 119, 120, 182]);
  expect([integral, root, frame].map(photographed).map(startOf)).toEqual([182, 181, 182]);
});

test('on a drawing from a screen all ink is writing, on a photograph only what is near detected text', async () => {
  const fraction = line('3', 680, 640) + line('4', 720, 640) + stroke('M634 690H664', 3);
  const drawn = line('x + y = z', 190) + line('9 - 2', 700, 500, 60) + fraction;
  const seen: [number, number, number, number][] = [[110 / width, 150 / height, 200 / width, 60 / height]];
  const clean = await draw(drawn);
  const { boxes, built } = findInkRows(clean, true, true, seen);
  expect(boxes).toHaveLength(2);
  expect(built).toMatchObject([{ row: 1, barred: [{ kind: 'fraction' }] }]);
  expect(findInkRows(photographed(clean), true, true, seen).boxes).toHaveLength(1);
});

test('on a drawing from a screen, a minus before a line and dots behind it are its signs', async () => {
  const minus = '<path d="M150 182h14" stroke="#000" stroke-width="3"/>';
  const dots = [296, 312, 328].map((x) => `<path d="M${x} 189h3v3h-3z"/>`).join('');
  const page = await draw(minus + line('x + y = z', 190, 180) + dots + line('and then so on', 400));
  const endsOf = (of: Bitmap) => {
    const [left, , wide] = findInkRows(of, true).boxes[0]!;
    return [left, left + wide].map((share) => Math.round((share * width) / 10));
  };
  expect(endsOf(page)).toEqual([15, 33]);
  expect(endsOf(photographed(page))).not.toEqual([15, 33]);
});

test('where many strokes cross, a screen has a sign and no hole', async () => {
  const dense =
    '<path d="M330 172l16 16M346 172l-16 16M330 180h16M338 172v16" stroke="#000" stroke-width="6"/>';
  const page = await draw(line('x + y =', 190) + dense + line('and then so on', 400));
  const inkOf = (of: Bitmap) => {
    const { ink } = findInkRows(of, true);
    return ink.data[
      Math.round((180 / height) * ink.height) * ink.width + Math.round((338 / width) * ink.width)
    ];
  };
  expect([page, photographed(page)].map(inkOf)).toEqual([1, 0]);
});
