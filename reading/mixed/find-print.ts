/** Finds the words that are certainly print, among those read as print. */
import type { ReadWord } from '../print/read-print.ts';

/**
 * On our scans nearly every printed word is above this; a few short handwritten ones are too, never several in a row.
 */
const sureWord = 0.85;
const besideSureWord = 0.6;
/**
 * Largest height of a less certain word, relative to the tallest certain word in its line; handwriting in a blank is
 * taller.
 */
const highestBeside = 2;
/** A line is certainly print if this many words, with this many letters, are certain. */
const minWords = 2;
const minLetters = 9;
const word = /\p{L}{3,}/u;
/** Characters that Tesseract reads for a printed blank. */
const blank = /^[_.·…\-—–=~|]+$/;

const lettersOf = ({ text }: ReadWord) => text.match(/\p{L}/gu)?.length ?? 0;
const isSure = (one: ReadWord) => one.confidence >= sureWord && word.test(one.text);

/**
 * The words of printed lines, with the labels (`Name:`) and numbers next to them. None if no line is certainly print:
 * then words that look like print are more often handwriting.
 */
export function findSurePrint(words: readonly ReadWord[]): ReadWord[] {
  const lines = [...Map.groupBy(words, ({ line }) => line).values()];
  const isPrint = (line: readonly ReadWord[]) => {
    const sure = line.filter(isSure);
    return sure.length >= minWords && sure.reduce((sum, one) => sum + lettersOf(one), 0) >= minLetters;
  };
  if (!lines.some(isPrint)) return [];
  return lines.flatMap((line) => {
    const highest = isPrint(line) ? Math.max(...line.filter(isSure).map(({ box }) => box[3])) : 0;
    const isNextToPrint = ({ confidence, text, box }: ReadWord) =>
      confidence >= besideSureWord && box[3] <= highestBeside * highest && /[\p{L}\p{N}]/u.test(text);
    return line.filter((one) => isSure(one) || isNextToPrint(one) || isBlank(one));
  });
}

/** A blank: a drawn or dotted line to write on. */
function isBlank({ text, box }: ReadWord): boolean {
  return blank.test(text) && box[2] > 3 * box[3];
}

/** The other words, in groups that stand next to each other. */
export function groupOthers(words: readonly ReadWord[], sure: readonly ReadWord[]): ReadWord[][] {
  const known = new Set(sure);
  const groups: ReadWord[][] = [];
  let last: ReadWord | null = null;
  for (const word of words) {
    if (!known.has(word)) {
      if (last?.line === word.line) groups.at(-1)!.push(word);
      else groups.push([word]);
    }
    last = known.has(word) ? null : word;
  }
  return groups;
}
