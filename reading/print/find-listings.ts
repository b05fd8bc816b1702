/** Finds listings: lines set in a typewriter face, whose letters all have the same width. */
import { around, type Box, median, middleOf, widthOf } from '../box.ts';
import type { Line, Word } from './printed-page.ts';

export interface Listing {
  box: Box;
  /** Its text, with spaces as printed. */
  lines: string[];
}

/** Fewer words stand at multiples of some width by chance. */
const leastWords = 14;
const leastLines = 2;
/** A letter's width, relative to the font size, and the step in which it is tried. */
const narrowest = 0.4;
const widest = 0.75;
const step = 1.001;
/** A word begins this close to a multiple of the width, and is so many letters long, in widths. */
const offGrid = 0.17;
const offLength = 0.75;
/** Share of words that fit. */
const leastFit = 0.85;
const leastOfLine = 0.5;
/** So many times the fewest words are tried before a line is taken for no listing's first. */
const mostTried = 3;
/** Lines are at most this far apart, relative to their size; more than one empty line ends a listing. */
const farthestLine = 2.9;

/** @returns listings, and the lines outside them */
export function findListings(lines: readonly Line[]): { listings: Listing[]; rest: Line[] } {
  const found: { lines: Line[]; pitch: number }[] = [];
  const rest: Line[] = [];
  let isDirectlyAfter = false;
  for (let from = 0; from < lines.length; from++) {
    const own = listingFrom(lines, from);
    if (!own) rest.push(lines[from]!);
    // a misread line in the middle ends the search, not the listing
    else if (isDirectlyAfter && isNext(found.at(-1)!.lines.at(-1)!, own.lines[0]!))
      found.at(-1)!.lines.push(...own.lines);
    else found.push(own);
    isDirectlyAfter = own !== null;
    from += own ? own.lines.length - 1 : 0;
  }
  const listings = found.map((own) => ({
    box: around(own.lines),
    lines: writeLines(own.lines, own.pitch).filter((line) => !/\\end\{(?:lstlisting|verbatim)\}/.test(line)),
  }));
  return { listings, rest };
}

function isNext(before: Line, line: Line): boolean {
  return line.top > before.top && middleOf(line).y - middleOf(before).y < farthestLine * before.size;
}

/** The longest listing that begins with the line at `from`. */
function listingFrom(lines: readonly Line[], from: number): { lines: Line[]; pitch: number } | null {
  const own: Line[] = [];
  let found: { lines: Line[]; pitch: number } | null = null;
  for (const line of lines.slice(from)) {
    const last = own.at(-1);
    if (last && !isNext(last, line)) break;
    own.push(line);
    const words = own.flatMap((one) => one.words);
    if (own.length < leastLines || words.length < leastWords) continue;
    const { pitch, fitting } = fitGrid(own, words);
    const misfits = own.filter((one) => shareOf(one.words, fitting) < leastOfLine);
    if (misfits.includes(line) && found) break;
    if (misfits.length === 0 && shareOf(words, fitting) >= leastFit) found = { lines: [...own], pitch };
    else if (words.length > mostTried * leastWords) break;
  }
  return found;
}

function shareOf(words: readonly Word[], fitting: ReadonlySet<Word>): number {
  return words.filter((word) => fitting.has(word)).length / words.length;
}

/** The width of a letter at which most words are on a grid, and these words. */
function fitGrid(lines: readonly Line[], words: readonly Word[]): { pitch: number; fitting: Set<Word> } {
  const size = median(lines.map((line) => line.size));
  let best = { pitch: 0, fitting: new Set<Word>() };
  for (let pitch = narrowest * size; pitch < widest * size; pitch *= step) {
    const ofLength = words.filter((word) => Math.abs(widthOf(word) / pitch - word.text.length) < offLength);
    if (ofLength.length <= best.fitting.size) continue;
    const turn = (word: Word) => (2 * Math.PI * word.left) / pitch;
    const middle = Math.atan2(
      ofLength.reduce((sum, word) => sum + Math.sin(turn(word)), 0),
      ofLength.reduce((sum, word) => sum + Math.cos(turn(word)), 0),
    );
    const fitting = ofLength.filter(
      (word) => Math.cos(turn(word) - middle) > Math.cos(2 * Math.PI * offGrid),
    );
    if (fitting.length > best.fitting.size) best = { pitch, fitting: new Set(fitting) };
  }
  return best;
}

function writeLines(lines: readonly Line[], pitch: number): string[] {
  const left = Math.min(...lines.map((line) => line.left));
  const leading = median(lines.slice(1).map((line, at) => middleOf(line).y - middleOf(lines[at]!).y));
  const out: string[] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    if (before && middleOf(line).y - middleOf(before).y > 1.6 * leading) out.push('');
    let text = '';
    for (const word of line.words) {
      const column = Math.round((word.left - left) / pitch);
      text = `${text}${' '.repeat(Math.max(text ? 1 : 0, column - text.length))}${word.text}`;
    }
    out.push(text.replace(/[’‘]/g, "'").replace(/[“”]/g, '"').replace(/—/g, '-'));
  }
  return out;
}
