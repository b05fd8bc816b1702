import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { toggleWrap } from '../extensions/formatting.ts';
import { lineIndex } from '../lines/line-index.ts';
import { findLabel, listLabels } from '../lines/targets.ts';
import { type HeadingName, readHeading, setHeading, toggleHeading } from './headings.ts';
import {
  insertCitation,
  insertEquation,
  insertFigure,
  insertLink,
  insertReference,
  insertTable,
} from './insertions.ts';
import { readList, toggleList } from './lists.ts';
import { hasStyle, type StyleName, toggleStyle } from './style.ts';

/** A state with the cursor at `|`, or the selection between two of them. */
function open(text: string) {
  const [before = '', middle, after] = text.split('|');
  const isRange = after !== undefined;
  return EditorState.create({
    doc: text.replaceAll('|', ''),
    selection: EditorSelection.range(before.length, before.length + (isRange ? middle!.length : 0)),
    extensions: [lineIndex],
  });
}
/** The text after an edit, with `|` at the cursor or around the selection; null if there is none. */
function step(
  text: string,
  make: (state: EditorState) => TransactionSpec | readonly TransactionSpec[] | null,
): string | null {
  const state = open(text);
  const specs = make(state);
  if (!specs) return null;
  const { doc, selection } = state.update(...[specs].flat()).state;
  const { from, to } = selection.main;
  const after = doc.toString();
  return from === to
    ? `${after.slice(0, from)}|${after.slice(from)}`
    : `${after.slice(0, from)}|${after.slice(from, to)}|${after.slice(to)}`;
}

describe('a style', () => {
  const toggle = (text: string, style: StyleName = 'bold') =>
    step(text, (state) => toggleStyle(state, style));
  it('is applied, and removed again, with the same words selected', () => {
    expect(toggle('a |b c| d')).toBe('a \\textbf{|b c|} d');
    expect(toggle('a \\textbf{|b c|} d')).toBe('a |b c| d');
    expect(toggle('a |\\textbf{b}| c')).toBe('a |b| c');
    expect(toggle('a \\textbf{b|b} c')).toBe('a b|b c');
    expect(toggle('a \\textit{|b|}', 'bold')).toBe('a \\textit{\\textbf{|b|}}');
  });
  it('applies to the word around the cursor, or to what is typed next', () => {
    expect(toggle('one tw|o')).toBe('one \\textbf{tw|o}');
    expect(toggle('a |')).toBe('a \\textbf{|}');
    expect(toggle('a \\textbf{|}')).toBe('a |');
    expect(toggle('\\alp|ha')).toBe('\\alp\\textbf{|}ha');
  });
  it('is removed from some words of several, and the others keep it', () => {
    expect(toggle('\\textbf{a |b| c}')).toBe('\\textbf{a }|b|\\textbf{ c}');
    expect(toggle('\\textbf{|a| b}')).toBe('|a|\\textbf{ b}');
    expect(toggle('\\textbf{a |b|}')).toBe('\\textbf{a }|b|');
  });
  it('leaves commands whole that the selection cuts', () => {
    expect(toggle('a \\textbf{b \\textit{|c|}} d')).toBe('a \\textbf{b }\\textit{|c|} d');
    expect(toggle('a |b \\textit{c| d} e')).toBe('a \\textbf{|b \\textit{c| d}} e');
    expect(toggle('a \\emph{b |c} d| e')).toBe('a \\textbf{\\emph{b |c} d|} e');
  });
  it('leaves out spaces, and stops at the end of a paragraph, which no argument may contain', () => {
    expect(toggle('a| b |c')).toBe('a \\textbf{|b|} c');
    expect(toggle('|a\n\nb|')).toBe('\\textbf{|a}\n\n\\textbf{b|}');
    expect(toggle('|  |')).toBe('|  |');
  });
  it('is not set twice', () => {
    expect(toggle('|a \\textbf{b} c|')).toBe('\\textbf{|a b c|}');
  });
  it('has other commands in a formula', () => {
    expect(toggle('$a |x|$')).toBe('$a \\mathbf{|x|}$');
    expect(toggle('$\\mathbf{|x|}$')).toBe('$|x|$');
  });
  it('is detected at the cursor; braces, comments and other paragraphs do not mislead', () => {
    const has = (text: string, style: StyleName = 'bold') => hasStyle(open(text), style);
    expect(has('\\textbf{a {b} |c}')).toBe(true);
    expect(has('\\textbf{a \\} |c}')).toBe(true);
    expect(has('\\textbf{a % }\n |c}')).toBe(true);
    expect(has('\\textbf{a} |c')).toBe(false);
    expect(has('\\textbf{a\n\n|c}')).toBe(false);
    expect(has('\\textit{a|c}', 'bold')).toBe(false);
    expect(has('\\textit{a|c}', 'italic')).toBe(true);
  });
  it('is found fast in a long hostile paragraph', () => {
    const state = open(`${'\\textbf{'.repeat(3_000)}|${' {'.repeat(20_000)}${'\n '.repeat(20_000)}`);
    expect(hasStyle(state, 'bold')).toBe(false);
  });
});

describe('delimiters', () => {
  it('wrap, and unwrap what is wrapped', () => {
    const formula = (state: EditorState) => toggleWrap(state, '$', '$');
    expect(step('a |b| c', formula)).toBe('a $|b|$ c');
    expect(step('a $|b|$ c', formula)).toBe('a |b| c');
  });
});

describe('a heading', () => {
  const set = (text: string, name: HeadingName | null) => step(text, (state) => setHeading(state, name));
  it('is made of a line, changed and removed; the cursor stays in place', () => {
    expect(set('In|tro', 'section')).toBe('\\section{In|tro}');
    expect(set('\\section{Int|ro}', 'subsection')).toBe('\\subsection{Int|ro}');
    expect(set('\\section{Int|ro}', null)).toBe('Int|ro');
    expect(set('\\sec|tion{Intro}', null)).toBe('|Intro');
    expect(set('|', 'section')).toBe('\\section{|}');
    expect(set('|Intro|', 'section')).toBe('\\section{|Intro|}');
    expect(step('\\section{Intro|}', (state) => toggleHeading(state, 'section'))).toBe('Intro|');
    expect(set('Int|ro', null)).toBeNull();
  });
  it('keeps its star, short title and label', () => {
    expect(set('\\section*[In]{Intr|o}\\label{s} % x', 'chapter')).toBe(
      '\\chapter*[In]{Intr|o}\\label{s} % x',
    );
    expect(set('  \\section{A {b}|}\\label{s}', null)).toBe('  A {b}|\\label{s}');
  });
  it('whose title continues on the next line keeps it', () => {
    expect(set('\\section{Long|\ntitle}', 'paragraph')).toBe('\\paragraph{Long|\ntitle}');
    expect(set('\\section{Long|\ntitle}', null)).toBeNull();
  });
  it('is known at the cursor', () => {
    expect(readHeading(open('\\subsection*{A}|'))).toBe('subsection');
    expect(readHeading(open('\\sectionmark{A}|'))).toBeNull();
  });
});

describe('a list', () => {
  const bullets = (text: string) => step(text, (state) => toggleList(state, 'itemize'));
  it('is made of lines, with their words selected', () => {
    expect(bullets('|a\nb|')).toBe('\\begin{itemize}\n  \\item |a\n  \\item b|\n\\end{itemize}');
    expect(bullets('  a|b')).toBe('  \\begin{itemize}\n    \\item a|b\n  \\end{itemize}');
    expect(bullets('|')).toBe('\\begin{itemize}\n  \\item |\n\\end{itemize}');
  });
  it('becomes one of the other kind, or lines again', () => {
    const list = (name: string, mark = '|') =>
      `\\begin{${name}}\n  \\item a${mark}\n  \\item b\n\\end{${name}}`;
    expect(bullets(list('enumerate'))).toBe(list('itemize'));
    expect(bullets(`x\n${list('itemize')}\ny`)).toBe('x\na|\nb\ny');
    expect(bullets(list('itemize'))).toBe('a|\nb');
    expect(readList(open(list('enumerate')))).toBe('enumerate');
    expect(readList(open(`${list('enumerate', '')}\n|`))).toBeNull();
  });
  it('within another is left alone', () => {
    expect(
      bullets('\\begin{itemize}\n\\item a|\n\\begin{enumerate}\n\\item b\n\\end{enumerate}\n\\end{itemize}'),
    ).toBe('a|\n\\begin{enumerate}\n\\item b\n\\end{enumerate}');
  });
});

describe('what is inserted', () => {
  const paper = (body: string) => `\\documentclass{article}\n\\begin{document}\n${body}\n\\end{document}`;
  it('a table: on lines of its own, with the package it needs, in one step', () => {
    expect(step(paper('A word| here.'), (state) => insertTable(state, 2, 2))).toBe(
      paper(
        [
          'A word here.',
          '\\begin{table}[htbp]',
          '  \\centering',
          '  \\caption{|Caption|}',
          '  \\begin{tabular}{ll}',
          '    \\toprule',
          '    Column 1 & Column 2 \\\\',
          '    \\midrule',
          '     &  \\\\',
          '    \\bottomrule',
          '  \\end{tabular}',
          '\\end{table}',
        ].join('\n'),
      ).replace('\\begin{document}', '\\usepackage{booktabs}\n\\begin{document}'),
    );
  });
  it('a block: in the body and outside formulas, wherever the cursor is', () => {
    const equation = '\n\\begin{equation}\n  ||\n\\end{equation}'.replace('||', '|');
    expect(step(`|${paper('A.')}`, insertEquation)).toBe(
      paper('A.').replace('{document}', `{document}${equation}`),
    );
    expect(step(`${paper('A.')}|`, insertEquation)).toBe(paper(`A.${equation}`));
    expect(step('\\[\n  a|\n\\] b', insertEquation)).toBe(`\\[\n  a\n\\] b${equation}`);
    expect(step('  |', insertEquation)).toBe('  \\begin{equation}\n    |\n  \\end{equation}');
  });
  it('a figure: with its caption to be written', () => {
    expect(step('|', (state) => insertFigure(state, 'my plot.png'))).toBe(
      '\\begin{figure}[htbp]\n  \\centering\n  \\includegraphics[width=0.8\\linewidth]{my plot.png}\n' +
        '  \\caption{|Caption|}\n  \\label{fig:my-plot}\n\\end{figure}',
    );
  });
  it('a link: of words, or of an address', () => {
    expect(step('see |this|', insertLink)).toBe('see \\href{|}{this}');
    expect(step('see |https://a.org/b|', insertLink)).toBe('see \\url{https://a.org/b}|');
    expect(step(paper('a|'), insertLink)).toContain('\\usepackage{hyperref}\n\\begin{document}');
  });
  it('a citation: as the packages say, next to others', () => {
    const cite = (text: string) => step(text, (state) => insertCitation(state, 'new'));
    expect(cite('as in |')).toBe('as in \\cite{new}|');
    expect(cite('as in \\cite[p. 3]{old|, other}')).toBe('as in \\cite[p. 3]{old, other, new|}');
    expect(cite('\\usepackage{natbib}\n|')).toBe('\\usepackage{natbib}\n\\citep{new}|');
    expect(cite('\\cite{old}|')).toBe('\\cite{old}\\cite{new}|');
  });
  it('a reference: of equations in parentheses', () => {
    const refer = (text: string, name: string) =>
      step(text, (state) => insertReference(state, findLabel(state, name)!));
    const equation = '\\begin{equation}\\label{e}x\\end{equation}';
    expect(refer(`${equation} |`, 'e')).toBe(`${equation} \\ref{e}|`);
    expect(refer(`\\usepackage{amsmath}\n${equation} |`, 'e')).toContain('\\eqref{e}|');
    expect(refer('\\usepackage{cleveref}\n\\section{A}\\label{s} \\cref{b|}', 's')).toContain(
      '\\cref{b, s|}',
    );
  });
});

it('labels are known by what they name', () => {
  const text = [
    '\\section{On \\emph{limits}}\\label{s}',
    '\\begin{align}',
    '  a &= b \\label{e}',
    '\\end{align}',
    '\\begin{figure}',
    '  \\caption{A {long}',
    '    caption}',
    '  \\label{f}',
    '\\end{figure}',
    '\\begin{theorem}[Main]\\label{t}',
    '  All is $x$.',
    '\\end{theorem}',
    'Loose.\\label{l}',
  ].join('\n');
  expect(listLabels(open(text)).map(({ name, what, text: words }) => [name, what, words])).toEqual([
    ['s', 'Section', 'On limits'],
    ['e', 'Equation', '\\begin{align}\n  a &= b \\label{e}\n\\end{align}'],
    ['f', 'Figure', 'A long caption'],
    ['t', 'Theorem', 'All is x.'],
    ['l', 'Section', 'On limits'],
  ]);
});
