import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findBarred } from './find-barred.ts';

const [width, height, size] = [800, 400, 26];

/** Draws a page in a pen and returns what is found in its ink. */
async function find(svg: string, isFromScreen = false) {
  const picture = sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${svg}</svg>`,
    ),
  );
  const data = await picture.toColourspace('b-w').raw().toBuffer();
  return findBarred(
    Uint8Array.from(data, (level) => (level < 128 ? 1 : 0)),
    width,
    height,
    size,
    isFromScreen,
  );
}
const text = (said: string, x: number, y: number) =>
  `<text x="${x}" y="${y}" font-family="Liberation Sans" font-size="36">${said}</text>`;
const stroke = (path: string) => `<path d="${path}" stroke="#000" stroke-width="3" fill="none"/>`;
const bar = (from: number, to: number, y: number, rise = 0) => stroke(`M${from} ${y}L${to} ${y - rise}`);

test('a bar with signs above and below is a fraction, sloping and longer than they are as well', async () => {
  const beside = text('tan a =', 40, 210) + text('and', 480, 210);
  const [one, ...others] = await find(
    beside + text('sin a', 260, 170) + bar(230, 400, 204, 10) + text('cos a', 260, 246),
  );
  expect(others).toEqual([]);
  expect(one).toMatchObject({ kind: 'fraction', parts: [{}, {}] });
  const [high, low] = one!.parts;
  expect(high!.box.bottom).toBeLessThan(196);
  expect(low!.box.top).toBeGreaterThan(204);
  expect([one!.box.left, one!.box.right].map((x) => Math.round(x / 10))).toEqual([23, 40]);
});

test('a bar that its denominator touches is one', async () => {
  const [one] = await find(text('44467', 200, 170) + bar(190, 330, 186) + text('38973', 210, 211));
  expect(one?.kind).toBe('fraction');
});

test('a minus between two lines of text is none', async () => {
  const lines =
    text('where the first line stands and goes on', 40, 160) +
    text('and another one below it goes on', 40, 240);
  expect(await find(lines + bar(300, 350, 188))).toEqual([]);
  // letters apart, one of each line above and below
  const apart = text('n e w s o n a n n', 80, 178) + text('s e e s u s n a r', 80, 226);
  for (let x = 120; x < 240; x += 12) expect(await find(apart + bar(x, x + 44, 192))).toEqual([]);
});

test('signs with a level stroke are none: t, 5, z, =', async () => {
  expect(await find(text('t 5 z = + 7 2 E', 100, 200))).toEqual([]);
  expect(await find(stroke('M300 150V226') + bar(270, 330, 188))).toEqual([]);
  // a z with a bar, in a slanting hand
  const z = 'M280 160L330 156L336 164L307 196L294 210C304 222 312 226 340 222';
  expect(await find(stroke(z) + bar(284, 326, 200, 6), true)).toEqual([]);
});

test('a stroke down from the left end of a bar makes it a root', async () => {
  const root = stroke('M190 180L204 212L220 150H330') + text('5 + x', 232, 206);
  const [one, ...others] = await find(text('and', 80, 206) + root);
  expect(others).toEqual([]);
  expect(one).toMatchObject({ kind: 'root', parts: [{}] });
  expect(one!.parts[0]!.box.left).toBeGreaterThan(222);
  // also below another line
  expect((await find(text('and 7 + x', 150, 140) + root)).map(({ kind }) => kind)).toEqual(['root']);
});

test('what is left of a ruled line between two rows is no bar; on a screen nothing is left', async () => {
  const rows = text('a', 200, 170) + text('b', 200, 230);
  expect(await find(rows + bar(180, 240, 188))).toHaveLength(1);
  const inLine = rows + bar(180, 240, 188) + bar(460, 520, 188) + bar(600, 680, 188);
  expect(await find(inLine)).toEqual([]);
  expect(await find(inLine, true)).toHaveLength(1);
});

test('what is in a fraction or under a root is found on a drawing from a screen', async () => {
  const root = (x: number, y: number) =>
    stroke(`M${x - 16} ${y - 4}L${x - 8} ${y + 6}L${x} ${y - 34}H${x + 90}`);
  const high = text('2 +', 210, 160) + root(300, 160) + text('x', 320, 160);
  const fraction = high + bar(190, 410, 186) + text('y', 290, 222);
  const [one] = await find(fraction, true);
  expect(one).toMatchObject({ kind: 'fraction', parts: [{ barred: [{ kind: 'root' }] }, { barred: [] }] });
  const [onPaper] = await find(fraction);
  expect(onPaper).toMatchObject({ kind: 'fraction', parts: [{ barred: [] }, { barred: [] }] });
});

test('a short bar is a fraction on a drawing from a screen', async () => {
  const short = text('1', 200, 176) + bar(194, 223, 182) + text('6', 200, 212);
  expect(await find(short, true)).toMatchObject([{ kind: 'fraction' }]);
  expect(await find(short)).toEqual([]);
});

test('an equals sign level with the bar goes on neither above nor below it', async () => {
  const equals = bar(98, 128, 181) + bar(98, 128, 192);
  const third = text('a', 62, 183) + bar(54, 90, 186) + text('3', 62, 216);
  const found = await find(third + equals + text('a', 140, 196), true);
  expect(found).toMatchObject([{ kind: 'fraction' }]);
  expect(found[0]!.box.right).toBeLessThan(98);
});

test('a bar shorter than a letter is a fraction on a screen, and no root', async () => {
  const quarter = text('1', 200, 176) + bar(196, 218, 182) + text('4', 198, 212);
  expect(await find(quarter, true)).toMatchObject([{ kind: 'fraction' }]);
  expect(await find(stroke('M190 196L196 206L202 180H224') + text('1', 206, 208), true)).toEqual([]);
});

test('the tick at the end of a root’s bar is no sign under it', async () => {
  const [one] = await find(stroke('M190 180L204 212L220 150H330V161') + text('5 + x', 232, 206), true);
  expect(one).toMatchObject({ kind: 'root' });
  expect(one!.parts[0]!.box.right).toBeLessThan(326);
  expect(one!.box.right).toBeGreaterThan(328);
});

test('π, a bracket beside a fraction, and an arrow are no roots', async () => {
  expect(await find(bar(200, 250, 180) + stroke('M212 180L208 212M238 180V212'), true)).toEqual([]);
  const bracket = stroke('M210 120H186V250H206');
  const half = text('1', 218, 178) + bar(206, 244, 184) + text('2', 218, 214);
  expect(await find(bracket + half, true)).toMatchObject([{ kind: 'fraction' }]);
  const arrow = stroke('M160 164L200 210M200 164L160 210') + bar(200, 260, 186) + stroke('M246 194L262 206');
  expect(await find(arrow + text('a', 224, 222), true)).toEqual([]);
});
