import { expect, test } from 'vitest';
import { nameFile } from './name-file.ts';

test.each([
  ['Fourier series', 'Fourier series.pdf'],
  ['Übung 3: ∫ e^{-x²} dx', 'Übung 3 ∫ e^{-x²} dx.pdf'],
  ['a/b\\c', 'a b c.pdf'],
  ['..', 'document.pdf'],
  ['.hidden', 'hidden.pdf'],
  ['Notes v1.', 'Notes v1.pdf'],
  ['x'.repeat(200), `${'x'.repeat(60)}.pdf`],
])('%s is downloaded as %s', (title, name) => {
  expect(nameFile(title)).toBe(name);
});
