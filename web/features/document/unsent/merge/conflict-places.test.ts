import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { mergeTexts } from '../merge-texts.ts';
import { choose, conflictPlaces, layOut, type Place, readPlaces } from './conflict-places.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';
const start = layOut(
  mergeTexts(
    base,
    base.replace('two', 'two, mine').replace('four\n', ''),
    base.replace('two', 'two, theirs').replace('four', 'FOUR'),
  ),
);

function open() {
  return EditorState.create({
    doc: start.text,
    extensions: conflictPlaces(start.places, () => {}),
  });
}

const textOf = (state: EditorState, { from, to }: Place) => state.sliceDoc(from, to);

test('the result starts with mine, and nothing is chosen', () => {
  const state = open();
  expect(state.doc.toString()).toBe('one\ntwo, mine\nthree\nfive\n');
  expect(readPlaces(state).map(({ choice }) => choice)).toEqual([null, null]);
});

test('a choice is inserted at its place, whatever was chosen before or written elsewhere', () => {
  let state = open();
  const pick = (at: number, side: Parameters<typeof choose>[3]) => {
    state = state.update(choose(state, at, start.conflicts[at]!, side)).state;
  };
  pick(1, 'theirs');
  pick(0, 'both');
  state = state.update({ changes: { from: 0, insert: 'zero\n' } }).state;
  expect(state.doc.toString()).toBe('zero\none\ntwo, mine\ntwo, theirs\nthree\nFOUR\nfive\n');
  pick(0, 'theirs');
  pick(1, 'mine');
  expect(state.doc.toString()).toBe('zero\none\ntwo, theirs\nthree\nfive\n');
  expect(readPlaces(state).map(({ choice }) => choice)).toEqual(['theirs', 'mine']);
});

test('a place that is written in counts as decided', () => {
  const state = open();
  const [first] = readPlaces(state);
  const edited = state.update({ changes: { from: first!.from + 3, insert: ' and a half' } }).state;
  expect(readPlaces(edited).map(({ choice }) => choice)).toEqual(['edited', null]);
  expect(textOf(edited, readPlaces(edited)[0]!)).toBe('two and a half, mine\n');
});
