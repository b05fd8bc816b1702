import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../test-support/random.ts';
import { getLineIndex, lineIndex } from './line-index.ts';
import { scanLine } from './scan-line.ts';
import { getStructure } from './structure.ts';
import { findFormula, isMathAt } from './tokens.ts';

const open = (doc: string) => EditorState.create({ doc, extensions: [lineIndex] });
const tokensOf = (text: string, entry = '') => {
  const tokens: string[] = [];
  scanLine(text, entry, (kind, from, to) => tokens.push(`${kind} ${text.slice(from, to)}`));
  return tokens;
};

describe('a line', () => {
  it('is covered by its tokens without gaps', () => {
    for (const text of [
      String.raw`\section{A $x^2$} word % note`,
      String.raw`\begin{tabular}{lc} a & b \\ \verb|$x$| \cite[p. 1]{a, b}`,
      String.raw`\newcommand{\R}{\mathbb{R}} \[ a \] $$b$$ \end`,
    ]) {
      let at = 0;
      scanLine(text, '', (_, from, to) => {
        expect(from).toBe(at);
        at = to;
      });
      expect(at).toBe(text.length);
    }
  });

  it('distinguishes text, formulas, arguments, comments and verbatim', () => {
    expect(tokensOf(String.raw`a $b\alpha$ \ref{c}% d`)).toEqual([
      'text a ',
      'delimiter $',
      'math b',
      String.raw`math-command \alpha`,
      'delimiter $',
      'text  ',
      String.raw`command \ref`,
      'brace {',
      'argument c',
      'brace }',
      'comment % d',
    ]);
    expect(scanLine(String.raw`\begin{verbatim} $`, '').exit).toBe('v:verbatim');
    expect(tokensOf(String.raw`$x$ \end{verbatim} y`, 'v:verbatim')[0]).toBe('verbatim $x$ ');
  });

  it('ends an open formula at a blank line', () => {
    expect(scanLine('costs $5', '').exit).toBe('m:$');
    expect(scanLine('', 'm:$').exit).toBe('');
    expect(scanLine('', 'e:align').exit).toBe('e:align');
  });
});

describe('the index', () => {
  it('after any edits equals that of a scan of the whole text', () => {
    const pieces = [
      '\\begin{align}',
      '\\end{align}',
      '$',
      '\n',
      '\n\n',
      'word',
      '%',
      '\\begin{verbatim}\n',
      '}',
      '\\section{A}',
    ];
    const { below: random } = createRandom(7);
    let state = open('a\n$b$\n\\begin{align}\nx\n\\end{align}\nc\n');
    for (let round = 0; round < 400; round++) {
      const changes = [0, 1].map(() => {
        const from = random(state.doc.length + 1);
        return {
          from,
          to: Math.min(state.doc.length, from + random(6)),
          insert: pieces[random(pieces.length)]!,
        };
      });
      changes.sort((a, b) => a.from - b.from);
      const apart = changes[1]!.from > changes[0]!.to ? changes : [changes[0]!];
      state = state.update({ changes: apart }).state;
      expect(getLineIndex(state).lines).toEqual(getLineIndex(open(state.doc.toString())).lines);
    }
  });

  it('keeps the lines that an edit does not concern', () => {
    const before = open('\\label{a}\nb\n\\label{c}\n');
    const after = before.update({ changes: { from: 11, insert: 'x' } }).state;
    expect(getLineIndex(after).lines[2]).toBe(getLineIndex(before).lines[2]);
  });
});

describe('the structure', () => {
  it('pairs environments, nested and broken, and ends sections where the next begins', () => {
    const state = open(
      '\\section{A}\n\\begin{x}\n\\begin{y}\n\\begin{z}\n\\end{z}\n\\end{x}\n\\subsection{B}\n\\section{C \\emph{d}}\n',
    );
    const { pairs, open: unclosed, headings } = getStructure(state);
    expect(pairs.map(({ begin, end }) => [begin.mark.name, begin.line, end.line])).toEqual([
      ['z', 4, 5],
      ['x', 2, 6],
    ]);
    expect(unclosed.map(({ mark }) => mark.name)).toEqual(['y']);
    expect(headings.map(({ title, line, lastLine }) => [title, line, lastLine])).toEqual([
      ['A', 1, 7],
      ['B', 7, 7],
      ['C d', 8, 9],
    ]);
  });

  it('is not built again while words are typed, and is right after any edit', () => {
    const state = open('\\section{A}\nWords, as in \\ref{a}.\n\\begin{x}\n\\label{b}\n\\end{x}\n');
    const edited = state.update({ changes: { from: 14, insert: 'more ' } }).state;
    expect(getStructure(edited)).toBe(getStructure(state));
    const random = createRandom(5);
    const bits = ['\n', 'word ', '\\section{B}', '\\begin{x}', '\\end{x}', '\\label{c}', '%', '$', '}'];
    let now = state;
    for (let round = 0; round < 400; round++) {
      const edits = Array.from({ length: 1 + random.below(2) }, () => {
        const from = random.below(now.doc.length + 1);
        const to = Math.min(now.doc.length, from + random.below(6));
        return { from, to, insert: random.below(4) === 0 ? '' : bits[random.below(bits.length)]! };
      }).sort((a, b) => a.from - b.from);
      if (edits[1] && edits[1].from < edits[0]!.to) continue;
      now = now.update({ changes: edits }).state;
      expect(getStructure(now)).toEqual(getStructure(open(now.doc.toString())));
    }
  });

  it('recognises subparagraphs, and every command that refers to a label', () => {
    const state = open('\\paragraph{A}\n\\subparagraph{B}\n\\vref{x} \\cpageref{y}');
    expect(getStructure(state).headings.map(({ title, level }) => [title, level])).toEqual([
      ['A', 4],
      ['B', 5],
    ]);
    expect(getLineIndex(state).lines[2]!.marks.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'reference x',
      'reference y',
    ]);
  });

  it('knows what the document defines', () => {
    const structure = getStructure(
      open(
        [
          '\\usepackage{amsmath,bm}',
          '\\newcommand{\\norm}[1]{\\lVert #1\\rVert}',
          '\\DeclareMathOperator{\\rk}{rank}',
          '\\newtheorem{satz}{Satz}',
          '\\label{eq:a} \\bibitem{knuth} K',
          '\\begin{verbatim}',
          '\\label{no}',
          '\\end{verbatim}',
          '% \\label{neither}',
        ].join('\n'),
      ),
    );
    expect(structure.packages).toEqual(['amsmath', 'bm']);
    expect(structure.macros).toEqual([
      { name: 'norm', count: 1, body: '\\lVert #1\\rVert' },
      { name: 'rk', count: 0, body: '\\operatorname{rank}' },
    ]);
    expect(structure.environments).toEqual(['satz']);
    expect(structure.labels).toEqual(['eq:a']);
    expect(structure.citationKeys).toEqual(['knuth']);
  });
});

describe('a formula', () => {
  const at = (text: string) => {
    const offset = text.indexOf('|');
    return findFormula(open(text.replace('|', '')), offset);
  };
  it('is found from any place in it, across lines', () => {
    expect(at('a $x|^2$ b $y$')?.tex).toBe('x^2');
    expect(at('a $x$ b| $y$')).toBeNull();
    expect(at('\\[\n a |+ b\n\\] c')).toMatchObject({ tex: '\n a + b\n', isDisplay: true });
    expect(at('\\begin{align}\n a\\\\\n |b\n\\end{align}')?.tex).toBe(
      '\\begin{align}\n a\\\\\n b\n\\end{align}',
    );
    expect(at('open $x|\n\nnext $y$')).toBeNull();
  });
  it('says whether a place is mathematics', () => {
    expect(isMathAt(open('a $b'), 4)).toBe(true);
    expect(isMathAt(open('a $b$ c'), 7)).toBe(false);
  });
});
