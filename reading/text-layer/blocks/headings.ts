/** Section headings: larger or bold lines of their own, with or without a number. */

import { readLine } from '../lines/inline.ts';
import type { Line } from '../lines/lines.ts';
import {
  dropFront,
  joinLines,
  plainStyle,
  plainText,
  type Span,
  trimFront,
  writeSpans,
} from '../lines/spans.ts';
import type { Glyph } from '../model.ts';
import type { ReadState } from '../state.ts';
import { type ColumnEdges, proseWords, roomBetween } from './display.ts';
import { runInGap } from './line-ends.ts';
import {
  chapterName,
  countOf,
  gapAfterNumber,
  hasSlantedWords,
  isCapitals,
  isRoman,
  isRomanSection,
  isSlanted,
  leadingNumber,
  leastGap,
  partName,
  runInNumber,
  runInSection,
} from './section-numbers.ts';

export interface Heading {
  latex: string;
  /** Number of further lines it occupies. */
  taken: number;
  level: number;
  /** As printed, e.g. 3.1; null without one. */
  number: string | null;
}

/** @param inset least distance from the left edge, as a share of the column's width */
function isCentredIn(line: Line, edges: ColumnEdges, inset = 0.02): boolean {
  const width = edges.right - edges.left;
  return (
    Math.abs(line.x0 - edges.left - (edges.right - line.x1)) < 0.03 * width &&
    line.x0 - edges.left > inset * width
  );
}

/** As a heading's further lines are, which the first one's number moves aside. */
function isNearMiddle(line: Line, edges: ColumnEdges): boolean {
  const [left, right] = [line.x0 - edges.left, edges.right - line.x1];
  return (
    left > 0.02 * (edges.right - edges.left) && Math.abs(left - right) < 0.1 * (edges.right - edges.left)
  );
}

/** The level of a larger heading without a number beside those that have one: theirs if it is as large, else the next. */
function levelBySize(line: Line, state: ReadState): number | null {
  const levels = [...state.headingSizes].sort(([a], [b]) => a - b);
  const same = levels.find(([, size]) => Math.abs(size - line.size) < 0.03 * line.size);
  if (same) return Math.min(same[0], 3);
  const larger = levels.filter(([, size]) => size > line.size).at(-1);
  return larger ? Math.min(larger[0] + 1, 3) : null;
}

function isSetOff(line: Line, next: Line | null | undefined): boolean {
  return !next || next.baseline - line.baseline > 1.15 * line.size;
}

/** Greatest distance of a heading's lines, in its ems; \\linespread moves them apart as it does the text's. */
function widestLeading({ leading, bodySize }: ReadState): number {
  return Math.max(1.5, (1.25 * leading) / bodySize);
}

/** As \@startsection leaves space: more above than below, and below more than between lines. */
function isSpacedAsHeading(
  above: Line,
  first: Line,
  last: Line,
  below: Line | null | undefined,
  { leading }: ReadState,
): boolean {
  if (!below) return false;
  const [before, after] = [roomBetween(above, first, leading), roomBetween(last, below, leading)];
  return before > 0.9 && after > 0.4 && before > 1.3 * after;
}

/** Slanted words with a number, and space above. */
function isSlantedHeading(
  line: Line,
  above: Line | null,
  below: Line | null | undefined,
  { leading }: ReadState,
): boolean {
  return (
    hasSlantedWords(line) &&
    (!above || roomBetween(above, line, leading) > 0.5) &&
    (!below || !isSlanted(below))
  );
}

/** How many lines a bold heading of the text's size goes on over: each but the last is full. */
function boldLinesBelow(
  line: Line,
  following: readonly (Line | null)[],
  { left, right }: ColumnEdges,
  state: ReadState,
): number {
  const end = following.findIndex((next, i) => {
    const upper = i === 0 ? line : following[i - 1];
    return (
      !next ||
      !upper ||
      upper.x1 < right - 0.25 * (right - left) ||
      next.baseline - upper.baseline > widestLeading(state) * line.size ||
      next.glyphs.some((g) => g.font.family === 'none' && !g.font.bold)
    );
  });
  return end < 0 ? following.length : end;
}

const commands = ['\\section', '\\subsection', '\\subsubsection', '\\paragraph'];

export function readHeading(
  line: Line,
  following: readonly (Line | null)[],
  edges: ColumnEdges,
  state: ReadState,
  above: Line | null,
  isChapter = false,
): Heading | null {
  const ratio = line.size / state.bodySize;
  const letters = line.glyphs.filter((g) => /\p{L}|\d/u.test(g.text) && g.size > 0.85 * line.size);
  if (letters.length === 0) return null;
  const isLarge = isChapter || ratio > 1.08;
  // beside larger words, a number may have another weight
  const weighed = isLarge ? letters.filter((g) => /\p{L}/u.test(g.text)) : letters;
  const isBold = weighed.every((g) => g.font.bold || g.font.family !== 'none');
  const isCaps = isCapitals(line);
  const spans = readLine(line, state.inline);
  const text = plainText(spans);
  // an entry of a table of contents, with its dots
  if (/(?:\.\s*){5}/.test(text)) return null;
  if (text.length < 2 || text.length > 160 || !/\p{L}/u.test(text)) return null;
  const isSlantedOne = !isLarge && isSlantedHeading(line, above, following[0], state);
  if (!isLarge && !isBold && !isCaps && !isSlantedOne) return null;
  if (isLarge && !isBold && ratio < 1.15 && !isChapter) return null;
  const named = isLarge || isCentredIn(line, edges) ? (chapterName.exec(text) ?? partName.exec(text)) : null;
  const title =
    named && following[0] ? readHeading(following[0], following.slice(1), edges, state, null, true) : null;
  if (named && title) {
    const [, number = ''] = named;
    const isPart = partName.test(text);
    const command = isPart ? `${partCounter(number, state)}\\part` : (commands[0] as string);
    return {
      latex: title.latex.replace(/^\\\w+\*?/, () => command),
      taken: title.taken + 1,
      level: 0,
      number: isPart ? null : number,
    };
  }
  const isCentredLine = isCentredIn(line, edges);
  if (isCaps && !isLarge && !isCentredIn(line, edges, -0.01)) return null;
  const leading = leadingNumber(text);
  const hasGap = leading !== null && gapAfterNumber(line, leading.number) > leastGap;
  const isRomanOne = isRomanSection(line) && isCentredIn(line, edges, -0.01);
  const isNumbered =
    leading !== null &&
    (hasGap || isCaps) &&
    (/\d/.test(leading.number) || (isLarge && !isCaps) || isRomanOne);
  const romanSections = '\\renewcommand{\\thesection}{\\Roman{section}}';
  // a display with bold letters
  if (
    !isNumbered &&
    line.glyphs.some((g) => g.font.family !== 'none') &&
    proseWords(line.glyphs, line).length === 0
  )
    return null;
  const more = isBold && !isLarge ? boldLinesBelow(line, following, edges, state) : 0;
  // amsproc and amsbook set sections in bold type in the middle
  const isBoldCentred =
    !isLarge && isBold && (isNumbered ? isCentredIn(line, edges, -0.01) : isCentredLine && state.isAms);
  if (!isLarge && !isNumbered && !((isCaps || isBoldCentred) && isSetOff(line, following[0]))) {
    // bold at body size: a heading only if it is short, on its own, and not a sentence
    const next = following[0];
    const isAlone =
      line.x1 < edges.right - 0.25 * (edges.right - edges.left) &&
      (!next || next.baseline - line.baseline > 1.25 * line.size);
    if (isCentredLine || isCaps || line.x0 > edges.left + 0.5 * line.size) return null;
    const last = following[more - 1] ?? line;
    const isSpaced = above !== null && isSpacedAsHeading(above, line, last, following[more], state);
    if (!isSpaced && (!isAlone || /[.,;:]$/.test(text))) return null;
  }
  // a title, unless numbered headings are as large; a heading that nearly fills its line is centred by chance
  const isAsLarge = [...state.headingSizes.values()].some((size) => Math.abs(size - line.size) < 0.1);
  if (isCentredIn(line, edges, 0.08) && !isNumbered && isLarge && !isChapter && !(isBold && isAsLarge))
    return null;
  let taken = 0;
  const lines: Span[][] = [spans];
  for (const next of following) {
    if (
      !next ||
      Math.abs(next.size - line.size) > 0.05 * line.size ||
      next.baseline - line.baseline > (taken + 1) * widestLeading(state) * line.size
    )
      break;
    const nextSpans = readLine(next, state.inline);
    const nextLetters = next.glyphs.filter((g) => /\p{L}/u.test(g.text));
    if (
      !(
        isLarge ||
        taken < more ||
        ((isBoldCentred || (isCaps && isCapitals(next))) && isNearMiddle(next, edges))
      ) ||
      nextLetters.some((g) => g.font.bold !== isBold && g.font.family === 'none') ||
      /^\d+(\.\d+)*\s/.test(plainText(nextSpans))
    )
      break;
    lines.push(nextSpans);
    taken += 1;
  }
  let joined = joinLines(lines, state.knows);
  if (isNumbered) joined = stripNumber(joined, leading.length);
  if (isNumbered && isRoman(leading.number) && !state.preamble.includes(romanSections))
    state.preamble.push(romanSections);
  const level = isNumbered
    ? Math.min(leading.number.split('.').length - 1, 3)
    : isLarge || isCaps || isBoldCentred
      ? (levelBySize(line, state) ?? (ratio > 1.3 || !isLarge ? 0 : 1))
      : Math.max(2, levelBySize(line, state) ?? 2);
  const textLetters = letters.filter((g) => g.font.family === 'none');
  const name = writeSpans(joined, {
    ...plainStyle,
    bold: isBold,
    italic: isSlantedOne,
    smallCaps: isCaps,
    sans: textLetters.every((g) => g.font.sans),
  }).trim();
  return {
    latex: `${commands[level]}${isNumbered ? '' : '*'}{${name}}`,
    taken,
    level,
    number: isNumbered ? leading.number : null,
  };
}

/** LaTeX counts parts itself, unless what was read begins behind the first. */
function partCounter(number: string, { lastNumber }: ReadState): string {
  const count = countOf(number.toUpperCase());
  return count > 1 && !lastNumber ? `\\setcounter{part}{${count - 1}}\n` : '';
}

export interface RunIn {
  latex: string;
  number: string;
  /** Number of further lines that belong to the heading. */
  taken: number;
  /** What follows the heading on its last line. */
  rest: Span[];
}

/** A numbered heading at the beginning of its paragraph; its bold words may fill a line and go on. */
export function readRunIn(line: Line, following: readonly (Line | null)[], state: ReadState): RunIn | null {
  const found = runInNumber(line) ?? runInSection(line);
  // larger lines without other words run into nothing
  const isWhole = line.glyphs.every((g) => g.font.bold || g.font.family !== 'none');
  if (!found || (isWhole && line.size > 1.08 * state.bodySize)) return null;
  const lines: Span[][] = [];
  let rest: Span[] = [];
  for (let taken = 0; taken < 3; taken++) {
    const current = taken === 0 ? line : following[taken - 1];
    if (!current) break;
    const all = readLine(current, state.inline);
    const spans = taken === 0 ? dropFront(all, found.length) : all;
    // up to the first upright words; formulas belong to the heading if bold words follow
    const at = spans.findIndex((s) => s.kind === 'text' && !s.style.bold && s.text.trim() !== '');
    const end = at < 0 ? spans.length : spans.slice(0, at).findLastIndex((s) => s.kind === 'text') + 1;
    if (end === 0) break;
    lines.push(spans.slice(0, end));
    rest = trimFront(spans.slice(end));
    const title = joinLines(lines, state.knows);
    const next = following[taken];
    const goesOn = next && roomBetween(current, next, state.leading) < 0.3;
    if (at < 0 && taken < 2 && goesOn && !/\.\s*$/.test(plainText(title))) continue;
    const name = writeSpans(title, { ...plainStyle, bold: true })
      .trim()
      .replace(/\.$/, '');
    if (name === '' || name.length > 200) return null;
    const level = found.number.split('.').length - 1;
    return { latex: `${commands[level]}{${name}}`, number: found.number, taken, rest };
  }
  return null;
}

/**
 * A heading without a number that runs into its text: bold words and a wide space, or, in the AMS classes, bold or
 * slanted words up to their full stop, half an em before the text.
 */
export function readNamed(
  spans: readonly Span[],
  line: Line,
  room: number,
  state: ReadState,
): { latex: string; rest: Span[] } | null {
  const first = spans[0];
  if (first?.kind !== 'text') return null;
  if (first.style.bold && spans.length > 1 && runInGap(spans, line) >= 0.75) {
    const name = writeSpans([{ ...first, text: first.text.trim(), style: plainStyle }]);
    const numbered = /^(\d+(?:\.\d+)+)\s+(.*)$/.exec(name);
    return { latex: `\\paragraph{${numbered ? numbered[2] : name}} `, rest: trimFront(spans.slice(1)) };
  }
  const { bold, italic } = first.style;
  // llncs: about half an em after the words, and 18 pt above them
  if (bold && room > 1.5 && spans.length > 1 && runInGap(spans, line) > 0.4) {
    const name = writeSpans([{ ...first, text: first.text.trim(), style: plainStyle }]);
    if (/^\p{L}[^.:\d]*$/u.test(first.text.trim()))
      return { latex: `${commands[2]}*{${name}}\n`, rest: trimFront(spans.slice(1)) };
  }
  if (!state.isAms || !(bold || italic) || !/^\p{Lu}/u.test(first.text)) return null;
  const isSame = (s: Span) => s.kind !== 'text' || (s.style.bold === bold && s.style.italic === italic);
  const at = spans.findIndex((s) => !isSame(s) && s.kind === 'text' && s.text.trim() !== '');
  const end = at < 0 ? spans.length : at;
  const title = spans.slice(0, end);
  const text = plainText(title);
  const isName =
    /^\p{L}[^.]*\s[^.]*\.$/u.test(text) && !/^\p{L}+ [\d(]|theorem|lemma|proof|satz|beweis/iu.test(text);
  if (!isName || text.length > 120 || (at >= 0 && Math.abs(gapAfterStop(line, bold) - 0.5) > 0.03))
    return null;
  const name = writeSpans(title, { ...plainStyle, bold, italic })
    .trim()
    .replace(/\.$/, '');
  return { latex: `${commands[bold ? 1 : 2]}*{${name}}\n`, rest: trimFront(spans.slice(end)) };
}

/** Space after the full stop of the bold or slanted words that begin a line, in ems. */
function gapAfterStop(line: Line, isBold: boolean): number {
  const glyphs = [...line.glyphs].sort((a, b) => a.x - b.x);
  const isOwn = (g: Glyph) => (isBold ? g.font.bold : g.font.italic);
  const at = glyphs.findIndex(
    (g, i) => g.text === '.' && isOwn(g) && glyphs[i + 1] && !isOwn(glyphs[i + 1] as Glyph),
  );
  const [stop, next] = [glyphs[at], glyphs[at + 1]];
  return stop && next ? (next.x - stop.x - stop.width) / line.size : 0;
}

function stripNumber(spans: Span[], length: number): Span[] {
  const [first, ...rest] = spans;
  if (first?.kind === 'text') return dropFront(spans, length);
  // a number that was read as an inline formula
  return first?.kind === 'math' ? rest : spans;
}
