/**
 * What the server reads from a job's leftovers, with entries that TeX cannot make but a hijacked engine could,
 * and with texts made to keep a parser busy. If a parser is slow because of its input, the test runs into its
 * own limit.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLog } from '#latex/log/log.ts';
import { readSynctex } from '#latex/synctex/synctex.ts';
import { chooseEngine } from '../engines/engine.ts';
import { looksAtClock } from '../engines/looks-at-clock.ts';
import { readAuxFiles, readAuxState } from '../engines/passes.ts';
import { commonEnd, commonStart, findBody } from '../fork-server/inputs.ts';
import { type Answer, AnswerReader, readAnswer } from '../fork-server/protocol.ts';
import { hashPages, readXdv, thinXdv } from '../fork-server/xdv.ts';
import { measureFolder, readJobFile } from './job-folder.ts';

const home = mkdtempSync(path.join(tmpdir(), 'inkproof-readers-'));
const secret = path.join(home, 'secret');
const folder = path.join(home, 'job');
const inFolder = (name: string) => path.join(folder, name);

beforeAll(() => {
  writeFileSync(secret, 'secret');
  mkdirSync(folder);
  symlinkSync(secret, inFolder('main.log'));
  symlinkSync('/etc/passwd', inFolder('main.aux'));
  symlinkSync('/dev/zero', inFolder('main.toc'));
  linkSync(secret, inFolder('main.pdf'));
  mkdirSync(inFolder('main.xdv'));
  spawnSync('mkfifo', [inFolder('main.synctex.gz')]);
  writeFileSync(inFolder('huge.aux'), 'x');
  truncateSync(inFolder('huge.aux'), 1e12);
  // a folder of the document's, with a link in its place
  mkdirSync(path.join(home, 'elsewhere'));
  writeFileSync(path.join(home, 'elsewhere/one.aux'), 'secret');
  symlinkSync(path.join(home, 'elsewhere'), inFolder('chapters'));
  mkdirSync(inFolder('parts'));
  writeFileSync(inFolder('parts/two.aux'), 'x');
  symlinkSync('../../secret', inFolder('parts/three.aux'));
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('entries in a job’s folder that are not what their names suggest', () => {
  test.each(['main.log', 'main.aux', 'main.toc', 'main.pdf', 'main.xdv', 'main.synctex.gz', 'missing'])(
    '%s is not read',
    async (name) => {
      expect(await readJobFile(folder, name, 1_000, true)).toBeNull();
    },
  );

  test('a file of a terabyte is read in part, or not at all', async () => {
    expect(await readJobFile(folder, 'huge.aux', 1_000)).toBeNull();
    expect(await readJobFile(folder, 'huge.aux', 1_000, true)).toHaveLength(1_000);
  });

  test('only the one ordinary file counts as auxiliary', async () => {
    expect([...(await readAuxState(folder, new Set())).keys()]).toEqual(['huge.aux']);
  });

  test('also in the document’s folders, but not where a link leads', async () => {
    expect(await readJobFile(folder, 'chapters/one.aux', 1_000)).toBeNull();
    expect(await readJobFile(folder, 'parts/three.aux', 1_000)).toBeNull();
    expect(await readJobFile(folder, 'main.log/x.aux', 1_000)).toBeNull();
    const inputs = new Set(['chapters/one.tex', 'parts/two.tex', 'gone/three.tex']);
    expect([...(await readAuxState(folder, inputs)).keys()]).toEqual(['huge.aux', 'parts/two.aux']);
  });

  test('auxiliary files are kept in memory up to a total limit', async () => {
    const many = path.join(home, 'many');
    mkdirSync(many, { recursive: true });
    for (let index = 0; index < 300; index++) {
      writeFileSync(path.join(many, `${index}.aux`), '');
      truncateSync(path.join(many, `${index}.aux`), 7_000_000);
    }
    const files = await readAuxFiles(many, new Set());
    expect([...files.values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(64_000_000);
  });

  test('a flood in a subfolder is counted, and counting ends', async () => {
    const flooded = path.join(home, 'flooded');
    mkdirSync(path.join(flooded, 'deeper'), { recursive: true });
    for (let index = 0; index < 700; index++) writeFileSync(path.join(flooded, 'deeper', String(index)), '');
    expect((await measureFolder(flooded, 600)).files).toBeGreaterThanOrEqual(600);
  });
});

describe('answers from the box', () => {
  test('invalid lines are refused, valid ones are read', () => {
    for (const line of [
      '',
      'ready 99',
      'snap 1 0 5',
      'snap 1 16 5',
      'snap 1 2',
      'snap 1 2 -5',
      'snap 1 2 1e9',
      'exit 1 0',
      'ended 99',
      'look 1',
      'look 1 ../x',
      'look 1 a b',
      'look x y',
      'look 1 ',
      `look 1 ${'x'.repeat(101)}`,
      'exit 1 0 99999999999999',
      'run 1',
      '__proto__',
      'ready\r',
    ])
      expect(readAnswer(line), line).toBeNull();
    expect(readAnswer('snap 7 15 120')).toEqual({ kind: 'snap', run: 7, slot: 15, offset: 120 });
  });

  test('chunks of any size give answers in the known format, or the end', () => {
    const kinds = new Set<Answer['kind']>();
    let refused = 0;
    for (let round = 0; round < 3_000; round++) {
      const reader = new AnswerReader();
      const words = [
        'ready',
        'look',
        'snap',
        'exit',
        'ended',
        'preview',
        '1',
        '2',
        '15',
        '16',
        '-1',
        '?',
        'main.aux',
        '\0',
        'é',
        '\n',
        '\n',
        ' ',
        ' ',
        randomBytes(9).toString('latin1'),
      ];
      let text = Array.from({ length: 40 }, () => words[randomBytes(1)[0]! % words.length]).join('');
      if (round % 3 === 0) text = `look 1 main.aux\nsnap 1 3 40\n${text}`;
      for (let at = 0; at < text.length; ) {
        const next = at + 1 + (randomBytes(1)[0]! % 30);
        const answers = reader.push(text.slice(at, next));
        at = next;
        if (!answers) {
          refused++;
          break;
        }
        for (const answer of answers) kinds.add(answer.kind);
      }
    }
    expect(refused).toBeGreaterThan(1_000);
    expect(kinds.has('snap')).toBe(true);
    expect(new AnswerReader().push('x'.repeat(10_000))).toBeNull();
  });
});

describe('pages from the engine', () => {
  const start = Buffer.from([247, 7, ...Array.from({ length: 12 }, () => 0), 0]);
  const page = (body: number[]) => Buffer.from([139, ...Array.from({ length: 44 }, () => 0), ...body, 140]);

  test('random bytes, and pages with bytes changed or cut off', () => {
    const whole = Buffer.concat([
      start,
      ...Array.from({ length: 30 }, (_, index) =>
        page([
          243,
          1,
          0,
          0,
          0,
          0,
          0,
          10,
          0,
          0,
          0,
          10,
          0,
          0,
          0,
          0,
          1,
          65,
          index,
          239,
          4,
          112,
          100,
          102,
          58,
          254,
          0,
          1,
          0,
          65,
          0,
          0,
          0,
          9,
          0,
          0,
        ]),
      ),
    ]);
    expect(readXdv(whole)!.pages).toHaveLength(30);
    for (let round = 0; round < 4_000; round++) {
      const bytes = round % 4 === 0 ? Buffer.concat([start, randomBytes(600)]) : Buffer.from(whole);
      for (let count = 0; count < round % 9; count++)
        bytes[randomBytes(2).readUInt16LE() % bytes.length] = randomBytes(1)[0]!;
      const xdv = readXdv(bytes.subarray(0, randomBytes(2).readUInt16LE() % (bytes.length + 1)));
      if (!xdv) continue;
      expect(hashPages(xdv)).toHaveLength(xdv.pages.length);
      expect(thinXdv(xdv, Math.floor(xdv.pages.length / 2)).length).toBeLessThanOrEqual(bytes.length);
    }
  });

  test('a million empty pages, and lengths that claim four gigabytes', () => {
    expect(
      readXdv(Buffer.concat([start, ...Array.from({ length: 100_000 }, () => page([]))]))!.pages,
    ).toHaveLength(100_000);
    expect(readXdv(Buffer.concat([start, page([242, 255, 255, 255, 255, 1])]))!.pages).toEqual([]);
  });
});

const long = (text: string, length = 2_000_000) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

describe('texts made to keep a parser busy', () => {
  const logs: Record<string, string> = {
    'parentheses, then short lines': `${long(`${'('.repeat(9_999)}\n`)}${long('a\n')}`,
    'parentheses, then errors': `${long(`${'('.repeat(9_999)}\n`)}${long('x.tex:1: e\nl.1 x\n')}`,
    'opened files without an end': long('(./a.tex '),
    'names that nearly end': long(`${'a.b'.repeat(3_000)}\n`),
    'one line of dots': long('.'),
    'colons and digits': long('a.tex:1:'),
    'half a warning': long(`LaTeX ${'x '.repeat(5_000)}\n`),
    'half a box': long(`Overfull \\hbox (${'in paragraph '.repeat(700)}\n`),
    'half a missing character': long(`Missing character: There is no ${'in font '.repeat(1_200)}\n`),
    runaways: long('Runaway argument?\n! x\n'),
    'messages that go on': long('LaTeX Warning: x\n(x)                y\n'),
    'errors that go on': long('! x\n(x)   y\n'),
    spaces: long(' '),
    'line ends': long('\r\n'),
    'lines of source': long('l.1 x\n      y\n'),
    'undefined references': long("LaTeX Warning: Reference `x' on page 1 undefined on input line 1.\n"),
    fonts: long("LaTeX Font Warning: Font shape `x' undefined on input line 7.\n"),
    bytes: randomBytes(2_000_000).toString('latin1'),
  };
  test.each(Object.keys(logs))('a log of %s', (what) => {
    expect(readLog(logs[what]!, long('\\begin{itemize}{$', 300_000)).length).toBeLessThanOrEqual(200);
  });

  const documents: Record<string, string> = {
    'comments before \\begin{document}': `${'\\%'.repeat(100_000)}%${long('\\begin{document}', 1_000_000)}`,
    'half of \\begin': long('\\begin ', 1_000_000),
    spaces: long(' '),
    'spaces behind \\begin': `\\begin${long(' ')}`,
    'lines of spaces': long(`${' '.repeat(1_000)}\n`),
    'percent signs': long('%'),
    'magic comments': long('% !TEX program = '),
    'a magic comment of spaces': `%${long(' ')}!TEX`,
    'half-made times': long('\\DTMx'),
    'nothing but \\DTM and letters': `\\DTM${long('x')}`,
    backslashes: long('\\'),
    braces: long('{ main '),
  };
  test.each(Object.keys(documents))('a document of %s', (what) => {
    const text = documents[what]!;
    expect(chooseEngine(text).engine).toBe('xelatex');
    looksAtClock(text);
    const bytes = Buffer.from(text);
    findBody(bytes);
    expect(commonStart(bytes, bytes) + commonEnd(bytes, bytes, 0)).toBeGreaterThan(0);
  });

  const auxiliary: Record<string, string> = {
    braces: `\\providecommand${long('{', 99_000)}`,
    'braces and backslashes': `\\providecommand${long('{\\', 99_000)}`,
    'closing braces': `\\providecommand{}${long('}{', 99_000)}x`,
    catcodes: `\\catcode${long('\\active', 99_000)}x`,
    writefile: long('\\@writefile{', 99_000),
  };
  test.each(Object.keys(auxiliary))('an auxiliary file of %s', async (what) => {
    const place = mkdtempSync(path.join(home, 'aux-'));
    writeFileSync(path.join(place, 'main.aux'), auxiliary[what]!);
    expect((await readAuxState(place, new Set())).size).toBe(1);
  });

  const synctex: Record<string, string> = {
    nothing: '',
    'sheets without an end': `SyncTeX Version:1\nInput:1:./main.tex\nContent:\n${long('{1\n')}`,
    'boxes in boxes': `SyncTeX Version:1\nInput:1:./main.tex\nContent:\n{1\n${long('[1,1:0,0:1,1,1\n')}`,
    closings: `SyncTeX Version:1\nInput:1:./main.tex\nContent:\n{1\n${long(']\n)\n}\n')}`,
    inputs: `SyncTeX Version:1\n${long('Input:1:./main.tex\n')}`,
    numbers: `SyncTeX Version:1\nInput:1:./main.tex\nContent:\n{1\nh1,1:${long('9')}`,
    'negative numbers': `SyncTeX Version:1\nInput:-1:./main.tex\nContent:\n{-99999999999\n${long('h-1,-1:-1,-1:-1,-1,-1\n')}`,
    bytes: randomBytes(1_000_000).toString('latin1'),
  };
  test.each(Object.keys(synctex))('a SyncTeX file of %s', (what) => {
    const read = readSynctex(Buffer.from(synctex[what]!, 'latin1'));
    for (const line of [1, 2, 1e9]) read?.findInPdf({ file: 'main.tex', line });
    for (const page of [1, 2, -1, 1e9]) read?.findInSource({ page, x: 1, y: 1 });
    // still packed: not a file of its kind
    expect(() => readSynctex(gzipSync(synctex[what]!.slice(0, 1_000)))).not.toThrow();
  });
});
