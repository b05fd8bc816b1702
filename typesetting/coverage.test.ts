/**
 * Documents written for another engine, or with packages that are not installed, in the real box: what our TeX
 * tree provides for them.
 */
import { expect, test } from 'vitest';
import { chooseFrom } from '../test-support/matrix.ts';
import { openTypesetter } from '../test-support/open-typesetter.ts';
import type { CompileResult } from './index.ts';
import { pdfText } from './testing/find-leak.ts';

const { typesetter } = await openTypesetter({ strategies: ['cold'] });

const engines = chooseFrom(import.meta.filename, [
  ['xelatex', ''],
  ['pdflatex', '% !TEX program = pdflatex\n'],
] as const);

type Compiled = Extract<CompileResult, { kind: 'compiled' }>;
async function compile(latex: string): Promise<Compiled & { words: string }> {
  const result = await typesetter.compile({ latex, owner: 'a', cpuMs: 50_000 });
  if (result.kind !== 'compiled') throw new Error(JSON.stringify({ ...result, pdf: null }, null, 1));
  return { ...result, words: pdfText(result.pdf).replace(/\s+/g, ' ') };
}

test('a document written for pdflatex keeps all its characters under xelatex', async () => {
  const { words, messages } = await compile(String.raw`\documentclass{article}
\usepackage[latin1]{inputenc}
\usepackage[OT1,T1]{fontenc}
\usepackage{lmodern,cmap}
\usepackage[pdftex]{graphicx,xcolor}
\usepackage[protrusion=true,expansion=true,tracking=true]{microtype}
\usepackage[french]{babel}
\usepackage{listings}
\usepackage[pdftex,colorlinks]{hyperref}
\input{glyphtounicode}\pdfgentounicode=1
\DeclareUnicodeCharacter{2713}{yes}
\begin{document}
\shorthandoff{:;!?}\og œuvre – déjà\fg, “łódź” ő ✓ \color{red}rouge
\begin{lstlisting}
abc œé – € → x # ça déjà vu
\end{lstlisting}
\fontfamily{ptm}\selectfont Times \fontfamily{phv}\selectfont Helvetica
\end{document}
`);
  expect(words).toContain('œuvre – déjà');
  expect(words).toContain('“łódź” ő yes rouge');
  expect(words).toContain('abc œé – € → x # ça déjà vu');
  expect(messages.filter(({ message }) => message.startsWith('Missing character'))).toEqual([]);
});

test('a document for pdflatex that declares an old encoding keeps its accented letters', async () => {
  const { words } = await compile(String.raw`\documentclass[pdftex]{article}
\usepackage[latin1]{inputenc}
\usepackage[T1]{fontenc}
\begin{document}
œuvre – déjà “łódź”
\end{document}
`);
  expect(words).toContain('œuvre – déjà “łódź”');
});

test.each(engines)('Cyrillic and Polish letters, by %s', async (_, comment) => {
  const { words } = await compile(`${comment}\\documentclass{article}
\\usepackage[T1,T2A]{fontenc}
\\usepackage[utf8]{inputenc}
\\usepackage[polish,russian]{babel}
\\begin{document}
\\tableofcontents\\section{Привет} \\textbf{Жирный} «текст» \\foreignlanguage{polish}{\\fontencoding{T1}\\selectfont łódź} \\itshapeкурсив
\\end{document}
`);
  expect(words).toContain('Содержание');
  expect(words).toMatch(/Привет Жирный «текст» łódź курсив/);
});

test.each(engines)('minted is typeset by listings, by %s', async (_, comment) => {
  const { words } = await compile(`${comment}\\documentclass{article}
\\usepackage[newfloat,cachedir=x]{minted}
\\usemintedstyle{friendly}
\\setminted[python]{linenos, fontsize=\\small, frame=lines}
\\newminted{cpp}{breaklines}
\\newmintinline{java}{}
\\begin{document}
\\begin{listing}[ht]
\\begin{minted}[autogobble,bgcolor=yellow!10]{python}
    def first(x):
        return {"a": x}
\\end{minted}
\\caption{Listed}
\\end{listing}
\\mintinline{python}{def second(x): return {}} and \\mintinline{c}|int third;| and \\javainline{class Fourth}
\\mint{html}|<h2>fifth</h2>|
\\begin{cppcode}
int sixth() { return 0; }
\\end{cppcode}
\\begin{minted}{no-such-language}
seventh
\\end{minted}
\\end{document}
`);
  for (const code of [
    'def first(x):',
    'def second(x): return {}',
    'int third;',
    'class Fourth',
    '<h2>fifth</h2>',
    'int sixth() { return 0; }',
    'seventh',
  ])
    expect(words).toContain(code);
  expect(words).toMatch(/Listing 1: ?Listed/);
});

test('an error after minted is reported on the right line', async () => {
  const latex =
    '\\documentclass{article}\n\\usepackage{minted}\n\\begin{document}\n\\begin{minted}{c}\nint x;\n\\end{minted}\n\\nosuchcommand\n\\end{document}\n';
  const result = await typesetter.compile({ latex, owner: 'a' });
  const errors = 'messages' in result ? result.messages.filter(({ level }) => level === 'error') : [];
  expect(errors.map(({ line }) => line)).toEqual([7]);
});

test('fonts and icons that are not installed have substitutes', async () => {
  const { words } = await compile(String.raw`\documentclass{article}
\usepackage{dsfont,bbm,ccicons,fontawesome5,newtxtext,newtxmath,DejaVuSansMono}
\usepackage[sfdefault]{FiraSans}
\begin{document}
$\mathds{R}$ $\mathbbm{1}_A$ \faGithub\ \faIcon{envelope} set. \ccbysa
\end{document}
`);
  expect(words).toMatch(/set\. ?CC ?BY ?SA/);
});

test('a missing bibliography leaves the citation keys, and the message names the file to add', async () => {
  const { words, messages } = await compile(String.raw`\documentclass{article}
\usepackage[style=authoryear,backend=biber]{biblatex}
\addbibresource{sources.bib}
\begin{document}
as \textcite[3]{knuth84} and \parencite[see][12]{lamport} say.\footcite{k}
\printbibliography
\end{document}
`);
  expect(words).toMatch(/as knuth84.*lamport.*say/);
  expect(messages.map(({ message }) => message)).toContain(
    'The bibliography sources.bib is not among the document’s files.',
  );
});

test('citations of a missing bibliography print question marks', async () => {
  const { words, messages } = await compile(String.raw`\documentclass{article}
\usepackage{natbib,csquotes}
\begin{document}
\enquote{Said} \citep{knuth} and \citet{lamport}.
\bibliographystyle{plainnat}\bibliography{sources}
\end{document}
`);
  expect(words).toContain('Said');
  expect(words).toContain('?');
  expect(messages.some(({ level, message }) => level === 'warning' && /Citation/.test(message))).toBe(true);
});

test('a font that only this machine has is not found, by name or by file', async () => {
  const { words } = await compile(String.raw`\documentclass{article}
\usepackage{fontspec}
\setmainfont{Lato}
\begin{document}
\newcommand\ask[1]{\IfFontExistsTF{#1}{there}{none}}
C059 \ask{C059}, by its file \ask{C059-Roman.otf}, Noto Sans Coptic \ask{Noto Sans Coptic};
FreeSerif \ask{FreeSerif}, by its file \ask{DejaVuSerif.ttf}
\end{document}
`);
  expect(words).toContain('C059 none, by its file none, Noto Sans Coptic none');
  expect(words).toContain('FreeSerif there, by its file there');
});
