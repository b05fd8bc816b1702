/** What becomes of a hyphen at the end of a line. */
import { describe, expect, test } from 'vitest';
import { filler, openRoundTrip } from '../testing/typeset-and-read.ts';
import { readHyphen } from './hyphens.ts';
import { joinLines, plainStyle, type Span, writeSpans } from './spans.ts';

const knows = (word: string) => ['improve', 'user', 'friendly', 'well-known'].includes(word);
const text = (words: string): Span => ({ kind: 'text', text: words, style: plainStyle });
const join = (...lines: Span[][]) => writeSpans(joinLines(lines, knows));

describe('a hyphen at a line’s end', () => {
  test.each([
    ['repre-', 'sentation', 'none'],
    // the document has it in the middle of a line, or both its halves
    ['well-', 'known facts', 'kept'],
    ['user-', 'friendly', 'kept'],
    // one half alone says nothing
    ['improve-', 'ments', 'none'],
    // TeX breaks no word with a hyphen of its own
    ['state-of-', 'the art', 'kept'],
    ['over-', 'the-counter', 'kept'],
    // nor one of a single letter, nor off a single letter
    ['A-', 'module', 'kept'],
    ['PSPACE-', 'complete', 'kept'],
    ['Gauss-', 'Jordan', 'kept'],
    ['pre-', 'and postfix', 'spaced'],
    ['Natur-', 'und Kulturwissenschaft', 'spaced'],
  ] as const)('%s|%s: %s', (upper, lower, hyphen) => {
    expect(readHyphen(upper, lower, knows)).toBe(hyphen);
  });

  test('behind a formula or a number it holds the word to it', () => {
    const n: Span = { kind: 'math', latex: 'n' };
    expect(join([text('an '), n, text('-')], [text('dimensional space')])).toBe('an $n$-dimensional space');
    expect(join([text('a 3-')], [text('dimensional space')])).toBe('a 3-dimensional space');
    expect(join([text('words -')], [text('and more')])).toBe('words - and more');
  });
});

test('the second half of a broken word is no word of the document', { timeout: 120_000 }, async () => {
  const trip = await openRoundTrip();
  const latex = await trip.read(
    `${filler}\n\nWe improve this here and that there, all of it by what are the improve-\\linebreak ments of its parts. ${filler}`,
  );
  await trip.close();
  expect(latex).toContain('improvements of its parts');
});
