import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseFrom, runsWhole } from '../../../test-support/matrix.ts';
import { compileCache } from '../../../test-support/product/compile-cache.ts';
import { parsePages } from './convert.ts';

const root = path.join(import.meta.dirname, '../../..');
const fixtures = path.join(root, 'fixtures');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** The real command in its own folder, with no setting except a data folder that must stay untouched. */
function convert(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, 'server/cli/main.ts'), 'convert', ...args],
      { cwd: folder, env: { PATH: process.env.PATH, ...compileCache, DATA_DIR: path.join(folder, 'data') } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test('a PDF becomes LaTeX with a PDF next to it, without a server or a data folder', async () => {
  await copyFile(path.join(fixtures, 'pdf/physics-mechanics-tikz.pdf'), path.join(folder, 'notes.pdf'));
  const { code, stdout, stderr } = await convert('notes.pdf', '-o', 'out', '--pages', '2');
  expect(stderr).toContain('reading 1 page\n');
  expect(stderr).toContain('page 1 read (1/1)');
  expect(stdout).toBe('out/notes.tex\nout/notes.pdf\n');
  expect(code).toBe(0);
  expect(await readFile(path.join(folder, 'out/notes.tex'), 'utf8')).toContain('\\begin{document}');
  expect((await readFile(path.join(folder, 'out/notes.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await readdir(folder)).toSorted()).toEqual(['notes.pdf', 'out']);
});

if (runsWhole(import.meta.filename))
  test('several pictures become one document in the order given', async () => {
    // three lines each, enough to tell them apart
    const pictures = ['second', 'first'].map((name) => path.join(folder, `${name}.png`));
    for (const picture of pictures)
      await sharp(Buffer.from(drawLines(`The ${path.basename(picture, '.png')} page of the notes`)))
        .png()
        .toFile(picture);
    const { code, stdout } = await convert(...pictures, '--reader', 'embedded');
    expect(code).toBe(0);
    expect(stdout).toBe('second.tex\nsecond.pdf\n');
    expect(await readFile(path.join(folder, 'second.tex'), 'utf8')).toMatch(
      /The second page[\s\S]*The first page/,
    );
  });

const drawLines = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500"><rect width="1000" height="500" fill="#fff"/>${[
    text,
    'says what the lecture was about,',
    'and what is to be read until the next one.',
  ]
    .map(
      (line, at) =>
        `<text x="80" y="${120 + 60 * at}" font-family="Liberation Serif" font-size="34">${line}</text>`,
    )
    .join('')}</svg>`;

const refusals: [string, string[], RegExp][] = [
  ['a file that is not there', ['nothing.pdf'], /nothing\.pdf: the file does not exist/],
  ['an encrypted PDF', [path.join(fixtures, 'bad/encrypted.pdf')], /password.*\[INVALID_INPUT\]/s],
  [
    'a model that is not configured',
    [path.join(fixtures, 'bad/300-pages.pdf'), '--reader', 'vision-model'],
    /AI_API_KEY/,
  ],
  ['a range that is none', ['notes.pdf', '--pages', 'two'], /2-5/],
];
test.each(chooseFrom(import.meta.filename, refusals))(
  '%s is rejected with a message and an exit code, and nothing is written',
  async (_what, args, words) => {
    const { code, stdout, stderr } = await convert(...args);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(await readdir(folder)).toEqual([]);
  },
);

test('page ranges', () => {
  expect(parsePages('2-5')).toEqual({ startPage: 2, endPage: 5 });
  expect(parsePages('3')).toEqual({ startPage: 3, endPage: 3 });
  expect(parsePages('4-')).toEqual({ startPage: 4, endPage: null });
  expect(parsePages('-5')).toEqual({ startPage: 1, endPage: 5 });
  for (const bad of ['', '-', '0', '5-2', 'a-b', '1-2-3', '1,3']) expect(() => parsePages(bad)).toThrow();
});
