/** Compiles real documents with the real engine: the samples, engines, passes, figures, fonts and languages. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { chooseFrom } from '../test-support/matrix.ts';
import { openTypesetter } from '../test-support/open-typesetter.ts';
import type { CompileJob, CompileResult } from './index.ts';
import { pdfText } from './testing/find-leak.ts';

const samples = new URL('../fixtures/pdf/', import.meta.url);
const registry = new Registry();
const { typesetter, folder: home } = await openTypesetter({ concurrency: 2, metrics: registry });

type Compiled = Extract<CompileResult, { kind: 'compiled' }>;
async function compile(latex: string, more: Partial<CompileJob> = {}): Promise<Compiled> {
  const result = await typesetter.compile({ latex, owner: 'a', cpuMs: 50_000, ...more });
  if (result.kind !== 'compiled') throw new Error(JSON.stringify({ ...result, pdf: null }, null, 1));
  return result;
}
const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\\begin{document}\n${body}\n\\end{document}\n`;
const words = (result: Compiled) => pdfText(result.pdf).replace(/\s+/g, ' ');
async function passesOf(latex: string): Promise<number> {
  const read = async () => {
    const metric = await registry.getSingleMetric('inkproof_compile_passes_total')!.get();
    return metric.values.reduce((sum, { value }) => sum + value, 0);
  };
  const before = await read();
  // a separate owner: nothing is known from an earlier document
  await compile(latex, { owner: latex.slice(0, 200) });
  return (await read()) - before;
}

const names = readdirSync(samples).filter((name) => name.endsWith('.tex'));
const tried = chooseFrom(import.meta.filename, names);

describe('LuaLaTeX', () => {
  const lua = (body: string, preamble = '') => `% !TeX program = lualatex\n${wrap(body, preamble)}`;

  test('compiles a document that runs Lua and does not name its engine', async () => {
    const result = await compile(
      wrap('\\directlua{tex.print("It is " .. 6 * 7 .. ", by " .. status.luatex_engine)}'),
    );
    expect(words(result)).toContain('It is 42, by luahbtex');
    expect(result.messages).toEqual([]);
  });

  test('has the same fonts as the others, by name and by the names of their substitutes', async () => {
    const result = await compile(
      lua(
        'Ärger \\textbf{bold} {\\sans sans} $\\int \\symbb{R}$',
        '\\usepackage{fontspec,unicode-math}\\setmainfont{TeX Gyre Pagella}\\newfontfamily\\sans{Arial}\\setmathfont{TeX Gyre Pagella Math}\n',
      ),
    );
    expect(words(result)).toContain('Ärger bold sans');
    expect(result.messages.filter(({ level }) => level !== 'badbox')).toEqual([]);
    const file = path.join(home, 'fonts.pdf');
    writeFileSync(file, result.pdf);
    const fonts = execFileSync('pdffonts', [file], { encoding: 'utf8' });
    for (const name of ['TeXGyrePagella-Bold', 'TeXGyrePagellaMath', 'LiberationSans'])
      expect(fonts).toContain(name);
  });

  test('typesets references, contents and helpers’ lists in as many passes as they need', async () => {
    const result = await compile(
      lua(
        '\\tableofcontents\\section{One}\\label{one}See \\ref{one}\\index{word}.\\printindex',
        '\\usepackage{makeidx}\\makeindex\n',
      ),
    );
    expect(words(result)).toMatch(/1 One 1 .*See 1.*word, 1/);
  });

  test('reports what Lua failed on, and where', async () => {
    const result = await typesetter.compile({
      latex: lua('words\n\n\\directlua{nothing.here = 1}'),
      owner: 'a',
    });
    expect(result).toMatchObject({
      kind: 'failed',
      messages: [
        {
          level: 'error',
          file: 'main.tex',
          line: 6,
          explanation: expect.stringContaining('nothing has no value'),
        },
      ],
    });
  });
});

describe('documents that compile', () => {
  test.concurrent.each(tried)('%s', async (name) => {
    const result = await compile(readFileSync(new URL(name, samples), 'utf8'));
    expect(Buffer.from(result.pdf.subarray(0, 5)).toString()).toBe('%PDF-');
    expect(result.pageCount).toBeGreaterThan(0);
    expect(result.synctex?.length).toBeGreaterThan(0);
    // the same words as the copy that came with the samples
    const own = new Set(words(result).match(/\p{L}{4,}/gu));
    const theirs = new Set(
      pdfText(readFileSync(new URL(name.replace('.tex', '.pdf'), samples))).match(/\p{L}{4,}/gu),
    );
    const shared = [...theirs].filter((word) => own.has(word)).length;
    expect(shared / theirs.size).toBeGreaterThan(0.9);
  });

  test('\\today is today', async () => {
    const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    const before = today.format(new Date());
    const text = words(await compile(wrap('\\today')));
    expect([before, today.format(new Date())]).toContainEqual(/\w+ \d+, \d{4}/.exec(text)?.[0]);
  });

  test('a missing picture fails, and part of a PDF is never returned as complete', async () => {
    const latex = wrap('text\\newpage\\includegraphics{nowhere.png}', '\\usepackage{graphicx}\n');
    for (const engine of ['xelatex', 'pdflatex'] as const) {
      const result = await typesetter.compile({ latex, engine, owner: 'a' });
      if (result.kind !== 'failed') throw new Error(result.kind);
      if (result.pdf) expect(pdfText(result.pdf)).toContain('text');
    }
  });

  test('a file sent with the document may be overwritten, and is sent again the next time', async () => {
    const latex = (word: string) =>
      wrap(
        `\\newwrite\\out \\input{table}\\immediate\\openout\\out=table.tex \\immediate\\write\\out{written ${word}}\\immediate\\closeout\\out \\input{table}`,
      );
    const assets = [{ name: 'table.tex', bytes: Buffer.from('brought along') }];
    for (const word of ['once', 'twice'])
      expect(words(await compile(latex(word), { assets }))).toContain(`brought along written ${word}`);
  });

  test('figures sent with the document are in the PDF', async () => {
    const bytes = readFileSync(new URL('../images/physics-mechanics-tikz-p1-crop-16bit.png', samples));
    const assets = [{ name: 'figure-p1-1.png', bytes }];
    const result = await compile(
      wrap('\\includegraphics[width=5cm]{figure-p1-1}', '\\usepackage{graphicx}\n'),
      { assets },
    );
    expect(result.pdf.length).toBeGreaterThan(5_000);
  });
});

describe('engines', () => {
  const name = '\\usepackage{iftex}\n';
  const body = '\\ifxetex engine-x\\else\\ifluatex engine-lua\\else engine-pdf\\fi\\fi';

  test.each([
    ['', 'engine-x'],
    ['% !TEX program = xelatex\n', 'engine-x'],
    ['% !TEX program = pdflatex\n', 'engine-pdf'],
    ['%!TeX TS-program = pdflatex\n', 'engine-pdf'],
    ['% a note\n\n%  !tex PROGRAM=PDFLaTeX\n', 'engine-pdf'],
    ['% !TEX program = lualatex\n', 'engine-lua'],
  ])('%j is compiled by %s', async (comment, engine) => {
    expect(words(await compile(comment + wrap(body, name)))).toContain(engine);
  });

  test('a job may name its engine', async () => {
    expect(words(await compile(wrap(body, name), { engine: 'pdflatex' }))).toContain('engine-pdf');
  });
});

describe('passes', () => {
  test('contents, references and page numbers are right', async () => {
    const latex = wrap(
      '\\tableofcontents\\newpage\\section{First}\\label{one} see section~\\ref{two} on page~\\pageref{two}\\newpage\\section{Second}\\label{two} back to \\ref{one}',
    );
    const text = words(await compile(latex));
    expect(text).toContain('1 First 2');
    expect(text).toContain('2 Second 3');
    expect(text).toContain('see section 2 on page 3');
    expect(text).not.toContain('??');
  });

  test('a document without references takes one pass, one with them as many as change something', async () => {
    expect(await passesOf(wrap('Plain text with \\section{a heading} and $x^2$.'))).toBe(1);
    expect(await passesOf(wrap('\\section{a}\\label{a} \\ref{a}'))).toBe(2);
    // a table of contents that pushes the sections to later pages needs a third
    const long = Array.from({ length: 60 }, (_, n) => `\\section{Part ${n}}`).join('\n');
    expect(await passesOf(wrap(`\\tableofcontents\n${long}\\label{end} \\pageref{end}`))).toBe(3);
  });

  test('no message asks for another run of LaTeX, which users cannot start', async () => {
    // one pass is enough for this one, but hyperref does not know that
    const { messages } = await compile(wrap('Text with no heading.', '\\usepackage{hyperref}\n'));
    expect(messages).toEqual([]);
  });

  test('a document that never settles ends after four passes', async () => {
    const restless =
      '\\makeatletter\\AtEndDocument{\\immediate\\write\\@auxout{\\string\\gdef\\string\\restless{x\\restless}}}\\makeatother';
    expect(await passesOf(wrap(`text ${restless}`, '\\providecommand\\restless{}\n'))).toBe(4);
  });
});

describe('what the distribution lacks', () => {
  const fonts = ['Times New Roman', 'Courier New', 'Arial', 'Calibri', 'Georgia', 'Consolas'];
  test.each(chooseFrom(import.meta.filename, fonts))('the font %s has a substitute', async (font) => {
    const result = await compile(
      wrap('upright \\textbf{bold} \\textit{italic}', `\\usepackage{fontspec}\\setmainfont{${font}}\n`),
    );
    expect(words(result)).toContain('upright bold italic');
  });

  const languages = [
    ['french', 'Table des matières'],
    ['ngerman', 'Inhaltsverzeichnis'],
    ['spanish', 'Índice'],
    ['italian', 'Indice'],
    ['portuguese', 'Conteúdo'],
    ['dutch', 'Inhoudsopgave'],
    ['polish', 'Spis treści'],
    ['czech', 'Obsah'],
  ] as const;
  test.each(chooseFrom(import.meta.filename, languages))('babel speaks %s', async (language, contents) => {
    const latex = wrap('\\tableofcontents\\section{A}', `\\usepackage[${language}]{babel}\n`);
    expect(words(await compile(latex))).toContain(contents);
  });

  test('pdflatex has T1 fonts and symbols as outlines', async () => {
    const latex = `% !TEX program = pdflatex\n${wrap('Zoë, œuvre, \\textdegree, \\texteuro', '\\usepackage[T1]{fontenc}\n')}`;
    expect(words(await compile(latex))).toContain('Zoë, œuvre');
  });
});

/** In groups, because some conflict (physics and siunitx both define \\qty). */
const packageGroups = [
  'amsmath siunitx mhchem chemfig tikz pgfplots tcolorbox circuitikz tikz-cd bussproofs todonotes',
  'amsmath mathtools amssymb amsthm physics bm cancel esint stmaryrd braket csquotes microtype xcolor graphicx geometry',
  'booktabs tabularx multirow longtable array makecell multicol enumitem fancyhdr titlesec subcaption mdframed soul ulem hyperref cleveref',
  'listings algorithm algpseudocode wasysym pifont hyperref',
  'algorithm2e unicode-math polyglossia',
];
test.each(chooseFrom(import.meta.filename, packageGroups))('packages that notes use: %s', async (group) => {
  const preamble = group.split(' ').map((name) => `\\usepackage{${name}}\n`);
  await compile(wrap('text', preamble.join('')));
});
