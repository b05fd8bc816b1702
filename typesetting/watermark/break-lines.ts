/** Breaks a long watermark into several lines: on one it would be too small to read. */
import { splitClusters } from './choose-fonts.ts';

/** On an A4 page a line of this many characters is about 36 points high. */
const longestLine = 44;

/**
 * The author's own lines; those too long are broken at spaces into lines of similar length, and within a word
 * if it alone is too long.
 */
export function breakLines(text: string): string[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/[\p{Cc}\s]+/gu, ' ').trim())
    .filter((line) => line !== '')
    .flatMap(breakLine);
}

function breakLine(line: string): string[] {
  const length = splitClusters(line).length;
  const count = Math.ceil(length / longestLine);
  if (count === 1) return [line];
  // lines of equal length, except for words that are not broken
  const wanted = Math.min(longestLine, Math.ceil(length / count) + 4);
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ').flatMap((part) => breakWord(part))) {
    const joined = current === '' ? word : `${current} ${word}`;
    if (current !== '' && splitClusters(joined).length > wanted) {
      lines.push(current);
      current = word;
    } else current = joined;
  }
  return [...lines, current];
}

function breakWord(word: string): string[] {
  const clusters = splitClusters(word);
  const parts = Math.ceil(clusters.length / longestLine);
  const size = Math.ceil(clusters.length / parts);
  return Array.from({ length: parts }, (_, part) => clusters.slice(part * size, (part + 1) * size).join(''));
}
