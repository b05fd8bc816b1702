/** Scores each line of a page, wherever it appears in the reading. */
import { distance, type PageScore, scorePage, signsOf } from '../ink/score-page.ts';

/** One line of the page. */
export interface LineScore {
  /** Index among the page's lines. */
  line: number;
  signs: number;
  /** Signs to change in the nearest reading; all of them if none is near. */
  errors: number;
  /** At least half its signs were read. */
  isFound: boolean;
  isExact: boolean;
  /** Index of its reading among those given; −1 if it was not found. */
  reading: number;
}

export interface ReadPageScore {
  lines: LineScore[];
  /** In the page's order, including missed lines and invented ones. */
  whole: PageScore;
}

/**
 * @param truth the page's lines, LaTeX
 * @param unsure indexes of lines that nobody could decipher: neither they nor their readings count
 */
export function scoreLines(
  truth: readonly string[],
  read: readonly string[],
  unsure: readonly number[] = [],
): ReadPageScore {
  const wanted = truth.map(signsOf);
  const got = read.map(signsOf);
  const pairs = wanted
    .flatMap((signs, line) =>
      got.map((other, reading) => {
        const errors = distance(signs, other);
        return { line, reading, errors, share: errors / Math.max(1, signs.length) };
      }),
    )
    .filter(({ share, reading }) => share <= 0.5 && got[reading]!.length > 0)
    .sort((a, b) => a.share - b.share);
  const lines: LineScore[] = wanted.map((signs, line) => ({
    line,
    signs: signs.length,
    errors: signs.length,
    isFound: false,
    isExact: false,
    reading: -1,
  }));
  const taken = new Set<number>();
  for (const { line, reading, errors } of pairs) {
    if (lines[line]!.isFound || taken.has(reading)) continue;
    taken.add(reading);
    lines[line] = { ...lines[line]!, errors, isFound: true, isExact: errors === 0, reading };
  }
  const left = new Set(unsure.map((line) => lines[line]?.reading ?? -1));
  const isSettled = (_: unknown, line: number) => !unsure.includes(line);
  return {
    lines: lines.filter(isSettled),
    whole: scorePage(
      truth.filter(isSettled),
      read.filter((_, reading) => !left.has(reading)),
    ),
  };
}
