import { expect, test } from 'vitest';
import { isPageAddress } from './page-addresses.ts';

const addresses = ['/', '/papers', '/papers/:paperId', '/papers/:paperId/pdf'];

test.each([
  ['/', true],
  ['/papers', true],
  ['/papers/0b0e', true],
  ['/papers/0b0e/pdf', true],
  ['/papers/', false],
  ['/papers//pdf', false],
  ['/papers/0b0e/print', false],
  ['/papers/0b0e/pdf/more', false],
  ['/other/0b0e', false],
  ['', false],
])('%j is a page: %j', (path, isPage) => {
  expect(isPageAddress(path, addresses)).toBe(isPage);
});
