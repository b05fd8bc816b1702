import { expect, test } from 'vitest';
import { describeNeed } from './describe-need.ts';

test('what is missing, in words', () => {
  expect(describeNeed({ kind: 'conversion', required: 12, available: 5 })).toEqual({
    title: 'Not enough pages',
    text: 'This takes 12 pages; you have 5. 7 more are needed.',
  });
  expect(describeNeed({ kind: 'conversion', required: 1, available: 0 }).text).toBe(
    'This takes 1 page; you have 0. One more is needed.',
  );
  expect(describeNeed({ kind: 'assistant', required: 1, available: 0 }).text).toBe(
    'A change uses 1 AI conversation; you have 0.',
  );
  expect(describeNeed({ kind: 'conversion', required: null, available: null }).text).toBe(
    'This needs more pages than you have.',
  );
});
