/** Assembling and proving, with the real typesetter. */
import { expect, test } from 'vitest';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { toRanges } from '#latex/assemble/source-map.ts';
import type { TranscribedPage } from '#reading/transcriber.ts';
import { openTypesetter } from '../../../test-support/open-typesetter.ts';
import { assembleAndProve } from './stations.ts';

const { typesetter } = await openTypesetter();

/** A page whose text between ⟦ and ⟧ is doubtful. */
function doubtfulPage(number: number, marked: string) {
  const doubtful: TranscribedPage['doubtful'] = [];
  let body = '';
  for (const part of marked.split(/(⟦[^⟧]*⟧)/)) {
    const text = part.replace(/[⟦⟧]/g, '');
    if (part !== text)
      doubtful.push({ start: body.length, end: body.length + text.length, reason: `Read as ${text}.` });
    body += text;
  }
  const transcribed: TranscribedPage = {
    body,
    packages: [],
    preamble: [],
    figures: [],
    warnings: [],
    doubtful,
    startsParagraph: true,
    endsParagraph: true,
  };
  return { number, state: 'read' as const, error: null, transcribed };
}

test('doubtful passages are delivered at their place in the proved LaTeX', async () => {
  const pages = [
    // a percent sign and a Greek letter before the doubt are rewritten, so it moves within its page
    doubtfulPage(1, 'About 5 % of α is ⟦faint⟧ and the line ends in a word that is parted-\n'),
    { number: 2, state: 'failed' as const, error: null, transcribed: null },
    // an unescaped ampersand fails its first compile and is repaired by rule
    doubtfulPage(3, 'Smith & Sons owe ⟦$x_1$⟧ and ⟦seven⟧.'),
  ];
  const assembly = await assembleAndProve({ typesetter }, pages, 'test', new AbortController().signal);
  if (assembly.kind !== 'proven') throw new Error(assembly.error.error);
  const { latex, doubtful } = assembly.document;
  expect(doubtful.map(({ start, end, page }) => [page, latex.slice(start, end)])).toEqual([
    [1, 'faint'],
    [3, '$x_1$'],
    [3, 'seven'],
  ]);
  expect(doubtful[0]?.reason).toBe('Read as faint.');
  // the things that moved them are really there
  expect(latex).toContain('5 \\%');
  expect(latex).toContain('Smith \\& Sons');
});

test('lines still map to their ink after joining, repair by rule and isolation', async () => {
  const page = (number: number, lines: string[], more: Partial<TranscribedPage> = {}) => {
    const { transcribed, ...rest } = doubtfulPage(number, lines.join('\n'));
    let start = 0;
    const places = lines.map((line, index): NonNullable<TranscribedPage['places']>[number] => {
      const place = { start, end: start + line.length, box: [0.1, index / 10, 0.8, 0.02] as ShareBox };
      start += line.length + 1;
      return place;
    });
    return { ...rest, transcribed: { ...transcribed, ...more, places } };
  };
  const pages = [
    page(1, ['About 5 % of α, Smith & Sons say', 'in a sentence that goes'], { endsParagraph: false }),
    page(2, ['on here, and then', '', '$$\\frac{a}{b \\nosuchcommand $$', '', 'comes the end.'], {
      startsParagraph: false,
    }),
  ];
  const assembly = await assembleAndProve({ typesetter }, pages, 'test', new AbortController().signal);
  if (assembly.kind !== 'proven') throw new Error(assembly.error.error);
  const { latex, lines } = assembly.document;
  const text = latex.split('\n');
  const found = toRanges(latex, lines).map(({ start, end, page: number, box }) => [
    latex.slice(start, end),
    number,
    Math.round((box?.[1] ?? 0) * 10),
  ]);
  expect(found.slice(0, 3)).toEqual([
    ['About 5 \\% of $\\alpha$, Smith \\& Sons say', 1, 0],
    ['in a sentence that goes', 1, 1],
    ['on here, and then', 2, 0],
  ]);
  // the formula could not be kept as it was: its replacement has its ink
  expect(
    found.some(([words, number, row]) => number === 2 && row === 2 && String(words).includes('nosuch')),
  ).toBe(true);
  expect(found.at(-1)).toEqual(['comes the end.', 2, 4]);
  for (const { first_line, last_line } of lines) {
    expect(first_line).toBeLessThanOrEqual(last_line);
    expect(last_line).toBeLessThanOrEqual(text.length);
  }
});
