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
import { cutOut, usualOverhang } from './line/cut-line.ts';
import { type DecodedLine, decodeLine } from './line/decode-line.ts';
import type { WordLanguage } from './line/known-words.ts';
import { relation } from './line/line-grammar.ts';
import type { LineModel, LineScores } from './line/line-model.ts';
import { toLinePicture } from './line/line-picture.ts';
import { isFunction, isFunctionName, nameFunctions } from './line/name-functions.ts';
import {
  compose,
  isBetter,
  type LinePart,
  type PartReadings,
  partsOf,
  readingOf,
  withOwnParts,
} from './read-parts.ts';
import { readAgainBySigns, readBarredBySigns } from './signs/read-again.ts';
import type { ShapeModel } from './signs/shape-model.ts';
import { isOfWords, meanProbability } from './stacked-lines.ts';

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
  /** What it was read from, while its page is read; not of two lines joined. */
  seen?: SeenLine;
}

export interface LineReaderDeps {
  model: LineModel;
  /** Names the signs of formulas drawn on a screen. Without it, they are read as lines alone. */
  shapes?: ShapeModel | null;
  /** Detects text on photographs of paper; opened for those. Without it, lines are found by their ink alone. */
  finder?: () => Promise<TextFinder | null>;
  /** True if a word belongs to a language. */
  words: (language: WordLanguage) => Promise<(word: string) => boolean>;
  /** Lines lower than this (share of the page's height) matter only if they consist of words: they get one look. */
  formulasFrom?: number;
}

/** By how much the crop of a line without words extends its box when it is read again. */
const overhangs = [0.3, 0.08];
/** A line with this many known words is text; a page with at most this share of text is one of formulas. */
const leastWords = 2;
const mostText = 0.4;
/** Bonus per letter of a known word, and penalty for an unknown one: the best values on the development writers. */
const knownBonus = 0.5;
const longestCounted = 6;
const unknownPenalty = 2;
/** Mean probability of a fraction's part; on a screen, nothing but writing looks like one. */
const leastPart = 0.6;
const leastOnScreen = 0.15;
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
    all.map((_, line) => cut(line, usualOverhang)),
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
    return readLooks(looks, again[line]!.length > 0, model, isPart ? 'formula' : isKnown);
  });
  if (rows.isFromScreen) readAmongFormulas(seen, boxes.length, model, isKnown);
  const letters = (rows.size * grey.height) / rows.ink.height;
  if (shapes && rows.isFromScreen) {
    const divided = new Set([
      ...built.map(({ row }) => row),
      ...parts.flatMap(({ parts: inner, kind }, at) =>
        inner.length > 0 || kind === 'rest' ? own.length + at : [],
      ),
    ]);
    for (const [line, one] of seen.entries())
      if (!divided.has(line) && !hasBars(one.read) && !isText(one, isKnown))
        one.read = await readAgainBySigns(one, cut(line, usualOverhang).at(-1)!, { letters, model, shapes });
  }
  const settled = settleLetters(seen, model.tokens, model.language);
  const apart: PartReadings = {
    each: new Map(parts.map((part, at) => [part, settled[own.length + at]!])),
    isFromScreen: rows.isFromScreen,
  };
  const scale = grey.width / rows.ink.width;
  const readings =
    shapes && rows.isFromScreen
      ? await readBarredBySigns(built, apart, scale, { letters, model, shapes }, (rest) => {
          const at = own.length + parts.indexOf(rest);
          return isText(seen[at]!, isKnown)
            ? null
            : { seen: seen[at]!, crop: cut(at, usualOverhang).at(-1)! };
        })
      : apart;
  const lines = own.map((box, line): InkLine => {
    const mine = built.filter(({ row }) => row === line);
    const composed = compose(mine, readings);
    const isBuilt =
      composed !== null &&
      !(rows.isFromScreen && isOfWords(settled[line]!)) &&
      isBetter(composed, settled[line]!, rows.isFromScreen);
    const read = isBuilt ? composed : settled[line]!;
    const named = { ...read, tokens: nameFunctions(read.tokens) };
    const looks = seen[line]!.plain;
    const row = maybeJoined[line - boxes.length]?.row ?? line;
    return {
      ...(ringed.includes(row) ? withoutRing(named) : named),
      box,
      seen: { read: settled[line]!, looks: seen[line]!.looks },
      ...(isBuilt ? { isBuilt: true } : {}),
      ...(isNote(line) ? { isNote: true } : {}),
      ...(underlined.includes(line) ? { isUnderlined: true } : {}),
      ...(looks.filter(beginsWithNumber).length * 2 >= looks.length ? { isNumbered: true } : {}),
    };
  });
  return joinRows(lines, maybeJoined);
}

/**
 * What the looks at a line say, as a formula or as the likelier of text and formula.
 * @param together whether all of them count, or the surest
 */
function readLooks(
  looks: readonly Look[],
  together: boolean,
  model: LineModel,
  as: 'formula' | IsKnown,
): SeenLine & PlainLine {
  const readings = looks.map(({ scores, plain }) =>
    as === 'formula' ? decodeFormula(scores, model) : decodeBest(scores, plain, model, as),
  );
  const scores = looks.map((look) => look.scores);
  const chosen = together ? agree(readings, scores, model.tokens, model.language) : surestOf(readings);
  return {
    read: withReadings(chosen, readings),
    looks: scores,
    plain: looks.map(({ plain }) => plain),
  };
}

/** On a page of formulas, letters that are no known words are a formula, too. */
function readAmongFormulas(
  seen: (SeenLine & PlainLine)[],
  count: number,
  model: LineModel,
  isKnown: IsKnown,
): void {
  const ofText = seen.slice(0, count).filter((line) => isText(line, isKnown));
  if (ofText.length > mostText * count) return;
  for (const line of ofText)
    if (line.plain.every((plain) => knownIn(plain, isKnown) === 0))
      Object.assign(
        line,
        readLooks(
          line.looks.map((scores, at) => ({ scores, plain: line.plain[at]! })),
          true,
          model,
          'formula',
        ),
      );
}

/** Fractions and roots of which a part is none: it has a relation sign, consists of words, or cannot be read. */
export async function refuseBarred(
  grey: Bitmap,
  rows: InkRows,
  { model, words }: LineReaderDeps,
): Promise<Barred[]> {
  const parts = withOwnParts(partsOf(rows)).filter(({ kind }) => kind !== 'rest');
  if (parts.length === 0) return [];
  const looks = await lookAt(
    parts.map(({ box, foreign }) => cutOut(grey, box, foreign, usualOverhang)),
    model,
  );
  const isKnown = await knownOf(looks, words);
  const readings = new Map(
    parts.map((part, at) => [part, surestOf(looks[at]!.map(({ scores }) => decodeFormula(scores, model)))]),
  );
  const isPart = (part: LinePart, at: number) => {
    if (looks[at]!.some(({ plain }) => isOfWords(plain) && hasWords(plain, isKnown))) return false;
    const { tokens } = readingOf(part, { each: readings, isFromScreen: rows.isFromScreen });
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
const isText = ({ read, plain }: Pick<SeenLine, 'read'> & PlainLine, isKnown: IsKnown) =>
  (isOfWords(read) && !isOneFormula(read.tokens.map(({ token }) => token))) ||
  plain.some((look) => hasWords(look, isKnown));

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

interface PlainLine {
  /** Each look, read without a word's bonus. */
  plain: readonly DecodedLine[];
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
