/**
 * Phrasings and what each does to one document, as lines removed and lines added. The out-of-scope third must change
 * nothing: a wrong edit is the worst failure.
 */
import { describe, expect, test } from 'vitest';
import { applyEdits, listExactEdits, parseChangeRequest } from './index.ts';

const document = String.raw`\documentclass[11pt,a4paper]{article}
\usepackage[margin=2.5cm]{geometry}
\usepackage{amsmath}
\title{Week 3}
\author{A. Student}
\date{}
\begin{document}
\maketitle

\section{Intro}\label{sec:intro}
The colour of the light, basically, is a wave. Colour and colours differ.
A \textbf{wave front} moves with phase $\phi$ and $x=2t$, colour $c_{\text{colour}}$.

\section{Proof}
\[ a^2+b^2=c^2 \]
\begin{equation}\label{eq:wave}
x = \sin(\phi)
\end{equation}
See section~\ref{sec:intro}. Costs are 5\% \& more.

\subsection{Details}
\begin{align*}
x &= y
\end{align*}
\end{document}
`;

/** Lines only in `before`, lines only in `after`, in order. */
function difference(before: string, after: string): { minus: string[]; plus: string[] } {
  const count = (text: string) => {
    const lines = new Map<string, number>();
    for (const line of text.split('\n')) lines.set(line, (lines.get(line) ?? 0) + 1);
    return lines;
  };
  const old = count(before);
  const fresh = count(after);
  const only = (lines: Map<string, number>, other: Map<string, number>) =>
    [...lines]
      .flatMap(([line, n]) => Array<string>(Math.max(0, n - (other.get(line) ?? 0))).fill(line))
      .filter((line) => line !== '');
  return { minus: only(old, fresh), plus: only(fresh, old) };
}

const r = String.raw;
const head = r`\documentclass[11pt,a4paper]{article}`;
const geometry = r`\usepackage[margin=2.5cm]{geometry}`;
const wave = 'The colour of the light, basically, is a wave. Colour and colours differ.';
const front = r`A \textbf{wave front} moves with phase $\phi$ and $x=2t$, colour $c_{\text{colour}}$.`;

/** Request, lines removed, lines added. */
const done: [string, string[], string[]][] = [
  ['Change the title to "Linear Algebra"', [r`\title{Week 3}`], [r`\title{Linear Algebra}`]],
  ['please set the document title to Waves and Light', [r`\title{Week 3}`], [r`\title{Waves and Light}`]],
  [
    'Could you rename the title to “Costs & 100% benefits_1”?',
    [r`\title{Week 3}`],
    [r`\title{Costs \& 100\% benefits\_1}`],
  ],
  ['The title should be "Optics".', [r`\title{Week 3}`], [r`\title{Optics}`]],
  ['Set the author to Ada King', [r`\author{A. Student}`], [r`\author{Ada King}`]],
  ["change the author's name to 'Noor de Vries'", [r`\author{A. Student}`], [r`\author{Noor de Vries}`]],
  ['Add "B. Friend" as another author', [r`\author{A. Student}`], [r`\author{A. Student \and B. Friend}`]],
  ['Remove the author', [r`\author{A. Student}`], [r`\author{}`]],
  ['Set the date to today', [r`\date{}`], [r`\date{\today}`]],
  ['set the date to 3 May 2024', [r`\date{}`], [r`\date{3 May 2024}`]],
  ['Remove the title', [r`\title{Week 3}`, r`\author{A. Student}`, r`\date{}`, r`\maketitle`], []],
  ['Use 12pt font', [head], [r`\documentclass[a4paper,12pt]{article}`]],
  ['change the font size to 10 pt please', [head], [r`\documentclass[a4paper,10pt]{article}`]],
  ['Change the paper size to letter', [head], [r`\documentclass[11pt,letterpaper]{article}`]],
  ['use A5 paper', [head], [r`\documentclass[11pt,a5paper]{article}`]],
  ['Make it two columns', [head], [r`\documentclass[11pt,a4paper,twocolumn]{article}`]],
  ['switch to a two-column layout', [head], [r`\documentclass[11pt,a4paper,twocolumn]{article}`]],
  ['Use landscape orientation', [head], [r`\documentclass[11pt,a4paper,landscape]{article}`]],
  ['make it two-sided', [head], [r`\documentclass[11pt,a4paper,twoside]{article}`]],
  ['Use the report class', [head], [r`\documentclass[11pt,a4paper]{report}`]],
  ['use double spacing', [], [r`\usepackage{setspace}`, r`\doublespacing`]],
  ['Set the margins to 2 cm', [geometry], [r`\usepackage[margin=2cm]{geometry}`]],
  ['Use 1 inch margins', [geometry], [r`\usepackage[margin=1in]{geometry}`]],
  ['Set the left margin to 3,5 cm', [geometry], [r`\usepackage[margin=2.5cm,left=3.5cm]{geometry}`]],
  [
    'set the top and bottom margins to 20mm',
    [geometry],
    [r`\usepackage[margin=2.5cm,top=20mm,bottom=20mm]{geometry}`],
  ],
  ['Remove section numbers', [], [r`\setcounter{secnumdepth}{0}`]],
  ["Don't number the sections", [], [r`\setcounter{secnumdepth}{0}`]],
  ['hide page numbers', [r`\maketitle`], [r`\pagestyle{empty}`, r`\maketitle\thispagestyle{empty}`]],
  [
    'Number all equations',
    [r`\[ a^2+b^2=c^2 \]`, r`\begin{align*}`, r`\end{align*}`],
    [r`\begin{equation} a^2+b^2=c^2 \end{equation}`, r`\begin{align}`, r`\end{align}`],
  ],
  [
    'turn off equation numbering',
    [r`\begin{equation}\label{eq:wave}`, r`\end{equation}`],
    [r`\begin{equation*}`, r`\end{equation*}`],
  ],
  ['Number the equations by section', [], [r`\numberwithin{equation}{section}`]],
  ['Start page numbering at 7', [], [r`\setcounter{page}{7}`]],
  [
    'Replace "colour" with "color"',
    [wave, front],
    [
      'The color of the light, basically, is a wave. Colour and colours differ.',
      r`A \textbf{wave front} moves with phase $\phi$ and $x=2t$, color $c_{\text{color}}$.`,
    ],
  ],
  [
    'replace every occurrence of the word “colour” by “hue”, ignoring case',
    [wave, front],
    [
      'The hue of the light, basically, is a wave. hue and colours differ.',
      r`A \textbf{wave front} moves with phase $\phi$ and $x=2t$, hue $c_{\text{hue}}$.`,
    ],
  ],
  [
    'Replace the first occurrence of "colour" with "hue"',
    [wave],
    ['The hue of the light, basically, is a wave. Colour and colours differ.'],
  ],
  [
    'Delete the word "basically,"',
    [wave],
    ['The colour of the light, is a wave. Colour and colours differ.'],
  ],
  [
    'replace "x" with "s" in formulas',
    [front, r`x = \sin(\phi)`, r`x &= y`],
    [
      r`A \textbf{wave front} moves with phase $\phi$ and $s=2t$, colour $c_{\text{colour}}$.`,
      r`s = \sin(\phi)`,
      r`s &= y`,
    ],
  ],
  [
    r`Replace \phi with \varphi`,
    [front, r`x = \sin(\phi)`],
    [
      r`A \textbf{wave front} moves with phase $\varphi$ and $x=2t$, colour $c_{\text{colour}}$.`,
      r`x = \sin(\varphi)`,
    ],
  ],
  [
    'change "5% & more" to "nothing"',
    [r`See section~\ref{sec:intro}. Costs are 5\% \& more.`],
    [r`See section~\ref{sec:intro}. Costs are nothing.`],
  ],
  [
    'Rename the section "Intro" to "Introduction"',
    [r`\section{Intro}\label{sec:intro}`],
    [r`\section{Introduction}\label{sec:intro}`],
  ],
  ['rename section 2 to "Theorem & proof"', [r`\section{Proof}`], [r`\section{Theorem \& proof}`]],
  ['Make the section "Proof" a subsection', [r`\section{Proof}`], [r`\subsection{Proof}`]],
  ['promote the subsection "Details" to a section', [r`\subsection{Details}`], [r`\section{Details}`]],
  ['Add a section "Summary" at the end', [], [r`\section{Summary}`]],
  ['add a new subsection called "Sketch" before the section "Proof"', [], [r`\subsection{Sketch}`]],
  ['Remove the heading "Details"', [r`\subsection{Details}`], []],
  ['start the section "Proof" on a new page', [], [r`\clearpage`]],
  ['Add a table of contents', [], [r`\tableofcontents`]],
  [
    'Change the title to "Waves" and set the author to "Ada King"; use 12pt font.',
    [head, r`\title{Week 3}`, r`\author{A. Student}`],
    [r`\documentclass[a4paper,12pt]{article}`, r`\title{Waves}`, r`\author{Ada King}`],
  ],
];

/** Understood, but not applicable to this document. */
const nothingToDo = [
  'Replace "photon" with "particle"',
  'Rename the section "Conclusion" to "End"',
  'remove the table of contents',
  'Number the sections',
  'Rename section 9 to "End"',
];

/** Out of scope: style, content, ambiguity, other languages. */
const outOfScope = [
  'Make it look nicer',
  'Fix all the mistakes',
  'Solve the equation in section 2',
  'Add a proof of the theorem',
  'Translate the document to French',
  'Summarise the first section',
  'Make the title bigger',
  'Change the title to something more exciting',
  'Change the title to Title Case',
  'Change the title to match the first heading',
  'Make the font bigger',
  'Use 14pt font',
  'Use a nicer font',
  'Make the margins smaller',
  'Set the margins to 200 cm',
  'Replace the first section with a summary',
  'Replace tables with lists',
  'replace him with her',
  'Remove the second paragraph',
  'Delete the section "Proof"',
  'Delete the word "colour" in section 2',
  'Number the lines',
  'Colour all headings blue',
  'Change the title to "Waves" and make it bold',
  'Set the author to the person who wrote the notes',
  'Rename all sections',
  'Convert the list into a table',
  'Explain the second equation',
  'Change the variable names',
  'Do not change the title to "Waves"',
  'If the title is empty, set the title to "Waves"',
  'What would it look like if you set the margins to 2 cm',
  'Set the title to "Waves" in red',
  'Ändere den Titel zu "Wellen"',
  'Change "colour" to "color" but only in the headings',
  'Never number the sections',
];

function change(request: string, latex: string) {
  const plan = parseChangeRequest(request);
  return plan.kind === 'refusal' ? plan : applyEdits(latex, plan);
}

describe('exact edits', () => {
  for (const [request, minus, plus] of done) {
    test(`does: ${request}`, () => {
      const result = change(request, document);
      expect(result).toMatchObject({ kind: 'applied' });
      if (result.kind !== 'applied') return;
      expect(difference(document, result.latex)).toEqual({ minus, plus });
      expect(result.description).not.toBe('');
    });
  }

  for (const request of nothingToDo) {
    test(`says that there is nothing to do: ${request}`, () => {
      expect(parseChangeRequest(request).kind).toBe('plan');
      const result = change(request, document);
      expect(result.kind).toBe('refusal');
      if (result.kind === 'refusal') expect(result.message).toContain('Nothing was changed');
    });
  }

  for (const request of outOfScope) {
    test(`refuses: ${request}`, () => {
      const result = change(request, document);
      expect(result.kind).toBe('refusal');
      if (result.kind === 'refusal') expect(result.message).toContain('Nothing was changed');
    });
  }

  test('understand every published example', () => {
    const examples = listExactEdits().flatMap((group) => group.examples);
    expect(examples.length).toBeGreaterThan(15);
    for (const example of examples)
      expect(parseChangeRequest(example), example).toMatchObject({ kind: 'plan' });
  });

  test('apply all or nothing: one impossible clause cancels the others', () => {
    expect(change('Set the title to "Waves" and replace "photon" with "particle"', document).kind).toBe(
      'refusal',
    );
  });

  test('never change a command, a label or a key', () => {
    const result = change('Replace "section" with "chapter"', document);
    expect(result).toMatchObject({ kind: 'applied' });
    if (result.kind !== 'applied') return;
    expect(difference(document, result.latex)).toEqual({
      minus: [r`See section~\ref{sec:intro}. Costs are 5\% \& more.`],
      plus: [r`See chapter~\ref{sec:intro}. Costs are 5\% \& more.`],
    });
  });

  test('keep the number of a referenced equation', () => {
    const referenced = document.replace('See section', r`By \eqref{eq:wave}, see section`);
    expect(change('Remove equation numbers', referenced).kind).toBe('refusal');
  });

  test.each([
    ['Set the title to "X"', r`\title{X}`, '\\maketitle\nHi.'],
    ['Add a table of contents', '', '\\tableofcontents\nHi.'],
    ['Hide page numbers', r`\pagestyle{empty}`, 'Hi.'],
  ])('in a document of one line no command runs into the text: %s', (request, before, after) => {
    const result = change(request, r`\documentclass{article}\begin{document}Hi.\end{document}`);
    expect(result).toMatchObject({ kind: 'applied' });
    if (result.kind !== 'applied') return;
    const [preamble, body] = result.latex.split(r`\begin{document}`);
    expect(preamble).toContain(before);
    expect(body).toContain(after);
  });

  test('leave a document without a class unchanged', () => {
    expect(change('Use 12pt font', 'Just some text.').kind).toBe('refusal');
    expect(change('Set the title to "X"', 'Just some text.').kind).toBe('refusal');
  });

  test('read a straight quotation inside quotation marks as one value', () => {
    const result = change('Set the title to "Bread, butter and remove the rest"', document);
    expect(result).toMatchObject({ kind: 'applied' });
    if (result.kind === 'applied')
      expect(result.latex).toContain(r`\title{Bread, butter and remove the rest}`);
  });
});
