/** The embedded ink reader: a prepared page to its LaTeX body, line by line, with doubtful words marked. */
import sharp from 'sharp';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { median } from '../box.ts';
import { crossedOutWarning, lineNotReadWarning } from '../handwriting-warnings.ts';
import type { Bitmap, PreparedPage } from '../page.ts';
import { toGrey } from '../raster.ts';
import { type CroppedFigure, movePage, type TranscribedPage } from '../transcriber.ts';
import type { Barred } from './bars/find-barred.ts';
import { findBroken } from './broken-lines.ts';
import { lineConfidence } from './choice/confidence.ts';
import { settleNumbers } from './choice/settle-numbers.ts';
import { findOnLevel } from './find-text.ts';
import { findInkRows, type InkRows } from './layout/find-ink-lines.ts';
import { splitTall } from './layout/split-tall.ts';
import { type InkLine, type LineReaderDeps, readLines, refuseBarred } from './read-lines.ts';
import { areSurer, findStacked, meanProbability, signsOf } from './stacked-lines.ts';
import { writeInkBody } from './write-ink-body.ts';

/**
 * Mean probability of the signs on a page of writing, however badly they are read. Of 22 pictures of other things, nothing is
 * read on 16, and a few signs surely enough on 4 (one has digits).
 */
const leastSure = 0.63;
const fewSigns = 12;
const leastSureOfFew = 0.7;

export interface InkPage extends TranscribedPage {
  /** 0 … 1: the share of lines that are probably right, weighted by length. */
  confidence: number;
  /** It is writing, however well it can be read: of a photo of anything else, a few signs are read, and none surely. */
  isWriting: boolean;
  /** What `body` was written from, in reading order. */
  lines: readonly InkLine[];
}

/** Marks of a sign or two in which the model has little confidence: shadows, edges of the paper, specks. */
const noiseSigns = 2;
const noiseConfidence = 0.35;
/** Longer readings need at least this geometric mean of their signs' probabilities. */
const leastProbability = 0.4;

/** On a page with fewer lines than this, what was not read may be anything. */
const leastRead = 3;
/** Lines of a page are about equally high: heights of one, as multiples of their median. */
const lineHeights = [0.6, 5] as const;
/** Paper around the picture of such a line, as a share of the page's height. */
const mostMargin = 0.015;
/** What touches the edge of the picture is the edge of the paper, as a share of its sides. */
const edge = 0.01;

export interface PictureOfInk extends Pick<PreparedPage, 'bitmap' | 'origin'> {
  /**
   * Ink that remains where print was hidden: the text-detection network, which cannot tell the two apart, is not used
   * on it.
   */
  isRest?: boolean;
  /** Whether it was drawn on a screen, where that is known; otherwise its paper tells. */
  isFromScreen?: boolean;
  /** Lines lower than this (share of the page's height) are no formulas. */
  formulasFrom?: number;
}

export async function readInk(
  picture: PictureOfInk,
  pageNumber: number,
  reader: LineReaderDeps,
): Promise<InkPage> {
  const { formulasFrom } = picture;
  const deps = formulasFrom === undefined ? reader : { ...reader, formulasFrom };
  const isPaper = picture.origin !== 'render';
  const finder = isPaper && !picture.isRest ? await deps.finder?.() : null;
  if (!finder) return readLevel(picture, null, pageNumber, deps);
  const { bitmap, seen, toPage } = await findOnLevel(picture.bitmap, finder);
  const page = await readLevel({ ...picture, bitmap }, seen, pageNumber, deps);
  if (!toPage) return page;
  return { ...movePage(page, toPage), lines: page.lines.map((line) => ({ ...line, box: toPage(line.box) })) };
}

async function readLevel(
  picture: PictureOfInk,
  seen: ShareBox[] | null,
  pageNumber: number,
  deps: LineReaderDeps,
): Promise<InkPage> {
  const isPaper = picture.origin !== 'render';
  const grey = toGrey(picture.bitmap);
  // where print was hidden, so was part of the ruling, and what is left of it looks like bars
  const mayHaveBars = picture.isRest === undefined;
  const find = (refused: Barred[] | null) =>
    findInkRows(picture.bitmap, isPaper, true, seen, refused, picture.isFromScreen);
  const found = find(mayHaveBars ? [] : null);
  const refused = await refuseBarred(grey, found, deps);
  const rows = refused.length > 0 ? find(refused) : found;
  const lines = await readLines(grey, rows, deps);
  const whole = lines.filter((line) => !isNoise(line, rows));
  // where print was hidden, what cannot be read is what was left of it
  const tall = picture.isRest ? [] : findUnread(lines, whole);
  const stacked =
    picture.isRest || whole.length < leastRead ? [] : findStacked(whole.filter(({ isBuilt }) => !isBuilt));
  const parts = new Map(
    await Promise.all(
      [...tall, ...stacked.map(({ box }) => box)].map(
        async (box) => [box, await readParts(grey, box, whole, rows, deps)] as const,
      ),
    ),
  );
  // in the place of the line that they are
  const apart = lines.flatMap((line) => {
    const own = parts.get(line.box) ?? [];
    if (!whole.includes(line)) return own;
    return areSurer(own, line) ? own : [line];
  });
  const joined = await joinBroken(grey, apart, rows, deps);
  const kept = settleNumbers(joined, deps.model.tokens).map(({ seen: _, ...line }) => line);
  const unread = tall.filter((box) => parts.get(box)!.length === 0).map(withMargin);
  const cropped = [...rows.drawings, ...unread];
  const figures = await Promise.all(
    cropped.map((box, at) => cropDrawing(picture.bitmap, box, `figure-p${pageNumber}-${at + 1}.png`)),
  );
  const written = writeInkBody(
    kept,
    figures.map(({ name }, at) => {
      const box = cropped[at]!;
      return { name, box, ...(unread.includes(box) ? { isUnread: true } : {}) };
    }),
  );
  return {
    ...written,
    preamble: [],
    figures,
    warnings: [
      ...(rows.struck.length > 0 ? [{ ...crossedOutWarning }] : []),
      ...(unread.length > 0 ? [{ ...lineNotReadWarning }] : []),
    ],
    startsParagraph: true,
    endsParagraph: true,
    confidence: confidenceOf(kept),
    isWriting: isWriting(kept),
    lines: kept,
  };
}

/** Lines of writing that could not be read: as long and high as the others, so that they are no dust or shadow. */
function findUnread(lines: readonly InkLine[], kept: readonly InkLine[]): ShareBox[] {
  if (kept.length < leastRead) return [];
  const height = median(kept.map(({ box }) => box[3]));
  return lines
    .filter((line) => {
      const [left, top, wide, tall] = line.box;
      const isInside = left > edge && top > edge && left + wide < 1 - edge && top + tall < 1 - edge;
      const isLine = tall > lineHeights[0] * height && tall < lineHeights[1] * height && wide > 3 * height;
      const signs = line.tokens.filter(({ token }) => token.trim() !== '').length;
      return !kept.includes(line) && isInside && isLine && signs > noiseSigns;
    })
    .map(({ box }) => box);
}

/** What is seen of a line that is not read is often part of it. */
function withMargin([left, top, wide, tall]: ShareBox): ShareBox {
  const margin = Math.min(tall / 2, mostMargin);
  const above = Math.max(0, top - margin);
  return [left, above, wide, Math.min(1, top + tall + margin) - above];
}

/** A line that cannot be read may be several, and each of them be read. None if not all of them can. */
async function readParts(
  grey: Bitmap,
  box: ShareBox,
  others: readonly InkLine[],
  rows: InkRows,
  deps: LineReaderDeps,
): Promise<InkLine[]> {
  const boxes = splitTall(grey, box, median(others.map((line) => line.box[3])));
  if (boxes.length === 0) return [];
  const lines = await readLines(grey, rowsOf(boxes, rows), deps);
  return lines.some((line) => isNoise(line, rows)) ? [] : lines;
}

/** Lines broken after a relation sign, read again as one. */
async function joinBroken(
  grey: Bitmap,
  lines: InkLine[],
  rows: InkRows,
  deps: LineReaderDeps,
): Promise<InkLine[]> {
  const broken = findBroken(lines);
  if (broken.length === 0) return lines;
  const boxes = broken.map(({ box }) => box);
  const where = (is: (line: InkLine) => boolean | undefined) =>
    [...broken.keys()].filter((at) => is(broken[at]!.left));
  const ringed = where(({ isRinged }) => isRinged);
  const underlined = where(({ isUnderlined }) => isUnderlined);
  const read = await readLines(grey, { ...rowsOf(boxes, rows), ringed, underlined }, deps);
  const out: (InkLine | null)[] = [...lines];
  for (const [at, { left, right }] of broken.entries()) {
    const joined = read[at]!;
    if (isNoise(joined, rows)) continue;
    out[lines.indexOf(left)] = joined;
    out[lines.indexOf(right)] = null;
  }
  return out.filter((line) => line !== null);
}

/** The same page with only these boxes as its lines. */
const rowsOf = (boxes: ShareBox[], rows: InkRows): InkRows => ({
  ...rows,
  boxes,
  maybeJoined: [],
  built: [],
  notesFrom: boxes.length,
  ringed: [],
  underlined: [],
});

async function cropDrawing(
  { width, height, channels, data }: Bitmap,
  [left, top, wide, tall]: ShareBox,
  name: string,
): Promise<CroppedFigure> {
  const box = { left, top, width: wide, height: tall };
  const from = { left: Math.floor(left * width), top: Math.floor(top * height) };
  const bytes = await sharp(data, { raw: { width, height, channels } })
    .extract({
      ...from,
      width: Math.max(1, Math.min(width - from.left, Math.ceil(wide * width))),
      height: Math.max(1, Math.min(height - from.top, Math.ceil(tall * height))),
    })
    .png()
    .toBuffer();
  return { name, bytes: new Uint8Array(bytes), box };
}

function isNoise(line: InkLine, { isFromScreen }: InkRows): boolean {
  const signs = signsOf(line);
  if (signs === 0 || isFromScreen) return signs === 0;
  return signs <= noiseSigns
    ? lineConfidence(line) < noiseConfidence
    : meanProbability(line) < leastProbability;
}

function confidenceOf(lines: readonly InkLine[]): number {
  const length = lines.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const right = lines.reduce((sum, line) => sum + lineConfidence(line) * line.tokens.length, 0);
  return length === 0 ? 0 : right / length;
}

function isWriting(lines: readonly InkLine[]): boolean {
  const tokens = lines.flatMap((line) => line.tokens);
  const sure = tokens.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, tokens.length);
  return sure >= (tokens.length < fewSigns ? leastSureOfFew : leastSure);
}
