import { type Zippable, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { importDocument } from './import-document.ts';
import { maxArchiveEntries } from './read-archive.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
const text = (value: string) => new TextEncoder().encode(value);
const pack = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? text(content) : content,
      ]),
    ) as Zippable,
  );
const article = (body: string, head = '') =>
  `\\documentclass{article}\n${head}\\begin{document}\n${body}\n\\end{document}\n`;

describe('a .tex file', () => {
  test('keeps its text, takes its title from it, and lists missing figures', () => {
    const imported = importDocument(
      'notes.tex',
      text(article('\\includegraphics{cat}', '\\title{Limits \\& \\emph{series}\\\\ \\large week 4}\n')),
    );
    expect(imported.title).toBe('Limits & series week 4');
    expect(imported.latex).toContain('\\includegraphics{cat}');
    expect(imported.figures).toEqual([]);
    expect(imported.missing).toEqual(['cat']);
  });

  test('in Windows-1252 is decoded correctly, and says that it is now UTF-8', () => {
    const bytes = Buffer.from(article('Größe', '\\usepackage[latin1]{inputenc}\n'), 'latin1');
    const { latex, title } = importDocument('größe.tex', bytes);
    expect(latex).toContain('Größe');
    expect(latex).toContain('\\usepackage[utf8]{inputenc}');
    expect(title).toBe('größe');
  });

  test.each([
    ['nothing', 'a.tex', new Uint8Array(), 'The file is empty.'],
    ['no document', 'a.tex', text('Dear diary'), 'has no \\documentclass'],
    [
      'a class that is commented out',
      'a.tex',
      text('% \\documentclass{article}\nx'),
      'has no \\documentclass',
    ],
    ['a picture', 'a.tex', Uint8Array.from([137, 80, 78, 71, 0, 0]), 'not a text file'],
    ['a name that lies', 'a.zip', text('hello'), 'not a ZIP archive'],
    ['a text without end', 'a.tex', text(article('x'.repeat(2_000_001))), 'longer than'],
  ])('%s is rejected with a message', (_, name, bytes, message) => {
    expect(() => importDocument(name, bytes)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(message) }),
    );
  });
});

describe('an archive', () => {
  test('keeps its files in their folders, byte for byte, and its text unchanged', () => {
    const main = article(
      '\\input{chapters/one}\n\\include{chapters/two} after\n\\includegraphics{photo}\n' +
        '\\lstinputlisting[language=C]{code/a.c}\n\\pgfplotstableread{data/x.csv}{\\t}\n\\bibliography{lit/refs}',
      '\\usepackage{style/own}\n\\graphicspath{{figs/}{img/}}\n',
    );
    const files = {
      'chapters/one.tex': 'One \\includegraphics{img/photo.png} % end\r\n',
      'chapters/two.tex': 'Two \\input{chapters/three.tex}\\endinput gone',
      'chapters/three.tex': 'Three',
      'figs/photo.jpg': png,
      'img/photo.png': png,
      'img/unused.png': png,
      'code/a.c': 'int main;',
      'data/x.csv': 'a,b',
      'style/own.sty': '\\newcommand{\\own}{1}',
      'lit/refs.bib': '@book{a}',
      'notes/todo.txt': 'nobody refers to this',
    };
    const imported = importDocument(
      'thesis.zip',
      pack({
        'thesis/main.tex': main,
        ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`thesis/${path}`, content])),
        'thesis/main.aux': 'made by TeX',
        'thesis/main.pdf': 'made by TeX',
        'thesis/.git/config': 'x',
        '__MACOSX/thesis/._main.tex': 'x',
      }),
    );
    expect(imported).toMatchObject({ title: 'thesis', missing: [], latex: main, mainName: null });
    const stored = Object.fromEntries(imported.figures.map(({ name, bytes }) => [name, Buffer.from(bytes)]));
    const sent = Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]);
    expect(stored).toEqual(Object.fromEntries(sent));
  });

  test('renames files only where necessary, and updates every reference', () => {
    const { latex, figures, missing } = importDocument(
      'a.zip',
      pack({
        'paper/text.tex': article(
          '\\input{../shared/Ünit one}\n\\includegraphics{Plot 1}\\includegraphics{main.png}\n' +
            '% \\includegraphics{figs/never}\n\\verb|\\input{../shared/Ünit one}|',
          '\\graphicspath{{figs/}}\n',
        ),
        'shared/Ünit one.tex': 'One \\includegraphics{figs/Plot 1.png}',
        'paper/figs/Plot 1.png': png,
        'paper/main.png': png,
      }),
    );
    expect(missing).toEqual([]);
    const names = ['figs/Plot-1.png', 'main-1.png', 'shared/Unit-one.tex'];
    expect(figures.map(({ name }) => name).sort()).toEqual(names);
    expect(latex).toContain('\\input{shared/Unit-one.tex}\n');
    expect(latex).toContain('\\includegraphics{figs/Plot-1.png}\\includegraphics{main-1.png}');
    expect(latex).toContain('\\verb|\\input{../shared/Ünit one}|');
    const part = figures.find(({ name }) => name.endsWith('.tex'))!;
    expect(Buffer.from(part.bytes).toString()).toBe('One \\includegraphics{figs/Plot-1.png}');
  });

  test('keeps names apart that differ only in case, and a file from a folder with its name', () => {
    const files = { 'x/plot.png': png, 'x/Plot.png': png, 'a.tex': 'A', data: 'x', 'data/b.csv': 'x' };
    const { latex, figures } = importDocument(
      'a.zip',
      pack({
        'thesis.tex': article(
          '\\includegraphics{x/plot.png}\\includegraphics{x/Plot.png}\\input{data/b.csv}',
        ),
        ...files,
      }),
    );
    expect(latex).toContain('\\includegraphics{x/plot.png}\\includegraphics{x/Plot-1.png}');
    const names = figures.map(({ name }) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(names.some((other) => other.startsWith(`${name}/`))).toBe(false);
  });

  test('changes paths that lead out of the main file’s folder and back in', () => {
    const { latex } = importDocument(
      'a.zip',
      pack({
        'book/book.tex':
          '\\documentclass{../book/own}\n\\begin{document}\\input{../book/cover.tex}\\end{document}',
        'book/own.cls': '\\LoadClass{book}',
        'book/cover.tex': 'Cover',
      }),
    );
    expect(latex).toBe('\\documentclass{own}\n\\begin{document}\\input{cover.tex}\\end{document}');
  });

  test('keeps files that a macro may use, and leaves out those that are neither text nor picture', () => {
    const { figures } = importDocument(
      'a.zip',
      pack({
        'main.tex': article('\\newcommand\\fig[1]{\\input{figures/#1.pdf_t}}\\fig{one}'),
        'figures/one.pdf_t': 'x',
        'figures/one.pdf': '%PDF-',
        Makefile: 'all:',
        'tool.exe': Uint8Array.from([77, 90, 0, 1]),
        latexmkrc: 'system("x")',
      }),
    );
    expect(figures.map(({ name }) => name)).toEqual(['figures/one.pdf_t', 'figures/one.pdf', 'Makefile']);
  });

  test('finds pictures in the folders that another text names', () => {
    const { missing, figures } = importDocument(
      'a.zip',
      pack({
        'main.tex': article('\\input{parts/_one}', '\\input{setup/look}'),
        'setup/look.tex': '\\graphicspath{{figs/raster/}}',
        'parts/_one.tex': '\\includegraphics{plot}',
        'figs/raster/plot.png': png,
      }),
    );
    expect(missing).toEqual([]);
    expect(figures.map(({ name }) => name).sort()).toEqual([
      'figs/raster/plot.png',
      'parts/_one.tex',
      'setup/look.tex',
    ]);
  });

  test('remembers the name of the main file', () => {
    const imported = importDocument('a.zip', pack({ 'thesis.tex': article('A'), 'b.bib': '@book{b}' }));
    expect(imported).toMatchObject({ mainName: 'thesis.tex', title: 'thesis' });
  });

  test('in another encoding is converted to UTF-8 in all its parts', () => {
    const { latex, figures } = importDocument(
      'a.zip',
      pack({
        'main.tex': article('\\input{one}', '\\usepackage[latin1]{inputenc}\n'),
        'one.tex': Buffer.from('Größe', 'latin1'),
      }),
    );
    expect(latex).toContain('[utf8]{inputenc}');
    expect(Buffer.from(figures[0]!.bytes).toString()).toBe('Größe');
  });

  test.each([
    [
      'by its root comment',
      { 'b.tex': article('B'), 'x/a.tex': `% !TEX root = ../b.tex\nA`, 'c.tex': article('C') },
    ],
    ['as the one that nobody inputs', { 'b.tex': article('B \\input{part}'), 'part.tex': article('A') }],
    [
      'as the one that is no part',
      { 'b.tex': article('B'), 's.tex': '\\documentclass{subfiles}\\begin{document}S\\end{document}' },
    ],
    ['as the one that lies higher', { 'b.tex': article('B'), 'old/a.tex': article('A') }],
    ['by the name main', { 'main.tex': article('B'), 'a.tex': article('A') }],
  ])('finds its document %s', (_, files) => {
    expect(importDocument('a.zip', pack(files as Record<string, string>)).latex).toContain('\nB');
  });

  test('with several documents imports the most likely one, lists the others, and imports a chosen one', () => {
    const archive = pack({
      'cover.tex': article('A letter.'),
      'thesis.tex': article('B'),
      'appendix.tex': article('A long text of no usual name, longer than all the others are together.'),
      'old/draft.tex': article('C'),
    });
    const guessed = importDocument('a.zip', archive);
    expect(guessed).toMatchObject({ main: 'thesis.tex', others: ['appendix.tex', 'cover.tex'] });
    expect(guessed.latex).toContain('\nB');
    const chosen = importDocument('a.zip', archive, 'old/draft.tex');
    expect(chosen).toMatchObject({ main: 'old/draft.tex', others: [] });
    expect(chosen.latex).toContain('\nC');
    expect(() => importDocument('a.zip', archive, 'none.tex')).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  test('includes files used by its own styles, under their current names', () => {
    const { figures, latex } = importDocument(
      'a.zip',
      pack({
        'main.tex': article('Notes.', '\\usepackage{cover}\n'),
        'cover.sty': '\\RequirePackage{graphicx}\\newcommand\\logo{\\includegraphics{images/seal 1.png}}',
        'images/seal 1.png': png,
      }),
    );
    expect(latex).toContain('\\usepackage{cover}');
    expect(figures.map(({ name }) => name).sort()).toEqual(['cover.sty', 'images/seal-1.png']);
    const style = figures.find(({ name }) => name === 'cover.sty')!;
    expect(new TextDecoder().decode(style.bytes)).toContain('\\includegraphics{images/seal-1.png}');
  });

  test('of a published paper has its list of references where the databases were named', () => {
    const list = '\\begin{thebibliography}{1}\n\\bibitem{k} Knuth.\n\\end{thebibliography}\n';
    const latex = article('See \\cite{k}.\n\\bibliographystyle{plain}\n\\bibliography{refs}');
    const { latex: set } = importDocument('a.zip', pack({ 'ms.tex': latex, 'ms.bbl': list }));
    expect(set).toContain('\\bibitem{k} Knuth.');
    expect(set).not.toContain('\\bibliography{refs}');
    // with the databases, the list can be generated again
    const whole = pack({ 'ms.tex': latex, 'ms.bbl': list, 'refs.bib': '@book{k}' });
    expect(importDocument('a.zip', whole).latex).toContain('\\bibliography{refs}');
  });

  test.each([
    ['no document', { 'a.txt': 'A' }, 'no LaTeX document'],
    ['a name that leads out', { '../a.tex': article('A') }, 'not allowed'],
    ['a name from the root', { '/etc/a.tex': article('A') }, 'not allowed'],
    ['a name of another system', { 'C:\\a.tex': article('A') }, 'not allowed'],
    [
      'too many files',
      Object.fromEntries(Array.from({ length: maxArchiveEntries + 1 }, (_, n) => [`${n}.txt`, 'x'])),
      'more than 1000 files',
    ],
    ['a bomb', { 'a.tex': article('A'), 'b.png': new Uint8Array(20_000_000) }, 'far more than it should'],
  ])('with %s is rejected with a message', (_, files, message) => {
    expect(() => importDocument('a.zip', pack(files as Record<string, string>))).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(message) }),
    );
  });

  test('that is truncated, or has wrong sizes, is rejected or read within its stated sizes', () => {
    const archive = pack({ 'a.tex': article('A'.repeat(5000)) });
    expect(() => importDocument('a.zip', archive.subarray(0, archive.length - 30))).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
    for (let at = 0; at < archive.length; at++) {
      const broken = archive.slice();
      broken[at]! ^= 0xff;
      try {
        importDocument('a.zip', broken);
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_INPUT' });
      }
    }
  });
});
