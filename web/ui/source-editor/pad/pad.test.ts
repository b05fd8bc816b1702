import { EditorState } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import { maxInkPoints } from '#shared/api/limits.ts';
import { lineIndex } from '../lines/line-index.ts';
import { insertInk } from './insert-ink.ts';
import { addPoint, eraseAt, thin } from './strokes.ts';

/** The text after the insertion; `|` is the cursor before and after. */
function insert(text: string, latex: string, kind: 'formula' | 'text' = 'formula'): string {
  const at = text.indexOf('|');
  const doc = text.replace('|', '');
  const state = EditorState.create({ doc, selection: { anchor: at }, extensions: [lineIndex] });
  const { state: after } = state.update(...insertInk(state, latex, kind));
  const { head } = after.selection.main;
  return `${after.sliceDoc(0, head)}|${after.sliceDoc(head)}`;
}

describe('inserting what was drawn', () => {
  test('in a sentence as an inline formula, on a blank line as a display', () => {
    expect(insert('We have | here.', 'x^{2}')).toBe('We have $x^{2}$| here.');
    expect(insert('Then\n|\nso', 'x^{2}')).toBe('Then\n\\[\n  x^{2}\n\\]|\nso');
  });
  test('within a formula as it is, separated from the letter after it', () => {
    expect(insert('Let $a + |$.', 'x^{2}')).toBe('Let $a + x^{2}|$.');
    expect(insert('Let $|x$.', '\\alpha')).toBe('Let $\\alpha |x$.');
    expect(insert('Let $a + |$.', '$x$', 'text')).toBe('Let $a + x|$.');
    expect(insert('Let $a$, |$b$', 'x')).toBe('Let $a$, $x$|$b$');
  });
  test('text stays text, and its formulas keep their delimiters', () => {
    expect(insert('So |', 'the area is $x^{2}$', 'text')).toBe('So the area is $x^{2}$|');
  });
  test('the package that a sign needs is loaded', () => {
    const document = (body: string) => `\\documentclass{article}\n${body}`;
    expect(insert(document('\\begin{document}\nIn |.\n\\end{document}'), 'x\\in\\mathbb{R}')).toBe(
      document('\\usepackage{amssymb}\n\\begin{document}\nIn $x\\in\\mathbb{R}$|.\n\\end{document}'),
    );
  });
});

describe('the ink', () => {
  test('has no two points in one place', () => {
    expect(addPoint(addPoint([], 5, 5), 5.3, 5.2)).toEqual([5, 5]);
    expect(addPoint([5, 5], 8.04, 5)).toEqual([5, 5, 8, 5]);
  });
  test('the eraser takes the strokes that it touches', () => {
    const strokes = [
      [0, 0, 50, 0],
      [100, 100],
      [5, 8],
    ];
    expect(eraseAt(strokes, 2, 2)).toEqual([[100, 100]]);
    expect(eraseAt(strokes, 300, 300)).toBe(strokes);
  });
  test('of too many points keeps the ends of every stroke', () => {
    const long = Array.from({ length: 3 * maxInkPoints * 2 }, (_, at) => at);
    const sent = thin([long, [1, 2], [1, 2, 3, 4, 5, 6]]);
    expect(sent.reduce((sum, { length }) => sum + length / 2, 0)).toBeLessThanOrEqual(maxInkPoints);
    expect(sent[0]!.slice(0, 2)).toEqual([0, 1]);
    expect(sent[0]!.slice(-2)).toEqual(long.slice(-2));
    expect(sent[1]).toEqual([1, 2]);
    expect(sent[2]!.slice(-2)).toEqual([5, 6]);
    expect(thin([[1, 2, 3, 4]])).toEqual([[1, 2, 3, 4]]);
  });
});
