/**
 * A fixed random sample of real LaTeX documents, typeset by plain TeX: PDFs with their sources for
 * bench/text-layer.ts. Drawn by the hash of a document's name, so that nobody chooses; half of the candidates
 * are the test part (figures only), half the development part (failures may be read). Candidates are determined
 * by sources and their pages alone, before the product reads anything:
 * - an article, report or book class; 120 words or more of running text;
 * - no command whose words are not in the source (see `unwritten`);
 * - plain TeX typesets it without an error, on at most 14 pages;
 * - of the words of the source, as `proseOf` reads them, 96 % are on the pages according to pdftotext, and of
 *   the pages'
 *   words 80 % are in the source (the rest: formulas, running heads, contents): otherwise the source as we read
 *   it is not
 *   a valid truth. Words are counted without their order, so this does not favour documents that are easy to
 *   read.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { findDisplays } from '#reading/text-layer/testing/displays.ts';
import { proseOf, wordsOf } from '#reading/text-layer/testing/prose.ts';

export type SamplePart = 'test' | 'development';

const seed = 'inkproof text layer 1';
const classes =
  /\\documentclass(?:\s*\[[^\]]*\])?\s*\{(?:article|report|book|scrartcl|scrreprt|scrbook|amsart|amsbook|extarticle|memoir|IEEEtran|llncs|exam)\}/;
/** Commands that print words missing from the source, or whose words are not printed. */
const unwritten =
  /\\(?:lipsum|blindtext|Blindtext|blinddocument|[cC]ref|autoref|vref|printbibliography|bibliography|citet|citep|textcite|parencite|gls|Gls|printglossaries|makeglossaries|inputminted|lstinputlisting|includepdf|input|include|subfile|VerbatimInput|verbatiminput|printindex|listoftodos|ifthenelse|foreach|chemfig|DTM|csv\w+|iffalse|ding|cventry|twocolumn\[)(?![A-Za-z])|\\begin\{(?:questions|forest|tikzcd|CJK\*?)\}/;
const fixedDate = '14 March 2021';
const maxPages = 14;
const minPrinted = 0.96;
const minWritten = 0.8;
const minDisplays = 3;

/**
 * Typesets the part's first `count` documents into `folder` (NAME.pdf, NAME.tex), two thirds of them with
 * displays; returns what was refused and why.
 */
export async function typesetSample(
  corpus: string,
  part: SamplePart,
  count: number,
  folder: string,
): Promise<Record<string, string>> {
  const done = path.join(folder, `refused-${count}.json`);
  if (existsSync(done)) return JSON.parse(readFileSync(done, 'utf8')) as Record<string, string>;
  mkdirSync(folder, { recursive: true });
  const hashes = new Map(
    (await readdir(corpus)).map((name) => [
      name,
      createHash('sha256').update(`${seed} ${name}`).digest('hex'),
    ]),
  );
  const own = [...hashes]
    .filter(([, hash]) => (Number.parseInt(hash.slice(0, 2), 16) % 2 === 0) === (part === 'test'))
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
    .map(([name]) => name);
  const refused: Record<string, string> = {};
  const left = { with: Math.ceil((2 * count) / 3), without: Math.floor(count / 3) };
  for (const name of own) {
    if (left.with + left.without === 0) break;
    const file = path.join(corpus, name, 'main.tex');
    if (!existsSync(file)) continue;
    const source = dateSource(readFileSync(file, 'utf8'));
    const kind = findDisplays(source).length >= minDisplays ? 'with' : 'without';
    if (left[kind] === 0) continue;
    const reason = refuse(source) ?? typeset(name, source, path.join(corpus, name), folder);
    if (reason !== null) refused[name] = reason;
    else left[kind] -= 1;
  }
  writeFileSync(done, JSON.stringify(refused));
  return refused;
}

/** The date of the run is in no source, so a fixed one is written where it would be printed. */
function dateSource(source: string): string {
  const dated = source.replace(/\\today\b(?:\{\})?/g, fixedDate);
  const isUndated = /\\maketitle\b/.test(dated) && !/\\date\b/.test(dated);
  return isUndated ? dated.replace('\\begin{document}', `\\date{${fixedDate}}\n\\begin{document}`) : dated;
}

function refuse(source: string): string | null {
  if (!classes.test(source)) return 'another class';
  const clear = source.replace(/(?<!\\)%.*/g, '');
  const match = unwritten.exec(clear);
  if (match) return `words that are not in the source: ${match[0]}`;
  return proseOf(source).split(' ').length < 120 ? 'too few words' : null;
}

/** Null if the PDF and its source are in `folder`, otherwise the reason why not. */
function typeset(name: string, source: string, from: string, folder: string): string | null {
  const work = path.join(folder, 'work');
  rmSync(work, { recursive: true, force: true });
  cpSync(from, work, { recursive: true });
  try {
    writeFileSync(path.join(work, 'main.tex'), source);
    const engine = /fontspec|unicode-math|polyglossia|xltxtra|mathspec|\\setmainfont|xeCJK/.test(source)
      ? 'xelatex'
      : 'pdflatex';
    for (let pass = 0; pass < 3; pass++) {
      const { status } = spawnSync(engine, ['-no-shell-escape', '-interaction=nonstopmode', 'main.tex'], {
        cwd: work,
        env: { ...process.env, openin_any: 'p', openout_any: 'p', shell_escape: 'f' },
        stdio: 'ignore',
        timeout: 60_000,
        killSignal: 'SIGKILL',
      });
      const log = existsSync(path.join(work, 'main.log'))
        ? readFileSync(path.join(work, 'main.log'), 'latin1')
        : '! no log';
      if (status !== 0 || /^! /m.test(log)) return 'plain TeX does not set it';
      if (!/Rerun to get|\.toc|undefined references/.test(log) && pass > 0) break;
    }
    const pdf = path.join(work, 'main.pdf');
    const pages = Number(
      /Pages:\s+(\d+)/.exec(execFileSync('pdfinfo', [pdf], { encoding: 'utf8' }))?.[1] ?? Number.NaN,
    );
    if (!(pages <= maxPages)) return `${pages} pages`;
    const printed = execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8' });
    const onPages = wordsOf(printed.replace(/[-\u00ad\u2010]\n/g, ''));
    const isPrinted = shareIn(proseOf(source), onPages);
    const isWritten = shareIn(onPages, proseOf(source));
    if (isPrinted < minPrinted || isWritten < minWritten)
      return `no truth: ${isPrinted.toFixed(3)}, ${isWritten.toFixed(3)}`;
    cpSync(pdf, path.join(folder, `${name}.pdf`));
    writeFileSync(path.join(folder, `${name}.tex`), source);
    return null;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Share of the words of `text` that `other` has too, with multiplicity. */
function shareIn(text: string, other: string): number {
  const have = new Map<string, number>();
  for (const word of other.split(' ')) have.set(word, (have.get(word) ?? 0) + 1);
  let both = 0;
  const words = text.split(' ');
  for (const word of words) {
    const left = have.get(word) ?? 0;
    if (left > 0) both += 1;
    have.set(word, left - 1);
  }
  return both / Math.max(1, words.length);
}
