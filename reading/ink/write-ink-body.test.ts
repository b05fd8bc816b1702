import { expect, test } from 'vitest';
import type { InkLine } from './read-lines.ts';
import { writeInkBody } from './write-ink-body.ts';

/** A line as the model reads it: its tokens divided by blanks where they are more than a sign, 10 frames a token. */
function line(said: string, at: number, { probability = 0.99, share = 0.95, left = 0.1 } = {}): InkLine {
  const tokens = said.match(/\\[A-Za-z]+[{[]?|\\.|[\^_]\{|\}\{|./gu) ?? [];
  return {
    tokens: tokens.map((token, frame) => ({ token, probability, from: 10 * frame, to: 10 * frame + 4 })),
    share,
    score: 0,
    fluency: 0,
    box: [left, 0.1 + 0.06 * at, 0.6, 0.03],
  };
}

test('joins the lines of a paragraph; a gap between lines begins another', () => {
  const { body } = writeInkBody([line('It is so', 0), line('and so.', 1), line('Then', 2), line('not.', 5)]);
  expect(body).toBe('It is so\nand so.\nThen\n\nnot.');
});

test('a line that is a formula is displayed, each on its own; among words it stays there', () => {
  const { body, packages } = writeInkBody([
    line('\\(x=1\\)', 0),
    line('\\(y^{2}=\\frac{1}{2}\\)', 1),
    line('where \\(x\\) is', 2),
  ]);
  expect(body).toBe('\\[ x=1 \\]\n\n\\[ y^{2}=\\frac{1}{2} \\]\nwhere $x$ is');
  expect(packages.map(({ name }) => name)).toContain('amsmath');
});

test.each([
  ['\\(5.c=2\\)', '5. $\\displaystyle c=2$'],
  ['\\(12)x<3\\)', '12) $\\displaystyle x<3$'],
  ['\\(6\\cdot(x)=1\\)', '6. $\\displaystyle (x)=1$'],
  ['\\(5.2=x\\)', '\\[ 5.2=x \\]'],
  ['\\(3x=6\\)', '\\[ 3x=6 \\]'],
])('the number of an exercise stands before its formula: %s', (said, body) => {
  expect(writeInkBody([line(said, 0)]).body).toBe(body);
});

test('an underlined first line is a heading if it has a word; a formula in it is none', () => {
  const under = (said: string) =>
    writeInkBody([{ ...line(said, 0), isUnderlined: true }, line('and so', 1)]).body;
  expect(under('Areas of \\(\\sqrt{2}\\)')).toMatch(/^\\section\*\{Areas/);
  expect(under('5. \\(c=\\sqrt{2}\\)')).not.toContain('section');
});

test.each([
  ['\\(7-f(x)=1\\)', '7. $\\displaystyle f(x)=1$'],
  ['\\(8P=1\\)', '8. $\\displaystyle P=1$'],
])('a number that stood in a ring is one, with or without a point: %s', (said, body) => {
  expect(writeInkBody([{ ...line(said, 0), isRinged: true }]).body).toBe(body);
  expect(writeInkBody([line(said, 0)]).body).not.toBe(body);
});

test.each([
  ['\\(1.2x+5=15\\)', '1. $\\displaystyle 2x+5=15$'],
  ['\\(10-3x-7<2\\)', '10- $\\displaystyle 3x-7<2$'],
  ['\\(3-)x=1\\)', '3-) $\\displaystyle x=1$'],
])('a number that the reader saw room behind is no factor: %s', (said, body) => {
  expect(writeInkBody([{ ...line(said, 0), isNumbered: true }]).body).toBe(body);
});

test('digits that only room tells from a factor are a number, and marked', () => {
  const apart = line('\\(3x-7<2\\)', 0);
  for (const token of apart.tokens.slice(2)) token.from += 18;
  const { body, doubtful } = writeInkBody([apart]);
  expect(body).toBe('3. $\\displaystyle x-7<2$');
  expect(doubtful.map(({ start, end }) => body.slice(start, end))).toEqual(['3.']);
});

test('escapes what LaTeX would misread', () => {
  expect(writeInkBody([line('50% of $3 & a_b #1', 0)]).body).toBe('50\\% of \\$3 \\& a\\_b \\#1');
});

test('writes items as a list, without their marks', () => {
  expect(writeInkBody([line('- one', 0), line('- two', 1), line('\\(x\\)', 2)]).body).toBe(
    '\\begin{itemize}\n\\item one\n\\item two\n\\end{itemize}\n\n\\[ x \\]',
  );
});

test('words that may be wrong are marked with how sure they are, and every line with its place', () => {
  const unsure = line('clear dim', 0, { share: 0.45 });
  for (const token of unsure.tokens.slice(6)) token.probability = 0.2;
  const { body, doubtful, places } = writeInkBody([unsure, line('next', 1)]);
  expect(doubtful.map(({ start, end }) => body.slice(start, end))).toEqual(['dim']);
  expect(doubtful[0]!.confidence).toBeLessThan(0.7);
  expect(places.map(({ start, end, box }) => [body.slice(start, end), box[1]])).toEqual([
    ['clear dim', 0.1],
    ['next', expect.closeTo(0.16)],
  ]);
});

test('the first line is a heading if it alone is underlined; a formula is not', () => {
  const under = (said: string, at: number): InkLine => ({ ...line(said, at), isUnderlined: true });
  const { body, places } = writeInkBody([under('Heat & work', 0), line('It flows.', 1)]);
  expect(body).toBe('\\section*{Heat \\& work}\n\nIt flows.');
  expect(body.slice(places[0]!.start, places[0]!.end)).toBe('Heat \\& work');
  expect(writeInkBody([under('One', 0), under('and two', 1)]).body).toBe('One\nand two');
  expect(writeInkBody([under('\\(x=1\\)', 0), line('It is.', 1)]).body).toBe('\\[ x=1 \\]\n\nIt is.');
});

test('an empty page has an empty body', () => {
  expect(writeInkBody([])).toMatchObject({ body: '', doubtful: [], places: [], packages: [] });
});

test('places a drawing between the lines it was drawn between', () => {
  const drawing = { name: 'figure-p1-1.png', box: [0.2, 0.15, 0.4, 0.1] as [number, number, number, number] };
  const { body, packages, places } = writeInkBody([line('before', 0), line('after', 4)], [drawing]);
  expect(body).toMatch(/^before\n\n\\begin\{center\}\n.*figure-p1-1.png\}\n\\end\{center\}\n\nafter$/);
  expect(packages).toEqual([{ name: 'graphicx' }]);
  expect(places[1]).toMatchObject({ box: drawing.box });
});

test('places a note in the margin next to its line', () => {
  const note = (said: string, at: number): InkLine => ({ ...line(said, at), isNote: true });
  const { body, places } = writeInkBody([
    line('It is so', 0),
    line('and so.', 1),
    line('\\(x=1\\)', 4),
    note('why so', 1),
    note('and when', 1.6),
    note('check', 4),
  ]);
  expect(body).toBe(
    'It is so\n\\marginpar{\\raggedright\\footnotesize\nwhy so\nand when\n}%\nand so.\n\\marginpar{\\raggedright\\footnotesize\ncheck\n}%\n\\[ x=1 \\]',
  );
  expect(places.map(({ start, end }) => body.slice(start, end))).toContain('why so');
  // where there is nothing else, they are the text
  expect(writeInkBody([note('alone', 0)]).body).toBe('alone');
});

test('a doubtful word is offered what the other readings of its line say there, as LaTeX', () => {
  const unsure = line('a 5\\% cut', 0, { share: 0.4, probability: 0.5 });
  const others = [
    { tokens: ['a', ' ', 'S', '%', ' ', 'c', 'u', 't'], share: 0.2, score: -1 },
    { tokens: ['a', ' ', '5', '\\(', 'x', '^{', '2', '}', '\\)', ' ', 'c', 'u', 't'], share: 0.1, score: -2 },
  ];
  unsure.tokens.splice(3, 1, { ...unsure.tokens[3]!, token: '%' });
  const { body, doubtful } = writeInkBody([{ ...unsure, others }, line('where \\(y\\) is', 1)]);
  const spot = doubtful.find(({ start, end }) => body.slice(start, end) === '5\\%');
  expect(spot?.alternatives).toEqual(['S\\%', '5$x^{2}$']);
});

test('a displayed formula is offered formulas alone, and nothing that needs a package of its own', () => {
  const unsure = line('\\(x=1\\)', 0, { share: 0.4, probability: 0.5 });
  const reading = (...tokens: string[]) => ({ tokens, share: 0.1, score: -1 });
  const others = [
    reading('x', '=', '1'),
    reading('\\(', 'x', '=', '\\cancel{', '1', '}', '\\)'),
    reading('\\(', 'x', '=', '7', '\\)'),
  ];
  expect(writeInkBody([{ ...unsure, others }]).doubtful[0]?.alternatives).toEqual(['x=7']);
});

test('a line that could not be read leaves its picture where it stood, marked', () => {
  const box: [number, number, number, number] = [0.1, 0.16, 0.6, 0.03];
  const unread = { name: 'figure-p1-1.png', box, isUnread: true };
  const { body, doubtful } = writeInkBody([line('before', 0), line('after', 2)], [unread]);
  expect(body).toMatch(/^before\n\n\\begin\{center\}[\s\S]*\\end\{center\}\n\nafter$/);
  expect(
    doubtful.map(({ start, end, confidence }) => [
      body.slice(start, start + 14),
      end - start > 40,
      confidence,
    ]),
  ).toEqual([['\\begin{center}', true, 0]]);
});

test.each([
  ['a=1b=5', 3, 'a=1\\quad b=5'],
  ['2x=6-2=5', 4, '2x=6\\quad -2=5'],
  // spaced out, but one equation
  ['x+6=0', 3, 'x+6=0'],
  ['x+6=0', 1, 'x+6=0'],
  ['y=5xz', 4, 'y=5xz'],
  ['x^{2}=1y=3', 6, 'x^{2}=1\\quad y=3'],
])('two equations side by side are kept apart: %s with a gap before sign %i', (said, gap, written) => {
  const read = line(`\\(${said}\\)`, 0);
  const tokens = read.tokens.map((token, at) =>
    at > gap ? { ...token, from: token.from + 30, to: token.to + 30 } : token,
  );
  expect(writeInkBody([{ ...read, tokens }]).body).toBe(`\\[ ${written} \\]`);
});
