import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { lineIndex } from '../lines/line-index.ts';
import { countWords } from '../word-count.ts';
import { closeEnvironmentAt, enterEnvironment } from './environments/close-environment.ts';
import { findMatch } from './environments/matching-environment.ts';
import { renameEnvironment } from './environments/rename-environment.ts';
import { findFold } from './folding.ts';

/** A state with the cursor at `|`, or the selection between two of them. */
function open(text: string) {
  const [before = '', middle, after] = text.split('|');
  const isRange = after !== undefined;
  return EditorState.create({
    doc: text.replaceAll('|', ''),
    selection: EditorSelection.range(before.length, before.length + (isRange ? middle!.length : 0)),
    extensions: [lineIndex, renameEnvironment],
  });
}
/** The text after a transaction, with `|` at the cursor or around the selection. */
function after(state: EditorState, spec: TransactionSpec | null): string | null {
  if (!spec) return null;
  const { doc, selection } = state.update(spec).state;
  const { from, to } = selection.main;
  const text = doc.toString();
  return from === to
    ? `${text.slice(0, from)}|${text.slice(from)}`
    : `${text.slice(0, from)}|${text.slice(from, to)}|${text.slice(to)}`;
}
const step = (text: string, make: (state: EditorState) => TransactionSpec | null) => {
  const state = open(text);
  return after(state, make(state));
};

describe('closing an environment', () => {
  it('writes the end at the same margin', () => {
    expect(step('  \\begin{align}|', closeEnvironmentAt)).toBe('  \\begin{align}|\n  \\end{align}');
  });
  it('ignores environments that are closed, commented out, or continued below', () => {
    expect(step('\\begin{a}|\n\\end{a}', closeEnvironmentAt)).toBeNull();
    expect(step('% \\begin{a}|', closeEnvironmentAt)).toBeNull();
    expect(step('\\begin{a}| x', closeEnvironmentAt)).toBeNull();
  });
  it('Enter indents by one level, with an item in lists', () => {
    expect(step('\\begin{a}|\n\\end{a}', enterEnvironment)).toBe('\\begin{a}\n  |\n\\end{a}');
    expect(step(' \\begin{itemize}[noitemsep]|\n \\end{itemize}', enterEnvironment)).toBe(
      ' \\begin{itemize}[noitemsep]\n   \\item |\n \\end{itemize}',
    );
    expect(step('\\begin{document}|', enterEnvironment)).toBeNull();
    expect(step('word|', enterEnvironment)).toBeNull();
  });
});

describe('renaming', () => {
  const type = (text: string, insert: string, userEvent = 'input.type') => {
    const state = open(text);
    const { from, to } = state.selection.main;
    return after(state, {
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent,
    });
  };
  it('changes both ends, from either', () => {
    expect(type('\\begin{align|}\nx\n\\end{align}', '*')).toBe('\\begin{align*|}\nx\n\\end{align*}');
    expect(type('\\begin{align}\nx\n\\end{|align|}', 'g')).toBe('\\begin{g}\nx\n\\end{g|}');
    expect(type('\\begin{|a}x\\end{a}', 'b')).toBe('\\begin{b|a}x\\end{ba}');
    expect(type('\\begin{a}x\\end{|a}', 'b')).toBe('\\begin{ba}x\\end{b|a}');
  });
  it('matches the inner of two with one name, and what is typed', () => {
    expect(type('\\begin{a}\n\\begin{a|}\n\\end{a}\n\\end{a}', 'b')).toBe(
      '\\begin{a}\n\\begin{ab|}\n\\end{ab}\n\\end{a}',
    );
    expect(type('\\begin{a|}\n\\end{a}', 'b', 'undo')).toBe('\\begin{ab|}\n\\end{a}');
    expect(type('\\begin{a|}\n\\end{a}', '}')).toBe('\\begin{a}|}\n\\end{a}');
  });
});

describe('pairs and folds', () => {
  it('marks both ends at the cursor, and one that is alone', () => {
    expect(findMatch(open('\\beg|in{a}x\\end{a}'))).toEqual({
      ranges: [
        { from: 0, to: 9 },
        { from: 10, to: 17 },
      ],
      hasPartner: true,
    });
    expect(findMatch(open('\\begin{a}|\n\\end{b}'))).toMatchObject({ hasPartner: false });
    expect(findMatch(open('\\begin{a} x| \\end{a}'))).toBeNull();
  });
  it('folds environments up to their end and sections up to the next', () => {
    const state = open('\\section{A}\n\\begin{a}\nx\n\\end{a}\n\n\\section{B}');
    const folded = (line: number) => {
      const fold = findFold(state, line);
      return fold && state.sliceDoc(fold.from, fold.to);
    };
    expect(folded(1)).toBe('\n\\begin{a}\nx\n\\end{a}');
    expect(folded(2)).toBe('\nx');
    expect(folded(3)).toBeNull();
    expect(folded(6)).toBeNull();
  });
});

describe('counting', () => {
  it('counts words of text and headings, formulas once, by section', () => {
    const count = countWords(
      open(
        [
          '\\documentclass{article}',
          'not this',
          '\\begin{document}',
          'Two words.% and no more',
          '\\section{The first}',
          'It’s $a+b$ and \\textbf{well-known} \\cite{knuth}.',
          '\\begin{align}',
          '  x &= y',
          '\\end{align}',
          '\\[',
          '  z',
          '\\]',
          '\\end{document}',
        ].join('\n'),
      ),
    );
    expect(count).toMatchObject({ words: 7, formulas: 3 });
    expect(count.sections.map(({ title, words, formulas }) => [title, words, formulas])).toEqual([
      [null, 2, 0],
      ['The first', 5, 3],
    ]);
  });

  it('counts what is on the document’s first and last lines, and nothing outside it', () => {
    const text = 'No. \\begin{document}Only this, $x$.\\end{document} Nor this.';
    expect(countWords(open(text))).toMatchObject({ words: 2, formulas: 1 });
    const long = 'No.\n\\begin{document} One\ntwo\nthree.\\end{document}\nNor this.';
    expect(countWords(open(long))).toMatchObject({ words: 3, formulas: 0 });
  });
});
