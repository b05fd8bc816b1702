/**
 * Words as search compares them: without accents and case, in any script. What is written without spaces between words
 * (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) is cut into overlapping pairs of letters.
 */

export interface Word {
  /** Folded. */
  word: string;
  /** UTF-16 offsets in the text. */
  start: number;
  end: number;
}

const letters = /[\p{L}\p{N}\p{M}]+/gu;
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々〆]/u;
const unspacedRun =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々〆]+/gu;
/** Marks that a reader leaves out: of Latin, Greek and Cyrillic, Hebrew points, Arabic vowels. Not those of India. */
const droppedMarks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]/gu;
const plainAscii = /^[a-z0-9]+$/;

/** Letters that no decomposition takes apart. */
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

/** Longer words are cut: nobody types them. */
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
    // a letter and a mark of other scripts stay together
    .normalize('NFC');
  return folded.length > longestWord ? folded.slice(0, longestWord).toWellFormed() : folded;
}

/** Whether a folded word is one letter or a pair of a script without spaces. */
export const isUnspaced = (word: string): boolean => unspaced.test(word);

/** Words from left to right. Takes time in proportion to the text. */
export function listWords(text: string): Word[] {
  const words: Word[] = [];
  for (const run of text.matchAll(letters)) {
    if (!unspaced.test(run[0])) {
      const word = foldWord(run[0]);
      if (word) words.push({ word, start: run.index, end: run.index + run[0].length });
      continue;
    }
    let done = 0;
    for (const part of run[0].matchAll(unspacedRun)) {
      pushWord(run[0], done, part.index, run.index, words);
      pushPairs(part[0], run.index + part.index, words);
      done = part.index + part[0].length;
    }
    pushWord(run[0], done, run[0].length, run.index, words);
  }
  return words;
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
