import { describe, expect, it } from 'vitest';
import type { SourceRange } from '#latex/assemble/source-map.ts';
import { findDifference } from '#latex/edits/text-difference.ts';
import {
  type DoubtfulSpot,
  describeSpots,
  findInkOf,
  listSpots,
  moveSpots,
  orderSpots,
} from './doubtful-spots.ts';

const before = '\\title{One}\nAlpha beta gamma. Alpha again.';
const spotAt = (id: number, words: string, from = 0): DoubtfulSpot => {
  const start = before.indexOf(words, from);
  return { id, page: 1, start, end: start + words.length, reason: null, confidence: null, alternatives: [] };
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
      { id: 0, page: 1, start: 2, end: 3, reason: null, confidence: null, alternatives: [] },
      { id: 1, page: 2, start: 9, end: 12, reason: 'Faint.', confidence: null, alternatives: [] },
    ]);
  });

  it('are described as delivered', () => {
    const doubts = [
      { start: 2, end: 3, page: 1, confidence: 0.4, reason: 'Faint.', alternatives: ['x', 'y'] },
      { start: 4, end: 5, page: 1 },
    ];
    expect(describeSpots(listSpots(doubts))).toEqual(doubts);
  });

  it('are checked in order, or the least sure first', () => {
    const spots = listSpots(
      [0.6, 0.2, undefined, 0.4].map((confidence, at) => ({
        start: at,
        end: at + 1,
        page: 1,
        ...(confidence === undefined ? {} : { confidence }),
      })),
    );
    expect(orderSpots(spots, 'document').map(({ id }) => id)).toEqual([0, 1, 2, 3]);
    expect(orderSpots(spots, 'least-sure').map(({ id }) => id)).toEqual([1, 3, 2, 0]);
  });

  it('stay with their words when something before or after them changes', () => {
    const spots = [spotAt(0, 'One'), spotAt(1, 'gamma')];
    const after = before.replace('beta', 'a longer word');
    expect(wordsAt(moveSpots(spots, before, after), after)).toEqual(['One', 'gamma']);
    const shorter = before.replace('beta ', '');
    expect(wordsAt(moveSpots(spots, before, shorter), shorter)).toEqual(['One', 'gamma']);
  });

  it('inside a change are found by their words, and dropped if those are missing or occur twice', () => {
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

  it('show the ink of their lines, and of a whole page only its first', () => {
    const lines: SourceRange[] = [
      { start: 0, end: 10, page: 1, box: [0.1, 0.2, 0.4, 0.03] },
      { start: 11, end: 20, page: 1, box: [0.1, 0.24, 0.6, 0.03] },
      { start: 20, end: 30, page: 2, box: [0.1, 0.2, 0.4, 0.03] },
      { start: 40, end: 60, page: 1, box: [0, 0, 1, 1] },
    ];
    expect(findInkOf({ page: 1, start: 2, end: 5 }, lines)).toEqual([0.1, 0.2, 0.4, 0.03]);
    const both = findInkOf({ page: 1, start: 8, end: 22 }, lines)!;
    expect(both.map((value) => value.toFixed(2))).toEqual(['0.10', '0.20', '0.60', '0.07']);
    expect(findInkOf({ page: 1, start: 8, end: 50 }, lines)).toEqual([0.1, 0.2, 0.4, 0.03]);
    expect(findInkOf({ page: 1, start: 31, end: 35 }, lines)).toBeNull();
  });
});
