import { history, undo } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { listSpots } from '#web/lib/doubtful-spots.ts';
import { decideSpot, findDecided, readSpots, spotMarksAt } from './spot-marks.ts';

const latex = 'one two two three';
const spots = listSpots([
  { start: 4, end: 7, page: 1 },
  { start: 8, end: 11, page: 1 },
  { start: 12, end: 17, page: 1 },
]);

/** An editor without a screen. */
function open() {
  const view = {
    state: EditorState.create({ doc: latex, extensions: [history(), spotMarksAt(spots)] }),
    dispatch(spec: TransactionSpec) {
      view.state = view.state.update(spec).state;
    },
  };
  const editor = view as unknown as EditorView;
  return {
    editor,
    type: (from: number, insert: string, to = from) => view.dispatch({ changes: { from, to, insert } }),
    undo: () => undo({ state: view.state, dispatch: ({ state }) => Object.assign(view, { state }) }),
    text: () => view.state.doc.toString(),
    wordsOf: ({ start, end }: { start: number; end: number }) => view.state.sliceDoc(start, end),
  };
}

test('a decision is one undo step, and leaves the other spots in place', () => {
  const { editor, type, undo, text, wordsOf } = open();
  type(0, 'so ');
  decideSpot(editor, { id: 1, start: 11, end: 14 }, 'twenty');
  type(text().length, '.');
  expect(text()).toBe('so one two twenty three.');
  expect(readSpots(editor).map(wordsOf)).toEqual(['two', 'twenty', 'three']);
  undo();
  undo();
  expect(text()).toBe('so one two two three');
  expect(readSpots(editor).map(wordsOf)).toEqual(['two', 'two', 'three']);
});

test('a decided spot is found again after further edits, even where the same words occur twice', () => {
  const { editor, type, wordsOf, text } = open();
  decideSpot(editor, { id: 1, start: 8, end: 11 }, 'two');
  type(0, 'two two two ');
  const found = findDecided(editor, 1)!;
  expect([found.start, wordsOf(found)]).toEqual([20, 'two']);
  type(0, '', text().length);
  expect(findDecided(editor, 1)).toBeUndefined();
});
