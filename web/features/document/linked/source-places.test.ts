import { history, undo } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import type { SourceMap } from '#shared/api/library.ts';
import { describePlaces, findPlaceAt, findPlaces, listPlaces, sourcePlaces } from './source-places.ts';

const latex = 'First line.\nSecond line, and more of it.\n\\[\n  x^2\n\\]\nLast.';
const map: SourceMap = {
  lines: [
    { first_line: 1, last_line: 1, page: 1, box: [0.1, 0.1, 0.8, 0.02] },
    { first_line: 2, last_line: 2, last_column: 12, page: 1, box: [0.1, 0.2, 0.8, 0.02] },
    { first_line: 2, last_line: 2, first_column: 13, page: 1, box: [0.1, 0.23, 0.4, 0.02] },
    { first_line: 3, last_line: 5, page: 1, box: [0.4, 0.3, 0.2, 0.05], is_approximate: true },
    { first_line: 6, last_line: 6, page: 2, box: [0.1, 0.1, 0.1, 0.02] },
  ],
  doubtful: [],
};
const open = () => EditorState.create({ doc: latex, extensions: [sourcePlaces(latex, map), history()] });
const words = (state: EditorState) => listPlaces(state).map(({ start, end }) => state.sliceDoc(start, end));
const change = (state: EditorState, spec: TransactionSpec) => state.update(spec).state;

describe('places in the editor', () => {
  test('are those of the map, and say it again', () => {
    expect(words(open())).toEqual([
      'First line.',
      'Second line,',
      'and more of it.',
      '\\[\n  x^2\n\\]',
      'Last.',
    ]);
    expect(describePlaces(open())).toEqual(map.lines);
  });

  test('move with edits, and include text typed at their edges', () => {
    const state = change(open(), {
      changes: [
        { from: 0, insert: '% mine\n\n' },
        { from: latex.length, insert: ' Really.' },
      ],
    });
    // text typed right before the first line cannot be distinguished from its beginning
    expect(words(state).slice(1)).toEqual([
      'Second line,',
      'and more of it.',
      '\\[\n  x^2\n\\]',
      'Last. Really.',
    ]);
    expect(describePlaces(state)[3]).toMatchObject({ first_line: 5, last_line: 7 });
  });

  test('follow a rewritten line, disappear with a deleted one, and come back with Undo', () => {
    const second = latex.indexOf('Second');
    const rewritten = change(open(), { changes: { from: 0, to: 11, insert: 'Another beginning.' } });
    expect(words(rewritten)[0]).toBe('Another beginning.');
    let state = change(open(), { changes: { from: second, to: second + 30 } });
    expect(words(state)).toHaveLength(3);
    undo({ state, dispatch: (transaction) => (state = transaction.state) });
    expect(describePlaces(state)).toEqual(map.lines);
  });

  test('are found from the text: by word, by selection, or by line where a word has none', () => {
    const tops = (from: number, to = from) =>
      findPlaces(open(), from, to).map(({ page, box }) => [page, box?.[1]]);
    expect(tops(latex.indexOf('more'))).toEqual([[1, 0.23]]);
    expect(tops(3, latex.indexOf('more'))).toEqual([
      [1, 0.1],
      [1, 0.2],
      [1, 0.23],
    ]);
    expect(tops(latex.indexOf('x^2'))).toEqual([[1, 0.3]]);
  });

  test('are found from the ink: the one under the point, or the nearest', () => {
    const at = (page: number, x: number, y: number) => {
      const found = findPlaceAt(open(), page, x, y);
      return found && latex.slice(found.start, found.end);
    };
    expect(at(1, 0.5, 0.11)).toBe('First line.');
    expect(at(1, 0.3, 0.24)).toBe('and more of it.');
    expect(at(1, 0.8, 0.24)).toBe('and more of it.');
    expect(at(1, 0.5, 0.32)).toBe('\\[\n  x^2\n\\]');
    expect(at(2, 0.15, 0.13)).toBe('Last.');
    expect(at(2, 0.5, 0.6)).toBeNull();
    expect(at(3, 0.5, 0.1)).toBeNull();
  });

  test('a document without a map has none', () => {
    const state = EditorState.create({ doc: latex, extensions: sourcePlaces(latex, null) });
    expect(findPlaces(state, 0, 5)).toEqual([]);
    expect(findPlaceAt(state, 1, 0.5, 0.5)).toBeNull();
  });
});
