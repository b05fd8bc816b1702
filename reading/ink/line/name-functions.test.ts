import { expect, test } from 'vitest';
import { isFunction, nameFunctions } from './name-functions.ts';

const read = (said: string) =>
  said.split(' ').map((token, at) => ({ token, probability: at === 2 ? 0.5 : 0.9, from: at, to: at + 1 }));
const named = (said: string) =>
  nameFunctions(read(said))
    .map(({ token }) => token)
    .join(' ');

test('letters that spell a function become its command', () => {
  expect(named('\\( l o g a + s i n ^{ 2 } x \\)')).toBe('\\( \\log a + \\sin ^{ 2 } x \\)');
  const [, log] = nameFunctions(read('\\( l o g a \\)'));
  // as sure as the least sure of its letters, and where they are
  expect(log).toEqual({ token: '\\log', probability: 0.5, from: 1, to: 4 });
});

test('a capital like its small letter begins a function, too', () => {
  expect(named('\\( C o s a + S I N x \\)')).toBe('\\( \\cos a + \\sin x \\)');
  expect(isFunction('Cos')).toBe(true);
});

test('words and indices keep their letters', () => {
  expect(named('l o g')).toBe('l o g');
  expect(named('\\( A _{ m a x } + m a x \\)')).toBe('\\( A _{ m a x } + \\max \\)');
});

test('a word is a function, alone or with a short argument', () => {
  expect(['log', 'cosa', 'sin2x'].map(isFunction)).toEqual([true, true, true]);
  expect(['logical', 'a', 'tangent'].map(isFunction)).toEqual([false, false, false]);
});
