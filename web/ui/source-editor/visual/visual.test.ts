import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EditorState, type Extension } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { lineIndex } from '../lines/line-index.ts';
import { getStructure } from '../lines/structure.ts';
import { blockField } from './decorations.ts';
import type { Piece } from './pieces.ts';
import { planInline } from './plan-inline.ts';
import { findOpenSpans, revealed } from './reveal.ts';
import { stretchAround } from './stretch.ts';

/** What is read on the screen: hidden source left out, what is shown in its place between ‹ and ›. */
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
    expect(
      read(String.raw`A \textbf{bold \emph{and} more} word, R\&D --- ''so''~50\,\%, caf\'e \ldots{}.`),
    ).toBe(
      'A bold and more word, R‹&›D ‹—› ‹”›so‹”›‹\u00a0›50‹\u2009›‹%›, caf‹é›'.replace(
        'caf‹é›',
        'caf‹é› ‹…›.',
      ),
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

  it('shows formulas of one line, and leaves an unfinished one as source', () => {
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

  it('shows the source of what the cursor is in: the smallest command, or the heading', () => {
    const text = String.raw`\textbf{ab \emph{cd} ef}`;
    expect(read(text, text.indexOf('cd') + 1)).toBe(String.raw`ab \emph{cd} ef`);
    expect(read(text, text.indexOf('ab') + 1)).toBe(String.raw`\textbf{ab cd ef}`);
    // next to both, both open: no key jumps over what cannot be seen
    expect(read(String.raw`\textbf{\emph{cd}}`, 8)).toBe(String.raw`\textbf{\emph{cd}}`);
    expect(read('\\section{One}\nTwo', 4)).toBe('\\section{One}\nTwo');
    expect(read('a $x$ b', 3)).toBe('a $x$ b');
  });
});
