import { expect, test } from 'vitest';
import { typesetWords } from './typeset-words.ts';

test('dashes, quotation marks and ties are shown as TeX prints them', () => {
  expect(typesetWords("see pp.~3--5 --- or ``the rule'' of l'Hôpital")).toBe(
    'see pp.\u00a03–5 — or “the rule” of l’Hôpital',
  );
  // a hyphen is kept
  expect(typesetWords('well-known')).toBe('well-known');
});
