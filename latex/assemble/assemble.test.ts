import { describe, expect, test } from 'vitest';
import { assembleDocument } from './assemble.ts';
import { type NumberedPage, type PageBody, plainPage } from './page-body.ts';

function page(number: number, body: string, extra: Partial<PageBody> = {}): NumberedPage {
  return {
    number,
    page: { ...plainPage(body), ...extra },
  };
}

const cut = { endsParagraph: false } as const;
const continues = { startsParagraph: false } as const;

/** The body of the final LaTeX, without the lines around it. */
function bodyOf(pages: NumberedPage[]): string {
  const { latex, bodyStart } = assembleDocument(pages);
  return latex.slice(bodyStart, latex.lastIndexOf('\n\\end{document}'));
}

describe('the preamble', () => {
  test('loads only what is used, in load order', () => {
    const { latex } = assembleDocument([
      page(1, '\\begin{align} a &= b \\end{align} $\\mathbb{R}$ \\cref{x} \\href{a}{b}', {
        packages: [{ name: 'siunitx' }, { name: 'amsmath' }, { name: 'inputenc', options: 'utf8' }],
      }),
      page(2, '\\begin{tabular}{l}\\toprule a\\end{tabular}', { packages: [{ name: 'amsmath' }] }),
    ]);
    expect(latex.match(/\\usepackage(?:\[[^\]]*\])?\{[^}]+\}/g)).toEqual([
      '\\usepackage[margin=2.5cm]{geometry}',
      '\\usepackage{amsmath}',
      '\\usepackage{amssymb}',
      '\\usepackage{booktabs}',
      '\\usepackage[hidelinks]{hyperref}',
      '\\usepackage{cleveref}',
    ]);
  });

  test('merges options and keeps the first value of a key', () => {
    const { latex } = assembleDocument([
      page(1, '\\ce{H2O} \\begin{enumerate}[a)] \\item x \\end{enumerate}', {
        packages: [
          { name: 'enumitem', options: 'inline' },
          { name: 'mhchem', options: 'version=3' },
        ],
      }),
    ]);
    expect(latex).toContain('\\usepackage[version=4]{mhchem}');
    expect(latex).toContain('\\usepackage[shortlabels,inline]{enumitem}');
  });

  test('a page that defines a command itself needs no package for it', () => {
    const { latex } = assembleDocument([
      page(1, '$\\abs{x}$', { preamble: ['\\newcommand{\\abs}[1]{|#1|}'] }),
    ]);
    expect(latex).not.toContain('{physics}');
  });

  test('identical theorem lines are merged, missing ones added', () => {
    const line = '\\newtheorem{theorem}{Theorem}';
    const { latex } = assembleDocument([
      page(1, '\\begin{theorem} a \\end{theorem}', { preamble: [line] }),
      page(2, '\\begin{theorem} b \\end{theorem} \\begin{lemma} c \\end{lemma}', {
        preamble: [line, '\\newtheorem{theorem}{Satz}[section]'],
      }),
    ]);
    expect(latex.match(/\\newtheorem.*/g)).toEqual([line, '\\newtheorem{lemma}{Lemma}']);
  });

  test('a macro with another meaning on a later page is redefined there', () => {
    const { latex } = assembleDocument([
      page(1, '$\\R$', { preamble: ['\\newcommand{\\R}{\\mathbb{R}}'] }),
      page(2, '$\\R$', { preamble: ['\\newcommand{\\R}{\\mathcal{R}}'] }),
    ]);
    expect(latex.indexOf('\\renewcommand{\\R}{\\mathcal{R}}')).toBeGreaterThan(
      latex.indexOf('\\begin{document}'),
    );
  });

  test('language and columns follow the majority of pages', () => {
    const french = { layout: { language: 'french', columns: 2 as const } };
    const { latex } = assembleDocument([page(1, 'un', french), page(2, 'deux', french), page(3, 'three')]);
    expect(latex).toContain('\\usepackage[french]{babel}');
    expect(latex).toContain('\\documentclass[11pt,a4paper,twocolumn]{article}');
  });
});

describe('the title block', () => {
  test('appears once; a different later title stays as text, a running head is dropped', () => {
    const { latex } = assembleDocument([
      page(1, 'a', { title: { title: 'Notes & more'.replace('&', '\\&'), author: 'Me' } }),
      page(2, 'b', { title: { title: 'notes \\& more' } }),
      page(3, 'c', { title: { title: 'Second part' } }),
    ]);
    expect(latex.match(/\\maketitle/g)).toHaveLength(1);
    expect(latex).toContain('\\title{Notes \\& more}\n\\author{Me}\n\\date{}');
    expect(latex).toContain('{\\Large Second part}');
    expect(latex.match(/more/g)).toHaveLength(1);
  });
});

describe('joining pages', () => {
  test('a sentence continues', () => {
    expect(bodyOf([page(1, 'The sum of\n', cut), page(2, 'two numbers.', continues)])).toBe(
      'The sum of\ntwo numbers.',
    );
  });

  test('a finished paragraph stays separate', () => {
    expect(bodyOf([page(1, 'One.'), page(2, 'Two.')])).toBe('One.\n\nTwo.');
  });

  test.each([
    ['We differ-', 'entiate.', 'We differentiate.'],
    ['Natur-', 'und Geist', 'Natur-\nund Geist'],
    ['the well-', 'Known', 'the well-\nKnown'],
    ['from 3-', '5 on', 'from 3-\n5 on'],
  ])('hyphens: %s | %s', (before, after, joined) => {
    expect(bodyOf([page(1, before, cut), page(2, after, continues)])).toBe(joined);
  });

  test('a sentence does not continue over a missing page', () => {
    expect(bodyOf([page(1, 'The sum of', cut), page(3, 'two numbers.', continues)])).toBe(
      'The sum of\n\ntwo numbers.',
    );
  });

  test('a numbered list with an explicit start continues', () => {
    const joined = bodyOf([
      page(1, '\\begin{enumerate}\n\\item a\n\\item b\n\\end{enumerate}'),
      page(2, '\\begin{enumerate}[start=3]\n\\item c\n\\end{enumerate}\nAfter.'),
    ]);
    expect(joined).toBe('\\begin{enumerate}\n\\item a\n\\item b\n\\item c\n\\end{enumerate}\nAfter.');
  });

  test.each([
    ['by a counter', '\\begin{enumerate}\n\\setcounter{enumi}{2}\n\\item c\n\\end{enumerate}'],
    ['by its labels', '\\begin{enumerate}\n\\item[3.] c\n\\end{enumerate}'],
  ])('a list goes on %s', (_, after) => {
    const joined = bodyOf([
      page(1, '\\begin{enumerate}\n\\item a\n\\item b\n\\end{enumerate}'),
      page(2, after),
    ]);
    expect(joined.match(/\\begin\{enumerate\}/g)).toHaveLength(1);
    expect(joined).not.toMatch(/setcounter|\[3\.\]/);
    expect(joined.match(/\\item/g)).toHaveLength(3);
  });

  test('a list that restarts, or leaves a gap, stays separate', () => {
    const first = '\\begin{enumerate}\n\\item a\n\\end{enumerate}';
    for (const second of [first, '\\begin{enumerate}[start=7]\n\\item g\n\\end{enumerate}']) {
      expect(bodyOf([page(1, first), page(2, second)])).toBe(`${first}\n\n${second}`);
    }
  });

  test('an item continues on the next page, and so does its list', () => {
    const joined = bodyOf([
      page(1, '\\begin{itemize}\n\\item the long\n\\end{itemize}', cut),
      page(2, 'item ends here.\n\n\\begin{itemize}\n\\item next\n\\end{itemize}', continues),
    ]);
    expect(joined.match(/\\begin\{itemize\}/g)).toHaveLength(1);
    expect(joined).toMatch(/the long\nitem ends here\./);
    expect(joined.match(/\\item/g)).toHaveLength(2);
  });

  test('an inner list continues and the outer one closes after it', () => {
    const joined = bodyOf([
      page(
        1,
        '\\begin{enumerate}\n\\item one\n\\begin{enumerate}[label=(\\alph*)]\n\\item a\n\\item b\n\\end{enumerate}\n\\end{enumerate}',
        cut,
      ),
      page(2, '\\begin{enumerate}[label=(\\alph*),start=3]\n\\item c\n\\end{enumerate}', continues),
    ]);
    expect(joined.match(/\\begin\{enumerate\}/g)).toHaveLength(2);
    expect(joined.trimEnd()).toMatch(/\\item c\n\\end\{enumerate\}\n\\end\{enumerate\}$/);
  });

  test('tables and displays are never merged', () => {
    for (const [before, after] of [
      ['\\begin{tabular}{l}\na\n\\end{tabular}', '\\begin{tabular}{l}\nb\n\\end{tabular}'],
      ['\\begin{align}\na\n\\end{align}', '\\begin{align}\nb\n\\end{align}'],
    ] as const) {
      const joined = bodyOf([page(1, before, cut), page(2, after, continues)]);
      expect(joined).toContain(before);
      expect(joined).toContain(after);
    }
  });
});

describe('labels', () => {
  test('are made unique, and references follow those of their page', () => {
    const body = '\\begin{equation}\\label{a} x \\end{equation} \\eqref{a} \\ref{other}';
    const joined = bodyOf([page(1, body), page(2, body), page(4, body)]);
    expect(joined.match(/\\label\{[^}]*\}/g)).toEqual(['\\label{a}', '\\label{a-p2}', '\\label{a-p4}']);
    expect(joined.match(/\\eqref\{[^}]*\}/g)).toEqual(['\\eqref{a}', '\\eqref{a-p2}', '\\eqref{a-p4}']);
    expect(joined.match(/\\ref\{other\}/g)).toHaveLength(3);
  });
});

describe('the source map', () => {
  test('records which range came from which page, and where doubtful spans moved', () => {
    const first = 'Alpha α then doubtful-';
    const pages = [
      page(1, first, {
        ...cut,
        doubtful: [{ start: first.indexOf('then'), end: first.indexOf('then') + 4 }],
      }),
      page(2, '  word and \\label{q} more', {
        ...continues,
        doubtful: [{ start: 2, end: 6, confidence: 0.4 }],
      }),
    ];
    const { latex, sourceMap, doubtful, locate } = assembleDocument(pages);
    expect(sourceMap.map(({ page: number }) => number)).toEqual([1, 2]);
    expect(doubtful.map(({ start, end }) => latex.slice(start, end))).toEqual(['then', 'word']);
    const at = latex.indexOf('and \\label');
    expect(locate(at)).toEqual({ page: 2, offset: '  word '.length });
    expect(locate(latex.indexOf('then'))).toEqual({ page: 1, offset: first.indexOf('then') });
    expect(locate(3)).toBeNull();
    for (const piece of sourceMap)
      expect(latex.slice(piece.start, piece.end)).not.toContain('\\end{document}');
  });
});

describe('places', () => {
  const box = (top: number): [number, number, number, number] => [0.1, top, 0.8, 0.02];
  /** The words of a body as a place. */
  const placeOf = (body: string, words: string, top: number) => ({
    start: body.indexOf(words),
    end: body.indexOf(words) + words.length,
    box: box(top),
  });

  test('move with replaced characters, labels, joined pages and the preamble', () => {
    const first = 'Let α ≤ β.\n\n\\begin{itemize}\n\\item one that goes\n\\end{itemize}';
    const second = 'on here.\n\nThen \\label{q} $x₁$.';
    const { latex, places } = assembleDocument([
      page(1, first, {
        ...cut,
        title: { title: 'Notes', box: box(0.05) },
        places: [placeOf(first, 'Let α ≤ β.', 0.1), placeOf(first, '\\item one that goes', 0.9)],
      }),
      page(2, second, {
        ...continues,
        places: [placeOf(second, 'on here.', 0.1), placeOf(second, 'Then \\label{q} $x₁$.', 0.2)],
      }),
    ]);
    expect(
      places.map(({ start, end, page: number, box: at }) => [latex.slice(start, end), number, at?.[1]]),
    ).toEqual([
      ['\\title{Notes}\n\\author{}\n\\date{}', 1, 0.05],
      ['Let $\\alpha$ $\\leq$ $\\beta$.', 1, 0.1],
      ['\\item one that goes', 1, 0.9],
      ['on here.', 2, 0.1],
      ['Then \\label{q} $x_{1}$.', 2, 0.2],
    ]);
  });

  test('a later page’s title keeps its place', () => {
    const { latex, places } = assembleDocument([
      page(1, 'a', { title: { title: 'One' } }),
      page(2, 'b', {
        title: { title: 'Another', box: box(0.3) },
        preamble: ['\\newcommand{\\R}{\\mathbb{R}}'],
      }),
    ]);
    const [place] = places;
    expect(latex.slice(place!.start, place!.end)).toMatch(
      /^\\begin\{center\}[\s\S]*Another[\s\S]*\\end\{center\}$/,
    );
    expect(place).toMatchObject({ page: 2, box: box(0.3) });
  });
});

describe('characters', () => {
  test('become what the fonts print, depending on the mode', () => {
    const body = bodyOf([
      page(1, 'α in text, $αx ≤ β²$, x₁, 10 °C, 𝑥 and \\texttt{ß}, \\text{≤}, $\\text{größe}$'),
    ]);
    expect(body).toBe(
      '$\\alpha$ in text, $\\alpha x \\leq  \\beta^{2}$, x\\textsubscript{1}, 10 °C, x and \\texttt{ß}, \\text{$\\leq$}, $\\text{größe}$'.replace(
        '\\leq  ',
        '\\leq ',
      ),
    );
  });

  test('that no font prints are kept and reported', () => {
    const { latex, warnings } = assembleDocument([page(1, '数学')]);
    expect(latex).toContain('数学');
    expect(warnings).toMatchObject([{ code: 'CHARACTERS_NOT_PRINTED', page: 1 }]);
  });
});
