/** Headings by the space around them and by their faces. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from '../testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

const titlesec = '\\documentclass{article}\\usepackage{amsmath,titlesec}';
const long = 'A heading of the third level that is long enough to fill most of the line and more';
const cases: [string, string, string | undefined, string[]][] = [
  [
    'a bold line with a heading’s space is one, with a point or over two lines',
    `\\section{First}${filler}\\subsubsection*{Case 1.}${filler}\\subsubsection{${long}}${filler}`,
    undefined,
    ['\\subsubsection*{Case 1.}', `\\subsubsection{${long}}`],
  ],
  [
    'slanted words with a number of several parts',
    `\\section{First}${filler}\\subsection{Smaller matters}${filler}\\subsubsection{Smallest matters}${filler}`,
    '\\documentclass{elsarticle}\\usepackage{amsmath}',
    ['\\subsection{Smaller matters}', '\\subsubsection{Smallest matters}'],
  ],
  [
    'small capitals at the margin',
    `\\section{First matters}${filler}\\section*{Other matters}${filler}`,
    `${titlesec}\\titleformat{\\section}{\\Large\\scshape}{\\thesection}{1em}{}`,
    ['\\section{First matters}', '\\section*{Other matters}'],
  ],
  [
    'in the middle, as large as those with numbers',
    `\\section{First}${filler}\\section*{Exercise}${filler}`,
    `${titlesec}\\titleformat{\\section}{\\Large\\bfseries\\filcenter}{\\thesection.}{1em}{}`,
    ['\\section{First}', '\\section*{Exercise}'],
  ],
  [
    'a bold heading of the text’s size does not take in the display below it',
    `\\section{First}${filler}\\subsection{Directly below}\\[a^2+b^2=c^2\\]\\subsection{Another}${filler}`,
    `${titlesec}\\titleformat{\\subsection}{\\normalsize\\bfseries}{\\thesubsection.}{.5em}{}`,
    ['\\subsection{Directly below}', '\\[\n  a^{2}+b^{2}=c^{2}\n\\]'],
  ],
  [
    'Roman numbers in the middle',
    `\\section{Introduction}${filler}\\section{Main results}${filler}`,
    '\\documentclass{IEEEtran}\\usepackage{amsmath}',
    ['\\section{INTRODUCTION}', '\\section{MAIN RESULTS}'],
  ],
  [
    'a number of another weight',
    `\\section{First}${filler}\\section{Second}${filler}`,
    `${titlesec}\\titleformat{\\section}{\\normalfont\\huge}{\\thesection.}{20pt}{\\huge\\bfseries}`,
    ['\\section{First}', '\\section{Second}'],
  ],
  [
    'large, with a point behind the number, over three lines',
    `\\section{First}${filler}\\subsection{${long}, and further. ${long}.}${filler}`,
    `${titlesec}\\titlelabel{\\thetitle.\\quad}\\titleformat*{\\subsection}{\\Large\\bfseries}`,
    [`\\subsection{${long}, and further. ${long}.}`],
  ],
  [
    'with a number of one part, run into the text',
    `\\section{Flux of a field}${filler}\\section{Other matters}${filler}`,
    `${titlesec}\\titleformat{\\section}[runin]{\\large\\bfseries}{\\thesection}{1ex}{}[\\hspace{1em}]`,
    ['\\section{Flux of a field}\nThese are', '\\section{Other matters}\nThese are'],
  ],
];

test.each(cases)('%s', { timeout: 120_000 }, async (_, body, preamble, expected) => {
  const latex = (await trip.read(body, preamble)).replaceAll('\\textsc', '');
  for (const heading of expected) expect(latex).toContain(heading);
});

test('bold words alone between paragraphs with space are none', { timeout: 120_000 }, async () => {
  const latex = await trip.read(
    `\\section{First}${filler}\n\n\\textbf{Solution.}\n\n${filler}\n\n\\textbf{Step 1:}\n\n${filler}`,
    '\\documentclass{article}\\setlength\\parindent{0pt}\\setlength\\parskip{6pt}',
  );
  expect(latex).not.toMatch(/section\*\{(?:Solution|Step)/);
});
