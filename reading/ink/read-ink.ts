/** The embedded ink reader: a prepared page to its LaTeX body, line by line, with doubtful words marked. */
import sharp from 'sharp';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { crossedOutWarning } from '../handwriting-warnings.ts';
import type { Bitmap, PreparedPage } from '../page.ts';
import { toGrey } from '../raster.ts';
import type { CroppedFigure, TranscribedPage } from '../transcriber.ts';
import { findInkRows } from './layout/find-ink-lines.ts';
import { lineConfidence } from './line/confidence.ts';
import { type InkLine, type LineReaderDeps, readLines } from './read-lines.ts';
import { writeInkBody } from './write-ink-body.ts';

export interface InkPage extends TranscribedPage {
  /** 0 … 1: the share of lines that are probably right, weighted by length. */
  confidence: number;
  /** What `body` was written from, in reading order. */
  lines: readonly InkLine[];
}

/** Marks of a sign or two in which the model has little confidence: shadows, edges of the paper, specks. */
const noiseSigns = 2;
const noiseConfidence = 0.35;
/** Longer readings need at least this geometric mean of their signs' probabilities. */
const leastProbability = 0.4;

export interface PictureOfInk extends Pick<PreparedPage, 'bitmap' | 'origin'> {
  /**
   * Ink that remains where print was hidden: the text-detection network, which cannot tell the two apart, is not used
   * on it.
   */
  isRest?: boolean;
}

export async function readInk(
  picture: PictureOfInk,
  pageNumber: number,
  deps: LineReaderDeps,
): Promise<InkPage> {
  const isPaper = picture.origin !== 'render';
  const seen = isPaper && !picture.isRest && deps.finder ? await deps.finder.find(picture.bitmap) : null;
  const rows = findInkRows(picture.bitmap, isPaper, true, seen);
  const lines = await readLines(toGrey(picture.bitmap), rows, deps);
  const kept = lines.filter((line) => !isNoise(line));
  const figures = await Promise.all(
    rows.drawings.map((box, at) => cropDrawing(picture.bitmap, box, `figure-p${pageNumber}-${at + 1}.png`)),
  );
  const written = writeInkBody(
    kept,
    figures.map(({ name }, at) => ({ name, box: rows.drawings[at]! })),
  );
  return {
    ...written,
    preamble: [],
    figures,
    warnings: rows.struck.length > 0 ? [{ ...crossedOutWarning }] : [],
    startsParagraph: true,
    endsParagraph: true,
    confidence: confidenceOf(kept),
    lines: kept,
  };
}

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

function isNoise(line: InkLine): boolean {
  const signs = line.tokens.filter(({ token }) => token.trim() !== '' && !/^\\[()]$/.test(token)).length;
  return (
    signs === 0 ||
    (signs <= noiseSigns ? lineConfidence(line) < noiseConfidence : meanProbability(line) < leastProbability)
  );
}

function meanProbability({ tokens }: InkLine): number {
  const logs = tokens.map(({ probability }) => Math.log(Math.max(1e-3, probability)));
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / Math.max(1, logs.length));
}

function confidenceOf(lines: readonly InkLine[]): number {
  const length = lines.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const right = lines.reduce((sum, line) => sum + lineConfidence(line) * line.tokens.length, 0);
  return length === 0 ? 0 : right / length;
}
