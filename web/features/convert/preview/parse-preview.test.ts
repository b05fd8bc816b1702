import { describe, expect, it } from 'vitest';
import { parseInline, parsePreview } from './parse-preview.ts';

describe('blocks', () => {
  it('headings, paragraphs, displays and lists within lists', () => {
    const blocks = parsePreview(`\\section*{Limits \\& series}
First, with $x^2$ and a comment. % not shown
Still the first.

Second.
\\[ \\int_0^1 x\\,dx \\]
\\begin{itemize}
  \\item one
  \\begin{enumerate} \\item deep \\end{enumerate}
  \\item[(b)] two
\\end{itemize}`);
    expect(blocks.map((block) => block.kind)).toEqual([
      'heading',
      'paragraph',
      'paragraph',
      'display',
      'list',
    ]);
    expect(blocks[0]).toMatchObject({ level: 1, children: [{ text: 'Limits & series' }] });
    expect(blocks[3]).toEqual({ kind: 'display', tex: '\\int_0^1 x\\,dx' });
    expect(parsePreview('\\begin{itemize}\\item[1:] a\\item[2:] b\\end{itemize}')).toMatchObject([
      { kind: 'list', hasLabels: true },
    ]);
    const list = blocks[4];
    expect(list).toMatchObject({ hasLabels: false });
    expect(list).toMatchObject({ kind: 'list', isOrdered: false });
    if (list?.kind !== 'list') throw new Error('no list');
    expect(list.items).toHaveLength(2);
    expect(list.items[0]?.map((block) => block.kind)).toEqual(['paragraph', 'list']);
    expect(JSON.stringify(list.items[1])).toContain('(b)');
  });

  it('keeps the environment for alignments, and drops labels, which mean nothing here', () => {
    expect(parsePreview('\\begin{align}a&=b\\label{eq:a}\\\\c&=d\\end{align}')).toEqual([
      { kind: 'display', tex: '\\begin{align}a&=b\\\\c&=d\\end{align}' },
    ]);
  });

  it('a figure has its name and its caption', () => {
    const figure =
      '\\begin{figure}[h]\\includegraphics[width=3cm]{figure-p1-1.png}\\caption{A slope.}\\end{figure}';
    expect(parsePreview(figure)).toEqual([
      { kind: 'figure', name: 'figure-p1-1.png' },
      { kind: 'paragraph', children: [{ kind: 'emphasis', children: [{ kind: 'text', text: 'A slope.' }] }] },
    ]);
  });

  it('a plain table has its cells and its caption, escaped signs and formulas kept whole', () => {
    const table =
      '\\begin{table}[h]\\centering\\begin{tabular}{|l|p{2cm}|}\\hline A \\& B & $a & b$ \\\\[2pt] \\midrule c & {d & e} \\\\ \\bottomrule\\end{tabular}\\caption{Few.}\\end{table}';
    const [block, caption] = parsePreview(table);
    if (block?.kind !== 'table') throw new Error('no table');
    expect(block.rows).toEqual([
      [[{ kind: 'text', text: 'A & B' }], [{ kind: 'math', tex: 'a & b' }]],
      [[{ kind: 'text', text: 'c' }], [{ kind: 'text', text: 'd & e' }]],
    ]);
    expect(JSON.stringify(caption)).toContain('Few.');
  });

  it('what only places and spaces is not shown', () => {
    expect(parsePreview('\\medskip\\rule{\\linewidth}{0.4pt}\\hspace*{2em}words')).toEqual([
      { kind: 'paragraph', children: [{ kind: 'text', text: 'words' }] },
    ]);
  });

  it('shows as source what it does not know, word for word', () => {
    const table = '\\begin{tabular}{ll} \\multicolumn{2}{c}{a} \\\\ \\end{tabular}';
    expect(parsePreview(`Before\n${table}\nafter`)).toMatchObject([
      { kind: 'paragraph' },
      { kind: 'source', text: table },
      { kind: 'paragraph' },
    ]);
  });

  it('loses nothing of a page that is cut in the middle of a formula or an environment', () => {
    for (const broken of ['A $x + ', 'B \\[ y', '\\begin{itemize} \\item z', '\\section{Open', '\\'])
      expect(JSON.stringify(parsePreview(broken))).toMatch(/x|y|z|Open|\\\\/);
  });

  it('ends on a long page of dollars and braces in reasonable time', () => {
    expect(parsePreview('$'.repeat(20_001)).length).toBeGreaterThan(0);
    expect(parsePreview('{'.repeat(20_000))).toBeDefined();
  });
});

describe('inline', () => {
  it('typographic marks, escapes, emphasis and unknown commands', () => {
    expect(parseInline("``so'' --- 5\\,\\% \\emph{not \\textbf{now}} \\cite{x}")).toEqual([
      { kind: 'text', text: '“so” — 5\u2009% ' },
      {
        kind: 'emphasis',
        children: [
          { kind: 'text', text: 'not ' },
          { kind: 'strong', children: [{ kind: 'text', text: 'now' }] },
        ],
      },
      { kind: 'text', text: ' ' },
      { kind: 'source', text: '\\cite{x}' },
    ]);
  });

  it('a dollar sign that is escaped opens no formula', () => {
    expect(parseInline('5\\$ and $a\\$b$')).toEqual([
      { kind: 'text', text: '5$ and ' },
      { kind: 'math', tex: 'a\\$b' },
    ]);
  });
});
