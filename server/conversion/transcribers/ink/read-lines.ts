/** The lines of ink on a page, each with what the line model reads in it. */
import type { ShareBox } from '#shared/latex/page-body.ts';
import type { Bitmap } from '../../page.ts';
import { guessLanguage } from '../text-layer/language.ts';
import { type DecodedLine, decodeLine } from './decode-line.ts';
import type { WordLanguage } from './known-words.ts';
import type { LineModel, LineScores } from './line-model.ts';
import { toLinePicture } from './line-picture.ts';

export interface InkLine extends DecodedLine {
  box: ShareBox;
}

export interface LineReaderDeps {
  model: LineModel;
  /** Whether a word belongs to a language. */
  words: (language: WordLanguage) => Promise<(word: string) => boolean>;
}

/** Ink reaches over its line: what is cut out is taller than the box by this share, above and below. */
const overhang = 0.18;
const margin = 0.25;
/** Added for a known word, by its length, and taken for one that is none: the best on the writers kept for choosing. */
const knownBonus = 0.5;
const longestCounted = 6;
const unknownPenalty = 2;
const sideBySide = 2;
const languages: Record<string, WordLanguage> = { english: 'en', french: 'fr', spanish: 'es' };

/** @param grey the prepared page, one channel */
export async function readLines(
  grey: Bitmap,
  boxes: readonly ShareBox[],
  { model, words }: LineReaderDeps,
): Promise<InkLine[]> {
  const scores: LineScores[] = new Array(boxes.length);
  let next = 0;
  const work = async () => {
    while (next < boxes.length) {
      const at = next++;
      scores[at] = await model.score(toLinePicture(cutOut(grey, boxes[at]!)));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  const decode = (isKnown?: (word: string) => boolean) =>
    scores.map((score) =>
      decodeLine(score, model.tokens, isKnown ? { wordBonus: (word) => bonusOf(word, isKnown) } : {}),
    );
  const plain = decode();
  const language = guessLanguage(plain.map(({ tokens }) => textOf(tokens)).join('\n'));
  // a language without a dictionary of ours is read letter by letter; where nothing tells, it is English
  const chosen = language === null ? 'en' : languages[language];
  const read = chosen ? decode(await words(chosen)) : plain;
  return read.map((line, at) => ({ ...line, box: boxes[at]! }));
}

function bonusOf(word: string, isKnown: (word: string) => boolean): number {
  return isKnown(word) ? knownBonus * Math.min(longestCounted, word.length) : -unknownPenalty;
}

function textOf(tokens: DecodedLine['tokens']): string {
  return tokens.map(({ token }) => token).join('');
}

function cutOut(page: Bitmap, [left, top, width, height]: ShareBox): Bitmap {
  const tall = height * page.height;
  const from = {
    x: Math.max(0, Math.floor(left * page.width - tall * margin)),
    y: Math.max(0, Math.floor(top * page.height - tall * overhang)),
  };
  const to = {
    x: Math.min(page.width, Math.ceil((left + width) * page.width + tall * margin)),
    y: Math.min(page.height, Math.ceil(top * page.height + tall * (1 + overhang))),
  };
  const size = { width: Math.max(1, to.x - from.x), height: Math.max(1, to.y - from.y) };
  const data = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const row = (from.y + y) * page.width + from.x;
    data.set(page.data.subarray(row, row + size.width), y * size.width);
  }
  return { ...size, channels: 1, data };
}
