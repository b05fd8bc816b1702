import { globSync, readFileSync } from 'node:fs';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { lineIndex } from '../lines/line-index.ts';
import { blockField, planRanges } from './decorations.ts';
import type { Piece } from './pieces.ts';
import { planInline } from './plan-inline.ts';
import { findOpenSpans, revealed } from './reveal.ts';

/** What is visible on the screen: hidden source left out, its replacement between ‹ and ›. */
function read(text: string, cursor: number | null = null): string {
  const pieces = planInline(text);
  const open = cursor === null ? new Set<string>() : findOpenSpans(pieces, [cursor]);
  const replaced = pieces
    .filter((piece) => piece.kind === 'hide' || piece.kind === 'show')
    .filter(({ span }) => !open.has(`${span.from}:${span.to}`))
    .sort((a, b) => a.from - b.from);
  let out = '';
  let at = 0;
  for (const piece of replaced) {
    out += text.slice(at, piece.from) + (piece.kind === 'show' ? `‹${describeShown(piece)}›` : '');
    at = piece.to;
  }
  return out + text.slice(at);
}

function describeShown({ shown }: Extract<Piece, { kind: 'show' }>): string {
  if (shown.kind === 'text') return shown.text;
  if (shown.kind === 'item') return shown.label;
  return shown.kind === 'formula' ? shown.tex : shown.kind;
}

const looksOf = (text: string) =>
  planInline(text).flatMap((piece) =>
    piece.kind === 'mark' ? [`${piece.look}: ${text.slice(piece.from, piece.to)}`] : [],
  );

describe('running text', () => {
  it('shows styles, signs and dashes as they print', () => {
    expect(read(String.raw`A \textbf{bold \emph{and} more} word, R\&D --- 50\,\%, caf\'e \ldots{}.`)).toBe(
      'A bold and more word, R‹&›D ‹—› 50‹\u2009›‹%›, caf‹é› ‹…›.',
    );
    expect(looksOf(String.raw`\textbf{bold \emph{and}} \texttt{x} % note`)).toEqual([
      String.raw`bold: bold \emph{and}`,
      'italic: and',
      'code: x',
      'comment: % note',
    ]);
  });

  it('shows headings, notes, links and references', () => {
    expect(read('\\section[Short]{A \\emph{long} title}\\label{sec:a}\n')).toBe('A long title‹#sec:a›\n');
    expect(read(String.raw`See \eqref{eq:a}, \cite[p. 3]{knuth} and \href{https://a.example}{this}.`)).toBe(
      'See ‹(eq:a)›, ‹[knuth, p. 3]› and this.',
    );
    expect(read(String.raw`Word\footnote{A \textbf{note}.} \url{https://a.example}`)).toBe(
      'Word‹note›A note. https://a.example',
    );
  });

  it('shows files that are read in by their names', () => {
    expect(read('\\input{chapters/one}\n\\include{two}\n\\bibliography{refs, more}\n\\inputs')).toBe(
      '‹chapters/one›\n‹two›\n‹References: refs, more›\n\\inputs',
    );
  });

  it('shows single-line formulas, and leaves an unfinished one as source', () => {
    expect(read(String.raw`If $a_1 \& b$ and \(c\), \[d\]`)).toBe(String.raw`If ‹a_1 \& b› and ‹c›, ‹d›`);
    expect(read('costs $5 and \\textbf{more}\n\n\\textbf{Next}')).toBe('costs $5 and \\textbf{more}\n\nNext');
  });

  it('counts lists by depth', () => {
    const list = [
      '\\begin{enumerate}',
      '  \\item One',
      '    \\begin{enumerate}',
      '    \\item Inner',
      '    \\item Second',
      '    \\end{enumerate}',
      '  \\item Two',
      '\\end{enumerate}',
      '\\begin{itemize}',
      '\\item[Word] Said',
      '\\item Dot',
      '\\end{itemize}',
    ].join('\n');
    expect(read(list).split('\n')).toEqual([
      '',
      '‹1.›One',
      '',
      '‹(a)›Inner',
      '‹(b)›Second',
      '',
      '‹2.›Two',
      '',
      '',
      'Word Said',
      '‹•›Dot',
      '',
    ]);
  });

  it('shows theorems with their names, and leaves definitions and drawings alone', () => {
    expect(read('\\begin{theorem}[Gauss]\nText.\n\\end{theorem}\n')).toBe('‹Theorem (Gauss). ›\nText.\n\n');
    const source =
      '\\newcommand{\\a}{\\textbf{#1}}\n\\begin{tikzpicture}\n\\node {\\textbf{a}};\n\\end{tikzpicture}\n';
    expect(read(source)).toBe(source);
  });

  it('shows the source where the cursor is: the smallest command, or the heading', () => {
    const text = String.raw`\textbf{ab \emph{cd} ef}`;
    expect(read(text, text.indexOf('cd') + 1)).toBe(String.raw`ab \emph{cd} ef`);
    expect(read(text, text.indexOf('ab') + 1)).toBe(String.raw`\textbf{ab cd ef}`);
    // next to both, both open: no key jumps over hidden text
    expect(read(String.raw`\textbf{\emph{cd}}`, 8)).toBe(String.raw`\textbf{\emph{cd}}`);
    expect(read('\\section{One}\nTwo', 4)).toBe('\\section{One}\nTwo');
    expect(read('a $x$ b', 3)).toBe('a $x$ b');
  });
});

const open = (doc: string, cursor = 0) =>
  EditorState.create({ doc, selection: { anchor: cursor }, extensions: [lineIndex, revealed, blockField] });
const closedOf = (state: EditorState) =>
  state.field(blockField).closed.map(({ kind, from, to }) => [kind, state.sliceDoc(from, to)]);

const whole = String.raw`\documentclass{article}
\begin{document}
\maketitle
Text $a
+b$ here.
\begin{align}
  a &= b
\end{align}
\begin{table}
\begin{tabular}{l}
a
\end{tabular}
\end{table}
\begin{figure}
\begin{tikzpicture}
\end{tikzpicture}
\end{figure}
\end{document}
`;

describe('blocks', () => {
  it('are the preamble, the title, multi-line formulas, tables; drawings stay source', () => {
    expect(closedOf(open(whole))).toEqual([
      ['preamble', '\\documentclass{article}\n\\begin{document}'],
      ['title', '\\maketitle'],
      ['formula', '$a\n+b$'],
      ['formula', '\\begin{align}\n  a &= b\n\\end{align}'],
      ['set', '\\begin{table}\n\\begin{tabular}{l}\na\n\\end{tabular}\n\\end{table}'],
    ]);
  });

  it('open where the cursor is put, and close when it leaves', () => {
    let state = open(whole);
    const move = (anchor: number) => {
      state = state.update({ selection: { anchor } }).state;
      return closedOf(state).map(([kind]) => kind);
    };
    expect(move(whole.indexOf('a &='))).toEqual(['preamble', 'title', 'formula', 'set']);
    expect(move(0)).toEqual(['title', 'formula', 'formula', 'set']);
    expect(move(whole.indexOf('\\end{document}'))).toHaveLength(5);
  });
});

describe('any text', () => {
  const texts = globSync('{fixtures,latex,proving}/**/*.tex').map((file) => readFileSync(file, 'utf8'));

  /** A message for the first mismatch; null if there is none. */
  function findFault(text: string): string | null {
    const state = open(text, Math.floor(text.length / 2));
    if (state.field(blockField).list.some(({ from, to }) => from >= to)) return 'an empty block';
    for (const { pieces } of planRanges(state, [{ from: 0, to: text.length }])) {
      for (const piece of pieces) {
        if (piece.kind === 'line') {
          if (state.doc.lineAt(piece.from).from !== piece.from) return 'a line that begins elsewhere';
          continue;
        }
        if (piece.from >= piece.to || piece.to > text.length) return 'an empty piece';
        // CodeMirror refuses those that go beyond their line
        if (piece.kind !== 'mark' && text.slice(piece.from, piece.to).includes('\n')) return 'a hidden line';
      }
    }
    return state.doc.toString() === text ? null : 'another text';
  }

  it('gets valid decorations and is unchanged, wherever it is cut off', () => {
    expect(texts.length).toBeGreaterThan(50);
    for (const source of texts) {
      const text = source.replace(/\r\n?/g, '\n');
      const step = Math.ceil(text.length / 12);
      for (let end = text.length; end > 0; end -= step) expect(findFault(text.slice(0, end))).toBeNull();
    }
  });

  it('of a hostile kind is read without hanging, and without an error', () => {
    for (const piece of [
      '{',
      '\\textbf{',
      '$',
      '\\begin{itemize}\\item ',
      '\\begin{proof}[',
      '\\[',
      '[',
      "\\'{",
    ])
      expect(findFault(piece.repeat(5_000))).toBeNull();
  });
});
