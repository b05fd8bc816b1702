import { expect, test } from 'vitest';
import { attachment } from './attachment.ts';

test.each([
  ['notes.zip', `attachment; filename="notes.zip"; filename*=UTF-8''notes.zip`],
  ['Théorie n°1.tex', `attachment; filename="Theorie n_1.tex"; filename*=UTF-8''Th%C3%A9orie%20n%C2%B01.tex`],
  [
    '積分 (2)*.pdf',
    `attachment; filename="_ (2)*.pdf"; filename*=UTF-8''%E7%A9%8D%E5%88%86%20%282%29%2A.pdf`,
  ],
  ['a"b\\c%41.tex', `attachment; filename="a_b_c_41.tex"; filename*=UTF-8''a%22b%5Cc%2541.tex`],
])('%s', (name, header) => {
  expect(attachment(name)).toBe(header);
  // headers are limited to Latin-1
  expect(() => new Headers({ 'Content-Disposition': attachment(name) })).not.toThrow();
});
