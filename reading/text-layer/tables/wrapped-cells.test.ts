/** Tables whose cells wrap, and those with heads over several columns. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from '../testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

test('a cell of several lines is one cell, without the hyphens of its lines', {
  timeout: 120_000,
}, async () => {
  const latex = await trip.read(
    `${filler}\n\n\\begin{tabular}{|l|p{5cm}|}\\hline Term & Explanation \\\\ \\hline Group & A set with an associative operation, a neutral element, and inverses \\\\ \\hline Ring & A group with a second operation that distributes over the first \\\\ \\hline\\end{tabular}\n\n${filler}`,
  );
  expect(latex).toContain(
    'Group & A set with an associative operation, a neutral element, and inverses \\\\',
  );
  expect(latex).toContain('Ring & A group with a second operation that distributes over the first \\\\');
  expect(latex).toMatch(/\\begin\{tabular\}\{\|l\|p\{[45]\.\dcm\}\|\}/);
});

test('rows of words stay rows', { timeout: 120_000 }, async () => {
  const latex = await trip.read(
    `${filler}\n\n\\begin{tabular}{ll}\\toprule Method & Remark \\\\ \\midrule Linear regression & simple \\\\ & robust \\\\ Random forest & slow \\\\ \\bottomrule\\end{tabular}\n\n${filler}`,
  );
  expect(latex).toMatch(/Linear regression & simple \\\\\s+& robust \\\\\s+Random forest & slow \\\\/);
});

test('a head over two columns leaves them apart', { timeout: 120_000 }, async () => {
  const latex = await trip.read(
    `${filler}\n\n\\begin{tabular}{lcc}\\toprule Group & \\multicolumn{2}{c}{The outcome} \\\\ \\cmidrule{2-3} & Success & Failure \\\\ \\midrule Control & twelve & eight \\\\ Treatment & fifteen & five \\\\ \\bottomrule\\end{tabular}\n\n${filler}`,
  );
  expect(latex).toContain('\\multicolumn{2}{c}{The outcome}');
  expect(latex).toContain('Control & twelve & eight \\\\');
});
