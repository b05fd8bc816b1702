/**
 * Real logs of broken documents (log-cases/NAME/main.tex and its log.txt; typesetting's messages.matrix.test.ts
 * keeps them true).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyFix } from './apply-fix.ts';
import { listFixes, readLog } from './log.ts';

const folder = new URL('./cases/', import.meta.url);
const read = (name: string, file: string) => readFileSync(new URL(`${name}/${file}`, folder), 'utf8');
const messagesOf = (name: string) => readLog(read(name, 'log.txt'), read(name, 'main.tex'));

/** name, level, line, part of the message, part of the suggestion (null: none) */
const cases: [string, string, number | null, string, string | null][] = [
  ['align-blank-line', 'error', 6, 'Paragraph ended before \\align', 'Remove the empty line'],
  ['babel-unknown-language', 'error', 2, "Unknown option 'klingon'", 'remove it'],
  ['bad-math-delimiter', 'error', 3, 'Bad math environment delimiter', '\\[ … \\]'],
  ['capacity', 'error', 3, 'TeX capacity exceeded', 'must not use the command it replaces'],
  ['color-undefined', 'error', 4, 'Undefined color `bluuue', 'dvipsnames'],
  ['command-defined-twice', 'error', 2, 'Command \\section already defined', '\\renewcommand{\\section}'],
  ['counter-too-large', 'error', 3, 'Counter too large', '\\arabic'],
  ['display-dollar', 'error', 3, 'Display math should end with $$', 'End it with $$'],
  ['double-subscript', 'error', 3, 'Double subscript', 'x_{a_b}'],
  ['double-superscript', 'error', 3, 'Double superscript', 'x^{a^b}'],
  ['duplicate-label', 'warning', 3, 'Label `x', 'a label of its own'],
  ['emergency-end', 'error', 3, 'no legal \\end found', '\\end{document}'],
  ['end-without-begin', 'error', 4, 'ended by \\end{center}', 'Add \\begin{center}'],
  ['environment-mismatch', 'error', 5, 'ended by \\end{enumerate}', '\\end{itemize}'],
  ['environment-of-package', 'error', 3, 'Environment tikzpicture undefined', '\\usepackage{tikz}'],
  ['environment-unclosed', 'error', 3, 'ended by \\end{document}', 'Add \\end{itemize}'],
  ['environment-undefined', 'error', 4, 'Environment aling undefined', 'Did you mean align?'],
  ['extra-alignment-tab', 'error', 4, 'Extra alignment tab', 'Remove an &'],
  ['extra-brace', 'error', 3, "Too many }'s", 'Remove this }'],
  ['extra-brace-or-dollar', 'error', 3, 'Extra }, or forgotten $', 'Balance the braces'],
  ['extra-endgroup', 'error', 3, 'Missing } inserted', 'Add the missing }'],
  ['file-ended', 'error', 3, 'File ended while scanning use of \\@xverbatim', '\\end{…}'],
  ['font-not-found', 'error', 3, 'The font "No Such Font" cannot be found', 'TeX Gyre Termes'],
  ['fontspec-in-pdflatex', 'error', 3, 'fontspec', 'Compile with XeLaTeX'],
  ['hline-misplaced', 'error', 4, 'Misplaced \\noalign', '\\hline at the beginning of a row'],
  ['hyperref-token', 'warning', 4, 'hyperref: Token not allowed in a PDF string', null],
  ['hundred-errors', 'error', 3, 'Undefined control sequence', null],
  ['illegal-unit', 'error', 3, 'Illegal unit of measure', '10pt'],
  ['left-without-right', 'error', 3, 'Bad math environment delimiter', '\\right'],
  ['limits-misplaced', 'error', 3, 'Limit controls', '\\mathop'],
  ['lonely-item', 'error', 3, 'Lonely \\item', '\\begin{itemize}'],
  ['lua-code', 'error', 4, 'Undefined control sequence', 'Compile with LuaLaTeX'],
  ['lua-error', 'error', 8, 'attempt to index a nil value', 'Check how sqares is spelled'],
  ['luacode-in-xelatex', 'error', 3, 'LuaTeX is required', 'Compile with LuaLaTeX'],
  ['math-in-text-command', 'error', 3, '\\mathbf allowed only in math mode', '$…$'],
  ['misplaced-ampersand', 'error', 3, 'Misplaced alignment tab character &', '\\&'],
  ['misplaced-hash', 'error', 3, 'macro parameter character #', '\\#'],
  ['missing-begin-document', 'error', 2, 'Missing \\begin{document}', 'Move it after'],
  [
    'missing-brace-end',
    'error',
    3,
    'File ended while scanning use of \\textbf',
    'Add a } after “never closed”',
  ],
  ['missing-character', 'warning', 3, 'There is no 中', 'not installed'],
  ['missing-class', 'error', 1, 'nosuchclass.cls', 'article'],
  ['missing-dollar', 'error', 3, 'Missing $ inserted', 'between dollar signs'],
  ['missing-dollar-command', 'error', 3, 'Missing $ inserted', '$\\alpha$'],
  ['missing-input', 'error', 3, 'nosuchfile.tex', 'Paste the content'],
  ['missing-item', 'error', 5, 'perhaps a missing \\item', '\\item'],
  ['missing-minted', 'error', 2, 'Package minted Error', 'listings'],
  ['missing-number', 'error', 3, 'Missing number', '2cm'],
  ['missing-package-file', 'error', 2, 'nosuchpackage.sty', 'remove \\usepackage{nosuchpackage}'],
  ['missing-picture', 'error', 4, 'nosuchpicture', 'remove the command'],
  ['no-line-to-end', 'error', 3, "There's no line here to end", '\\vspace'],
  ['option-clash', 'error', 3, 'Option clash for package xcolor', 'Load xcolor once'],
  ['overfull-box', 'badbox', 3, 'Overfull \\hbox (155.0pt too wide)', '\\textwidth'],
  ['paragraph-in-argument', 'error', 4, 'Paragraph ended before', 'Add the missing }'],
  ['pdftex-command-in-xelatex', 'error', 4, 'Undefined control sequence', 'Compile with pdfLaTeX'],
  ['reads-terminal', 'error', 3, 'cannot \\read from terminal', 'in place of \\typein'],
  ['right-without-left', 'error', 3, 'Extra \\right', '\\left'],
  ['runaway-argument', 'error', 3, 'File ended while scanning', 'Add a } after “Never closed”'],
  ['siunitx-unknown-unit', 'error', 4, 'Undefined control sequence', 'spelling of \\nosuchunit'],
  ['text-in-math-shift', 'error', 4, 'Missing $ inserted', 'no empty line'],
  ['tikz-error', 'error', 6, 'Did you forget a semicolon', 'semicolon'],
  ['tikz-unknown-key', 'error', 5, 'nosuchkey', '\\usetikzlibrary'],
  ['too-deep', 'error', 3, 'Too deeply nested', 'Close some lists'],
  ['undefined-colour-command', 'error', 3, 'Undefined control sequence', '\\usepackage{xcolor}'],
  ['undefined-command-in-macro', 'error', 4, 'Undefined control sequence', 'spelling of \\undefinedinside'],
  ['undefined-command-of-package', 'error', 4, 'Undefined control sequence', '\\usepackage{amssymb}'],
  ['undefined-command-typo', 'error', 3, 'Undefined control sequence', 'Did you mean \\alpha'],
  ['undefined-in-included', 'error', 6, 'Undefined control sequence', '\\undefinedthere'],
  ['undefined-reference', 'warning', 3, 'Reference `fig:none', '\\label{fig:none}'],
  ['unicode-char-pdflatex', 'error', 4, 'Unicode character ≤', 'xelatex'],
  ['verb-in-argument', 'error', 3, 'Missing } inserted', '}'],
];

describe('readLog', () => {
  test.each(cases)('%s', (name, level, line, message, suggestion) => {
    const found = messagesOf(name).find((candidate) => candidate.level === level);
    expect(found).toMatchObject({ level, line, message: expect.stringContaining(message) });
    if (suggestion === null) return;
    expect(found?.explanation).toMatch(/\.$/);
    expect(found?.suggestion).toContain(suggestion);
  });

  test('every case is in the table', () => {
    expect(readdirSync(folder).sort()).toEqual(cases.map(([name]) => name).sort());
  });

  test('names the file an error is in', () => {
    expect(messagesOf('undefined-in-included')[0]?.file).toBe('chapter.tex');
    expect(messagesOf('double-subscript')[0]).toMatchObject({ file: 'main.tex', context: '$x_1_2$' });
  });

  test('a second typo in the same document has its own line and suggestion', () => {
    const second = messagesOf('undefined-command-typo')[1];
    expect(second).toMatchObject({ line: 5, suggestion: 'Did you mean \\frac?' });
  });

  test('consequences of another error are not reported', () => {
    for (const [name] of cases)
      expect(
        messagesOf(name).filter(({ message }) => /Emergency stop|Fatal error occurred/.test(message)),
      ).toEqual([]);
  });

  test('a Lua error is at its line of the document, in Lua’s words', () => {
    const [first, second, ...others] = messagesOf('lua-error');
    expect(first).toMatchObject({
      line: 8,
      message: "Lua error in line 3: attempt to index a nil value (global 'sqares')",
      explanation:
        'sqares has no value where Lua code looks into it; the rest of this piece of code was left out.',
    });
    expect(second).toMatchObject({ line: 10, explanation: expect.stringContaining('This is not Lua') });
    expect(others).toEqual([]);
  });

  test('TeX’s own ends are told in plain words', () => {
    expect(messagesOf('hundred-errors').at(-1)).toMatchObject({
      line: 103,
      message: 'TeX gave up after 100 errors in one paragraph.',
      explanation: 'What stands behind this place was not read.',
    });
    const log =
      '!pdfTeX error: pdflatex (file ./a.png): reading image file failed\n ==> Fatal error occurred\n';
    expect(readLog(log)).toMatchObject([
      { explanation: 'The file a.png cannot be used: it is damaged, or not what its name says.' },
    ]);
  });

  test('works without the source, with TeX’s own line', () => {
    expect(readLog(read('missing-package-file', 'log.txt'))[0]?.line).toBe(3);
  });

  test('a flood of messages is limited, and an invalid log gives none', () => {
    const line = (n: number) => `./main.tex:${n}: Undefined control sequence.\nl.${n} \\foo\n         bar\n`;
    expect(readLog(Array.from({ length: 5_000 }, (_, n) => line(n + 1)).join('')).length).toBe(200);
    expect(readLog('')).toEqual([]);
    expect(readLog('('.repeat(200_000))).toEqual([]);
  });
});

describe('fixes', () => {
  const fixesOf = (name: string) =>
    messagesOf(name).flatMap((message) => listFixes(message, read(name, 'main.tex')));

  test('are edits at places of the source', () => {
    const [fix] = fixesOf('undefined-command-typo');
    expect(fix).toEqual({
      title: expect.stringContaining('to \\alpha'),
      edits: [expect.objectContaining({ insert: 'alpha' })],
    });
    const source = read('undefined-command-typo', 'main.tex');
    const { from, to } = fix!.edits[0]!;
    expect(source.split('\n')[from.line - 1]!.slice(from.column - 1, to.column)).toMatch(/^\\[a-z]+$/);
  });

  test('are applied as a whole, and not at all if the text has changed too much', () => {
    const source = read('option-clash', 'main.tex');
    const [fix] = fixesOf('option-clash');
    expect(applyFix(source, fix!)?.match(/\{xcolor\}/g)).toHaveLength(1);
    expect(applyFix('', fix!)).toBeNull();
  });

  test('of every message can be applied to its text', () => {
    for (const [name] of cases)
      for (const fix of fixesOf(name)) expect(applyFix(read(name, 'main.tex'), fix)).not.toBeNull();
  });

  test('leave with no message', () => {
    for (const [name] of cases) expect(JSON.stringify(messagesOf(name))).not.toContain('"edits"');
  });
});
