import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { lineIndex } from '../lines/line-index.ts';
import { dress, findFormulaSource, replaceFormula, undress } from './formula-source.ts';

function open(text: string) {
  const at = text.indexOf('|');
  return EditorState.create({
    doc: text.replace('|', ''),
    selection: { anchor: at },
    extensions: [lineIndex],
  });
}
const found = (text: string) => {
  const state = open(text);
  const source = findFormulaSource(state, state.selection.main.head);
  expect(state.sliceDoc(source.from, source.to)).toBe(source.written);
  return source;
};
/** The text after the visual editor has changed its formula to this. */
const made = (text: string, latex: string) => {
  const spec = replaceFormula(found(text), latex);
  return spec && open(text).update(spec).state.doc.toString();
};

it('is the source between the delimiters, without surrounding spaces', () => {
  expect(found('a $x+|y$ b').written).toBe('x+y');
  expect(found('a \\(x|\\) b').written).toBe('x');
  expect(found('\\[\n  x|\n\\]').written).toBe('x');
  expect(found('\\begin{equation}\\label{e}\n  x|\n\\end{equation}').written).toBe('\\label{e}\n  x');
  expect(found('\\begin{equation}\n  {x}|^2\n\\end{equation}').written).toBe('{x}^2');
});

it('with rows is shown in an environment that has them', () => {
  const source = found('\\begin{align*}\n  a &= b|\n\\end{align*}');
  expect(source.written).toBe('a &= b');
  expect(dress(source, source.written)).toBe('\\begin{aligned}a &= b\\end{aligned}');
  expect(undress(source, '\\begin{aligned}a &= c\\end{aligned}')).toBe('a &= c');
  expect(undress(source, 'c')).toBe('c');
  expect(found('\\begin{alignat}{2}\n  a &= b|\n\\end{alignat}').written).toBe('a &= b');
});

it('is replaced within its delimiters, and left alone if nothing changed', () => {
  expect(made('a $x|$ b', 'y')).toBe('a $y$ b');
  expect(made('\\[\n  x|\n\\]', 'y')).toBe('\\[\n  y\n\\]');
  expect(made('\\begin{align}{2}\n  a|\n\\end{align}', 'b')).toBe('\\begin{align}b\n\\end{align}');
  expect(made('a $x|$ b', 'x')).toBeNull();
});

it('is a new one if there is none: inline, or on lines of its own', () => {
  expect(made('Let | be', 'x')).toBe('Let $x$ be');
  expect(made('A\n|\nB', 'x')).toBe('A\n\\[\n  x\n\\]\nB');
  expect(made('Let | be', '')).toBeNull();
});
