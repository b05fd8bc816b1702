import { describe, expect, test } from 'vitest';
import type { SourceMap } from '#shared/api/conversion.ts';
import { createRandom } from '../../test-support/random.ts';
import { moveRanges, moveSourceMap, type SourceRange, toLines, toRanges } from './source-map.ts';

function randomText(random: (below: number) => number, length: number): string {
  return Array.from({ length }, () => 'ab c\n'[random(5)]).join('');
}

function randomRanges(random: (below: number) => number, length: number): SourceRange[] {
  const ranges: SourceRange[] = [];
  for (let at = random(4); at + 1 < length; at = ranges.at(-1)!.end + random(6)) {
    const end = Math.min(length, at + 1 + random(12));
    ranges.push({
      start: at,
      end,
      page: 1 + random(3),
      ...(random(2) ? { box: [0.1, random(100) / 100, 0.5, 0.02] } : {}),
      ...(random(3) ? {} : { isApproximate: true }),
    });
  }
  return ranges;
}

function randomChanges(random: (below: number) => number, length: number) {
  const changes: { from: number; to: number; insert: string }[] = [];
  for (let at = random(length + 1); at <= length && changes.length < 4; ) {
    const to = Math.min(length, at + random(9));
    changes.push({ from: at, to, insert: randomText(random, random(8)) });
    at = to + 1 + random(length);
  }
  return changes;
}

const apply = (text: string, changes: readonly { from: number; to: number; insert: string }[]) =>
  [...changes]
    .reverse()
    .reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);

describe('lines and ranges', () => {
  test('convert into each other', () => {
    const random = createRandom(1).below;
    for (let round = 0; round < 400; round++) {
      const text = randomText(random, 1 + random(120));
      // the wire format cannot express the line feed itself
      const ranges = randomRanges(random, text.length).filter(({ end }) => text[end - 1] !== '\n');
      expect(toRanges(text, toLines(text, ranges))).toEqual(ranges);
    }
  });

  test('whole lines need no columns', () => {
    expect(toLines('one\ntwo\nthree', [{ start: 4, end: 13, page: 2 }])).toEqual([
      { first_line: 2, last_line: 3, page: 2 },
    ]);
  });

  test('lines beyond the text are left out', () => {
    expect(toRanges('one', [{ first_line: 2, last_line: 2, page: 1 }])).toEqual([]);
  });
});

describe('moving', () => {
  const map = (text: string, ranges: SourceRange[]): SourceMap => ({
    lines: toLines(text, ranges),
    doubtful: ranges.map(({ start, end, page }) => ({ start, end, page })),
  });

  test('untouched ranges keep their text, page and box, and all keep their order', () => {
    const random = createRandom(2).below;
    for (let round = 0; round < 600; round++) {
      const text = randomText(random, 1 + random(160));
      const ranges = randomRanges(random, text.length).filter(({ end }) => text[end - 1] !== '\n');
      const changes = randomChanges(random, text.length);
      const after = apply(text, changes);
      const moved = moveSourceMap(map(text, ranges), text, changes);
      const now = toRanges(after, moved.lines);
      const untouched = ranges.filter(({ start, end }) =>
        changes.every(({ from, to }) => to <= start || from >= end),
      );
      for (const { start, end, page, box } of untouched) {
        const found = now.filter(
          (one) => after.slice(one.start, one.end) === text.slice(start, end) && one.page === page,
        );
        expect(found.some((one) => JSON.stringify(one.box) === JSON.stringify(box))).toBe(true);
      }
      for (let index = 1; index < now.length; index++)
        expect(now[index]!.start).toBeGreaterThanOrEqual(now[index - 1]!.start);
      for (const { start, end } of [...now, ...moved.doubtful]) {
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(after.length);
      }
    }
  });

  test('two separate changes give the same result one by one and at once', () => {
    const random = createRandom(3).below;
    for (let round = 0; round < 300; round++) {
      const text = randomText(random, 20 + random(100));
      const ranges = randomRanges(random, text.length);
      const [first, second] = randomChanges(random, text.length);
      if (!first || !second) continue;
      const splice = ({ from, to, insert }: typeof first) => ({ start: from, end: to, text: insert });
      const together = moveRanges(ranges, [splice(first), splice(second)]);
      // the later one first, so that the earlier one's offsets stay valid
      const apart = moveRanges(moveRanges(ranges, [splice(second)]), [splice(first)]);
      expect(apart).toEqual(together);
    }
  });

  test('a block that is rewritten keeps its boxes', () => {
    const box = (top: number): SourceRange['box'] => [0, top, 1, 0.1];
    const ranges = [
      { start: 0, end: 10, page: 1, box: box(0) },
      { start: 10, end: 20, page: 1, box: box(0.2) },
    ];
    const moved = moveRanges(ranges, [{ start: 0, end: 20, text: 'abcd' }]);
    expect(moved).toEqual([
      { start: 0, end: 2, page: 1, box: box(0) },
      { start: 2, end: 4, page: 1, box: box(0.2) },
    ]);
  });

  test('removed text loses its range; text typed at an edge has none, text typed inside joins its line', () => {
    const text = 'one two three';
    const ranges = [{ start: 4, end: 7, page: 1 }];
    const moved = (from: number, to: number, insert: string) =>
      toRanges(
        apply(text, [{ from, to, insert }]),
        moveSourceMap(map(text, ranges), text, [{ from, to, insert }]).lines,
      ).map(({ start, end }) => apply(text, [{ from, to, insert }]).slice(start, end));
    expect(moved(3, 8, '')).toEqual([]);
    expect(moved(4, 4, 'x')).toEqual(['two']);
    expect(moved(7, 7, 'x')).toEqual(['two']);
    expect(moved(5, 6, 'xyz')).toEqual(['txyzo']);
  });
});

test('a passage’s other readings are dropped when its text changes, and kept when another’s changes', () => {
  const doubt = { start: 4, end: 7, page: 1, alternatives: ['cut'] };
  const map: SourceMap = { lines: [], doubtful: [doubt], checked: 2 };
  const change = (from: number, to: number, insert: string) =>
    moveSourceMap(map, 'the cat sat', [{ from, to, insert }]);
  expect(change(0, 3, 'a')).toEqual({ lines: [], doubtful: [{ ...doubt, start: 2, end: 5 }], checked: 2 });
  expect(change(8, 11, 'lay').doubtful).toEqual([doubt]);
  expect(change(5, 6, 'o').doubtful).toEqual([{ start: 4, end: 7, page: 1 }]);
});
