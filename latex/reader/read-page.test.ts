import { expect, test } from 'vitest';
import { readPage } from './read-document.ts';
import { plainText } from './tree.ts';

const read = (latex: string) => readPage(latex).blocks;

test('a page has headings, paragraphs, displays, and lists within lists', () => {
  const blocks = read(`\\section*{Limits \\& series}
First, with $x^2$ and a comment. % not shown
Still the first.

Second.
\\[ \\int_0^1 x\\,dx \\]
\\begin{itemize}
  \\item one
  \\begin{enumerate} \\item deep \\end{enumerate}
  \\item[(b)] two
\\end{itemize}`);
  expect(blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'paragraph', 'formula', 'list']);
  expect(blocks[0]).toMatchObject({ level: 1, content: [{ text: 'Limits & series' }] });
  expect(blocks[3]).toMatchObject({ tex: '\\int_0^1 x\\,dx' });
  expect(blocks[4]).toMatchObject({
    counting: null,
    items: [
      {
        label: null,
        blocks: [{ kind: 'paragraph' }, { kind: 'list', items: [{ label: [{ text: '1.' }] }] }],
      },
      { label: [{ text: '(b)' }] },
    ],
  });
});

test('its statements are named after their environments', () => {
  expect(read('\\begin{lemma}[Zorn] Chains. \\end{lemma}\\begin{proof} Long. \\end{proof}')).toMatchObject([
    { kind: 'statement', blocks: [{ content: [{ text: 'Chains.' }] }] },
    { kind: 'statement' },
  ]);
  const [lemma] = read('\\begin{lemma}[Zorn] Chains. \\end{lemma}');
  expect(lemma?.kind === 'statement' && lemma.head.map((one) => plainText([one])).join('')).toBe(
    'Lemma (Zorn).',
  );
});

test('a figure and a table have their captions; cells keep braces and formulas', () => {
  const figure =
    '\\begin{figure}[h]\\includegraphics[width=3cm]{figure-p1-1.png}\\caption{A slope.}\\end{figure}';
  expect(read(figure)).toMatchObject([
    {
      kind: 'float',
      blocks: [
        { kind: 'paragraph', content: [{ kind: 'image', name: 'figure-p1-1.png' }] },
        { kind: 'caption', content: [{ text: 'A slope.' }] },
      ],
    },
  ]);
  const cell = (...content: object[]) => ({ blocks: [{ kind: 'paragraph', content }] });
  expect(
    read(
      '\\begin{tabular}{|l|p{2cm}|}\\hline A \\& B & $a$ \\\\[2pt] \\midrule c & {d \\& e} \\\\ \\bottomrule\\end{tabular}',
    ),
  ).toMatchObject([
    {
      kind: 'table',
      rows: [
        [cell({ text: 'A & B' }), cell({ kind: 'formula', tex: 'a' })],
        [cell({ text: 'c' }), cell({ text: 'd & e' })],
      ],
    },
  ]);
});

test('a page cut off in a formula or an environment loses nothing', () => {
  for (const broken of ['A $x + ', 'B \\[ y', '\\begin{itemize} \\item z', '\\section{Open'])
    expect(JSON.stringify(read(broken))).toMatch(/x|y|z|Open/);
});

test('unknown environments and drawings are kept with all their content', () => {
  expect(JSON.stringify(read('\\begin{unheardof}words\\end{unheardof}'))).toContain('words');
  const drawing = '\\begin{tikzpicture}\\draw (0,0);\\end{tikzpicture}';
  expect(read(`Before ${drawing} after`)).toMatchObject([
    { kind: 'paragraph' },
    { kind: 'source', tex: drawing },
    { kind: 'paragraph' },
  ]);
});
