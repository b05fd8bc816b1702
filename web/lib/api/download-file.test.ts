import { expect, test } from 'vitest';
import { describeBytes, readFileName } from './download-file.ts';

test.each([
  [`attachment; filename="Theorie.tex"; filename*=UTF-8''Th%C3%A9orie.tex`, 'Théorie.tex'],
  ['attachment; filename="notes.zip"', 'notes.zip'],
  [`attachment; filename="a.zip"; filename*=UTF-8''%E0%A4%A`, 'a.zip'],
  ['attachment', null],
  [null, null],
])('the name in %s', (header, name) => {
  expect(readFileName(header)).toBe(name);
});

test('sizes', () => {
  expect([999, 12_345, 3_456_789].map(describeBytes)).toEqual(['999 bytes', '12 kB', '3.5 MB']);
});
