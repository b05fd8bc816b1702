/** Structure of documents typeset in the test: what the recovered LaTeX contains. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filler, openRoundTrip, type RoundTrip } from './testing/typeset-and-read.ts';

let trip: RoundTrip;
beforeAll(async () => {
  trip = await openRoundTrip();
});
afterAll(() => trip.close());

const cases: [string, string, (string | RegExp)[]][] = [
  [
    'headings lose their numbers',
    `\\section{First}${filler}\\subsection{Below}${filler}\\section*{No number}${filler}`,
    ['\\section{First}', '\\subsection{Below}', '\\section*{No number}'],
  ],
  [
    'a document keeps the numbers of its headings',
    `\\setcounter{section}{2}\\section{Measured values}${filler}\\subsection{Below}${filler}\\setcounter{section}{6}\\section{Later}${filler}`,
    [
      '\\setcounter{section}{2}\n\\section{Measured values}',
      /to the other[\s\S]*\n\n\\subsection\{Below\}/,
      '\\setcounter{section}{6}\n\\section{Later}',
    ],
  ],
  [
    'footnotes stand at their marks',
    `\\section{A}Some text\\footnote{With $x^2$ in it.} and more. ${filler}`,
    [/Some text\\footnote\{With \$x\^\{2\}\$ in it\.\} and more/],
  ],
  [
    'lists nest',
    `${filler}\\begin{enumerate}\\item One\\begin{itemize}\\item inner\\item other\\end{itemize}\\item Two\\end{enumerate}${filler}`,
    [
      /\\begin\{enumerate\}\s+\\item One\s+\\begin\{itemize\}\s+\\item inner\s+\\item other\s+\\end\{itemize\}\s+\\item Two\s+\\end\{enumerate\}/,
    ],
  ],
  [
    'labels of their own',
    `${filler}\\begin{enumerate}[label=(\\roman*)]\\item a long first item\\item the second\\item the third\\end{enumerate}`,
    [/\\begin\{enumerate\}\[label=\(\\roman\*\)\]/],
  ],
  [
    'emphasis, bold, typewriter, small capitals',
    `${filler} An \\emph{important} and a \\textbf{strong} word, \\texttt{code} and \\textsc{Small}.`,
    ['\\emph{important}', '\\textbf{strong}', '\\texttt{code}', '\\textsc{Small}'],
  ],
  [
    'accents of old fonts are put together',
    `${filler} Th\\'eor\\\`eme, na\\"\\i ve, gar\\c{c}on, \\~nandu, \\v{C}ech.`,
    ['Théorème', 'naïve', 'garçon', 'ñandu', 'Čech'],
  ],
  [
    'dashes, quotes, special characters',
    `${filler} 10--20 --- \`\`so'' 50\\% \\& \\# \\$ \\_ \\{ \\}`,
    ['10--20', '---', '“so”', '50\\%', '\\&', '\\#', '\\$', '\\_'],
  ],
  [
    'hyphens at line ends are undone',
    `\\hsize=120pt ${filler} ${filler}`,
    [/These are words enough to fill some lines of the page from one margin to the other/],
  ],
  [
    'theorems and proofs',
    `\\newtheorem{theorem}{Theorem}\\begin{theorem}[Fermat]There are no solutions, and ${filler}\\end{theorem}\\begin{proof}Easy to see. ${filler}\\end{proof}`,
    ['\\begin{theorem}[Fermat]', '\\end{theorem}', '\\begin{proof}', '\\end{proof}'],
  ],
  [
    'booktabs tables',
    `${filler}\\begin{center}\\begin{tabular}{lrc}\\toprule Name & Value & Sign\\\\ \\midrule first & 1.5 & $a$\\\\ second & 12.25 & $-$\\\\ \\bottomrule\\end{tabular}\\end{center}`,
    [/\\begin\{tabular\}\{lrc\}/, '\\toprule', 'first & 1.5 & $a$'],
  ],
  [
    'ruled tables',
    `${filler}\\begin{center}\\begin{tabular}{|l|c|}\\hline Name & $x$\\\\ \\hline one & $x^2$\\\\ two & $\\sqrt{2}$\\\\ \\hline\\end{tabular}\\end{center}`,
    [/\\begin\{tabular\}\{\|l\|c\|\}/, 'one & $x^{2}$', 'two & $\\sqrt{2}$'],
  ],
  [
    'verbatim code',
    `${filler}\\begin{verbatim}\nfor i in x:\n    print(i)  # 100 %\n\\end{verbatim}${filler}`,
    [/for i in x:\n {4}print\(i\) {2}# 100 %/],
  ],
  [
    'abstract and quotation',
    `\\begin{abstract}${filler}\\end{abstract}\\section{A}${filler}\\begin{quote}${filler}\\end{quote}${filler}`,
    ['\\begin{abstract}', '\\end{abstract}', '\\begin{quote}', '\\end{quote}'],
  ],
  [
    'equation numbers',
    `${filler}\\begin{equation}E=mc^2\\end{equation}${filler}\\begin{align}a&=b\\\\c&=d\\end{align}`,
    [/E=mc\^\{2\} \\tag\{1\}/, /\\tag\{2\}[\s\S]*\\tag\{3\}/],
  ],
  [
    'inline formulas',
    `${filler} For $f(x)=\\sum_{k=1}^n a_k x^k$ with $a_n\\neq 0$ and $x\\in[0,1]$, we have $|f(x)|\\le C$. Also $3\\cdot 4=12$.`,
    ['$f(x)=\\sum_{k=1}^{n}a_{k}x^{k}$', '$a_{n}\\ne0$', '$x\\in[0,1]$', '$|f(x)|\\le C$', '$3\\cdot4=12$'],
  ],
];

describe('structure', () => {
  test.each(cases)('%s', { timeout: 120_000 }, async (_, body, expected) => {
    const latex = await trip.read(body);
    for (const piece of expected) {
      if (typeof piece === 'string') expect(latex).toContain(piece);
      else expect(latex).toMatch(piece);
    }
  });

  test('a page from the middle of a file keeps its numbers', { timeout: 120_000 }, async () => {
    const file = await trip.typeset(
      `\\section{One}${filler}\\section{Two}${filler}\\newpage\\section{Three}${filler}`,
    );
    const whole = await trip.readPage(file, { index: 1, pageNumber: 2 });
    expect(whole.body).toMatch(/^\\section\{Three\}/);
    const range = await trip.readPage(file, { index: 1, pageNumber: 1 });
    expect(range.body).toMatch(/^\\setcounter\{section\}\{2\}\n\\section\{Three\}/);
  });

  test('marks an unknown symbol in its place', { timeout: 120_000 }, async () => {
    const file = await trip.typeset(
      `${filler} We write\\[a\\mathbin{\\mbox{\\ding{41}}}b=c\\]for it. ${filler}`,
      '\\documentclass{article}\\usepackage{amsmath,pifont}',
    );
    const page = await trip.readPage(file, { index: 0, pageNumber: 1 });
    expect(page.doubtful).toHaveLength(1);
    expect(page.doubtful.map(({ start, end }) => page.body.slice(start, end))).toEqual(['\\text{✉}']);
    expect(page.warnings.map((w) => w.code)).toEqual(['UNSURE_SYMBOLS']);
  });

  test('marks the cells of words that run across the edge of their column', {
    timeout: 120_000,
  }, async () => {
    const row = (cell: string) => `\\mbox{${cell}} & right\\\\\\hline`;
    const file = await trip.typeset(
      `${filler}\\par\\begin{tabular}{|p{1.2cm}|p{2cm}|}\\hline${row('one')}${row('two')}\\mbox{much too long} & \\\\\\hline${row('four')}\\end{tabular}\\par ${filler}`,
    );
    const page = await trip.readPage(file, { index: 0, pageNumber: 1 });
    expect(page.doubtful.map(({ start, end }) => page.body.slice(start, end)).join('|')).toMatch(
      /much.*\|.*/,
    );
    expect(page.doubtful.every(({ reason }) => reason?.includes('edge of its column'))).toBe(true);
    expect(page.body).toMatch(/one & right/);
  });

  test('letters of formulas that borrow the italic of the text', { timeout: 120_000 }, async () => {
    const file = await trip.typeset(
      `${filler} Let $f(x)=a+x^2$ and $n\\in A$; an \\emph{emphasised a in words} stays. ${filler}\\[\\int_a^b f(t)\\,dt=e^{x}\\]`,
      '\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{mathptmx,amsmath}',
    );
    const { body } = await trip.readPage(file, { index: 0, pageNumber: 1 });
    expect(body).toContain('$f(x)=a+x^{2}$');
    expect(body).toContain('$n\\in A$');
    expect(body).toContain('\\emph{emphasised a in words}');
    expect(body).toMatch(/f\(t\)(\\,)?dt=e\^\{x\}/);
  });

  test('rows of an align that begin with a sign stay with it', { timeout: 120_000 }, async () => {
    const file = await trip.typeset(
      `${filler}\\begin{itemize}\\item Then\\begin{align*}(m+n)^2+m+3n&=(2i+2k+1)^2+2i+6k\\\\&=(2i+2k)^2+2(2i+2k)+1\\\\&=2(2(i+k)+1)\\end{align*}\\end{itemize}${filler}`,
    );
    const { body } = await trip.readPage(file, { index: 0, pageNumber: 1 });
    expect(body.match(/&=/g)).toHaveLength(3);
  });

  test('two columns are read one after the other', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `\\section{Left}${filler} ${filler}\\section{Middle}${`${filler}\n\n`.repeat(14)}\\section{Right}${filler} ${filler}`,
      '\\documentclass[twocolumn]{article}',
    );
    expect(latex.indexOf('\\section{Left}')).toBeLessThan(latex.indexOf('\\section{Middle}'));
    expect(latex.replace(/\s+/g, ' ').split(filler.slice(0, 60)).length).toBeGreaterThan(10);
  });
});

describe('notes at the foot', () => {
  test('as babel’s French counts them', { timeout: 120_000 }, async () => {
    const latex = await trip.read(
      `Il y a une note\\footnote{Une note.} et une autre\\footnote{Une autre.} ici. ${filler}`,
      '\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage[french]{babel}',
    );
    expect(latex).toMatch(/une note\s*\\footnote\{Une note\.\} et une autre\s*\\footnote\{Une autre\.\}/);
  });

  test('their marks on several pages are no page numbers', { timeout: 120_000 }, async () => {
    const page = (site: string) => `Taken from a site\\footnote{${site}} of theirs. ${filler}\\newpage `;
    const latex = await trip.read(
      `\\pagestyle{empty}${page('A first site.')}${page('Another site.')}${page('A third one.')}`,
      '\\documentclass[12pt]{article}\\usepackage[top=2in,bottom=0.5in]{geometry}',
    );
    expect(latex).toContain('a site\\footnote{A first site.} of theirs');
  });
});
