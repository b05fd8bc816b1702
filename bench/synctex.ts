/**
 * SyncTeX: reading and searching a long document's file, compared with one call of the `synctex` command on the
 * same file; and how often both agree, on words of documents of every kind whose source line is known.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type PdfRectangle, readSynctex, type Synctex } from '#latex/synctex/synctex.ts';
import { createTypesetter, type Typesetter } from '#typesetting/index.ts';
import { type Measurement, median } from './measurement.ts';
import { longDocument, type MarkedDocument, markedDocuments } from './synctex/documents.ts';

const run = promisify(execFile);
/** Points tested per document, in each direction. */
const pointsPerDocument = 14;
const rounds = 15;

/** A word whose line is known, and its centre in PDF points. */
interface Word {
  page: number;
  x: number;
  y: number;
  file: string;
  line: number;
}

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-'));
  const typesetter = await createTypesetter({
    workDir: path.join(os.tmpdir(), `inkproof-work-${process.getuid?.() ?? 0}`),
    strategies: ['cold'],
  });
  try {
    const counts = { forward: 0, forwardAgrees: 0, forwardTrue: 0, forwardCommandTrue: 0 };
    const back = { inverse: 0, inverseAgrees: 0, inverseTrue: 0, inverseCommandTrue: 0 };
    for (const document of markedDocuments()) {
      const set = await prepare(document, typesetter, folder);
      for (const word of spread(set.words, pointsPerDocument)) {
        const ours = set.synctex.findInSource(word);
        const theirs = await askCommandForSource(set.pdf, word);
        back.inverse++;
        if (ours?.file === theirs.file && ours.line === theirs.line) back.inverseAgrees++;
        if (ours?.file === word.file && ours.line === word.line) back.inverseTrue++;
        if (theirs.file === word.file && theirs.line === word.line) back.inverseCommandTrue++;
      }
      const lines = Map.groupBy(set.words, ({ file, line }) => `${file}:${line}`);
      for (const words of spread([...lines.values()], pointsPerDocument)) {
        const ours = set.synctex.findInPdf(words[0]!);
        const theirs = await askCommandForPlace(set.pdf, words[0]!);
        const same = theirs.filter(({ page }) => page === ours?.page);
        counts.forward++;
        if (ours?.rectangles.some((one) => same.some((other) => overlap(one, other)))) counts.forwardAgrees++;
        if (words.some((word) => word.page === ours?.page && ours.rectangles.some((one) => holds(one, word))))
          counts.forwardTrue++;
        if (words.some((word) => theirs.some((one) => one.page === word.page && holds(one, word))))
          counts.forwardCommandTrue++;
      }
    }
    const long = await prepare(longDocument('xelatex'), typesetter, folder);
    const timings = await time(long);
    const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} % of ${whole}`;
    return {
      ratio: timings.all / timings.command,
      baseline: 'one call of the synctex command',
      details: {
        'long document': `${long.synctex.pageCount} pages, ${(long.bytes.length / 1e6).toFixed(2)} MB of SyncTeX`,
        'unpacking, ms': timings.unpack.toFixed(2),
        'reading, ms': timings.read.toFixed(2),
        'forward search, ms': timings.forward.toFixed(4),
        'inverse search, ms': timings.inverse.toFixed(4),
        'the synctex command, ms a call': timings.command.toFixed(1),
        'forward: same place as the command': share(counts.forwardAgrees, counts.forward),
        'forward: the word is in it': share(counts.forwardTrue, counts.forward),
        'forward: the word is in the command’s': share(counts.forwardCommandTrue, counts.forward),
        'inverse: same line as the command': share(back.inverseAgrees, back.inverse),
        'inverse: the true line': share(back.inverseTrue, back.inverse),
        'inverse: the command’s is the true line': share(back.inverseCommandTrue, back.inverse),
      },
    };
  } finally {
    await typesetter.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Prepared {
  pdf: string;
  packed: Uint8Array;
  bytes: Uint8Array;
  synctex: Synctex;
  words: Word[];
}

async function prepare(document: MarkedDocument, typesetter: Typesetter, folder: string): Promise<Prepared> {
  const { latex, assets, name } = document;
  const result = await typesetter.compile({ latex, assets, owner: 'bench', cpuMs: 120_000 });
  if (result.kind !== 'compiled' || !result.synctex) throw new Error(`${name}: ${result.kind}`);
  const home = path.join(folder, name.replaceAll(' ', '-'));
  await mkdir(home);
  const pdf = path.join(home, 'main.pdf');
  await writeFile(pdf, result.pdf);
  await writeFile(path.join(home, 'main.synctex.gz'), result.synctex);
  const bytes = gunzipSync(result.synctex);
  const synctex = readSynctex(bytes);
  if (!synctex) throw new Error(`${name}: not readable`);
  return { pdf, packed: result.synctex, bytes, synctex, words: await findWords(pdf) };
}

/** Words `qN` of main.tex, `fqN` of first.tex, `sqN` of second.tex, with their places according to poppler. */
async function findWords(pdf: string): Promise<Word[]> {
  const { stdout } = await run('pdftotext', ['-bbox', pdf, '-'], { maxBuffer: 200_000_000 });
  const files: Record<string, string> = { q: 'main.tex', fq: 'first.tex', sq: 'second.tex' };
  const pattern = /xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">[^<]*?([fs]?q)(\d+)/;
  let page = 0;
  const words: Word[] = [];
  for (const line of stdout.split('\n')) {
    if (line.includes('<page ')) page++;
    const found = pattern.exec(line);
    if (!found) continue;
    const [x1, y1, x2, y2] = found.slice(1, 5).map(Number) as [number, number, number, number];
    words.push({
      page,
      x: (x1 + x2) / 2,
      y: (y1 + y2) / 2,
      file: files[found[5]!]!,
      line: Number(found[6]),
    });
  }
  return words;
}

function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0).slice(0, count);
}

async function askCommandForSource(pdf: string, { page, x, y }: Word) {
  const { stdout } = await run('synctex', ['edit', '-o', `${page}:${x}:${y}:${pdf}`]);
  return {
    file: /^Input:.*\/(.*)$/m.exec(stdout)?.[1] ?? '',
    line: Number(/^Line:(\d+)/m.exec(stdout)?.[1] ?? 0),
  };
}

async function askCommandForPlace(pdf: string, { file, line }: Word) {
  const { stdout } = await run('synctex', ['view', '-i', `${line}:0:/work/./${file}`, '-o', pdf]);
  const result = /Page:(\d+)\nx:\S+\ny:\S+\nh:(\S+)\nv:(\S+)\nW:(\S+)\nH:(\S+)/g;
  return [...stdout.matchAll(result)].map((match) => {
    const [page, x, bottom, width, height] = match.slice(1).map(Number) as [
      number,
      number,
      number,
      number,
      number,
    ];
    return { page, x, y: bottom - height, width, height };
  });
}

const overlap = (a: PdfRectangle, b: PdfRectangle) =>
  a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;
const holds = (a: PdfRectangle, { x, y }: Word) =>
  x >= a.x - 1 && x <= a.x + a.width + 1 && y >= a.y - 3 && y <= a.y + a.height + 3;

/** Medians, in ms: `all` is unpacking, parsing and one search each way, as after a compile. */
async function time({ packed, bytes, pdf, words }: Prepared) {
  const spent = { unpack: [], read: [], forward: [], inverse: [], command: [], all: [] } as Record<
    'unpack' | 'read' | 'forward' | 'inverse' | 'command' | 'all',
    number[]
  >;
  const timed = <T>(list: number[], work: () => T): T => {
    const begun = performance.now();
    const result = work();
    list.push(performance.now() - begun);
    return result;
  };
  for (let round = 0; round < rounds; round++) {
    const word = words[Math.floor((words.length * round) / rounds)]!;
    timed(spent.unpack, () => gunzipSync(packed));
    const synctex = timed(spent.read, () => readSynctex(bytes))!;
    timed(spent.forward, () => synctex.findInPdf(word));
    timed(spent.inverse, () => synctex.findInSource(word));
    timed(spent.all, () => {
      const fresh = readSynctex(gunzipSync(packed))!;
      fresh.findInPdf(word);
      fresh.findInSource(word);
    });
    const begun = performance.now();
    await askCommandForPlace(pdf, word);
    spent.command.push(performance.now() - begun);
  }
  const middle = Object.fromEntries(Object.entries(spent).map(([what, list]) => [what, median(list)]));
  return middle as Record<keyof typeof spent, number>;
}
