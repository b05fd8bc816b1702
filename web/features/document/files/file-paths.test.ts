import { expect, test } from 'vitest';
import { checkFileName, findFileAt, listRows } from './file-paths.ts';

test('a tree has folders before files, numbers sorted by value', () => {
  const names = ['refs.bib', 'chapters/ch10.tex', 'chapters/ch2.tex', 'chapters/a/x.tex', 'Figures/b.png'];
  expect(listRows(names).map(({ path, depth }) => [path, depth])).toEqual([
    ['chapters', 0],
    ['chapters/a', 1],
    ['chapters/a/x.tex', 2],
    ['chapters/ch2.tex', 1],
    ['chapters/ch10.tex', 1],
    ['Figures', 0],
    ['Figures/b.png', 1],
    ['refs.bib', 0],
  ]);
});

test.each([
  ['chapters/three.tex', null],
  ['', 'Give it a name'],
  ['chapters/ä.tex', 'Use unaccented letters'],
  ['../x.tex', 'Use unaccented letters'],
  ['main.tex', 'Use unaccented letters'],
  ['picture.png', 'End it with'],
  ['CHAPTERS/one.tex', 'A file or folder'],
  ['chapters/one.tex/more.tex', 'A file or folder'],
])('a new file called %s: %s', (name, problem) => {
  const found = checkFileName(name, ['chapters/one.tex']);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});

const names = ['chapters/one.tex', 'refs.bib', 'lit/more.bib', 'own.sty', 'chapters/parts/p.tex', 'a.png'];
test.each([
  ['\\inp|ut{chapters/one}', '', 'chapters/one.tex'],
  ['\\input{chapters/one.t|ex}', '', 'chapters/one.tex'],
  ['See \\input{./chapters/one}|.', '', 'chapters/one.tex'],
  ['\\bibliography{refs,lit/mo|re}', '', 'lit/more.bib'],
  ['\\bibliography{re|fs,lit/more}', '', 'refs.bib'],
  ['\\usepackage[x]{amsmath, o|wn}', '', 'own.sty'],
  ['\\subimport{parts/}{|p}', 'chapters', 'chapters/parts/p.tex'],
  ['\\includegraphics[width=3cm]{a|}', '', 'a.png'],
  ['\\input{none|}', '', null],
  ['|x \\input{chapters/one}', '', null],
  ['\\input{chapters/one}\n|', '', null],
])('%s in “%s” names %s', (text, folder, name) => {
  expect(findFileAt(text.replace('|', ''), text.indexOf('|'), names, folder)).toBe(name);
});
