/**
 * Words in a formula: Tesseract, which knows the language, has read them as well. Where the signs in a word's place
 * agree with it in most letters, they are its letters.
 */
import { around, type Box, heightOf, median, widthOf } from '../../../box.ts';
import { functionNames } from '../../../text-layer/math/symbols.ts';
import type { Word } from '../../printed-page.ts';
import { isProseWord } from '../find-formulas.ts';
import type { Print } from '../placing/find-typeface.ts';
import type { ReadSign, SheetSigns } from '../signs/read-signs.ts';
import type { Sign, SignMeasures, SignModel } from '../signs/sign-model.ts';
import { formulaWords } from './find-words.ts';

/** Tesseract's least confidence, percent, in a word and in the name of a function. */
const leastWord = 75;
const leastSpelled = 30;
const leastName = 50;
/** Share of the letters that must be among the guesses: of a word, of one that Tesseract doubts, of a name. */
const mostLetters = { word: 0.6, doubted: 1, name: 0.3 };
/** Letters that do not touch, at least. */
const leastTold = 3;
/** How likely a guess must be to count. */
const leastGuess = 0.05;
/** A sign for one letter alone that is read so surely as another is no letter of the word. */
const sureOther = 0.9;
/** A bracket beside a word that is read this surely is none of its letters. */
const sureBracket = 0.6;
/** How far, in x-heights, its ink may extend beyond its box, and its width may differ from the typeface's. */
const overhang = 0.25;
const widthSpread = 0.22;
/** Least space between two words, in x-heights. */
const leastSpace = 0.45;

/** What is integrated over, such as "xdx" and "dxdy", is no word. */
const differential = /^(?:[a-z]?d[a-z])+$/;

interface Letter {
  /** Without its accent. */
  sign: Sign;
  /** The letter that it is. */
  text: string;
  measures: SignMeasures;
  at: number;
}

/** An accent is this near above its letter at most, in x-heights. */
const accentReach = 0.9;
const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** @param words in the sheet's pixels */
export function spellWords(
  { signs, rules }: SheetSigns,
  words: readonly Word[],
  { typeface, xHeight }: Print,
  model: SignModel,
): SheetSigns {
  let spelled = [...signs];
  for (const word of words) {
    const text = word.text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    const kind = kindOf(word, text);
    if (!kind) continue;
    const letters = lettersOf(text, typeface.text, model);
    const within = spelled.filter((sign) => isWithin(sign, word, xHeight));
    const found = letters && setWord(letters, within, xHeight, mostLetters[kind]);
    if (!found) continue;
    const known = found.map((letter) => ({
      ...letter,
      guesses: [{ ...letter.guesses[0]!, probability: word.confidence / 100 }],
    }));
    spelled = [...spelled.filter((sign) => !found.some(({ from }) => from.includes(sign))), ...known];
  }
  return { signs: spelled, rules };
}

function kindOf(word: Word, text: string): keyof typeof mostLetters | null {
  // the name of a function with its variable, as in "sinx", is no word
  if (
    !/^[a-z]{3,}$/i.test(withoutAccents(text)) ||
    [1, 2].some((more) => functionNames.has(text.slice(0, -more)))
  )
    return null;
  if (differential.test(text) && !formulaWords.has(text)) return null;
  const { confidence } = word;
  if (functionNames.has(text)) return confidence >= leastName ? 'name' : null;
  if (!isProseWord({ ...word, text, confidence: 100 }) || confidence < leastSpelled) return null;
  return confidence >= leastWord ? 'word' : 'doubted';
}

function lettersOf(
  text: string,
  measured: readonly (SignMeasures | null)[],
  model: SignModel,
): Letter[] | null {
  let at = 0;
  const letters: Letter[] = [];
  for (const character of text.normalize('NFC')) {
    const sign = model.find('roman', withoutAccents(character));
    const measures = measured[sign.index];
    if (!measures) return null;
    letters.push({ sign, text: character, measures, at });
    at += measures.advance;
  }
  return letters;
}

function isWithin(sign: Box, word: Box, xHeight: number): boolean {
  const x = (sign.left + sign.right) / 2;
  const y = (sign.top + sign.bottom) / 2;
  const margin = overhang * xHeight;
  return (
    x > word.left - margin && x < word.right + margin && y > word.top - margin && y < word.bottom + margin
  );
}

interface SetLetter extends ReadSign {
  from: ReadSign[];
}

/** The word's letters over its ink; null if the ink does not look like them. */
function setWord(
  letters: readonly Letter[],
  within: readonly ReadSign[],
  xHeight: number,
  least: number,
): SetLetter[] | null {
  // a condition under a name is not part of it
  const isLetter = (sign: ReadSign) =>
    letters.some(({ sign: { text } }) => sign.guesses[0]!.sign.text === text);
  const floor = Math.min(...within.filter(isLetter).map(({ bottom }) => bottom));
  const accents = within.filter((sign) => isAccent(sign, letters, within, xHeight));
  const solid = within.filter(
    (sign) =>
      !isPunctuation(sign) && !isBracket(sign) && !accents.includes(sign) && sign.top < floor - 0.2 * xHeight,
  );
  if (solid.length === 0) return null;
  const ink = around(solid);
  const [first, last] = [letters[0]!, letters.at(-1)!];
  const start = first.at + first.measures.left;
  const wide = last.at + last.measures.left + last.measures.width - start;
  const scale = widthOf(ink) / (wide * xHeight);
  if (Math.abs(Math.log(scale)) > widthSpread || heightOf(ink) > 2.6 * xHeight) return null;
  const placeOf = ({ at, measures }: Letter) => ({
    left: ink.left + (at + measures.left - start) * scale * xHeight,
    right: ink.left + (at + measures.left + measures.width - start) * scale * xHeight,
  });
  const owners = letters.map((letter) => {
    const place = placeOf(letter);
    return solid.filter((sign) => {
      const shared = Math.min(sign.right, place.right) - Math.max(sign.left, place.left);
      return shared > 0.5 * Math.min(widthOf(sign), place.right - place.left);
    });
  });
  const agreeing = owners.map((own, at) =>
    own.find(({ guesses }) =>
      guesses.some(
        ({ sign, probability }) => sign.text === letters[at]!.sign.text && probability > leastGuess,
      ),
    ),
  );
  // letters that touch each other say nothing
  const touching = owners.filter((own) => own.some(({ guesses: [first] }) => first!.sign.face === 'several'));
  const told = letters.length - Math.min(touching.length, letters.length - leastTold);
  if (agreeing.filter(Boolean).length < Math.max(1, least * told)) return null;
  if (owners.some((own) => own.length === 0) || hasSpace(solid, xHeight)) return null;
  const isOther = owners.some(
    ([one, second], at) =>
      one &&
      !second &&
      !agreeing[at] &&
      one.guesses[0]!.probability > sureOther &&
      owners.every((own, other) => other === at || !own.includes(one)),
  );
  if (isOther) return null;
  const baseline = median(
    agreeing.flatMap((sign, at) => {
      const { top, height } = letters[at]!.measures;
      return sign ? [sign.bottom - (top + height) * xHeight] : [];
    }),
  );
  return letters.map((letter, at) => {
    const { top, height } = letter.measures;
    const box = {
      ...placeOf(letter),
      top: baseline + top * xHeight,
      bottom: baseline + (top + height) * xHeight,
    };
    return {
      ...(agreeing[at] && owners[at]!.length === 1 ? inkOf(agreeing[at]) : box),
      baseline,
      guesses: [{ sign: { ...letter.sign, text: letter.text }, probability: 1 }],
      from: at === 0 ? [...solid, ...accents] : [],
    };
  });
}

/** Whether a sign is above a letter of a word with accents. */
function isAccent(
  sign: Box,
  letters: readonly Letter[],
  within: readonly ReadSign[],
  xHeight: number,
): boolean {
  if (letters.every(({ text }) => withoutAccents(text) === text)) return false;
  const x = (sign.left + sign.right) / 2;
  return within.some(
    (letter) =>
      letter !== sign &&
      x > letter.left &&
      x < letter.right &&
      sign.bottom <= letter.top + 1 &&
      letter.top - sign.top < accentReach * xHeight &&
      /^\p{L}$/u.test(letter.guesses[0]!.sign.text),
  );
}

/** Whether there is room for a space within the word. */
function hasSpace(signs: readonly Box[], xHeight: number): boolean {
  const sorted = signs.toSorted((a, b) => a.left - b.left);
  return sorted.some(({ left }, at) => {
    const end = Math.max(...sorted.slice(0, at).map(({ right }) => right));
    return at > 0 && left - end > leastSpace * xHeight;
  });
}

const inkOf = ({ left, top, right, bottom, ink }: ReadSign) => ({
  left,
  top,
  right,
  bottom,
  ...(ink !== undefined && { ink }),
});
const isBracket = ({ guesses: [first] }: ReadSign) =>
  /^[()[\]{}]$/.test(first!.sign.text) && first!.probability > sureBracket;
const isPunctuation = ({ guesses: [first] }: ReadSign) => /^[.,;:·′]$/.test(first!.sign.text);
