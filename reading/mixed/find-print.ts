/** Which of the words that were read as print surely are. */
import type { ReadWord } from '../print/read-print.ts';

/** On our scans nearly every printed word is above; of handwriting a few short ones are, never several side by side. */
const sureWord = 0.85;
const besideSureWord = 0.6;
/** Heights of the highest sure word in its line that a less sure one may have; handwriting in a blank is higher. */
const highestBeside = 2;
/** A line that is print beyond doubt has so many words of so many letters that are sure. */
const leastWords = 2;
const leastLetters = 9;
const word = /\p{L}{3,}/u;
/** Signs that a printed blank is read as. */
const blank = /^[_.·…\-—–=~|]+$/;

const lettersOf = ({ text }: ReadWord) => text.match(/\p{L}/gu)?.length ?? 0;
const isSure = (one: ReadWord) => one.confidence >= sureWord && word.test(one.text);

/**
 * The words of lines that are print, with the labels (`Name:`) and numbers beside them. None where no line is print beyond
 * doubt: then words that look like print are more often handwriting that does.
 */
export function findSurePrint(words: readonly ReadWord[]): ReadWord[] {
  const lines = [...Map.groupBy(words, ({ line }) => line).values()];
  const isPrint = (line: readonly ReadWord[]) => {
    const sure = line.filter(isSure);
    return sure.length >= leastWords && sure.reduce((sum, one) => sum + lettersOf(one), 0) >= leastLetters;
  };
  if (!lines.some(isPrint)) return [];
  return lines.flatMap((line) => {
    const highest = isPrint(line) ? Math.max(...line.filter(isSure).map(({ box }) => box[3])) : 0;
    const isBeside = ({ confidence, text, box }: ReadWord) =>
      confidence >= besideSureWord && box[3] <= highestBeside * highest && /[\p{L}\p{N}]/u.test(text);
    return line.filter((one) => isSure(one) || isBeside(one) || isBlank(one));
  });
}

/** A line to write on, drawn or dotted. */
function isBlank({ text, box }: ReadWord): boolean {
  return blank.test(text) && box[2] > 3 * box[3];
}
