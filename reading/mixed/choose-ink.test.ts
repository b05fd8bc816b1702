/** Which ink on a printed page is taken for handwriting. */
import { expect, test } from 'vitest';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { InkLine } from '../ink/read-lines.ts';
import type { PrintSigns } from '../print/formulas/look-printed.ts';
import type { ReadWord } from '../print/read-print.ts';
import { chooseInk } from './choose-ink.ts';

function ink(tokens: string[], box: ShareBox): InkLine {
  const read = tokens.map((token, frame) => ({
    token,
    probability: 0.99,
    from: 10 * frame,
    to: 10 * frame + 4,
  }));
  return { tokens: read, share: 0.99, score: 0, fluency: 0, box };
}

const print = Array.from({ length: 20 }, (_, at): ReadWord => {
  return { text: 'sequence', confidence: 0.96, line: at, box: [0.1, 0.04 * at, 0.1, 0.01] };
});
const chosen = async (line: InkLine, signs: PrintSigns, seen: PrintSigns[], doubtful: ReadWord[] = []) =>
  (await chooseInk([line], [...print, ...doubtful], print, async () => [signs], seen)).lines.length === 1;

// three signs, twice as high as the print
const fraction = ink(['\\(', '\\frac', '{', '1', '}', '{', '2', '}', '\\)'], [0.4, 0.4, 0.02, 0.025]);

test('a fraction on a page whose formulas are printed is print, on a sheet that was filled in it is not', async () => {
  expect(await chosen(fraction, { whole: 3, sure: 2 }, [{ whole: 12, sure: 10 }])).toBe(false);
  expect(await chosen(fraction, { whole: 3, sure: 2 }, [{ whole: 12, sure: 1 }])).toBe(true);
  expect(await chosen(fraction, { whole: 3, sure: 0 }, [{ whole: 12, sure: 10 }])).toBe(true);
  // broken signs alone
  expect(await chosen(fraction, { whole: 1, sure: 0 }, [{ whole: 12, sure: 10 }])).toBe(false);
  expect(await chosen(fraction, { whole: 1, sure: 0 }, [{ whole: 12, sure: 1 }])).toBe(true);
  // nothing is known of the page's signs
  expect(await chosen(fraction, { whole: 3, sure: 2 }, [])).toBe(true);
});

test('a word that both readers read is print, even if one of them missed its apostrophe', async () => {
  const word = ink([...'quils'], [0.54, 0.69, 0.04, 0.012]);
  const asPrint = (text: string): ReadWord => ({
    text,
    confidence: 0.4,
    line: 30,
    box: [0.54, 0.69, 0.04, 0.01],
  });
  expect(await chosen(word, { whole: 5, sure: 0 }, [], [asPrint('qu’ils')])).toBe(false);
  expect(await chosen(word, { whole: 5, sure: 0 }, [], [asPrint('gis')])).toBe(true);
});

test('a formula, and a sign that only the ink reader sees, are handwriting even if no letter differs', async () => {
  const formula = ink(['\\(', 'x', '=', '1', '\\)'], [0.4, 0.4, 0.06, 0.025]);
  const asPrint: ReadWord = { text: 'x=1', confidence: 0.4, line: 30, box: [0.4, 0.4, 0.06, 0.025] };
  expect(await chosen(formula, { whole: 5, sure: 0 }, [], [asPrint])).toBe(true);
  expect(await chosen(ink(['?'], [0.4, 0.4, 0.02, 0.025]), { whole: 2, sure: 0 }, [])).toBe(true);
});

test('a blurred formula on a page whose formulas are printed is print, on a sheet that was filled in it is not', async () => {
  const formula = ink(['\\(', 'x', '=', 'x', '-', 'x', '\\)'], [0.4, 0.4, 0.16, 0.025]);
  expect(await chosen(formula, { whole: 10, sure: 4 }, [{ whole: 90, sure: 70 }])).toBe(false);
  expect(await chosen(formula, { whole: 10, sure: 4 }, [{ whole: 90, sure: 20 }])).toBe(true);
  expect(await chosen(formula, { whole: 10, sure: 1 }, [{ whole: 90, sure: 70 }])).toBe(true);
});
