import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { lineIndex } from './line-index.ts';
import { listProjectHeadings, type ProjectTexts } from './project-outline.ts';

/** `texts['']` is the document's own; a file is named as it is written, without `.tex`. */
function outlineOf(texts: Record<string, string>, shown: string | null = null): string[] | null {
  const project: ProjectTexts = {
    file: shown,
    read: (file) => texts[file ?? ''] ?? null,
    find: (_, line, at) => {
      const name = line.slice(at).match(/\{([^}]*)\}/)?.[1] ?? '';
      return name in texts ? name : null;
    },
    show: () => {},
    onChange: () => () => {},
  };
  const state = EditorState.create({ doc: texts[shown ?? ''], extensions: [lineIndex] });
  const known = new Map();
  const list = () =>
    listProjectHeadings(state, project, known)?.map(
      ({ file, level, title, line }) => `${file ?? 'main'}:${line} ${level} ${title}`,
    ) ?? null;
  expect(list()).toEqual(list());
  return list();
}

test('headings of all files are listed in reading order, whichever of them is shown', () => {
  const texts = {
    '': '\\chapter{Start}\n\\input{one} % \\input{three}\n\\include{two}\n\\section{End}\n',
    one: '\\section{A}\n\\input{deep}\n\\section{B}\n',
    deep: '\\subsection{Inside}\n',
    two: 'Words.\n\\chapter{Two}\n',
    three: '\\chapter{Left out}\n',
  };
  const expected = [
    'main:1 0 Start',
    'one:1 1 A',
    'deep:1 2 Inside',
    'one:3 1 B',
    'two:2 0 Two',
    'main:4 1 End',
  ];
  expect(outlineOf(texts)).toEqual(expected);
  expect(outlineOf(texts, 'one')).toEqual(expected);
  // a file that no other includes stands alone
  expect(outlineOf(texts, 'three')).toBeNull();
});

test('a document of one text has no outline of several; what includes itself, or nothing that is there, ends', () => {
  expect(outlineOf({ '': '\\section{A}\n\\input{gone}\n', other: '' })).toBeNull();
  expect(
    outlineOf({ '': '\\input{a}\n', a: '\\section{A}\n\\input{b}\n', b: '\\section{B}\n\\input{a}\n' }),
  ).toEqual(['a:1 1 A', 'b:1 1 B']);
  expect(
    outlineOf({
      '': '\\begin{verbatim}\n\\input{a}\n\\end{verbatim}\n\\section{A} \\input{a} \\input{a}\n',
      a: '\\section{Twice}\n',
    }),
  ).toEqual(['main:4 1 A', 'a:1 1 Twice', 'a:1 1 Twice']);
});
