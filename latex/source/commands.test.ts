/** A row of the table applies wherever LaTeX is read: regressions for places that once differed. */
import { expect, test } from 'vitest';
import { assembleDocument } from '../assemble/assemble.ts';
import { plainPage } from '../assemble/page-body.ts';
import { applyEdits } from '../edits/index.ts';
import { readLatex } from '../formula/read-latex.ts';
import { readLog } from '../log/log.ts';
import { readDocument } from '../reader/read-document.ts';
import { plainText } from '../reader/tree.ts';
import { scanLatex } from './scan.ts';
import { annotate } from './syntax.ts';
import { nameDocument } from './title/name-document.ts';

test.each(['LVerbatim', 'Verbatim*', 'BVerbatim*'])('what stands in %s is code', (name) => {
  const code = `\\begin{${name}}\n$ 50 % {\n\\end{${name}}`;
  expect(scanLatex(`a ${code} b`).find(({ kind }) => kind === 'verbatim')?.name).toBe(name);
});

test('keys of citations and references are no words', () => {
  const { text } = readLatex(
    'See \\parencite{knuth1984}, \\textcite{lamport}, \\cpageref{sec:a} and \\cref*{b}.',
  );
  expect(text).toBe('See , , and .');
});

test.each([
  ['5\\% of it', '5% of it'],
  ['{\\o}re, stra\\ss e, \\th', 'øre, straße, þ'],
  ['a\\quad b', 'a b'],
  ['\\vspace{2ex}\\setlength{\\parskip}{3pt}a', 'a'],
  ['\\textcolor{red}{a} \\fcolorbox{red}{blue}{b}', 'a b'],
  ['\\multirow{2}{3cm}{a} \\foreignlanguage{french}{b}', 'a b'],
  ['\\phantom{x}\\markboth{y}{z}a', 'a'],
  ['\\rule{3cm}{1pt}a \\enquote{b} \\unheardof{c}', 'a b c'],
])('%j says the same to search and to exports', (latex, words) => {
  const { blocks } = readDocument(latex, new Date(0));
  const exported = blocks
    .map((block) => (block.kind === 'paragraph' ? plainText(block.content) : ''))
    .join('');
  expect([readLatex(latex).text, exported].map((text) => text.replace(/\s+/g, ' '))).toEqual([words, words]);
});

test.each([
  ['\\begin{wrapfigure}[9]{r}{5cm}\\caption{a}\\end{wrapfigure}', 'float'],
  ['\\begin{sidewaystable}\\caption{a}\\end{sidewaystable}', 'float'],
  ['\\begin{listing}[ht]\\caption{a}\\end{listing}', 'float'],
  ['\\begin{pspicture}(1,1)\\end{pspicture}', 'source'],
  ['\\begin{trivlist}\\item a\\end{trivlist}', 'list'],
  ['\\begin{tasks}\\task a\\end{tasks}', 'list'],
  ['\\begin{adjustwidth}{1cm}{2cm}a\\end{adjustwidth}', 'paragraph'],
])('%s is a %s for exports, without what is not to be read', (latex, kind) => {
  const { blocks } = readDocument(latex, new Date(0));
  expect(blocks.map((block) => block.kind)).toEqual([kind]);
  expect(JSON.stringify(blocks)).not.toMatch(/[59]|2cm|\[ht\]/);
});

test('names of Object’s own properties are ordinary names', () => {
  const latex = '\\begin{constructor}a \\toString{b} $x$\\end{constructor}';
  expect(readLatex(latex).formulas).toHaveLength(1);
  expect(annotate(latex).tokens.length).toBeGreaterThan(5);
});

test('a part names a document that begins with one', () => {
  expect(nameDocument('\\part{Waves}\n\\chapter{Light}')).toBe('Waves');
});

test.each(['vref', 'nameref', 'cref*'])('an equation that \\%s refers to keeps its number', (command) => {
  const latex = `\\documentclass{article}\n\\begin{document}\n\\begin{equation}\\label{e}x\\end{equation}\n\\${command}{e}\n\\end{document}\n`;
  expect(applyEdits(latex, { kind: 'plan', edits: [{ type: 'equation-numbers', isOn: false }] })).toEqual({
    kind: 'refusal',
    message: 'The equation “e” is referred to by its number. Nothing was changed.',
  });
});

test('what conversions declare as a theorem is also one for the log', () => {
  const log = '! LaTeX Error: Environment conjecture undefined.\n\nl.3 \\begin{conjecture}\n';
  expect(readLog(log)[0]?.suggestion).toContain('\\newtheorem{conjecture}{Conjecture}');
});

test.each(['lemma', 'circuitikz', 'compactitem'])('a sentence does not run on into %s', (name) => {
  const pages = ['so it goes on and', `\\begin{${name}}a\\end{${name}}`].map((body, index) => ({
    number: index + 1,
    page: { ...plainPage(body), startsParagraph: false, endsParagraph: false },
  }));
  expect(assembleDocument(pages).latex).toContain('goes on and\n\n\\begin');
});

test.each([
  ['IEEEeqnarray', '{rCl}'],
  ['xalignat', '{2}'],
  ['subtable', '{3cm}'],
  ['wraptable', '{r}{3cm}'],
  ['multicols*', '{2}'],
])('the argument of %s is not its content', (name, argument) => {
  const { tokens, spots } = annotate(`\\begin{${name}}${argument}z\\end{${name}}`);
  const modes = tokens.flatMap(({ kind }, index) => (kind === 'text' ? [spots[index]!.mode] : []));
  expect(modes.slice(0, -1).every((mode) => mode === 'raw')).toBe(true);
  expect(modes.at(-1)).not.toBe('raw');
});
