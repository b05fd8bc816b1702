import { describe, expect, it } from 'vitest';
import { findDifference } from '#web/lib/text-difference.ts';
import { type DoubtfulSpot, listSpots, moveSpots } from './doubtful-spots.ts';

const before = '\\title{One}\nAlpha beta gamma. Alpha again.';
const spotAt = (id: number, words: string, from = 0): DoubtfulSpot => {
  const start = before.indexOf(words, from);
  return { id, page: 1, start, end: start + words.length, reason: null };
};
const wordsAt = (spots: DoubtfulSpot[], text: string) =>
  spots.map((spot) => text.slice(spot.start, spot.end));

describe('doubtful spots', () => {
  it('come in the order of the document, empty ones left out', () => {
    const spots = listSpots([
      { start: 9, end: 12, page: 2, reason: 'Faint.' },
      { start: 4, end: 4, page: 1 },
      { start: 2, end: 3, page: 1 },
    ]);
    expect(spots).toEqual([
      { id: 0, page: 1, start: 2, end: 3, reason: null },
      { id: 1, page: 2, start: 9, end: 12, reason: 'Faint.' },
    ]);
  });

  it('stay with their words when something before or after them changes', () => {
    const spots = [spotAt(0, 'One'), spotAt(1, 'gamma')];
    const after = before.replace('beta', 'a longer word');
    expect(wordsAt(moveSpots(spots, before, after), after)).toEqual(['One', 'gamma']);
    const shorter = before.replace('beta ', '');
    expect(wordsAt(moveSpots(spots, before, shorter), shorter)).toEqual(['One', 'gamma']);
  });

  it('inside what changed are found by their words, and are gone where those are gone or stand twice', () => {
    const spots = [spotAt(0, 'beta'), spotAt(1, 'gamma'), spotAt(2, 'Alpha')];
    const after = '\\title{Two}\nAlpha then beta, Alpha twice!';
    expect(wordsAt(moveSpots(spots, before, after), after)).toEqual(['beta']);
  });
});

describe('the difference of two texts', () => {
  it('is the stretch outside which they are the same', () => {
    expect(findDifference('aXc', 'aYYc')).toEqual({ start: 1, fromEnd: 2, toEnd: 3 });
    expect(findDifference('aa', 'aaa')).toEqual({ start: 2, fromEnd: 2, toEnd: 3 });
    expect(findDifference('same', 'same')).toEqual({ start: 4, fromEnd: 4, toEnd: 4 });
  });
});
