/**
 * Words as search compares them: without accents and case, in any script. Scripts without spaces between words
 * (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) are cut into overlapping pairs of letters.
 */

export interface Word {
  /** Folded. */
  word: string;
  /** UTF-16 offsets in the text. */
  start: number;
  end: number;
}

const letters = /[\p{L}\p{N}\p{M}]+/uy;
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々〆]/u;
const unspacedRun =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々〆]+/gu;
/** Marks that search ignores: of Latin, Greek and Cyrillic, Hebrew points, Arabic vowels. Not those of Indic scripts. */
const droppedMarks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]/gu;
const plainAscii = /^[a-z0-9]+$/;

/** Letters without a Unicode decomposition. */
const spelledOut: Record<string, string> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ς: 'σ',
  ə: 'e',
};
const spelledOutLetters = /[ßẞæœøłđðþħıŋςə]/gu;

/** Longer words are cut: nobody searches for the rest. */
const longestWord = 40;

/** `Poincaré` → `poincare`, `Größe` → `grosse`, `ﬁeld` → `field`. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (plainAscii.test(lower)) return lower.slice(0, longestWord);
  const folded = lower
    .normalize('NFKD')
    .replace(droppedMarks, '')
    .toLowerCase()
    .replace(spelledOutLetters, (letter) => spelledOut[letter]!)
    // in other scripts, a letter and its mark stay together
    .normalize('NFC');
  return folded.length > longestWord ? folded.slice(0, longestWord).toWellFormed() : folded;
}

/** Whether a folded word is one letter or a pair of a script without spaces. */
export const isUnspaced = (word: string): boolean => unspaced.test(word);

/** Words from left to right. Takes time in proportion to the text. */
export function listWords(text: string): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < text.length; ) {
    let code = text.charCodeAt(at);
    if (code < 128 && !isAsciiLetter(code)) {
      at++;
      continue;
    }
    // most words are ASCII, and need no look at their letters
    const start = at;
    while (isAsciiLetter(code)) code = text.charCodeAt(++at);
    if (!(code >= 128)) {
      words.push({
        word: text.slice(start, Math.min(at, start + longestWord)).toLowerCase(),
        start,
        end: at,
      });
      continue;
    }
    letters.lastIndex = start;
    const run = letters.exec(text);
    if (run?.index === start) pushRun(run[0], start, words);
    at = run?.index === start ? letters.lastIndex : at + 1;
  }
  return words;
}

/** Digits too; false for NaN, which is beyond the end of the text. */
const isAsciiLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

function pushRun(run: string, start: number, words: Word[]): void {
  let done = 0;
  const parts = unspaced.test(run) ? run.matchAll(unspacedRun) : [];
  for (const part of parts) {
    pushWord(run, done, part.index, start, words);
    pushPairs(part[0], start + part.index, words);
    done = part.index + part[0].length;
  }
  pushWord(run, done, run.length, start, words);
}

function pushWord(run: string, from: number, to: number, offset: number, words: Word[]): void {
  const word = from < to ? foldWord(run.slice(from, to)) : '';
  if (word) words.push({ word, start: offset + from, end: offset + to });
}

/** `微分法` → `微分`, `分法`; a single letter stays one. */
function pushPairs(run: string, offset: number, words: Word[]): void {
  const characters = [...run];
  let at = offset;
  characters.forEach((character, index) => {
    const next = characters[index + 1];
    const pair = next === undefined ? character : character + next;
    if (next !== undefined || characters.length === 1)
      words.push({ word: foldWord(pair), start: at, end: at + pair.length });
    at += character.length;
  });
}
