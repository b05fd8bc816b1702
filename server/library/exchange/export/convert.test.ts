/** Every export format is opened by an independent reader. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocument } from '#latex/reader/read-document.ts';
import type { Block, Inline } from '#latex/reader/tree.ts';
import { templates } from '#latex/templates/index.ts';
import { chooseFrom } from '../../../../test-support/matrix.ts';
import { convertDocument } from '../convert-document.ts';

const samples = new URL('../../../../fixtures/pdf/', import.meta.url);
const now = new Date('2026-03-01T12:00:00Z');
const documents: [string, string][] = [
  ...readdirSync(samples)
    .filter((name) => name.endsWith('.tex'))
    .map((name): [string, string] => [name, readFileSync(new URL(name, samples), 'utf8')]),
  ...templates.map(({ id, latex }): [string, string] => [id, latex]),
];
let home: string;
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'inkproof-convert-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const text = (bytes: Uint8Array) => strFromU8(bytes);
const convert = (
  latex: string,
  form: 'docx' | 'html' | 'markdown',
  figures: { name: string; bytes: Uint8Array }[] = [],
) => convertDocument({ title: 'A & B', latex, figures, pdf: null }, form, now);
const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`;
const count = (source: string, pattern: RegExp) => [...source.matchAll(pattern)].length;

/** Python's expat: a parser that stops at the first thing that is not well-formed. */
function requireXml(files: Record<string, string>): void {
  const folder = mkdtempSync(path.join(home, 'xml-'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, name.replaceAll('/', '_')), content);
  const program =
    'import sys,os,xml.dom.minidom as m\nfor n in os.listdir(sys.argv[1]): m.parse(os.path.join(sys.argv[1],n))';
  execFileSync('python3', ['-c', program, folder], { stdio: 'pipe' });
}

/** The document's formulas as read. */
function formulasIn(content: readonly (Block | Inline)[]): number {
  return JSON.stringify(content).split('"kind":"formula"').length - 1;
}

/** Counted in the samples by another reader of LaTeX (pandoc 2.17, which takes \SI, algorithms and own labels for text). */
const counted: Record<string, number> = {
  'algorithms-and-kinetics.tex': 36,
  'biologie-zusammenfassung.tex': 8,
  'calculus-limits-integrals.tex': 73,
  'grammaire-subjonctif.tex': 1,
  'linear-algebra-matrices.tex': 29,
  'physics-mechanics-tikz.tex': 24,
  'probability-table.tex': 33,
  'problem-sheet-number-theory.tex': 49,
};

test.each(Object.entries(counted))('%s: no formula is lost when reading', (name, least) => {
  const latex = documents.find(([one]) => one === name)![1];
  expect(formulasIn(readDocument(latex, now).blocks)).toBeGreaterThanOrEqual(least);
});

/** A plain run has lists, tables, algorithms, chemistry and a custom environment. */
const tried = chooseFrom(import.meta.filename, documents, 3);

describe.each(tried)('%s', (_, latex) => {
  const total = formulasIn(readDocument(latex, now).blocks);

  test('as .docx: well-formed, every formula an equation', () => {
    const files = unzipSync(convert(latex, 'docx'));
    const parts = Object.fromEntries(
      Object.entries(files)
        .filter(([name]) => /\.(xml|rels)$/.test(name))
        .map(([name, bytes]) => [name, text(bytes)]),
    );
    requireXml(parts);
    const all = parts['word/document.xml']! + parts['word/footnotes.xml']!;
    expect(count(all, /<m:oMath>/g)).toBe(total);
    expect(all).not.toMatch(/<m:(num|den)><\/m:\1>/);
  });

  test('as HTML: well-formed, every formula MathML, nothing executable', () => {
    const html = text(convert(latex, 'html'));
    expect(count(html, /<math[ >]/g)).toBe(total);
    expect(html).not.toMatch(/<script|class="formula"|merror/);
    const main = /<main>[\s\S]*<\/main>/
      .exec(html)![0]
      .replace(/<(br|hr)>/g, '<$1/>')
      .replace(/<img([^>]*)>/g, '<img$1/>');
    requireXml({ 'main.xml': main });
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id);
  });

  test('as Markdown: every formula between dollar signs', () => {
    const markdown = text(convert(latex, 'markdown'));
    const prose = markdown.replace(/^(`{3,})[\s\S]*?^\1$/gm, '').replace(/(`+)(?!`).*?\1/g, '');
    const displays = count(prose, /^\s*(?:> )?\$\$\n[\s\S]*?^\s*(?:> )?\$\$$/gm);
    const words = prose
      .replace(/\$\$\n[\s\S]*?\$\$/g, '')
      .replace(/\\\\/g, '')
      .replace(/\\\$/g, '');
    expect(displays + count(words, /\$[^$]+\$/g)).toBe(total);
  });
});

test('only drawings of the samples are left as LaTeX', () => {
  for (const [name, latex] of documents) {
    const { blocks } = readDocument(latex, now);
    const rest = JSON.stringify(blocks).match(/"kind":"source","tex":"[^"]*?begin\{(\w+)/g) ?? [];
    expect(
      rest.every((source) => /tikzpicture/.test(source)),
      name,
    ).toBe(true);
  }
});

test('documents that do not compile are still exported well-formed', () => {
  const root = new URL('../../../../', import.meta.url);
  const folders = ['proving/cases/', 'latex/log/cases/'];
  const parts: Record<string, string> = {};
  for (const folder of folders) {
    for (const file of readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.tex')) continue;
      const latex = readFileSync(new URL(folder + file, root), 'utf8');
      const files = unzipSync(convert(latex, 'docx'));
      parts[`${file}.docx`] = text(files['word/document.xml']!);
      parts[`${file}.notes`] = text(files['word/footnotes.xml']!);
      const html = text(convert(latex, 'html'));
      parts[`${file}.html`] = /<main>[\s\S]*<\/main>/.exec(html)![0].replace(/<(br|hr)>/g, '<$1/>');
      expect(html).not.toMatch(/<script|javascript:/);
      expect(convert(latex, 'markdown').length).toBeGreaterThan(0);
    }
  }
  expect(Object.keys(parts).length).toBeGreaterThan(300);
  requireXml(parts);
});

describe('what a reader would see', () => {
  test('numbers of sections, formulas, theorems and floats, and references to them', () => {
    const html = text(
      convert(
        wrap(
          '\\section{One}\\label{s}\\begin{theorem}[Euler]\\label{t}x\\end{theorem}\\begin{lemma}\\label{l}y\\end{lemma}' +
            '\\begin{equation}\\label{e}a=b\\end{equation}\\begin{align}p&=q\\label{p}\\\\r&=s\\notag\\\\u&=v\\label{u}\\end{align}' +
            '\\begin{figure}\\includegraphics{cat}\\caption{Cat}\\label{f}\\end{figure}' +
            'See \\ref{s}, \\ref{t}, \\cref{l}, \\eqref{e}, \\eqref{u}, \\autoref{f}, \\ref{gone}. $\\eqref{e}$',
          '\\newtheorem{theorem}{Theorem}[section]\\newtheorem{lemma}[theorem]{Lemma}',
        ),
        'html',
      ),
    );
    const plain = html
      .slice(html.indexOf('<main>'))
      .replace(/<annotation[\s\S]*?<\/annotation>|<[^>]+>/g, '')
      .replace(/\s+/g, ' ');
    expect(plain).toContain('Theorem 1.1 (Euler).');
    expect(plain).toContain('Lemma 1.2.');
    expect(plain).toContain('See 1, 1.1, Lemma 1.2, (1), (3), Figure 1, ?. (1)');
  });

  test('references and formulas of every kind that the LaTeX reader supports', () => {
    const html = text(
      convert(
        wrap(
          `\\section{One}\\label{a} See \\vref{a} and \\textcite{k}.
\\begin{IEEEeqnarray}{rCl}x &=& y\\end{IEEEeqnarray}
\\begin{thebibliography}{9}\\bibitem{k} Knuth\\end{thebibliography}`,
        ),
        'html',
      ),
    );
    expect(html.replace(/<[^>]*>/g, '')).toContain('See 1 and [1].');
    expect(count(html, /<math/g)).toBe(1);
    expect(html).not.toContain('rCl');
  });

  test('lists are numbered as in the document, and as Word numbers', () => {
    const latex = wrap(
      '\\begin{enumerate}[label=(\\alph*)]\\item A\\begin{enumerate}\\item I\\item[x)] X\\end{enumerate}\\item B\\end{enumerate}',
    );
    expect(text(convert(latex, 'markdown'))).toBe('- (a) A\n\n  - (a) I\n  - x) X\n- (b) B\n');
    const numbering = text(unzipSync(convert(latex, 'docx'))['word/numbering.xml']!);
    expect(numbering).toContain('<w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%1)"/>');
  });

  test('tables keep their headings, alignment and merged cells', () => {
    const latex = wrap(
      '\\begin{tabular}{lr}\\hline Run & $t$\\\\\\hline 1 & 2\\\\ \\multicolumn{2}{c}{mean | 3}\\\\\\hline\\end{tabular}',
    );
    expect(text(convert(latex, 'markdown'))).toBe(
      '| Run | $t$ |\n| :--- | ---: |\n| 1 | 2 |\n| mean \\| 3 |  |\n',
    );
    expect(text(convert(latex, 'html'))).toContain(
      '<td colspan="2" style="text-align: center">mean | 3</td>',
    );
    expect(text(unzipSync(convert(latex, 'docx'))['word/document.xml']!)).toContain(
      '<w:gridSpan w:val="2"/>',
    );
  });

  test('own commands, accents, quotes, chemistry and units', () => {
    const markdown = text(
      convert(
        wrap(
          "\\own{x}, \\R, na\\\"ive caf\\'e \\c{c}\\ss{} --- ``quoted'' 50\\,\\% \\textbf{b \\emph{c}} {\\bfseries d} \\ce{H2O}, \\SI{5}{\\metre\\per\\second}\\footnote{A note with $n$.}",
          '\\newcommand{\\own}[2][z]{[#1|#2]}\\newcommand\\R{$\\mathbb{R}$}',
        ),
        'markdown',
      ),
    );
    expect(markdown).toContain(
      '\\[z\\|x\\], $\\mathbb{R}$, naïve café çß — “quoted” 50\u2009% **b *c*** **d** $\\ce{H2O}$',
    );
    expect(markdown).toContain('{5\\,\\mathrm{m}\\,\\mathrm{s}^{-1}}$[^1]');
    expect(markdown).toContain('[^1]: A note with $n$.');
  });

  test('pictures are included in .docx and HTML; a link that would run something is not', async () => {
    const bytes = new Uint8Array(
      await sharp({ create: { width: 20, height: 10, channels: 3, background: '#123' } })
        .png()
        .toBuffer(),
    );
    const latex = wrap(
      '\\includegraphics[width=.5\\textwidth]{a}\\href{javascript:alert(1)}{x}<script>\\href{https://e.org/?a=1\\&b=2}{y}',
    );
    const figures = [{ name: 'a.png', bytes }];
    const files = unzipSync(convert(latex, 'docx', figures));
    expect(files['word/media/1.png']).toEqual(bytes);
    expect(text(files['word/document.xml']!)).toContain('<wp:extent cx="2880000" cy="1440000"/>');
    const html = text(convert(latex, 'html', figures));
    expect(html).toContain(`data:image/png;base64,${Buffer.from(bytes).toString('base64')}`);
    expect(html).not.toMatch(/javascript:|<script/);
    expect(html).toContain('href="https://e.org/?a=1&amp;b=2"');
  });
});
