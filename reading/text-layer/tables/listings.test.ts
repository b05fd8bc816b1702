/** Listings: with rules and without, in a typewriter face and in the text's. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from '../testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

const listed = (latex: string) =>
  [...latex.matchAll(/\\begin\{lstlisting\}\[[^\]]*\]\n([\s\S]*?)\n\\end\{lstlisting\}/g)].map((m) => m[1]);
const python =
  'def add(first, second):\n    # a comment in words\n    total = first + second\n    return total';
const preamble = '\\documentclass{article}\\usepackage{amsmath,listings,xcolor}';

test('spaces are counted from letter to letter; slanted comments are code', {
  timeout: 120_000,
}, async () => {
  const latex = await trip.read(
    `${filler}\n\\begin{lstlisting}[language=Python]\n${python}\n\\end{lstlisting}\n${filler}`,
    `${preamble}\\lstset{basicstyle=\\ttfamily\\footnotesize,commentstyle=\\itshape,numbers=left,frame=single}`,
  );
  expect(listed(latex)).toEqual([python]);
});

test('paragraphs between two listings with rules are none of theirs', { timeout: 120_000 }, async () => {
  const one = `\\begin{lstlisting}\n${python}\n\\end{lstlisting}`;
  const latex = await trip.read(
    `${filler}\n${one}\n${filler}\n${one}\n${filler}`,
    `${preamble}\\lstset{basicstyle=\\ttfamily,frame=lines}`,
  );
  expect(listed(latex)).toEqual([python, python]);
});

test('letters that stand apart in the text’s face are code', { timeout: 120_000 }, async () => {
  const c = 'int main(void) {\n    printf("hello world");\n    return 0;\n}';
  const latex = await trip.read(
    `${filler}\n\\begin{lstlisting}\n${c}\n\\end{lstlisting}\n${filler}`,
    preamble,
  );
  const [first = ''] = listed(latex);
  expect(first.replace(/^ +/gm, '')).toBe(c.replace(/^ +/gm, ''));
});

test.each(['\\normalsize', '\\tiny'])(
  'lines counted without a point, in %s, are code',
  {
    timeout: 120_000,
  },
  async (size) => {
    // the asterisk stands lower than its row
    const matlab = 'close all\nf = strcat(name);\n\nfor n=1:count\nx = nodes(list)*2;\ny = f(x);\nend';
    const latex = await trip.read(
      `${filler}\n\\begin{lstlisting}\n${matlab}\n\\end{lstlisting}\n${filler}`,
      `${preamble}\\lstset{columns=flexible,numbers=left,numberstyle=${size}}`,
    );
    expect(listed(latex).map((code) => code?.replace(/ /g, ''))).toEqual([matlab.replace(/ /g, '')]);
  },
);

test('rows of a table with numbers, and steps of a text, are none', { timeout: 120_000 }, async () => {
  const latex = await trip.read(
    `${filler}\\begin{enumerate}${'\\item A step of the way (see above)'.repeat(6)}\\end{enumerate}${filler}`,
  );
  expect(listed(latex)).toEqual([]);
});
