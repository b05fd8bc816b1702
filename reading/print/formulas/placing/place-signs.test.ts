/** Which size and line a sign has, and signs that only their neighbours tell. */
import { expect, test } from 'vitest';
import { writeDisplay } from '../../../text-layer/blocks/write-display.ts';
import { splitEnd } from '../read-formulas.ts';
import type { ReadSign } from '../signs/read-signs.ts';
import type { Sign, SignMeasures, Typeface } from '../signs/sign-model.ts';
import { placeSigns } from './place-signs.ts';

const xHeight = 20;
const baseline = 100;
const letter: SignMeasures = { left: 0.05, top: -1, width: 1, height: 1, advance: 1.1, ink: 0, mostInk: 0 };
const comma: SignMeasures = {
  left: 0.05,
  top: -0.25,
  width: 0.25,
  height: 0.7,
  advance: 0.5,
  ink: 0,
  mostInk: 0,
};
/** Letters, brackets and the comma, all of one width. */
const names = ['a', 'b', 'i', 'j', ',', 'l', 'm', 'x', '(', ')', '∂', '∗'];
const bracket: SignMeasures = {
  left: 0.05,
  top: -1.7,
  width: 0.4,
  height: 2.4,
  advance: 0.5,
  ink: 0,
  mostInk: 0,
};
const measures = names.map((name) => (name === ',' ? comma : /[()]/.test(name) ? bracket : letter));
const typeface: Typeface = { text: measures, script: measures };

/** A sign whose box is that of its measures at `size`, of which 1 is the text's, on the line at `y`. */
function draw(name: string, x: number, { size = 1, y = baseline, face = 'italic' } = {}): ReadSign {
  const index = names.indexOf(name);
  const { left, top, width, height } = measures[index]!;
  const unit = size * xHeight;
  const sign: Sign = { face: name === ',' ? 'symbol' : face, text: name, index };
  const box = { left: x + left * unit, top: y + top * unit };
  return {
    ...box,
    right: box.left + width * unit,
    bottom: box.top + height * unit,
    guesses: [{ sign, probability: 0.95 }],
  };
}
const place = (signs: ReadSign[]) =>
  placeSigns({ signs, rules: [] }, { xHeight, typeface }).glyphs.sort((a, b) => a.x - b.x);

test('a comma as small as a script’s is on the line of the letters beside it', () => {
  const [a, small, b] = place([draw('a', 0), draw(',', 23, { size: 0.7 }), draw('b', 36)]);
  expect(small).toMatchObject({ text: ',', size: a!.size, baseline: a!.baseline });
  expect(b!.size).toBe(a!.size);
});

test('a comma between two indices is as small as they are', () => {
  const low = { size: 0.7, y: baseline + 5 };
  const [, i, small, j] = place([
    draw('a', 0),
    draw('i', 22, low),
    draw(',', 38, low),
    draw('j', 46, low),
    draw('b', 70),
  ]);
  expect(i!.size).toBe(7);
  expect(small).toMatchObject({ text: ',', size: 7 });
  expect(j!.size).toBe(7);
});

test('an upright letter by itself in a script is a variable, two beside each other are a word', () => {
  const low = { size: 0.7, y: baseline + 5, face: 'roman' };
  const families = (signs: ReadSign[]) => place(signs).map(({ font }) => font.family);
  expect(families([draw('a', 0), draw('i', 22, low), draw('b', 60)])).toEqual([
    'letters',
    'letters',
    'letters',
  ]);
  expect(families([draw('a', 0), draw('i', 22, low), draw('j', 38, low), draw('b', 90)])).toEqual([
    'letters',
    'none',
    'none',
    'letters',
  ]);
});

test('the sign of a proof’s end at the right edge is the display’s mark, with the package that it needs', () => {
  const end = draw('b', 180);
  end.guesses = [{ ...end.guesses[0]!, sign: { face: 'symbol', text: '□', index: 1 } }];
  const glyphs = place([draw('a', 0), end]);
  const x1 = glyphs[1]!.ink.x1;
  const line = { x0: 0, x1, y0: 0, y1: 10, glyphs, rules: [], baseline: glyphs[0]!.baseline, size: 10 };
  const write = (right: number) => {
    const packages = new Set<string>();
    const latex = writeDisplay([splitEnd(line, { left: 0, right })], { packages });
    return [/\\tag\*\{\$\\square\$\}/.test(latex), packages.has('amssymb')];
  };
  expect(write(x1 + 1)).toEqual([true, true]);
  // in the middle it is a sign of the formula
  expect(write(x1 + 100)[0]).toBe(false);
});

/** The LaTeX of one row, in a column that ends at `right` points. */
const write = (signs: ReadSign[]) => writeAt(signs, 300);
function writeAt(signs: ReadSign[], right: number): string {
  const { rules } = placeSigns({ signs, rules: [] }, { xHeight, typeface });
  const glyphs = place(signs);
  const line = { x0: 0, x1: 100, y0: 0, y1: 10, glyphs, rules, baseline: glyphs[0]!.baseline, size: 10 };
  return writeDisplay([splitEnd(line, { left: 0, right })], { packages: new Set() });
}
const script = (name: string, x: number, y: number) => draw(name, x, { size: 0.7, y: baseline + y });

test('an index of an index that is hardly smaller is behind it, not the line that it is raised from', () => {
  expect(write([draw('a', 0), script('b', 22, 5), script('i', 38, 13)])).toContain('a_{b_{i}}');
});

test('what is lower than the row is no script of a superscript', () => {
  // drawn in many sizes, so that it counts as large
  const infinity = script('a', 22, -22);
  infinity.guesses = [{ sign: { face: 'symbol', text: '∞', index: 99 }, probability: 0.95 }];
  expect(write([draw('a', 0), infinity, script('b', 37, 7)])).toContain('a_{b}^{\\infty}');
});

test('a sign under lim is small, also if the fraction beside it has one as low', () => {
  const lim = [...'lim'].map((name, at) => draw(name, 24 * at, { face: 'roman' }));
  const below = draw('a', 20, { size: 0.85, y: baseline + 30 });
  const sizeOf = (signs: ReadSign[]) => place(signs).find(({ text }) => text === 'a')!.size;
  expect(sizeOf([...lim, below, draw('b', 90, { y: baseline + 30 })])).toBe(7);
  expect(sizeOf([below, draw('b', 90, { y: baseline + 30 })])).toBe(10);
});

test('a bracket around a number of full size is as large, an exponent’s is not', () => {
  // as high as the typeface's bracket of a script, but on the line
  const around = (name: string, x: number) => draw(name, x, { size: 0.7, y: baseline - 1 });
  const sizes = (signs: ReadSign[]) =>
    place(signs).flatMap(({ text, size }) => (/[()]/.test(text) ? [size] : []));
  expect(sizes([around('(', 0), draw('a', 10), around(')', 32)])).toEqual([10, 10]);
  expect(sizes([draw('a', 0), draw('(', 22, { size: 0.7, y: baseline - 12 })])).toEqual([7]);
  // a figure that is a little higher than they are
  const figure = { ...draw('a', 10), top: baseline - 27 };
  expect(sizes([around('(', 0), figure, around(')', 32)])).toEqual([10, 10]);
});

test('an upright letter by itself is a variable, beside another a word’s', () => {
  const roman = { face: 'roman' };
  const families = (signs: ReadSign[]) => place(signs).map(({ font }) => font.family);
  expect(families([draw('a', 0), draw('x', 60, roman)])).toEqual(['letters', 'letters']);
  expect(families([draw('a', 0), draw('l', 60, roman), draw('x', 82, roman)])).toEqual([
    'letters',
    'none',
    'none',
  ]);
  // the letters of a word that was found
  const word = { ...draw('l', 60, roman), baseline };
  expect(families([draw('a', 0), word, draw('x', 82, roman)])).toEqual(['letters', 'none', 'letters']);
});

test('a short line over ∂ is its accent', () => {
  const bar = { left: 4, right: 18, top: baseline - 26, bottom: baseline - 24 };
  const { glyphs, rules } = placeSigns({ signs: [draw('∂', 0)], rules: [bar] }, { xHeight, typeface });
  expect(glyphs.map(({ text }) => text)).toEqual(['∂', '¯']);
  expect(rules).toEqual([]);
});

test('a star by itself in brackets is a number at the margin, however high it is', () => {
  const star = draw('∗', 210, { size: 0.5, y: baseline - 13, face: 'symbol' });
  const face = 'delimiter';
  const row = [draw('a', 0), draw('(', 200, { face }), star, draw(')', 221, { face })];
  expect(writeAt(row, 52)).toContain('\\tag{$*$}');
});

test('the dots of a matrix add no space between its rows', () => {
  const tall = (name: string, x: number): ReadSign => ({
    ...draw(name, x, { face: 'delimiter' }),
    top: 60,
    bottom: 240,
  });
  const dots = [0, 1, 2].map((at): ReadSign => {
    const top = 134 + 18 * at;
    const sign = { face: 'symbol', text: '.', index: 99 };
    return { left: 38, right: 43, top, bottom: top + 5, guesses: [{ sign, probability: 0.9 }] };
  });
  const column = [draw('a', 30), ...dots, draw('b', 30, { y: 230 })];
  const latex = write([tall('(', 14), ...column, tall(')', 56)]);
  expect(latex.replace(/\s+/g, ' ')).toContain('a \\\\ \\vdots \\\\ b');
});

test('a bar between two columns of a matrix is a rule, one between two formulas in brackets is a bar', () => {
  const tall = (text: string, x: number): ReadSign => ({
    ...draw('a', x),
    right: x + 8,
    top: 60,
    bottom: 160,
    guesses: [{ sign: { face: 'delimiter', text, index: 99 }, probability: 0.95 }],
  });
  const upper = [draw('a', 20), draw('b', 120)];
  const lower = [draw('b', 20, { y: 150 }), draw('a', 120, { y: 150 })];
  const matrix = write([tall('(', 0), ...upper, tall('|', 70), ...lower, tall(')', 160)]);
  expect(matrix.replace(/\s+/g, ' ')).toContain('\\begin{array}{c|c} a & b \\\\ b & a \\end{array}');
  const middle = [draw('a', 20, { y: 120 }), draw('b', 120, { y: 120 })];
  expect(write([tall('(', 0), ...middle, tall('|', 70), tall(')', 160)])).not.toContain('array');
});

test('the limits of two sums that are close to each other are those of the sum above them', () => {
  const sum = (x: number): ReadSign => ({
    ...draw('a', x),
    right: x + 40,
    top: 60,
    bottom: 120,
    guesses: [{ sign: { face: 'large', text: '∑', index: 99 }, probability: 0.95 }],
  });
  const low = (name: string, x: number) => draw(name, x, { size: 0.7, y: 146 });
  const limits = [low('i', 0), low('x', 15), low('a', 30), low('j', 50), low('x', 65), low('b', 80)];
  const latex = write([sum(0), sum(50), ...limits, draw('m', 110)]);
  expect(latex.replace(/\s+|\\,/g, '')).toContain('\\sum_{ixa}\\sum_{jxb}m');
});
