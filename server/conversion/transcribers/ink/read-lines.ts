/** The lines of ink on a page, each with what the line model reads in it. */
import type { ShareBox } from '#shared/latex/page-body.ts';
import type { Bitmap } from '../../page.ts';
import type { InkRows } from '../../pages/find-ink-lines.ts';
import { percentile, whiten } from '../../pages/raster.ts';
import { guessLanguage } from '../text-layer/language.ts';
import { lineConfidence } from './confidence.ts';
import { type DecodedLine, decodeLine } from './decode-line.ts';
import type { WordLanguage } from './known-words.ts';
import type { LineModel, LineScores } from './line-model.ts';
import { toLinePicture } from './line-picture.ts';

export interface InkLine extends DecodedLine {
  box: ShareBox;
  /** It stands in the margin, beside the text. */
  isNote?: true;
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
/** So much less likely, as a logarithm, a formula may be than words where there is a relation sign and no word. */
const formulaPrior = 10;
/** So much likelier it has to be without them: what is no formula to the model reads as well as one without spaces. */
const wordsPrior = 2;
/** A short row under a formula is more often a denominator than a line: a fraction may be so much less sure. */
const fractionPrior = 0.3;
const accent = /^\\(?:bar|vec|hat|tilde|dot|ddot|overline|underline|widehat)\{$/;
const longestAccented = 3;
const falseAccent = 0.05;
const relation = /^(?:[=<>]|\\(?:leq?|geq?|neq?|approx|equiv|to|sim|in|subset|Rightarrow|mapsto))$/;
const paperShare = 0.75;
const languages: Record<string, WordLanguage> = { english: 'en', french: 'fr', spanish: 'es' };

/** @param grey the prepared page, one channel */
export async function readLines(
  grey: Bitmap,
  { boxes, fractions, foreign, struck, notesFrom }: InkRows,
  { model, words }: LineReaderDeps,
): Promise<InkLine[]> {
  const clear = whiten(grey, struck);
  const all = [...boxes, ...fractions.map(({ box }) => box)];
  const crops = all.flatMap((box, line) => cutOut(clear, box, foreign).map((crop) => ({ line, crop })));
  const scores: LineScores[] = new Array(crops.length);
  let next = 0;
  const work = async () => {
    while (next < crops.length) {
      const at = next++;
      scores[at] = await model.score(toLinePicture(crops[at]!.crop));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  const plain = scores.map((score) => decodeLine(score, model.tokens));
  const language = guessLanguage(plain.map(({ tokens }) => textOf(tokens)).join('\n'));
  // a language without a dictionary of ours is read letter by letter; where nothing tells, it is English
  const chosen = language === null ? 'en' : languages[language];
  const isKnown = chosen ? await words(chosen) : null;
  const lines: InkLine[] = [];
  const isNote = (line: number) => line >= notesFrom && line < boxes.length;
  for (const [at, score] of scores.entries()) {
    const read = decodeBest(score, plain[at]!, model, isKnown);
    const { line } = crops[at]!;
    const other = lines[line];
    if (!other || likelihoodOf(read) > likelihoodOf(other))
      lines[line] = { ...read, box: all[line]!, ...(isNote(line) ? { isNote: true } : {}) };
  }
  return joinFractions(lines, fractions);
}

type IsKnown = ((word: string) => boolean) | null;

/** One crop of a line alone, as a page's lines are read. */
export async function readCrop(crop: Bitmap, model: LineModel, isKnown: IsKnown): Promise<DecodedLine> {
  const score = await model.score(toLinePicture(crop));
  return decodeBest(score, decodeLine(score, model.tokens), model, isKnown);
}

function decodeBest(score: LineScores, plain: DecodedLine, model: LineModel, isKnown: IsKnown): DecodedLine {
  const formula = decodeLine(score, model.tokens, { from: 'maths' });
  if (isFormula(formula, plain, isKnown)) return formula;
  if (!isKnown) return plain;
  return decodeLine(score, model.tokens, { wordBonus: (word) => bonusOf(word, isKnown) });
}

/** Where a line may be words or a formula, relations and digits speak for the formula, words for words. */
function isFormula(formula: DecodedLine, plain: DecodedLine, isKnown: IsKnown): boolean {
  const gain = formula.score - plain.score;
  const said = formula.tokens.map(({ token }) => token);
  const text = textOf(plain.tokens);
  const known = (text.match(/\p{L}{3,}/gu) ?? []).filter((word) => isKnown?.(word) ?? true);
  if (known.length >= 2 || said.length <= 2) return false;
  const hasRelation = said.some((token) => relation.test(token));
  return gain > (hasRelation && known.length === 0 ? -formulaPrior : wordsPrior);
}

/** How sure a reading is, beside another of the same ink: an accent over many signs is a line of the ruling. */
function likelihoodOf(line: DecodedLine): number {
  const accents = line.tokens.filter(({ token }, at) => {
    if (!accent.test(token)) return false;
    return line.tokens.slice(at, at + longestAccented + 2).every((other) => other.token !== '}');
  });
  return lineConfidence(line) * falseAccent ** accents.length;
}

/** What is read as a fraction together, and better than apart, is one line. */
function joinFractions(lines: InkLine[], fractions: InkRows['fractions']): InkLine[] {
  const out: (InkLine | null)[] = lines.slice(0, lines.length - fractions.length);
  for (const [at, { high, low }] of fractions.entries()) {
    const [above, below] = [out[high], out[low]];
    const both = lines[lines.length - fractions.length + at]!;
    if (!above || !below || !both.tokens.some(({ token }) => token === '\\frac{')) continue;
    if (likelihoodOf(both) < fractionPrior * likelihoodOf(above) * likelihoodOf(below)) continue;
    out[high] = both;
    out[low] = null;
  }
  return out.filter((line) => line !== null);
}

function bonusOf(word: string, isKnown: (word: string) => boolean): number {
  return isKnown(word) ? knownBonus * Math.min(longestCounted, word.length) : -unknownPenalty;
}

function textOf(tokens: DecodedLine['tokens']): string {
  return tokens.map(({ token }) => token).join('');
}

/**
 * A line's crop as it is and, where there is something else than writing in it, with that as white as the paper: a bar on
 * the ruling goes with it, and dark ruling is taken for bars.
 */
function cutOut(page: Bitmap, [left, top, width, height]: ShareBox, foreign: Bitmap): Bitmap[] {
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
  const paper = percentile(data, paperShare);
  const clean = Uint8Array.from(data);
  let count = 0;
  for (let y = 0; y < size.height; y++) {
    const row = Math.floor(((from.y + y) * foreign.height) / page.height) * foreign.width;
    for (let x = 0; x < size.width; x++) {
      if (!foreign.data[row + Math.floor(((from.x + x) * foreign.width) / page.width)]) continue;
      clean[y * size.width + x] = paper;
      count++;
    }
  }
  const asItIs: Bitmap = { ...size, channels: 1, data };
  return count === 0 ? [asItIs] : [asItIs, { ...asItIs, data: clean }];
}
