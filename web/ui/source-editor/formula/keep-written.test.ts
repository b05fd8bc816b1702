import { expect, it } from 'vitest';
import { keepWritten } from './keep-written.ts';

it('nothing changed: as it was written', () => {
  expect(keepWritten('a  +\n b % so', 'a+b', 'a+b')).toBe('a  +\n b % so');
});

it('only what changed is rewritten', () => {
  expect(keepWritten('a  + b', 'a+b', 'a+c')).toBe('a  + c');
  expect(keepWritten('\\sqrt 2  +  x', '\\sqrt{2}+x', '\\sqrt{2}+y')).toBe('\\sqrt 2  +  y');
  expect(keepWritten('\\frac12 + x^{2}', '\\frac{1}{2}+x^2', '\\frac{1}{2}+x^3')).toBe('\\frac12 + x^3');
  expect(keepWritten('\\sqrt2 + x', '\\sqrt{2}+x', '\\sqrt{3}+x')).toBe('\\sqrt{3} + x');
  expect(keepWritten('a % first\n + b', 'a+b', 'a+b+c')).toBe('a % first\n + b+c');
  expect(keepWritten('a & = b \\\\\n  & = c', 'a&=b\\\\ &=c', 'a&=b\\\\ &=d')).toBe('a & = b \\\\\n  & = d');
});

it('the beginning, the end, everything and nothing can change', () => {
  expect(keepWritten(' a + b ', 'a+b', 'x+b')).toBe(' x + b ');
  expect(keepWritten('a + b', 'a+b', '2a+b')).toBe('2a + b');
  expect(keepWritten(' a ', 'a', 'b+c')).toBe(' b+c ');
  expect(keepWritten('', '', 'x')).toBe('x');
  expect(keepWritten('a + b', 'a+b', '')).toBe('');
  expect(keepWritten('a+b+c', 'a+b+c', 'a+c')).toBe('a+c');
});

it('a command does not merge with the letter after it', () => {
  expect(keepWritten('\\alpha + b', '\\alpha+b', '\\alpha b')).toBe('\\alpha b');
  expect(keepWritten('\\alpha(b)', '\\alpha(b)', '\\alpha b)')).toBe('\\alpha b)');
});

it('a very long formula is compared within bounds', () => {
  const long = 'x+'.repeat(5_000);
  expect(keepWritten(long, long, `${long}y`)).toBe(`${long}y`);
});
