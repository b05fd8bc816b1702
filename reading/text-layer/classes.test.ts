/** Headings, titles and numbers as document classes other than article set them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from './testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

const theorems =
  '\\newtheorem{theorem}{Theorem}[section]\\newtheorem{lemma}[theorem]{Lemma}\\newtheorem{remark}{Remark}';
const ams = `\\documentclass[twoside]{amsart}\\usepackage{amsmath,amssymb}${theorems}`;

describe('AMS classes', () => {
  const front = '\\title{Free groups}\\author{A. Writer}\\date{14 March 2021}\\maketitle';

  test('sections in capitals, subsections in their paragraphs, the title and its date', async () => {
    const file = await trip.typeset(
      `${front}\\section{Words}${filler}\\subsection{Reduced words}${filler}\\section*{Thanks}${filler}`,
      ams,
    );
    const { body, title } = await trip.readPage(file, { index: 0, pageNumber: 1 });
    expect(body).toMatch(/^\\section\{Words\}\nThese are/);
    expect(body).toContain('\\subsection{Reduced words}\nThese are');
    expect(body).toContain('\\section*{Thanks}');
    expect(body).not.toContain('2021');
    expect(title).toMatchObject({ title: 'FREE GROUPS', author: 'A. WRITER', date: '14 March 2021' });
  });

  test('long headings in the middle', async () => {
    const long = 'A heading which fills more than one line of the page between its margins and goes on';
    const source = `\\section{${long}}${filler}\\subsection{Words}${filler}\\section*{Thanks}${filler}`;
    expect(await trip.read(source, ams)).toContain(`\\section{${long}}\n`);
    const bold = await trip.read(source, '\\documentclass{amsproc}');
    expect(bold).toContain(`\\section{${long}}\n`);
    expect(bold).toContain('\\section*{Thanks}\n');
  });

  test('headings without a number that run into their text', async () => {
    const body = await trip.read(
      `\\section{Words}${filler}\\subsection*{Some of them}${filler}\\subsubsection*{Parts of $K$}${filler}\n\n\\emph{Some of these.} ${filler}`,
      ams,
    );
    expect(body).toContain('\\subsection*{Some of them}\nThese are');
    expect(body).toContain('\\subsubsection*{Parts of $K$}\nThese are');
    expect(body).toContain('\\emph{Some of these.} These are');
  });

  test('the first running head of a kind is no text', async () => {
    const file = await trip.typeset(`${front}\\section{Words}${filler}\\clearpage ${filler}`, ams);
    const { body } = await trip.readPage(file, { index: 1, pageNumber: 2 });
    expect(body).toMatch(/^These are words/);
  });
});

describe('article', () => {
  const article = '\\documentclass{article}';

  test('parts', async () => {
    const body = await trip.read(
      `\\part{Groups}\\section{Words}${filler}\\part{Rings}\\section{Ideals}${filler}`,
      article,
    );
    expect(body).toMatch(/^\\part\{Groups\}\n\n\\section\{Words\}/);
    expect(body).toContain('\\part{Rings}\n\n\\section{Ideals}');
  });

  test('a part behind the first', async () => {
    const body = await trip.read(`\\setcounter{part}{3}\\part{Groups}${filler}`, article);
    expect(body).toContain('\\setcounter{part}{3}\n\\part{Groups}');
  });

  test('Roman numbers', async () => {
    const file = await trip.typeset(
      `\\section{Words}${filler}\\section{Letters}${filler}\\setcounter{section}{8}\\section{Signs}${filler}`,
      `${article}\\renewcommand{\\thesection}{\\Roman{section}}`,
    );
    const { body, preamble } = await trip.readPage(file, { index: 0, pageNumber: 1 });
    expect(body).toContain('\\section{Letters}');
    expect(body).toContain('\\setcounter{section}{8}\n\\section{Signs}');
    expect(preamble).toContain('\\renewcommand{\\thesection}{\\Roman{section}}');
  });

  test("bold words of the text's size are of the third level", async () => {
    const body = await trip.read(`\\section{Words}${filler}\\subsubsection*{Letters}${filler}`, article);
    expect(body).toContain('\\subsubsection*{Letters}');
  });

  test('a heading of two lines that \\linespread moves apart', async () => {
    const long = 'Some words which fill more than one line of the page between its margins';
    const body = await trip.read(`\\section*{${long}}${filler}\n\n${filler}`, `${article}\\linespread{1.6}`);
    expect(body).toContain(`\\section*{${long}}`);
  });

  test('headings that begin pages are no running heads', async () => {
    const pages = [1, 2, 3].map((n) => `\\section*{Problem ${n}}${filler}`);
    const file = await trip.typeset(
      pages.join('\\clearpage '),
      `${article}\\usepackage[margin=2cm]{geometry}`,
    );
    const { body } = await trip.readPage(file, { index: 1, pageNumber: 2 });
    expect(body).toContain('\\section*{Problem 2}');
  });
});

describe('KOMA classes', () => {
  test.each(['', '\\usepackage[T1]{fontenc}'])('headings in bold sans, with %j', async (encoding) => {
    const body = await trip.read(
      `\\section{Words}${filler}\\subsection{The $p$-series}${filler}\\subsubsection*{Small}${filler}`,
      `\\documentclass[12pt]{scrartcl}${encoding}`,
    );
    expect(body).toContain('\\section{Words}\n');
    expect(body).toContain('\\subsection{The $p$-series}\n');
    expect(body).toContain('\\subsubsection*{Small}\n');
  });
});

test('a chapter and its number above it are one heading', async () => {
  const body = await trip.read(
    `\\chapter{Groups}${filler}\\section{Words}${filler}\\subsection{Unnumbered}${filler}`,
    '\\documentclass{memoir}',
  );
  expect(body).toMatch(
    /\\section\{Groups\}[\s\S]*\\subsection\{Words\}[\s\S]*\\subsubsection\*\{Unnumbered\}/,
  );
});

test('headings and heads of theorems in Times are bold', async () => {
  const { body, preamble } = await trip.readPage(
    await trip.typeset(
      `\\section{Words}${filler}\\begin{theorem}All is well.\\end{theorem}`,
      `\\documentclass{article}\\usepackage{mathptmx,amsthm}${theorems}`,
    ),
    { index: 0, pageNumber: 1 },
  );
  expect(body).toContain('\\begin{theorem}\nAll is well.');
  expect(preamble.join()).toContain('{Theorem}[section]');
});

test('a heading of llncs that runs into its text', async () => {
  const body = await trip.read(
    `\\section{Words}${filler}\\subsubsection{Small ones}${filler}`,
    '\\documentclass{llncs}',
  );
  expect(body).toContain('\\subsubsection*{Small ones}\nThese are');
});

describe('numbers of theorems', () => {
  const article = `\\documentclass{article}\\usepackage{amsthm}${theorems}`;

  test('kinds that share a counter, beside one of its own', async () => {
    const file = await trip.typeset(
      `\\section{A}\\begin{theorem}One.\\end{theorem}\\begin{lemma}Two.\\end{lemma}\\begin{remark}Three.\\end{remark}\\begin{theorem}Four.\\end{theorem}\\begin{remark}Five.\\end{remark}`,
      article,
    );
    const { body, preamble } = await trip.readPage(file, { index: 0, pageNumber: 1 });
    expect(body).not.toContain('setcounter');
    expect(preamble).toEqual(
      expect.arrayContaining([
        '\\newtheorem{sharedtheorem}{Theorem}[section]',
        '\\newtheorem{lemma}[sharedtheorem]{Lemma}',
        '\\newtheorem{remark}{Remark}',
      ]),
    );
  });

  test('a number that jumps', async () => {
    const body = await trip.read(
      `\\section{A}\\begin{theorem}One.\\end{theorem}\\setcounter{theorem}{6}\\begin{theorem}Two.\\end{theorem}`,
      article,
    );
    expect(body).toContain('\\setcounter{theorem}{6}\n\\begin{theorem}\nTwo.');
  });
});

test.each([
  ['a map with \\colon', 'Let $f\\colon X\\to Y$ be given.', '$f:X\\to Y$'],
  ['a colon as a relation', 'Let $F : A\\to B$ be given.', '$F:A\\to B$'],
  ['a colon of the text', 'We write $F$: it is easy.', '$F$: it is'],
  ['a complex', 'Let $K^\\bullet$ be one.', '$K^{\\bullet}$'],
])('in a line: %s', async (_, source, expected) => {
  const body = await trip.read(`${filler} ${source} ${filler}`);
  expect(body).toContain(expected);
});
