/** Displays as they are read: what belongs to a bar, to a matrix, to a space. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from '../testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

test.each([
  ['spaces typed twice', 'a=b\\;\\;\\text{when}\\ \\ (d\\ne e)', 'a=b\\;\\;\\mathrm{when}\\ \\ (d\\ne e)'],
  [
    'a line below a limit',
    '\\int_{\\underline{z}}^{\\overline{z}}zf(z)',
    '\\int_{\\underline{z}}^{\\overline{z}}zf(z)',
  ],
  [
    'a matrix of fractions',
    'J=\\begin{bmatrix} \\frac{\\partial x}{\\partial p} \\\\ \\frac{\\partial y}{\\partial p} \\end{bmatrix}',
    'J=\\begin{bmatrix} \\frac{\\partial x}{\\partial p} \\\\ \\frac{\\partial y}{\\partial p} \\end{bmatrix}',
  ],
  [
    'a matrix of one row',
    'g=\\begin{bmatrix} 0.27 & -0.02 & x+y \\end{bmatrix}^T',
    'g=\\begin{bmatrix} 0.27 & -0.02 & x+y \\end{bmatrix}^{T}',
  ],
])('%s', { timeout: 120_000 }, async (_, source, expected) => {
  expect(await trip.read(`${filler}\n\\[${source}\\]\n${filler}`)).toContain(expected);
});
