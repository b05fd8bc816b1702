import { describe, expect, test } from 'vitest';
import { AnswerReader } from './read-answer.ts';
import { applyWritten, keepScope } from './scoped-text.ts';

/** Reads an answer that arrives in chunks of this length. */
function read(answer: string, size: number) {
  const reader = new AnswerReader();
  let words = '';
  for (let at = 0; at < answer.length; at += size) words += reader.push(answer.slice(at, at + size));
  const end = reader.end();
  return { words: words + end.words, change: end.change };
}

const edit = 'I fix it.\n\n<change-find>\na < b\n</change-find>\n<change-to>\n$a < b$\n</change-to>\n';

describe('an answer', () => {
  test.each([1, 2, 5, 7, 1_000])('in chunks of %i: separates words from the change', (size) => {
    const { words, change } = read(edit, size);
    expect(words.trim()).toBe('I fix it.');
    expect(change).toEqual({ kind: 'edits', edits: [{ find: 'a < b', replace: '$a < b$' }] });
  });

  test('text that looks like tags stays text', () => {
    const words = 'For $a<b$ and <change it, see <c';
    expect(read(words, 3)).toEqual({ words, change: { kind: 'none' } });
  });

  test('accepts the whole text, and a fenced document', () => {
    const whole = '\\documentclass{article}\n\\begin{document}\nx\n\\end{document}';
    expect(read(`All new.\n<change-all>\n${whole}\n</change-all>`, 4).change).toEqual({
      kind: 'whole',
      latex: whole,
    });
    expect(read(`Here:\n\`\`\`latex\n${whole}\n\`\`\``, 4).change).toEqual({
      kind: 'whole',
      latex: `${whole}\n`,
    });
  });

  test.each([
    ['a block that does not end', 'x <change-find>\na'],
    ['a find without its to', '<change-find>\na\n</change-find>'],
    ['two whole texts', '<change-all>a</change-all><change-all>b</change-all>'],
  ])('%s is broken', (_, answer) => {
    expect(read(answer, 5).change).toEqual({ kind: 'broken' });
  });
});

describe('a change', () => {
  const latex = 'one two one\nthree\n';
  const edits = (find: string, replace: string) => ({ kind: 'edits' as const, edits: [{ find, replace }] });
  const selected = { latex, selection: { from: 8, to: 17 } };

  test('is made where it fits exactly once', () => {
    expect(applyWritten({ latex, selection: null }, edits('two', '2'))).toMatchObject({
      text: { latex: 'one 2 one\nthree\n' },
    });
    expect(applyWritten({ latex, selection: null }, edits('one', '1')).kind).toBe('misfit');
    expect(applyWritten({ latex, selection: null }, edits('four', '4')).kind).toBe('misfit');
  });

  test('reaches no further than the selection', () => {
    expect(applyWritten(selected, edits('one', '1'))).toMatchObject({
      text: { latex: 'one two 1\nthree\n', selection: { from: 8, to: 15 } },
    });
    expect(applyWritten(selected, edits('two', '2')).kind).toBe('misfit');
    expect(applyWritten(selected, { kind: 'whole', latex: 'uno\ntres' })).toMatchObject({
      text: { latex: 'one two uno\ntres\n' },
    });
  });

  test('a whole document around a selection counts for the selection alone, or not at all', () => {
    const [head, tail] = ['\\begin{document}\n', '\n\\end{document}\n'];
    const text = { latex: `${head}word${tail}`, selection: { from: head.length, to: head.length + 4 } };
    const whole = (body: string) => ({ kind: 'whole' as const, latex: `${head}${body}${tail}` });
    expect(applyWritten(text, whole('better'))).toMatchObject({ text: { latex: `${head}better${tail}` } });
    expect(applyWritten(text, { kind: 'whole', latex: `${head}more${tail}more\n` }).kind).toBe('misfit');
  });

  test('a change beyond the scope is ignored', () => {
    expect(keepScope(selected, latex.replace('one', '1'))).toBeNull();
    expect(keepScope(selected, latex.replace('three', '3'))?.latex).toBe('one two one\n3\n');
    // both ends match, but they overlap
    expect(keepScope({ latex: 'aba', selection: { from: 1, to: 2 } }, 'a')).toBeNull();
  });
});
