import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../../test-support/random.ts';
import { joinAgreed, listReplacements, mergeTexts } from './merge-texts.ts';

const merge = (base: string, mine: string, theirs: string) => joinAgreed(mergeTexts(base, mine, theirs));

describe('two texts made from a third', () => {
  test('become one where their changes lie apart', () => {
    const base = 'one\ntwo\nthree\nfour\nfive\n';
    expect(merge(base, base.replace('one', 'ONE'), base.replace('five', 'FIVE'))).toBe(
      'ONE\ntwo\nthree\nfour\nFIVE\n',
    );
    // adjacent lines, and words of one line
    expect(merge(base, base.replace('two', 'TWO'), base.replace('three', 'THREE'))).toBe(
      'one\nTWO\nTHREE\nfour\nfive\n',
    );
    expect(
      merge(
        'The sum of two numbers is even.',
        'The sum of three numbers is even.',
        'The sum of two numbers is odd.',
      ),
    ).toBe('The sum of three numbers is odd.');
  });

  test('give the changed text if only one changed, or both in the same way', () => {
    expect(merge('a', 'b', 'a')).toBe('b');
    expect(merge('a', 'a', 'b')).toBe('b');
    expect(merge('a\nx\n', 'b\nx\n', 'b\nx\ny\n')).toBe('b\nx\ny\n');
    expect(merge('', '', '')).toBe('');
    expect(merge('a\n', '', 'a\n')).toBe('');
  });

  test('ask the user where both changed the same place, and show whole lines', () => {
    expect(mergeTexts('x\nIt is red.\ny\n', 'x\nIt is green.\ny\n', 'x\nIt is blue.\ny\n')).toEqual([
      { kind: 'agreed', text: 'x\n' },
      { kind: 'conflict', base: 'It is red.\n', mine: 'It is green.\n', theirs: 'It is blue.\n' },
      { kind: 'agreed', text: 'y\n' },
    ]);
    // a formula is one word: $e^{-x}$ and $e^{x^2}$ do not merge to $e^{-x^2}$
    expect(merge('so $e^{x}$ is', 'so $e^{-x}$ is', 'so $e^{x^2}$ is')).toBeNull();
    // both added something at the end
    expect(merge('x\n', 'x\na\n', 'x\nb\n')).toBeNull();
    // one removed what the other changed
    expect(merge('a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n')).toBeNull();
  });

  test('line breaks of other systems are no changes', () => {
    expect(merge('a\r\nb\r\nc', 'a\nb\nC', 'A\r\nb\r\nc')).toBe('A\nb\nC');
  });

  test('any two: neither side loses a word it wrote, and nothing it removed comes back by itself', () => {
    const { below: random } = createRandom(7);
    let merged = 0;
    for (let round = 0; round < 1500; round++) {
      const lines = Array.from(
        { length: 1 + random(12) },
        () => ['\\item', 'a', 'b', '', 'x y z'][random(5)],
      );
      const change = (name: string) => {
        const words: string[] = [];
        const next = [...lines];
        for (let edit = 0; edit < 1 + random(3); edit++) {
          const word = `${name}${round}.${edit}`;
          words.push(word);
          next.splice(random(next.length + 1), random(2), ...(random(5) ? [word] : [`${word} q`]));
        }
        return { text: next.join('\n'), words };
      };
      const [mine, theirs] = [change('m'), change('t')];
      const parts = mergeTexts(lines.join('\n'), mine.text, theirs.text);
      const side = (which: 'mine' | 'theirs') =>
        parts.map((part) => (part.kind === 'agreed' ? part.text : part[which])).join('');
      for (const word of mine.words.filter((one) => mine.text.includes(one)))
        expect(side('mine')).toContain(word);
      for (const word of theirs.words.filter((one) => theirs.text.includes(one)))
        expect(side('theirs')).toContain(word);
      const one = joinAgreed(parts);
      if (one === null) continue;
      merged++;
      for (const word of [...mine.words, ...theirs.words])
        if (mine.text.includes(word) || theirs.text.includes(word)) expect(one).toContain(word);
    }
    expect(merged).toBeGreaterThan(200);
  });

  test('a document of 10,000 lines is merged', () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => (at % 5 ? `Line ${at} of the notes.` : ''));
    const mine = lines.with(1, 'Mine.').with(9_000, 'Mine too.');
    const theirs = lines.with(4, 'Theirs.').with(9_990, 'Theirs too.');
    const expected = lines
      .with(1, 'Mine.')
      .with(9_000, 'Mine too.')
      .with(4, 'Theirs.')
      .with(9_990, 'Theirs too.');
    expect(merge(lines.join('\n'), mine.join('\n'), theirs.join('\n'))).toBe(expected.join('\n'));
  });
});

describe('the replacements that make one text the other', () => {
  const apply = (from: string, to: string) =>
    listReplacements(from, to).reduceRight(
      (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to),
      from,
    );

  test('touch only what differs', () => {
    const from = 'one\ntwo\n\nthree\nfour\n\nfive\n';
    const to = 'one\ntwo and a half\n\nthree\nfour\n\n\nFive\n';
    expect(listReplacements(from, to)).toEqual([
      { from: 7, to: 7, insert: ' and a half' },
      { from: 21, to: 22, insert: '\nF' },
    ]);
    expect(apply(from, to)).toBe(to);
    expect(listReplacements(from, from)).toEqual([]);
    expect(apply('', 'a')).toBe('a');
    expect(apply('a\nb', '')).toBe('');
    // no line is alone: the stretch is compared as a whole
    const empty = '\n'.repeat(2_000);
    expect(apply(empty, `${empty}x\n`)).toBe(`${empty}x\n`);
  });

  test('give the other text, whatever was changed', () => {
    const { next: random } = createRandom(11);
    const pick = () => ['a\n', 'b\n', '\n', 'long line\n', 'another line\n'][Math.floor(random() * 5)]!;
    for (let round = 0; round < 300; round++) {
      const lines = Array.from({ length: 30 }, (_, at) => (random() < 0.3 ? `${at}\n` : pick()));
      const made = lines.flatMap((line) =>
        random() < 0.8 ? [line] : random() < 0.5 ? [] : [pick(), line.replace('line', 'word')],
      );
      const [from, to] = [lines.join(''), made.join('').replace(/\n$/, random() < 0.5 ? '' : '\n')];
      expect(apply(from, to)).toBe(to);
    }
  });
});
