/** A document that is edited repeatedly gives, after each edit, the same result as a cold compile of that text. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WorkBudget } from '#platform/work/work-limit.ts';
import { chooseFrom } from '../../test-support/matrix.ts';
import { createColdStrategy } from '../engines/cold.ts';
import type { Strategy, StrategyJob, StrategyResult } from '../engines/strategy.ts';
import { openWorkFolder } from '../sandbox/job-folder.ts';
import { openSandbox, type Sandbox } from '../sandbox/open-sandbox.ts';
import { boxedProcesses } from '../testing/left-behind.ts';
import { look } from '../testing/look.ts';
import type { CompileProgress } from '../typesetter.ts';
import { createForkServerStrategy } from './fork-server.ts';

let home: string;
let workFolder: string;
let sandbox: Sandbox;
let warm: Strategy;
let cold: Strategy;
/** How the compiles started since this was last emptied. */
const starts: string[] = [];

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'inkproof-fork-'));
  chmodSync(home, 0o755);
  workFolder = await openWorkFolder(path.join(home, 'work'));
  const opened = await openSandbox({ workFolder, concurrency: 2, staying: 6 });
  if (opened.kind !== 'open') throw new Error(opened.refusal);
  sandbox = opened.sandbox;
  expect(sandbox.canPreload, 'native/warm.c is built').toBe(true);
  const metrics = {
    began: (start: string) => starts.push(start),
    evicted: (reason: string) => starts.push(`evicted: ${reason}`),
    watch() {},
  };
  warm = createForkServerStrategy(sandbox, workFolder, { memoryBudgetBytes: 2_000_000_000, metrics });
  cold = createColdStrategy(sandbox, workFolder);
});

afterAll(async () => {
  await warm?.close();
  await sandbox?.close();
  rmSync(home, { recursive: true, force: true });
});

const compile = (
  strategy: Strategy,
  latex: string,
  more: Partial<StrategyJob> = {},
  signal = new AbortController().signal,
) =>
  strategy.compile(
    { latex, assets: [], engine: 'xelatex', owner: 'ada', ...more },
    { budget: new WorkBudget({ cpuMs: 50_000 }), signal },
  );

/**
 * What a user sees. After an error a cold compile has not resolved references, while an engine that knew them
 * has.
 */
function see(result: StrategyResult) {
  const { messages, pages, ...rest } = look(result);
  if (rest.kind === 'compiled') return { messages, pages, ...rest, places: readPlaces(rest.places ?? '') };
  return { errors: messages.filter(({ level }) => level === 'error'), pageCount: pages.length, ...rest };
}

/** SyncTeX's records with names instead of its file numbers: a run has its own folder, and may read one file less. */
function readPlaces(text: string): string {
  const names = new Map<string, string>();
  for (const [, tag, file] of text.matchAll(/^Input:(\d+):(.*)$/gm)) names.set(tag!, path.basename(file!));
  const places = text
    .replace(/^(?:Input:.*|!\d+)\n/gm, '')
    .replace(/^([[(hvxkgr$])(\d+)(?=,)/gm, (_, kind, tag) => `${kind}${names.get(tag)}`);
  return createHash('sha256').update(places).digest('hex');
}

const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\\begin{document}\n${body}\n\\end{document}\n`;
const sections = (names: string[]) =>
  `\\tableofcontents\\newpage\n${names.map((name) => `\\section{${name}}\\label{${name}}\n`).join('\n')}\nSee \\ref{${names[0]}} on page~\\pageref{${names[0]}}.`;
const paragraphs = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, at) => `${at} ${`${word} and so on and on. `.repeat(12)}\n`).join('\n');
const picture = (name: string) => ({
  name: 'figure.png',
  bytes: readFileSync(new URL(`../../fixtures/images/${name}`, import.meta.url)),
});
const pictures = readdirSync(new URL('../../fixtures/images/', import.meta.url)).filter((name) =>
  name.endsWith('.png'),
);

const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });
/** A document in several files, in folders. */
const project = (one: string, two: string, reference = 'Knuth1984') => [
  file('chapters/one.tex', `\\chapter{One}\\label{one}\n${one}\n\nSee~\\ref{two}.\n`),
  file('chapters/two.tex', `\\chapter{Two}\\label{two}\n${two}\n\n\\cite{${reference}}\n`),
  file('styles/own.sty', '\\ProvidesPackage{styles/own}\n\\newcommand\\own[1]{\\emph{#1}}\n'),
  { ...picture(pictures[0]!), name: 'figures/plot.png' },
];
const book = (body: string) =>
  `\\documentclass{report}\n\\usepackage{styles/own,graphicx}\n\\begin{document}\n\\tableofcontents\n${body}\n\\end{document}\n`;

interface Story {
  name: string;
  texts: string[];
  job?: Partial<StrategyJob>;
  /** Assets that differ from text to text. */
  assets?: StrategyJob['assets'][];
}

const hyper = '\\usepackage{hyperref}\n';
const stories: Story[] = [
  {
    name: 'typing in a paragraph, far and near, and taking it back',
    texts: ['', 'a', 'ab', 'ab c', 'ab', ''].map((typed) =>
      wrap(`${paragraphs(30)}\n\n${typed}here\n\n${paragraphs(30)}`),
    ),
  },
  {
    name: 'sections that come, move and go',
    texts: [['One'], ['One', 'Two'], ['Zero', 'One', 'Two'], ['Zero', 'Two'], ['Two']].map((names) =>
      wrap(sections(names), hyper),
    ),
  },
  {
    name: 'errors while typing',
    texts: ['$x', '$x$', '\\wron', '\\wrong{', 'right', '\\begin{itemize}', ''].map((typed) =>
      wrap(`\\section{A}\\label{a} See \\ref{a}.\n\n${typed}\n\nMore.`),
    ),
  },
  {
    name: 'a macro of the body that the kept contents still use',
    texts: ['\\newcommand\\mine{x}\n\\section{A \\protect\\mine}', '\\section{A}', '\\section{B}'].map(
      (body) => wrap(`\\tableofcontents\n${body}`),
    ),
  },
  {
    name: 'the preamble',
    texts: ['', '\\usepackage{amsmath}\n', '\\usepackage{amsmath,no-such-package}\n', hyper, ''].map(
      (preamble) => wrap(sections(['One', 'Two']), preamble),
    ),
  },
  {
    name: 'files the document writes and reads again',
    texts: ['a', 'b', 'b c'].map((word) =>
      wrap(
        `\\begin{VerbatimOut}{out.tmp}\n${word}\n\\end{VerbatimOut}\n\\input{out.tmp}\n\n${paragraphs(12)}\n\n\\begin{VerbatimOut}{out.tmp}\nagain ${word}\n\\end{VerbatimOut}\nx \\input{out.tmp}`,
        '\\usepackage{fancyvrb}\n\\begin{filecontents*}{data.tex}\nfrom the preamble\n\\end{filecontents*}\n\\AtEndDocument{\\input{data}}\n',
      ),
    ),
  },
  {
    name: 'a document that prints itself',
    texts: ['a', 'b', 'b c'].map((word) =>
      wrap(`${paragraphs(8)}\n${word}\n\\verbatiminput{main.tex}`, '\\usepackage{verbatim}\n'),
    ),
  },
  {
    name: 'a figure that is replaced',
    texts: ['a', 'b', 'b'].map((word) =>
      wrap(`${word}\n\n\\includegraphics[width=4cm]{figure}\n\n${word}`, '\\usepackage{graphicx}\n'),
    ),
    assets: [[picture(pictures[0]!)], [picture(pictures[0]!)], [picture(pictures[1]!)]],
  },
  {
    name: 'pdflatex with an index and pictures of two pages',
    texts: ['a', 'b', 'b\\index{c}'].map((word) =>
      wrap(
        `${paragraphs(8)}\n\\includegraphics[width=4cm]{figure}\n\n${word}\\index{${word[0]}}\n\n${paragraphs(8)}`,
        '\\usepackage{makeidx,graphicx}\n\\makeindex\n',
      ),
    ),
    job: { engine: 'pdflatex', assets: [picture(pictures[0]!)] },
  },
  {
    name: 'a byte order mark and line ends of Windows',
    texts: ['a', 'b', 'b \\wrong'].map((word) =>
      `\uFEFF${wrap(`ü\n\n${word}\n\nü`, '% x\n')}`.replaceAll('\n', '\r\n'),
    ),
  },
  {
    name: 'all on one line, then on several, without an end',
    texts: [
      '\\documentclass{article}\\begin{document}a\\end{document}',
      wrap('a'),
      wrap('ab').slice(0, -16),
      '',
    ],
  },
  {
    name: 'a document in several files',
    texts: Array.from({ length: 5 }, (_, at) =>
      book(
        `\\include{chapters/one}\n\\include{chapters/two}\n\\includegraphics[width=3cm]{figures/plot}${at > 3 ? ' end' : ''}`,
      ),
    ),
    assets: [
      project('First \\own{word}.', 'Second.'),
      project('First \\own{word}.', `${paragraphs(20)}\\label{far}`),
      project('First, see~\\ref{far}.', `${paragraphs(20)}\\label{far}`),
      project('First, \\wrong.', `${paragraphs(20)}\\label{far}`),
      project('First.', 'Second.'),
    ],
  },
  {
    // a copy of the engine that has read a part is left at the line that is edited last
    name: 'parts that are read, by any of their names',
    texts: ['one', 'sub//one', 'sub/./one'].flatMap((name) =>
      ['', 'x', 'xy', 'xy'].map((typed) =>
        wrap(`\\input{${name}}\n\n${paragraphs(4)}\n\n${typed}\n\n${paragraphs(4)}`),
      ),
    ),
    assets: Array.from('aaabbbbccccd', (word) => [
      file('one.tex', `at the top ${word}`),
      file('sub/one.tex', `below ${word}`),
    ]),
  },
  {
    name: 'pictures, boxes and colours over many pages',
    texts: ['', 'x', 'x y'].map((word) =>
      wrap(
        Array.from(
          { length: 8 },
          (_, at) =>
            `\\section{S ${at}}\n\\begin{tcolorbox}[title=T ${at}]a ${at === 4 ? word : ''} b\\end{tcolorbox}\n\n\\begin{tikzpicture}\\shade[ball color=red,opacity=.4] (0,0) circle (1);\\end{tikzpicture}\n\n${paragraphs(4)}`,
        ).join('\n'),
        '\\usepackage{tcolorbox,tikz}\n',
      ),
    ),
  },
];

const tried = chooseFrom(import.meta.filename, stories, 2);

describe('an edited document gives the same result as a cold compile', () => {
  test.each(tried)('$name', { timeout: 120_000 }, async ({ name, texts, job = {}, assets }) => {
    for (const [at, latex] of texts.entries()) {
      const own = { ...job, ...(assets ? { assets: assets[at] } : {}) };
      const result = await compile(warm, latex, { ...own, owner: name });
      expect(see(result), `text ${at}`).toEqual(see(await compile(cold, latex, own)));
    }
  });
});

test('an edit resumes before its line, and shows the changed page first', {
  timeout: 120_000,
}, async () => {
  const write = (word: string) => wrap(`${paragraphs(40)}\n\nHere ${word}.\n\n${paragraphs(2500)}`);
  const owner = 'somebody with a long document';
  await compile(warm, write('a'), { owner });
  await compile(warm, write('ab'), { owner });
  starts.splice(0);
  const seen: CompileProgress[] = [];
  const result = await compile(warm, write('abc'), { owner, onProgress: (one) => seen.push(one) });
  expect(starts).toEqual(['resumed']);
  const [pages] = seen;
  if (pages?.kind !== 'pages' || result.kind !== 'compiled') throw new Error('no page was shown first');
  expect(pages.firstPage).toBe(pages.lastPage);
  const early = look({ kind: 'failed', pdf: pages.pdf, pageCount: 0, messages: [], synctex: null }).pages;
  const whole = look(result).pages;
  expect(early[pages.firstPage - 1]).toBe(whole[pages.firstPage - 1]);
  expect(early[pages.firstPage - 2]).not.toBe(whole[pages.firstPage - 2]);
});

test('an edit of one part resumes before that part', { timeout: 120_000 }, async () => {
  const owner = 'somebody with a book';
  const parts = (word: string) => [
    file('chapters/one.tex', paragraphs(80)),
    file('chapters/two.tex', `${paragraphs(4)}\n\n${word}`),
  ];
  const latex = book('\\include{chapters/one}\n\\include{chapters/two}').replace('styles/own,', '');
  await compile(warm, latex, { owner, assets: parts('a') });
  await compile(warm, latex, { owner, assets: parts('b') });
  starts.splice(0);
  const result = await compile(warm, latex, { owner, assets: parts('c') });
  expect(starts).toEqual(['resumed']);
  expect(see(result)).toEqual(see(await compile(cold, latex, { assets: parts('c') })));
});

test('a superseded edit ends at once and corrupts nothing', { timeout: 120_000 }, async () => {
  const write = (word: string) =>
    wrap(`${sections(['A', 'B'])}\n\n${paragraphs(60)}\n\n${word}\n\n${paragraphs(60)}`);
  const owner = 'somebody who types fast';
  await compile(warm, write(''), { owner });
  for (const word of ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef']) {
    const overtaken = new AbortController();
    const work = compile(warm, write(word), { owner }, overtaken.signal);
    // the first before its engine has had any work
    if (word === '') overtaken.abort();
    else setTimeout(() => overtaken.abort(), 15 * word.length);
    expect(['cancelled', 'compiled']).toContain((await work).kind);
  }
  expect(see(await compile(warm, write('the end'), { owner }))).toEqual(
    see(await compile(cold, write('the end'))),
  );
});

test('what one owner defined or wrote does not reach another', { timeout: 120_000 }, async () => {
  const preamble =
    '\\newwrite\\out\\immediate\\openout\\out=mine.tex \\immediate\\write\\out{secret}\\immediate\\closeout\\out\n';
  await compile(warm, wrap('\\gdef\\mine{secret}a', preamble), { owner: 'first' });
  const latex = wrap('\\ifdefined\\mine\\mine\\fi\\IfFileExists{mine.tex}{\\input{mine}}{nothing}');
  const other = await compile(warm, latex, { owner: 'second' });
  expect(see(other)).toEqual(see(await compile(cold, latex)));
});

test('closing leaves no process and no folder', { timeout: 60_000 }, async () => {
  await warm.close();
  expect(boxedProcesses(path.join(home, 'work'))).toEqual([]);
  expect(readdirSync(workFolder).filter((name) => name.startsWith('engine-'))).toEqual([]);
});
