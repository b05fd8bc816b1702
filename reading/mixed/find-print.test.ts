import { expect, test } from 'vitest';
import type { ReadWord } from '../print/read-print.ts';
import { findSurePrint } from './find-print.ts';

const word = (text: string, confidence: number, left: number, height: number, line = 0): ReadWord => ({
  text,
  confidence,
  line,
  box: [left, 0.3 - height, 0.05, height],
});
const surely = (...words: ReadWord[]) => findSurePrint(words).map(({ text }) => text);

test('a less sure word beside print is print as long as it is hardly higher', () => {
  const printed = [word('What', 0.96, 0.1, 0.02), word('remains', 0.96, 0.2, 0.026)];
  expect(surely(...printed, word('(ii)', 0.64, 0.3, 0.028))).toEqual(['What', 'remains', '(ii)']);
  // handwriting in a blank
  expect(surely(...printed, word('ltd', 0.64, 0.4, 0.064))).toEqual(['What', 'remains']);
  expect(surely(...printed, word('ltd', 0.4, 0.4, 0.026))).toEqual(['What', 'remains']);
});

test('where no line is print beyond doubt, no word is', () => {
  expect(surely(word('us', 0.95, 0.1, 0.04), word('land', 0.9, 0.2, 0.04))).toEqual([]);
});
