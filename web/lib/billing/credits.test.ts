import { expect, test } from 'vitest';
import { defaultDocumentLimit, describeCredits } from './credits.ts';

test('a row of user_credits; the document limit is 200 if the row has none', () => {
  const row = { conversion_credits: 12, assistant_credits: 5, document_limit: 300 };
  expect(describeCredits(row)).toEqual({ conversion: 12, assistant: 5, documentLimit: 300 });
  expect(describeCredits({ ...row, document_limit: null })?.documentLimit).toBe(200);
  expect(defaultDocumentLimit).toBe(200);
});

test('anything but a row is an error, never a balance of zero', () => {
  for (const row of [
    null,
    undefined,
    {},
    { conversion_credits: 1 },
    { conversion_credits: '1', assistant_credits: 1 },
  ])
    expect(describeCredits(row)).toBeNull();
});
