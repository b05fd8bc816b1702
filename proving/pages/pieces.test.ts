import { describe, expect, test } from 'vitest';
import { listPieces, piecesAround, topPieces } from './pieces.ts';

const body = `\\section{Head}
First line with $a+b$ inside.
Second line \\[ x = 1 \\quad y = 2 \\] third.

\\begin{itemize}
\\item one
\\item two has
  more
\\end{itemize}
\\begin{tabular}{ll}
a & b \\\\
c & d
\\end{tabular}`;

/** Kinds and texts of the fragments around a word, smallest first. */
function around(word: string): [string, string][] {
  const start = body.indexOf(word);
  return piecesAround(body, start, start + word.length).map(({ kind, start: from, end }) => [
    kind,
    body.slice(from, end),
  ]);
}

describe('fragments', () => {
  test.each([
    ['a+b', ['formula', 'line', 'paragraph', 'page']],
    ['y = 2', ['term', 'display', 'paragraph', 'page']],
    ['third', ['line', 'paragraph', 'page']],
    ['more', ['line', 'paragraph', 'item', 'environment', 'page']],
    ['c & d', ['row', 'environment', 'page']],
  ])('around %s', (word, kinds) => {
    expect([...new Set(around(word).map(([kind]) => kind))].sort()).toEqual([...kinds].sort());
    expect(around(word)[0]![0]).toBe(kinds[0]);
  });

  test('are nested or disjoint', () => {
    const pieces = listPieces(body);
    for (const a of pieces)
      for (const b of pieces) {
        const crosses = a.start < b.start && b.start < a.end && a.end < b.end;
        expect(crosses, `${JSON.stringify(a)} ${JSON.stringify(b)}`).toBe(false);
      }
  });

  test('at the top level cover the whole body', () => {
    const text = topPieces(body)
      .map(({ start, end }) => body.slice(start, end))
      .join('');
    for (const word of ['Head', 'First', 'third', 'two', 'd\n']) expect(text).toContain(word.trim());
  });
});
