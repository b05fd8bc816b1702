import { expect, test } from 'vitest';
import { wordPairs } from '../words.ts';
import { typeSteps } from './type-words.ts';

/** What the headline shows, for how long, in ms, and from when on. */
function take(count: number) {
  const steps = typeSteps(wordPairs);
  let at = 0;
  return Array.from({ length: count }, () => {
    const { value } = steps.next();
    const step = { words: `${value.note}|${value.pdf}`, lastsMs: value.lastsMs, at };
    at += value.lastsMs;
    return step;
  });
}

test('every pair is shown for 2000 ms, in order, repeatedly', () => {
  const held = take(1000).filter(({ lastsMs }) => lastsMs === 2000);
  expect(held.slice(0, 7).map(({ words }) => words)).toEqual([
    'handwritten|LaTeX',
    'math|searchable',
    'physics|organized',
    'grammar|editable',
    'messy|permanent',
    'scribbled|findable',
    'handwritten|LaTeX',
  ]);
});

test('both words are deleted at 50 ms per letter; then the note word and the PDF word are typed at 100 ms per letter', () => {
  const steps = take(60);
  const at = (words: string) => steps.find((step) => step.words === words)!.at;
  // the hold ends when the first letter is deleted; 11 letters take 10 more steps
  expect(at('|') - at('handwritte|LaTe')).toBe(10 * 50);
  expect(at('math|') - at('m|')).toBe(3 * 100);
  expect(at('math|s') - at('math|')).toBe(100);
  expect(at('math|searchable') - at('math|s')).toBe(9 * 100);
});
