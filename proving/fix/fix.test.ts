/** Every fix offered works, and "Fix all" ends with a text that compiles and is otherwise unchanged. */
import { describe, expect, test } from 'vitest';
import { type Engine, engineNames } from '#shared/api/engine.ts';
import { openTypesetter } from '../../test-support/open-typesetter.ts';
import { fixAll } from './fix-all.ts';
import { maxCandidates, tryFixes } from './try-fixes.ts';

const { typesetter } = await openTypesetter();

const compile = (latex: string) => typesetter.compile({ latex, owner: 'test' });
const whole = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\\begin{document}\n${body}\n\\end{document}\n`;

/** Broken body, preamble, and both after "Fix all": the same except for its own edits. */
const repairable: [string, string, string, string, string?][] = [
  [
    'a brace that a comment swallowed',
    'The \\textbf{share is 5 % of it} here.',
    '',
    'The \\textbf{share is 5 \\% of it} here.',
  ],
  [
    'a statement whose beginning has another name',
    '\\begin{Staz}\nAlways.\n\\end{Satz}',
    '\\newtheorem{Satz}{Satz}\n',
    '\\begin{Satz}\nAlways.\n\\end{Satz}',
  ],
  [
    'a statement that is not ended',
    '\\begin{Satz}\nAlways.\n\nAnd on.',
    '\\newtheorem{Satz}{Satz}\n',
    '\\begin{Satz}\nAlways.\n\\end{Satz}\n\nAnd on.',
  ],
  ['a dollar that opens', 'Let x^2+y^2=r^2$ be a circle.', '', 'Let $x^2+y^2=r^2$ be a circle.'],
  ['a dollar that closes', 'Let $x^2+y^2=r^2 be a circle.', '', 'Let $x^2+y^2=r^2$ be a circle.'],
  [
    'a table cell without its second dollar',
    '\\begin{tabular}{ll}\n$a_1 & $b_1$\\\\\n\\end{tabular}',
    '',
    '\\begin{tabular}{ll}\n$a_1$ & $b_1$\\\\\n\\end{tabular}',
  ],
  [
    'a list that is not ended',
    '\\begin{itemize}\n\\item One.\n\\item Two.\n\nAnd on.',
    '',
    '\\begin{itemize}\n\\item One.\n\\item Two.\n\\end{itemize}\n\nAnd on.',
  ],
  [
    'a list whose beginning is gone',
    'Before.\n\n\\item One.\n\\item Two.\n\\end{itemize}',
    '',
    'Before.\n\n\\begin{itemize}\n\\item One.\n\\item Two.\n\\end{itemize}',
  ],
  [
    'an unknown environment',
    '\\begin{aling*}\na &= b\n\\end{aling*}',
    '\\usepackage{amsmath}\n',
    '\\begin{align*}\na &= b\n\\end{align*}',
  ],
  [
    'options of a list without their package',
    '\\begin{enumerate}[label=(\\alph*)]\n\\item One.\n\\end{enumerate}',
    '',
    '\\begin{enumerate}[label=(\\alph*)]\n\\item One.\n\\end{enumerate}',
    '\\usepackage{enumitem}\n',
  ],
  [
    'heads of pages without theirs',
    'Words.',
    '\\pagestyle{fancy}\n',
    'Words.',
    '\\usepackage{fancyhdr}\n\\pagestyle{fancy}\n',
  ],
  [
    'three faults at once',
    'A \\textbg{word} & $x^2^3$ and $\\alhpa$.',
    '',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: LaTeX
    'A \\textbf{word} \\& ${x^2}^3$ and $\\alpha$.',
  ],
  ['a command that lost its brace', 'A \\textbfword} here.', '', 'A \\textbf{word} here.'],
  [
    'a bracket without \\right',
    '\\[ \\left( \\frac{1}{2} ) \\]',
    '',
    '\\[ \\left( \\frac{1}{2} \\right) \\]',
  ],
  [
    'a package that has to come before another',
    '\\begin{align}a\\label{eq:a}\\end{align} See \\cref{eq:a}.',
    '\\usepackage{cleveref}\n',
    '\\begin{align}a\\label{eq:a}\\end{align} See \\cref{eq:a}.',
    '\\usepackage{amsmath}\n\\usepackage{cleveref}\n',
  ],
];

/** Documents that need another engine: the fix names it in the document. */
const engines: [string, string, string][] = [
  [
    'fontspec for pdflatex',
    '% !TEX program = pdflatex\n\\documentclass{article}\n\\usepackage{fontspec}',
    'xelatex',
  ],
  [
    'Lua for xelatex',
    '% !TEX program = xelatex\n\\documentclass{article}\n\\usepackage{luacode}',
    'lualatex',
  ],
  [
    'pdfTeX’s command in the text',
    '% !TEX program = xelatex\n\\documentclass{article}\n\\AtBeginDocument{\\pdfliteral{q Q}}',
    'pdflatex',
  ],
];

test.concurrent.each(engines)('%s is offered the engine that supports it', async (_, preamble, engine) => {
  const broken = `${preamble}\n\\begin{document}\nwords\n\\end{document}\n`;
  const tried = await tryFixes(broken, await compile(broken), { compile });
  expect(tried).toMatchObject({
    fix: { title: `Compile with ${engineNames[engine as Engine]}` },
    result: { kind: 'compiled' },
  });
  expect(tried!.latex).toBe(broken.replace(/program = \w+/, `program = ${engine}`));
});

describe('fix all', () => {
  test.concurrent.each(repairable)('%s', async (_, body, preamble, fixedBody, fixedPreamble = preamble) => {
    const broken = whole(body, preamble);
    const fixed = await fixAll(broken, await compile(broken), compile);
    expect(fixed.latex).toBe(whole(fixedBody, fixedPreamble));
    expect(fixed.result.kind).toBe('compiled');
  });

  test('stops when no fix works and keeps those that did', async () => {
    const broken = whole('$\\alhpa$\n\nSome words \\accent\\halign here.');
    const tried: string[] = [];
    const fixed = await fixAll(broken, await compile(broken), (latex) => {
      tried.push(latex);
      return compile(latex);
    });
    expect(fixed.latex).toBe(broken.replace('alhpa', 'alpha'));
    expect(fixed.steps).toHaveLength(1);
    // neither in a circle nor endlessly
    expect(new Set(tried).size).toBe(tried.length);
    expect(tried.length).toBeLessThanOrEqual(2 * maxCandidates);
  });
});

describe('a fix', () => {
  test('that leaves the error or causes another is not offered', async () => {
    // the nearest name is undefined too, and without the command the formula is empty
    const broken = whole('$\\alhpa$ is a letter.', '\\let\\alpha\\undefined\n');
    let count = 0;
    const tried = await tryFixes(broken, await compile(broken), {
      compile(latex) {
        count++;
        return compile(latex);
      },
    });
    expect(tried).toBeNull();
    expect(count).toBeGreaterThan(0);
  });

  test('stops at its limit of work', async () => {
    const broken = whole('$\\alhpa$');
    const before = await compile(broken);
    expect(await tryFixes(broken, before, { compile: async () => null })).toBeNull();
    expect(await tryFixes(broken, before, { compile })).toMatchObject({
      of: { message: 'Undefined control sequence.', line: 3 },
      result: { kind: 'compiled' },
    });
  });
});
