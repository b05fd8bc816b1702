/** Numbers of equations beside their rows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from '../testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

const read = async (display: string) => inOne(await trip.read(`${filler}\n${display}\n${filler}`));
const inOne = (latex: string) => latex.replace(/\s+/g, ' ');

test('a number between two rows does not make one of them', { timeout: 120_000 }, async () => {
  const rows = 'a(1)&=\\frac{10}{116}\\\\ a(2)&=\\frac{45}{116}';
  const latex = await read(`\\begin{equation}\\begin{split}${rows}\\end{split}\\end{equation}`);
  expect(latex).toContain('a(1) &=\\frac{10}{116} \\tag{1} \\\\ a(2) &=\\frac{45}{116} \\notag');
});

test('the row below such a number belongs to the display', { timeout: 120_000 }, async () => {
  const rows = 'a+b+c+d=\\\\ c+10c+45c+60c=116c=1\\\\ c=\\frac{1}{116}';
  const latex = await read(`\\begin{equation}\\begin{split}${rows}\\end{split}\\end{equation}`);
  expect(latex).toMatch(
    /\\begin\{align\} a\+b\+c\+d= .*116c=1 .* \\\\ c=\\frac\{1\}\{116\} .*\\end\{align\}/,
  );
});

test.each(['2.b.1', 'a.4.1', 'b'])('a number with letters: %s', { timeout: 120_000 }, async (tag) => {
  const latex = await read(`\\[ f(x)\\le f(y) \\tag{${tag}} \\]`);
  expect(latex).toContain(`f(x)\\le f(y) \\tag{${tag}}`);
});
