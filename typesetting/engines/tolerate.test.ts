import { expect, test } from 'vitest';
import { tolerate } from './tolerate.ts';

test('the unit px becomes one that xelatex supports, and nothing moves', () => {
  const latex = 'a\\vspace{-15px}\n\\includegraphics[width=.5px, height=150 px]{x}\\hspace*{7px}';
  expect(tolerate(latex, 'xelatex')).toBe(
    'a\\vspace{-15bp}\n\\includegraphics[width=.5bp, height=150 bp]{x}\\hspace*{7bp}',
  );
  expect(tolerate(latex, 'pdflatex')).toBe(latex);
});

test('drivers of other engines among the class options become xelatex’s', () => {
  const latex = '%\\documentclass[dvips]{x}\n\\documentclass[12pt,\n  pdftex, dvips]{llncs} [pdftex] dvips\n';
  expect(tolerate(latex, 'xelatex')).toBe(
    '%\\documentclass[dvips]{x}\n\\documentclass[12pt,\n  xetex , xetex]{llncs} [pdftex] dvips\n',
  );
  expect(tolerate(latex, 'pdflatex')).toBe(latex);
});

test('a declaration of an old encoding is changed, because the text is UTF-8 by now', () => {
  const latex =
    '\\usepackage[latin1]{inputenc}\n%\\usepackage[latin1]{inputenc}\n\\usepackage[ cp1252, x]{inputenc}';
  expect(tolerate(latex, 'pdflatex')).toBe(
    '\\usepackage[utf8  ]{inputenc}\n%\\usepackage[latin1]{inputenc}\n\\usepackage[ utf8  , x]{inputenc}',
  );
  expect(tolerate(latex, 'xelatex')).toBe(latex);
});

test('drivers of other engines are removed for lualatex, which finds its own', () => {
  expect(tolerate('\\documentclass[12pt, pdftex,dvips]{x} \\hspace{1px}', 'lualatex')).toBe(
    '\\documentclass[12pt,       ,     ]{x} \\hspace{1px}',
  );
  expect(tolerate('\\usepackage[latin1]{inputenc}', 'lualatex')).toBe('\\usepackage[utf8  ]{inputenc}');
});

test.each([
  'width is 15px wide, 20px.',
  '\\begin{lstlisting}\n{margin=15px}\n\\end{lstlisting}',
  '\\begin{alltt}\n{margin=15px}\n\\end{alltt}',
  'the style \\verb|{15px}| says',
])('%j is text and stays', (latex) => {
  expect(tolerate(latex, 'xelatex')).toBe(latex);
});
