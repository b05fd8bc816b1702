import { ChangeSet, Text } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../../test-support/random.ts';
import { applyHunks, findChanges, findHunks, layOutHunk, moveHunks } from './hunks.ts';

const words = ['\\alpha', 'x', '\n', '\n', ' ', '$x^2$', '\\begin{a}', '\\end{a}', 'ä', '😀', '\n\n', 'word'];

function write(random: (below: number) => number, length: number): string {
  return Array.from({ length }, () => words[random(words.length)]).join('');
}

/** Replaces random stretches of the text; may split a surrogate pair. */
function rewrite(text: string, random: (below: number) => number): string {
  let result = text;
  for (let round = random(5); round >= 0; round--) {
    const from = random(result.length + 1);
    const to = Math.min(result.length, from + random(12));
    result = result.slice(0, from) + write(random, random(5)) + result.slice(to);
  }
  return result;
}

const runs = Array.from({ length: 400 }, (_, seed) => {
  const { below: random } = createRandom(seed + 1);
  const before = write(random, random(60));
  return { random, before, after: rewrite(before, random) };
});

describe('whatever changes', () => {
  test('all parts together are the change, and none of them is the original text', () => {
    for (const { before, after } of runs) {
      const hunks = findHunks(before, after);
      expect(applyHunks(before, hunks)).toBe(after);
      expect(applyHunks(before, [])).toBe(before);
      for (const hunk of hunks) expect(applyHunks(before, hunk.edits)).toBe(applyHunks(before, [hunk]));
    }
  });

  test('accepting some, in any order, gives exactly those', () => {
    for (const { before, after, random } of runs) {
      const hunks = findHunks(before, after);
      const taken = hunks.filter(() => random(2) === 0);
      const expected = applyHunks(before, taken);
      let text = before;
      let left = hunks;
      for (const { id } of taken.toSorted(() => random(3) - 1)) {
        const hunk = left.find((one) => one.id === id)!;
        const changes = ChangeSet.of(hunk, text.length);
        text = applyHunks(text, [hunk]);
        const moved = moveHunks(
          left.filter((one) => one !== hunk),
          changes,
        );
        expect(moved.lost).toEqual([]);
        left = moved.hunks;
      }
      expect(text).toBe(expected);
    }
  });

  test('typing elsewhere keeps every part that still applies, and the others are reported as lost', () => {
    for (const { before, after, random } of runs) {
      const hunks = findHunks(before, after);
      const from = random(before.length + 1);
      const typed = { from, to: Math.min(before.length, from + random(4)), insert: write(random, random(3)) };
      const changes = ChangeSet.of(typed, before.length);
      const text = applyHunks(before, [typed]);
      const { hunks: left, lost } = moveHunks(hunks, changes);
      expect(left.length + lost.length).toBe(hunks.length);
      for (const hunk of left) {
        const origin = hunks.find(({ id }) => id === hunk.id)!;
        expect(text.slice(hunk.from, hunk.to)).toBe(before.slice(origin.from, origin.to));
      }
      // typed text is still there after accepting all remaining parts
      if (left.length > 0 && typed.insert.trim() !== '')
        expect(applyHunks(text, left)).toContain(typed.insert.trim());
    }
  });

  test('a changed text gets the parts at their new positions', () => {
    for (const { before, after, random } of runs.slice(0, 100)) {
      const current = `${write(random, 4)}${before}`;
      const changes = findChanges(before, current);
      expect(changes.apply(Text.of(before.split('\n'))).toString()).toBe(current);
      const { hunks } = moveHunks(findHunks(before, after), changes);
      for (const hunk of hunks) expect(hunk.to).toBeLessThanOrEqual(current.length);
    }
  });
});

describe('parts', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\n';

  test('are separate with an unchanged line between them, otherwise combined', () => {
    const count = (after: string) => findHunks(before, after).length;
    expect(count('1\ntwo\nthree\nfour\n5\n')).toBe(2);
    expect(count('1\ntwo\n3\nfour\n5\n')).toBe(3);
    expect(count('1\n2\nthree\nfour\nfive\n')).toBe(1);
    expect(count(before)).toBe(0);
  });

  const layOut = (text: string, after: string) => {
    const doc = Text.of(text.split('\n'));
    const [hunk] = findHunks(text, after);
    const laid = layOutHunk(hunk!, {
      slice: (from, to) => doc.sliceString(from, to),
      lineAt: (at) => doc.lineAt(at),
    });
    return {
      old: laid.old && text.slice(laid.old.from, laid.old.to),
      lines: laid.lines?.map((part) => (part.isNew ? `[${part.text}]` : part.text)).join('') ?? null,
    };
  };

  test.each([
    ['a word', before.replace('three', 'tree'), { old: 'three', lines: expect.stringMatching(/^\[?t/) }],
    [
      'lines that are added',
      before.replace('two\n', 'two\nand\nmore\n'),
      { old: null, lines: '[and\nmore]' },
    ],
    ['lines that go', before.replace('two\nthree\n', ''), { old: 'two\nthree', lines: null }],
    [
      'more words in a line',
      before.replace('two', 'two and a half'),
      { old: 'two', lines: 'two[ and a half]' },
    ],
  ])('show as lines: %s', (_, after, shown) => {
    expect(layOut(before, after)).toEqual(shown);
  });

  test('at the very end, with and without a line end', () => {
    expect(layOut('a', 'a\nb')).toEqual({ old: null, lines: '[b]' });
    expect(layOut('a\nb', 'a')).toEqual({ old: 'b', lines: null });
    expect(layOut('', 'a')).toMatchObject({ lines: '[a]' });
  });
});
