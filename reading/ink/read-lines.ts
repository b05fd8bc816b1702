/** Reads each line of ink on a page with the line model. */
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { Bitmap } from '../page.ts';
import { whiten } from '../raster.ts';
import { guessLanguage } from '../text-layer/language.ts';
import type { Barred } from './bars/find-barred.ts';
import { agree, isOneFormula, surestOf } from './choice/compare-readings.ts';
import { withReadings } from './choice/other-readings.ts';
import { type SeenLine, settleLetters } from './choice/settle-letters.ts';
import type { TextFinder } from './find-text.ts';
import { joinRows } from './join-rows.ts';
import type { InkRows } from './layout/find-ink-lines.ts';
import { cutOut, type LineCrop } from './line/cut-line.ts';
import { type DecodedLine, decodeLine } from './line/decode-line.ts';
import type { WordLanguage } from './line/known-words.ts';
import { relation } from './line/line-grammar.ts';
import type { LineModel, LineScores } from './line/line-model.ts';
import { toLinePicture } from './line/line-picture.ts';
import { isFunction, isFunctionName, nameFunctions } from './line/name-functions.ts';
import { composeLine, isBetter, type LinePart, partsOf, readingOf, withOwnParts } from './read-parts.ts';
import { readSigns } from './signs/read-signs.ts';
import type { ShapeModel } from './signs/shape-model.ts';
import { meanProbability } from './stacked-lines.ts';

export interface InkLine extends DecodedLine {
  box: ShareBox;
  /** It is in the margin, next to the text. */
  isNote?: true;
  /** Its first digits were in a ring: the number of an exercise. */
  isRinged?: true;
  /** A line is drawn under it. */
  isUnderlined?: true;
  /** Read as text, it begins with a number, a point or dash, and a space. */
  isNumbered?: true;
  /** It has fractions or roots, and was read part by part. */
  isBuilt?: true;
}

export interface LineReaderDeps {
  model: LineModel;
  /** Names the signs of formulas drawn on a screen. Without it, they are read as lines alone. */
  shapes?: ShapeModel | null;
  /** Detects text on photographs of paper. Without it, lines are found by their ink alone. */
  finder?: TextFinder | null;
  /** True if a word belongs to a language. */
  words: (language: WordLanguage) => Promise<(word: string) => boolean>;
  /** Lines lower than this (share of the page's height) matter only if they consist of words: they get one look. */
  formulasFrom?: number;
}

/** By how much a line's crop extends its box (cut-line.ts), and by how much when a line without words is read again. */
const overhang = 0.18;
const overhangs = [0.3, 0.08];
/** How far into what a crop extends its box by, signs are the next line's. */
const linesOwn = 0.6;
/** The reading by signs is less sure of itself than it is right: by so much it may be below the line model's. */
const lessSure = 0.1;
/** A line with this many known words is text. */
const leastWords = 2;
/** Bonus per letter of a known word, and penalty for an unknown one: the best values on the development writers. */
const knownBonus = 0.5;
const longestCounted = 6;
const unknownPenalty = 2;
/** Mean probability of a fraction's part; on a screen, nothing but writing looks like one. */
const leastPart = 0.6;
const leastOnScreen = 0.45;
const sideBySide = 2;
/** With a relation sign or a function and no known word, a line is a formula even if that reading is less likely by this logarithm. */
const formulaPrior = 10;
/** Without them, the formula must be likelier by this much: text read as a formula without spaces scores nearly as well. */
const wordsPrior = 2;
/** Two letters, or letters and digits, may be signs of a formula. */
const mayBeSigns = /^.{1,2}$|\d/;
const languages: Record<string, WordLanguage> = {
  english: 'en',
  french: 'fr',
  spanish: 'es',
  portuguese: 'pt',
};

/** @param grey the prepared page, one channel */
export async function readLines(
  grey: Bitmap,
  rows: InkRows,
  { model, shapes, words, formulasFrom = 0 }: LineReaderDeps,
): Promise<InkLine[]> {
  const { boxes, maybeJoined, struck, notesFrom, ringed, underlined } = rows;
  const clear = whiten(grey, struck);
  const built = partsOf(rows);
  const parts = withOwnParts(built);
  const own = [...boxes, ...maybeJoined.map(({ box }) => box)];
  const all = [...own, ...parts.map(({ box }) => box)];
  const cut = (line: number, by: number) =>
    cutOut(clear, all[line]!, parts[line - own.length]?.foreign ?? rows.foreign, by);
  const first = await lookAt(
    all.map((_, line) => cut(line, overhang)),
    model,
  );
  const isKnown = await knownOf(first, words);
  const needsNone = (box: ShareBox, looks: Look[]) =>
    looks.some(({ plain }) => hasWords(plain, isKnown)) ||
    (box[3] < formulasFrom && !looks.some(({ plain }) => isOfWords(plain)));
  const again = await lookAt(
    all.map((box, line) =>
      needsNone(box, first[line]!) ? [] : overhangs.flatMap((other) => cut(line, other)),
    ),
    model,
  );
  const isNote = (line: number) => line >= notesFrom && line < boxes.length;
  const seen = all.map((_, line) => {
    const looks = [...first[line]!, ...again[line]!];
    const isPart = line >= own.length && !looks.some(({ plain }) => hasWords(plain, isKnown));
    const readings = looks.map(({ scores, plain }) =>
      isPart ? decodeFormula(scores, model) : decodeBest(scores, plain, model, isKnown),
    );
    const chosen =
      again[line]!.length === 0
        ? surestOf(readings)
        : agree(
            readings,
            looks.map(({ scores }) => scores),
            model.tokens,
            model.language,
          );
    return {
      read: withReadings(chosen, readings),
      looks: looks.map(({ scores }) => scores),
      plain: looks.map(({ plain }) => plain),
    };
  });
  if (shapes && rows.isFromScreen) {
    const letters = (rows.size * grey.height) / rows.ink.height;
    const divided = new Set([
      ...built.map(({ row }) => row),
      ...parts.flatMap(({ parts: inner }, at) => (inner.length > 0 ? own.length + at : [])),
    ]);
    for (const [line, one] of seen.entries())
      if (!divided.has(line) && !hasBars(one.read) && !isText(one, isKnown))
        one.read = await readAgainBySigns(one, cut(line, overhang).at(-1)!, letters, model, shapes);
  }
  const settled = settleLetters(seen, model.tokens, model.language);
  const readings = new Map(parts.map((part, at) => [part, settled[own.length + at]!]));
  const lines = own.map((box, line): InkLine => {
    const mine = built.filter(({ row }) => row === line);
    const composed = composeLine(mine.map((part) => ({ kind: part.kind, read: readingOf(part, readings) })));
    const isBuilt = composed !== null && isBetter(composed, settled[line]!);
    const read = isBuilt ? composed : settled[line]!;
    const named = { ...read, tokens: nameFunctions(read.tokens) };
    const looks = seen[line]!.plain;
    const row = maybeJoined[line - boxes.length]?.row ?? line;
    return {
      ...(ringed.includes(row) ? withoutRing(named) : named),
      box,
      ...(isBuilt ? { isBuilt: true } : {}),
      ...(isNote(line) ? { isNote: true } : {}),
      ...(underlined.includes(line) ? { isUnderlined: true } : {}),
      ...(looks.filter(beginsWithNumber).length * 2 >= looks.length ? { isNumbered: true } : {}),
    };
  });
  return joinRows(lines, maybeJoined);
}

/** Fractions and roots of which a part is none: it has a relation sign, consists of words, or cannot be read. */
export async function refuseBarred(
  grey: Bitmap,
  rows: InkRows,
  { model, words }: LineReaderDeps,
): Promise<Barred[]> {
  const parts = withOwnParts(partsOf(rows));
  if (parts.length === 0) return [];
  const looks = await lookAt(
    parts.map(({ box, foreign }) => cutOut(grey, box, foreign, overhang)),
    model,
  );
  const isKnown = await knownOf(looks, words);
  const readings = new Map(
    parts.map((part, at) => [part, surestOf(looks[at]!.map(({ scores }) => decodeFormula(scores, model)))]),
  );
  const isPart = (part: LinePart, at: number) => {
    if (looks[at]!.some(({ plain }) => isOfWords(plain) && hasWords(plain, isKnown))) return false;
    const { tokens } = readingOf(part, readings);
    const least = rows.isFromScreen ? leastOnScreen : leastPart;
    return tokens.length > 0 && meanProbability({ tokens }) >= least && !hasRelation(tokens);
  };
  const refused = new Set(parts.flatMap((part, at) => (part.of && !isPart(part, at) ? [part.of] : [])));
  return [...refused];
}

/** Outside of indices and the like. */
function hasRelation(tokens: DecodedLine['tokens']): boolean {
  let depth = 0;
  return tokens.some(({ token }) => {
    if (/^[^}\]]*[^\\]\{$/.test(token) || token === '\\sqrt[') depth++;
    if (token === '}') depth--;
    return depth === 0 && relation.test(token);
  });
}

/** Known words, or letters and no formula. */
const isText = ({ read, plain }: { read: DecodedLine; plain: readonly DecodedLine[] }, isKnown: IsKnown) =>
  (isOfWords(read) && !isOneFormula(read.tokens.map(({ token }) => token))) ||
  plain.some((look) => hasWords(look, isKnown));

/** The surer one of a line's reading and that of its signs; the other is among its other readings. */
async function readAgainBySigns(
  { read, looks }: SeenLine,
  crop: LineCrop,
  letters: number,
  { tokens, language }: LineModel,
  shapes: ShapeModel,
): Promise<DecodedLine> {
  const beyond = (linesOwn * overhang * crop.height) / (1 + 2 * overhang);
  const inside = { top: beyond, bottom: crop.height - beyond };
  const bySigns = await readSigns(crop, letters, inside, { read, looks, tokens, language }, shapes);
  if (!bySigns || textOf(bySigns.tokens) === textOf(read.tokens)) return read;
  const [signs, line] = [meanProbability(bySigns), meanProbability(read)];
  // where both differ, neither is sure, whatever each says of itself
  const share = signs / (signs + line);
  return signs > line - lessSure ? withReadings({ ...bySigns, share }, [read]) : read;
}

/** A fraction or root. */
const hasBars = ({ tokens }: DecodedLine) =>
  tokens.some(({ token }) => token === '\\frac{' || token === '\\sqrt{');

const beginsWithNumber = ({ tokens }: DecodedLine) => /^\d{1,2}[.)-]{1,2}(?: |\\\()/.test(textOf(tokens));

/** What the remains of a ring are read as. */
const leftOfRing = /^(?:[.,:;'|()-]|\\cdot)$/;
const mostLeftOfRing = 2;

function withoutRing(read: DecodedLine): DecodedLine & Pick<InkLine, 'isRinged'> {
  const start = read.tokens[0]?.token === '\\(' ? 1 : 0;
  const number = read.tokens.findIndex(({ token }) => /^\d$/.test(token));
  const marks = read.tokens.slice(start, number);
  const isLeft = marks.length <= mostLeftOfRing && marks.every(({ token }) => leftOfRing.test(token));
  if (number < start || !isLeft) return read;
  return { ...read, tokens: read.tokens.toSpliced(start, marks.length), isRinged: true };
}

type IsKnown = ((word: string) => boolean) | null;

interface Look {
  scores: LineScores;
  plain: DecodedLine;
}

/** The words of the language that the lines are in. */
async function knownOf(lines: readonly Look[][], words: LineReaderDeps['words']): Promise<IsKnown> {
  const language = guessLanguage(
    lines.flatMap((looks) => looks.map(({ plain }) => textOf(plain.tokens))).join('\n'),
  );
  // a language without a dictionary here is read letter by letter; an unknown one is taken for English
  const chosen = language === null ? 'en' : languages[language];
  return chosen ? await words(chosen) : null;
}

/** Scores each line's crops with the model, a few at a time. */
async function lookAt(lines: readonly Bitmap[][], model: LineModel): Promise<Look[][]> {
  const looks = lines.map((): Look[] => []);
  const crops = lines.flatMap((own, line) => own.map((crop) => ({ line, crop })));
  const scores: LineScores[] = new Array(crops.length);
  let next = 0;
  const work = async () => {
    while (next < crops.length) {
      const at = next++;
      const { crop } = crops[at]!;
      scores[at] = await model.score(toLinePicture(crop));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  for (const [at, { line }] of crops.entries())
    looks[line]!.push({
      scores: scores[at]!,
      plain: decodeLine(scores[at]!, model.tokens, { others: 'all', language: model.language }),
    });
  return looks;
}

/** Reads a single crop the way a page's lines are read. */
export async function readCrop(crop: Bitmap, model: LineModel, isKnown: IsKnown): Promise<DecodedLine> {
  const score = await model.score(toLinePicture(crop));
  return decodeBest(score, decodeLine(score, model.tokens, { language: model.language }), model, isKnown);
}

function decodeFormula(score: LineScores, { tokens, language }: LineModel): DecodedLine {
  return decodeLine(score, tokens, { from: 'maths', others: 'all', language });
}

function decodeBest(score: LineScores, plain: DecodedLine, model: LineModel, isKnown: IsKnown): DecodedLine {
  const { tokens, language } = model;
  const formula = decodeFormula(score, model);
  if (isFormula(formula, plain, isKnown)) return withReadings(formula, [plain]);
  if (!isKnown) return withReadings(plain, [formula]);
  const wordBonus = (word: string) => bonusOf(word, isKnown);
  const read = decodeLine(score, tokens, { wordBonus, others: 'all', language });
  return withReadings(read, [plain, formula]);
}

/** Letters, and no formula. */
export const isOfWords = ({ tokens }: Pick<DecodedLine, 'tokens'>): boolean =>
  tokens.every(({ token }) => token !== '\\(') &&
  tokens.filter(({ token }) => /\p{L}/u.test(token)).length > 2;

const hasWords = (plain: DecodedLine, isKnown: IsKnown) => knownIn(plain, isKnown) >= leastWords;

/** How many words of three letters or more are in a dictionary; `log` and `max` are no evidence for text. */
function knownIn(plain: DecodedLine, isKnown: IsKnown): number {
  const said = textOf(plain.tokens).match(/\p{L}{3,}/gu) ?? [];
  return said.filter((word) => !isFunctionName(word) && (isKnown?.(word) ?? true)).length;
}

/** Relation signs and functions are evidence for a formula, known words for text. */
function isFormula(formula: DecodedLine, plain: DecodedLine, isKnown: IsKnown): boolean {
  const gain = formula.score - formula.fluency - (plain.score - plain.fluency);
  const said = formula.tokens.map(({ token }) => token);
  const known = knownIn(plain, isKnown);
  if (known >= leastWords || said.length <= 2) return false;
  const words = textOf(plain.tokens).match(/[\p{L}\d]+/gu) ?? [];
  const isOfFunctions =
    words.some(isFunction) && words.every((word) => isFunction(word) || mayBeSigns.test(word));
  const isLikely = known === 0 && (isOfFunctions || said.some((token) => relation.test(token)));
  return gain > (isLikely ? -formulaPrior : wordsPrior);
}

/** What a word adds to its reading's log probability. */
export function bonusOf(word: string, isKnown: (word: string) => boolean): number {
  return isKnown(word) ? knownBonus * Math.min(longestCounted, word.length) : -unknownPenalty;
}

function textOf(tokens: DecodedLine['tokens']): string {
  return tokens.map(({ token }) => token).join('');
}
