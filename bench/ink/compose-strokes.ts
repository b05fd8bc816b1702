/**
 * Whole pages by people whom training never saw: their pen strokes on plain, ruled and squared paper, with
 * notes in the margin and words crossed out, photographed at an angle in uneven light, or as exported by a
 * tablet. The same at every run.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { drawPdf } from '#reading/ink/testing/handwriting.ts';
import { rectangleToQuad, warp } from '#reading/pages/paper/geometry.ts';
import { listTestset, trainingFolder } from './read-testset.ts';

/** x and y alternating, y upwards, some 1000 units high. */
type Stroke = number[];
const Ink = z.object({
  lines: z.array(z.array(z.array(z.number()))),
  words: z.array(z.array(z.array(z.number()))),
});

interface WrittenSample {
  strokes: Stroke[];
  truth: string;
}

interface PageInk {
  lines: WrittenSample[];
  words: WrittenSample[];
}

/** @throws Error naming the command that writes the ink, if it is missing */
export async function readStrokes(part: 'testset' | 'tuning'): Promise<PageInk> {
  const listed = await listTestset(part);
  const file = path.join(trainingFolder, part, 'strokes.json');
  const ink = Ink.parse(JSON.parse(await readFile(file, 'utf8')));
  const samplesOf = (set: 'lines' | 'words') =>
    listed
      .filter((entry) => entry.set === set)
      .map(({ truth }, at) => ({ truth, strokes: ink[set][at]! }))
      .filter(({ strokes }) => strokes.length > 0);
  return { lines: samplesOf('lines'), words: samplesOf('words') };
}

export const sheets = {
  ruled: { rules: 'lines', notes: false, crossed: false },
  'squared, with notes in the margin': { rules: 'squares', notes: true, crossed: false },
  'plain, with words crossed out': { rules: 'none', notes: false, crossed: true },
} as const;
export type Sheet = keyof typeof sheets;

export interface ComposedPage {
  /** In reading order, each margin note before the line next to it; without what is crossed out. */
  lines: string[];
  svg: string;
  /** PDF operators in the same coordinates. */
  operators: string;
}

const [pageWidth, pageHeight] = [1700, 2300];
const desk = 150;
const lineStep = 190;
const linesOnSheet = 10;
const inkHeight = 1024;

/** Numbers from 0 to 1, the same at every run. */
function createRandom(seed: number): () => number {
  let state = (seed * 7919 + 17) % 2147483647;
  return () => {
    state = (Math.imul(state, 48271) >>> 0) % 2147483647;
    return state / 2147483647;
  };
}

/** @param number which page of its kind: each has its own lines and hands */
export function composeSheet(ink: PageInk, sheet: Sheet, number: number): ComposedPage {
  const { rules, notes, crossed } = sheets[sheet];
  const random = createRandom(number * 31 + Object.keys(sheets).indexOf(sheet));
  const page: ComposedPage = { lines: [], svg: '', operators: '' };
  const paths: Stroke[] = [];
  const from = (Object.keys(sheets).indexOf(sheet) * 4 + number) * linesOnSheet;
  const margin = notes ? 420 : 130;
  const place = (
    { strokes }: WrittenSample,
    left: number,
    top: number,
    most: number,
    height: number,
  ): number => {
    const points = strokes.flat();
    const width = Math.max(...points.filter((_, at) => at % 2 === 0));
    const tall = Math.max(...points.filter((_, at) => at % 2 === 1));
    const scale = Math.min(height / Math.max(tall, inkHeight / 2), most / Math.max(1, width));
    for (const stroke of strokes)
      paths.push(
        stroke.map((value, at) => (at % 2 === 0 ? left + value * scale : top + (tall - value) * scale)),
      );
    return width * scale;
  };
  for (let row = 0; row < linesOnSheet; row++) {
    const line = ink.lines[(from + row) % ink.lines.length]!;
    const top = 150 + row * lineStep + 24 * random();
    const left = margin + 50 * random();
    const room = pageWidth - left - (crossed ? 480 : 90);
    const width = place(line, left, top, room, 96);
    page.lines.push(line.truth);
    const word = ink.words[(from + row) % ink.words.length]!;
    if (crossed && row % 2 === 0) {
      const start = left + width + 60;
      const first = paths.length;
      const wide = place(word, start, top + 10, 330, 72);
      // through the middle of the ink, as people do
      const heights = paths.slice(first).flatMap((stroke) => stroke.filter((_, at) => at % 2 === 1));
      const middle = heights.reduce((sum, y) => sum + y, 0) / heights.length + 10 * (random() - 0.5);
      for (let stroke = 0; stroke < 1 + (row % 4) / 2; stroke++)
        paths.push([
          start - 12,
          middle + 12 * stroke + 6 * random(),
          start + wide / 2,
          middle + 12 * stroke,
          start + wide + 14,
          middle + 12 * stroke + 6 * random(),
        ]);
    }
    if (notes && row % 4 === 1) {
      place(word, 60 + 30 * random(), top + 30 + 30 * random(), 270, 60);
      page.lines.splice(-1, 0, word.truth);
    }
  }
  const step = rules === 'lines' ? 95 : 48;
  const level =
    rules === 'none'
      ? []
      : Array.from(
          { length: Math.floor(pageHeight / step) },
          (_, at) => `M0 ${(at + 1) * step}H${pageWidth}`,
        );
  const upright =
    rules === 'squares'
      ? Array.from({ length: Math.floor(pageWidth / step) }, (_, at) => `M${(at + 1) * step} 0V${pageHeight}`)
      : [];
  const drawn = paths.map(
    (points) =>
      `M${pairs(points)
        .map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`)
        .join('L')}`,
  );
  page.svg = `<path d="${[...level, ...upright].join('')}" fill="none" stroke="#9db3d6" stroke-width="2"/><path d="${drawn.join('')}" fill="none" stroke="#20284a" stroke-width="${(3.2 + 1.6 * random()).toFixed(1)}" stroke-linecap="round" stroke-linejoin="round"/>`;
  page.operators = paths
    .map(
      (points) =>
        `${pairs(points)
          .map(([x, y], at) => `${x.toFixed(1)} ${y.toFixed(1)} ${at === 0 ? 'm' : 'l'}`)
          .join(' ')} S`,
    )
    .join('\n');
  return page;
}

function pairs(points: Stroke): [number, number][] {
  return Array.from({ length: points.length / 2 }, (_, at) => [points[2 * at]!, points[2 * at + 1]!]);
}

/** As photographed on a table: at an angle, a shadow across, one corner darker, slightly out of focus. */
export async function photograph({ svg }: ComposedPage, seed: number): Promise<Buffer> {
  const random = createRandom(seed + 101);
  const [width, height] = [pageWidth + 2 * desk, pageHeight + 2 * desk];
  const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#5b4a3d"/><g transform="translate(${desk} ${desk})"><rect width="${pageWidth}" height="${pageHeight}" fill="#f2efe6"/>${svg}</g></svg>`;
  const { data, info } = await sharp(Buffer.from(scene))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const off = () => 90 * (random() - 0.3);
  const seen = warp(
    { width: info.width, height: info.height, channels: 3, data: new Uint8Array(data) },
    rectangleToQuad(width, height, [
      { x: off(), y: off() },
      { x: width - off(), y: off() },
      { x: width - off(), y: height - off() },
      { x: off(), y: height - off() },
    ]),
    width,
    height,
  );
  const edge = 700 + 500 * random();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const light =
        (1 - 0.3 * (x / width + y / height) * 0.5) * (1 - 0.3 / (1 + Math.exp((x + 0.6 * y - edge) / 110)));
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * width + x) * 3 + channel;
        seen.data[at] = Math.min(255, seen.data[at]! * light + 6 * (random() - 0.5));
      }
    }
  return await sharp(seen.data, { raw: { width, height, channels: 3 } })
    .blur(1.1)
    .jpeg({ quality: 72 })
    .toBuffer();
}

/** As exported by a tablet: strokes as paths, on a page of 595 points. */
export function exportPage({ operators }: ComposedPage): Buffer {
  const scale = 595 / pageWidth;
  return drawPdf([
    {
      width: 595,
      height: pageHeight * scale,
      print: [],
      ink: `${scale} 0 0 ${scale} 0 0 cm 4 w 1 J 1 j\n${operators}`,
    },
  ]);
}
