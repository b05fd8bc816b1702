/** The embedded ink reader: a prepared page to its LaTeX body, line by line, with doubtful words marked. */
import type { PreparedPage } from '../../page.ts';
import { findInkRows } from '../../pages/find-ink-lines.ts';
import { toGrey } from '../../pages/raster.ts';
import type { TranscribedPage } from '../transcriber.ts';
import { lineConfidence } from './confidence.ts';
import { type InkLine, type LineReaderDeps, readLines } from './read-lines.ts';
import { writeInkBody } from './write-ink-body.ts';

export interface InkPage extends TranscribedPage {
  /** 0 … 1: the share of lines that are probably right, weighed by their length. */
  confidence: number;
}

/** Marks of a sign or two that the reader itself does not believe: shadows, edges of the paper, specks. */
const noiseSigns = 2;
const noiseConfidence = 0.35;
/** Longer ones have to be worth a look. */
const leastConfidence = 0.01;

export async function readInk(
  picture: Pick<PreparedPage, 'bitmap' | 'origin'>,
  _pageNumber: number,
  deps: LineReaderDeps,
): Promise<InkPage> {
  const rows = findInkRows(picture.bitmap, picture.origin !== 'render');
  const lines = await readLines(toGrey(picture.bitmap), rows, deps);
  const kept = lines.filter((line) => !isNoise(line));
  const written = writeInkBody(kept);
  return {
    ...written,
    preamble: [],
    figures: [],
    warnings: [],
    startsParagraph: true,
    endsParagraph: true,
    confidence: confidenceOf(lines),
  };
}

function isNoise(line: InkLine): boolean {
  const signs = line.tokens.filter(({ token }) => token.trim() !== '' && !/^\\[()]$/.test(token)).length;
  const confidence = lineConfidence(line);
  return signs === 0 || (signs <= noiseSigns ? confidence < noiseConfidence : confidence < leastConfidence);
}

function confidenceOf(lines: readonly InkLine[]): number {
  const length = lines.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const right = lines.reduce((sum, line) => sum + lineConfidence(line) * line.tokens.length, 0);
  return length === 0 ? 0 : right / length;
}
