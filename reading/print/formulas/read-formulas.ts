/**
 * Reads the mathematics of a printed page: displayed formulas between its lines of prose, and inline formulas. Signs
 * are classified one by one (signs/) and the text layer's parser reads their arrangement, so the result is
 * balanced; prose stays as Tesseract read it.
 */
import { escapeLatex } from '#latex/source/escape.ts';
import { around, type Box, median, middleOf } from '../../box.ts';
import { type DisplayLine, splitTag } from '../../text-layer/blocks/display.ts';
import { isQed, withoutQed } from '../../text-layer/blocks/line-ends.ts';
import { proofEnd, writeDisplay } from '../../text-layer/blocks/write-display.ts';
import { readLine } from '../../text-layer/lines/inline.ts';
import { findLines, type Line as GlyphLine } from '../../text-layer/lines/lines.ts';
import type { Span } from '../../text-layer/lines/spans.ts';
import type { Glyph } from '../../text-layer/model.ts';
import { boundsOf } from '../../text-layer/model.ts';
import { confidenceOf, type Line, type Word } from '../printed-page.ts';
import { formulaConfidence } from './confidence.ts';
import { displayCutter } from './cut-display.ts';
import { findDisplays, findSegments, isProseWord, type Segment } from './find-formulas.ts';
import type { PrintedLines } from './formula-task.ts';
import { withoutStray } from './line-places.ts';
import { lowWords } from './low-letters.ts';
import { measureXHeight } from './measure-text.ts';
import { findTypeface, type Print } from './placing/find-typeface.ts';
import type { PlacedGlyph, PlacedSigns } from './placing/mark-accents.ts';
import { placeSigns } from './placing/place-signs.ts';
import { surest } from './read-again.ts';
import { cutSheet, type Sheet } from './signs/pieces.ts';
import { type ReadSign, readSigns, type SheetSigns } from './signs/read-signs.ts';
import type { Guess, SignModel } from './signs/sign-model.ts';
import { tidyScanned } from './tidy.ts';
import { findWords } from './words/find-words.ts';
import { beginsSentence, findOpening } from './words/opening-words.ts';
import { spellNames } from './words/spell-names.ts';
import { spellWords } from './words/spell-words.ts';

export interface ReadFormulas {
  /** The page's lines in reading order, with formulas in place of Tesseract's reading of them. */
  lines: Line[];
  /** The cells of tables, in the order given, with formulas likewise. */
  cells: Line[];
  packages: string[];
}

/** Text size in the parser's points. */
const textSize = 10;
/** Least confidence of an inline formula, percent; otherwise Tesseract's text is kept. */
const leastInline = 45;
/** Below this confidence of Tesseract's, its text of a formula is worth less than any reading of the signs. */
const leastLegible = 0.6;
/** A page with more signs is not a page of text: 60 lines of 80 signs. */
const mostSigns = 6000;

/** What an unread sign counts as. */
const unread = 0.05;

interface Part {
  sheet: Sheet;
  signs: SheetSigns;
}

export async function readFormulas(
  { grey, page, lines: found, taken, cells }: PrintedLines,
  model: SignModel,
): Promise<ReadFormulas> {
  const xHeight = measureXHeight(grey, [...found, ...cells]);
  if (xHeight === null) return { lines: found, cells, packages: [] };
  const lines = found.map((line) => withoutStray(line, xHeight));
  const displays = findDisplays(grey, page, lines, taken, xHeight);
  const inDisplay = new Set(displays.flatMap((display) => display.lines));
  const prose = lines.filter((line) => !inDisplay.has(line));
  const segments = [
    ...prose.flatMap((line) => findSegments(line, lines, xHeight, lowWords(grey, line, xHeight))),
    ...cells.flatMap((cell) => findSegments(cell, cells, xHeight, lowWords(grey, cell, xHeight))),
  ];
  const read = async (sheet: Sheet): Promise<Part> => ({ sheet, signs: await readSigns(sheet, model) });
  const parts: Part[] = [];
  let count = 0;
  const cutters = displays.map((display) => {
    const others = displays.filter((other) => other !== display).map(({ box }) => box);
    return displayCutter(grey, display, xHeight, [...prose, ...taken, ...others]);
  });
  for (const cut of cutters) parts.push(await read(cut()));
  for (const { box } of segments) {
    if (count > mostSigns) break;
    const part = await read(cutSheet(grey, box, xHeight));
    count += part.signs.signs.length;
    parts.push(part);
  }
  const isBold = looksBold(parts);
  if (isBold) for (const { signs } of parts) signs.signs = signs.signs.map(asPlain);
  const print = findTypeface(
    parts.flatMap(({ signs }) => signs.signs),
    parts[0]?.sheet.xHeight ?? xHeight,
    model.typefaces,
  );
  const spell = (part: Part, words: readonly Word[]) => {
    const own = words.map((word) => onSheet(word, part.sheet));
    const spelled = spellWords(part.signs, own, print, model);
    part.signs = spellNames(findWords(spelled, print, model), print, model);
  };
  for (const part of parts.slice(displays.length)) spell(part, []);
  for (const [at, display] of displays.entries()) {
    const words = display.lines.flatMap((line) => line.words);
    const first = parts[at]!;
    spell(first, words);
    const again = async (threshold: number) => {
      const part = await read(cutters[at]!(threshold));
      count += part.signs.signs.length;
      if (isBold) part.signs.signs = part.signs.signs.map(asPlain);
      spell(part, words);
      return part;
    };
    if (count < mostSigns) parts[at] = await surest(first, again, (part) => sureness(part, print));
  }
  const packages = new Set<string>();
  const shown = displays.flatMap(({ box, column, lines: known }, at) => {
    const part = parts[at];
    return part ? writeShown(part, box, column, { print, packages, size: textSizeOf(lines), known }) : [];
  });
  const replaced = new Map<Line, Line>();
  for (const [at, segment] of segments.entries()) {
    const part = parts[displays.length + at];
    const words = part && writeSegment(part, segment, print, packages);
    if (!words) continue;
    const line = replaced.get(segment.line) ?? segment.line;
    const from = line.words.indexOf(segment.words[0]!);
    const now = [...line.words];
    now.splice(from, segment.words.length, ...words);
    replaced.set(segment.line, { ...line, words: now });
  }
  return {
    lines: inOrder(lines, inDisplay, shown, replaced),
    cells: cells.map((cell) => replaced.get(cell) ?? cell),
    packages: [...packages],
  };
}

/** How sure a reading of a display is as a whole. */
function sureness({ signs }: Part, print: Print): number {
  const lost = signs.signs.filter(({ guesses: [first] }) => first!.sign.text === '').map(() => unread);
  return formulaConfidence([
    ...placeSigns(signs, print).glyphs.map(({ probability }) => probability),
    ...lost,
  ]);
}

/**
 * With a larger bold share, the ink has spread: formulas have bold letters, but hardly bold digits and differentials.
 */
const mostBold = 0.12;

const onSheet = (word: Word, { left, top, scale }: Sheet): Word => ({
  ...word,
  left: (word.left - left) * scale,
  right: (word.right - left) * scale,
  top: (word.top - top) * scale,
  bottom: (word.bottom - top) * scale,
});

/** Whether spread ink or blur makes upright signs look bold all over the page. */
function looksBold(parts: readonly Part[]): boolean {
  const digits = parts.flatMap(({ signs }) =>
    signs.signs.map(({ guesses }) => guesses[0]!.sign).filter(({ text }) => /^[01d]$/.test(text)),
  );
  return digits.filter(({ face }) => face === 'bold').length > mostBold * digits.length;
}

/** Replaces bold guesses by the upright sign. */
function asPlain(sign: ReadSign): ReadSign {
  const plain = new Map<string, Guess>();
  for (const { sign: own, probability } of sign.guesses) {
    const isBold = own.face === 'bold';
    const key = `${isBold ? 'roman' : own.face} ${own.text}`;
    const known = plain.get(key);
    // use the upright sign's guess, if present, for its metrics
    const kept = known && (isBold || known.sign.face !== 'bold') ? known.sign : own;
    plain.set(key, { sign: kept, probability: probability + (known?.probability ?? 0) });
  }
  const guesses = [...plain.values()].map((guess) => ({
    ...guess,
    sign: guess.sign.face === 'bold' ? { ...guess.sign, face: 'roman' } : guess.sign,
  }));
  return { ...sign, guesses: guesses.sort((a, b) => b.probability - a.probability) };
}

/** Displays of one region: its lines of signs, with equation numbers separated, written together. */
function writeShown(
  part: Part,
  box: Box,
  column: { left: number; right: number },
  { print, packages, size, known }: { print: Print; packages: Set<string>; size: number; known: Line[] },
): Line[] {
  const placed = placeSigns(part.signs, print);
  if (placed.glyphs.length === 0) return [];
  const points = pointsOf(part.sheet, print);
  const edges = {
    left: (column.left - part.sheet.left) * points,
    right: (column.right - part.sheet.left) * points,
  };
  const word = findOpening(placed.glyphs, edges.left);
  const lines = findLines(
    placed.glyphs.filter((glyph) => !word.includes(glyph)),
    placed.rules,
    textSize,
  );
  const opening = lineOf({ glyphs: word, rules: [] });
  if (opening) {
    const next = lines.findIndex((line) => line.y0 + line.y1 > opening.y0 + opening.y1);
    lines.splice(next < 0 ? lines.length : next, 0, opening);
  }
  const rows: { lines: DisplayLine[]; isText: boolean }[] = [];
  for (const line of lines) {
    if (isNoise(line)) continue;
    const isAtLeft = line.x0 < edges.left + 2 * textSize;
    const isText =
      line === opening || isQed(line, edges) || (isAtLeft && (isWords(line) || beginsSentence(line)));
    const last = rows.at(-1);
    // if far apart, they are separate displays
    const isNear = last && line.y0 - last.lines.at(-1)!.line.y1 < 1.6 * textSize;
    if (isNear && !isText && !last.isText) last.lines.push(splitEnd(line, edges));
    else rows.push({ lines: [splitEnd(line, edges)], isText });
  }
  return rows.map(({ lines: group, isText }) => {
    const own = boundsOf(group.map(({ line }) => line));
    const glyphs = group.flatMap(({ line }) => line.glyphs) as PlacedGlyph[];
    const place = {
      left: part.sheet.left + own.x0 / points,
      right: part.sheet.left + own.x1 / points,
      top: part.sheet.top + own.y0 / points,
      bottom: part.sheet.top + own.y1 / points,
    };
    const confidence = formulaConfidence(glyphs.map(({ probability }) => probability ?? 1));
    const line = {
      ...column,
      top: Math.max(box.top, place.top),
      bottom: place.bottom,
      size,
      paragraph: -1,
      area: -1,
    };
    const asRead = known.find((one) => {
      const { y } = middleOf(one);
      return y > place.top && y < place.bottom && one.words.some(isProseWord);
    });
    const isOpening = group[0]!.line === opening;
    const isEnd = isQed(group[0]!.line, edges);
    if (isText && asRead && !isOpening && !isEnd) return asRead;
    if (isText) {
      const text = isOpening
        ? glyphs.map((glyph) => glyph.text).join('')
        : latexOf(readLine(group[0]!.line, { mathFonts: new Set(), packages }));
      const word = { ...place, text, confidence: Math.round(100 * confidence), latex: text };
      return { ...line, left: place.left, right: place.right, words: [word] };
    }
    return {
      ...line,
      words: [],
      display: { latex: tidyScanned(writeDisplay(group, { packages })), confidence },
    };
  });
}

/** A row of a display with its number; the sign of a proof's end at the right edge is its mark in the same way. */
export function splitEnd(row: GlyphLine, edges: { left: number; right: number }): DisplayLine {
  const line = withoutQed(row, edges);
  return line ? { line, glyphs: line.glyphs, tag: proofEnd, room: 0 } : splitTag(row, edges);
}

/** Points, accents and the like that belong to nothing; a number in the margin without its formula. */
function isNoise({ glyphs }: GlyphLine): boolean {
  const text = glyphs.map((glyph) => glyph.text).join('');
  return /^(?:[.,:;·•˙ˆ˜ˇ′−'|]|\u20d7)*$/u.test(text) || /^\(?\d{0,2}\)?$/.test(text);
}

/** Whether most glyphs are letters of a text face. */
function isWords({ glyphs }: GlyphLine): boolean {
  const letters = glyphs.filter(({ text, font }) => font.family === 'none' && /^\p{L}+$/u.test(text));
  return letters.length > 0.6 * glyphs.length;
}

/** Tesseract's size for most lines. */
function textSizeOf(lines: readonly Line[]): number {
  return median(lines.flatMap((line) => line.words.map(() => line.size))) || 0;
}

/** The parser's points per pixel of the page. */
function pointsOf(sheet: Sheet, print: Print): number {
  return (4.31 / print.xHeight) * sheet.scale;
}

/** The text of a run of words, formulas included; null if it has none. */
function writeSegment(part: Part, segment: Segment, print: Print, packages: Set<string>): Word[] | null {
  const isLegible = confidenceOf(segment.words) >= leastLegible;
  // touching signs that cannot be separated are better left to Tesseract
  if (isLegible && part.signs.signs.some(({ guesses: [first] }) => first!.sign.text === '')) return null;
  const placed = placeSigns(part.signs, print);
  const line = lineOf(placed);
  if (!line || !isMathematical(placed.glyphs)) return null;
  const spans = readLine(line, { mathFonts: new Set(), packages });
  if (!spans.some(({ kind }) => kind === 'math')) return null;
  const confidence = Math.round(100 * formulaConfidence(placed.glyphs.map(({ probability }) => probability)));
  // words that merely look odd are better left to Tesseract
  if (isLegible && confidence < leastInline) return null;
  const box = around(segment.words);
  const text = segment.words.map((word) => word.text).join(' ');
  // formulas and adjacent punctuation form one word, so that no space is inserted
  return [{ ...box, text, confidence, latex: latexOf(spans) }];
}

function latexOf(spans: readonly Span[]): string {
  return spans
    .map((span) => {
      if (span.kind === 'math') return `$${tidyScanned(span.latex)}$`;
      return span.kind === 'text' ? escapeLatex(span.text) : span.latex;
    })
    .join('')
    .trim();
}

/** All signs of a segment as one line. */
function lineOf({ glyphs, rules }: PlacedSigns): GlyphLine | null {
  const full = glyphs.filter(({ size, font }) => size === textSize && font.family !== 'extension');
  if (glyphs.length === 0) return null;
  return {
    ...boundsOf(glyphs.map(({ ink }) => ink)),
    glyphs: [...glyphs].sort((a, b) => a.x - b.x || a.baseline - b.baseline),
    rules,
    baseline: median((full.length > 0 ? full : glyphs).map(({ baseline }) => baseline)),
    size: textSize,
  };
}

/** A single letter of mathematics, or several with mathematical signs or scripts. */
function isMathematical(glyphs: readonly Glyph[]): boolean {
  const isMark = ({ text }: Glyph) => /^(?:[•·'’′−–()[\]{}|/.,:;!?ˆ˜˙ˇ¯¨]|\u20d7)$/u.test(text);
  const signs = glyphs.filter((glyph) => !isMark(glyph));
  const letters = signs.filter(({ font, text }) => font.family === 'letters' && /^[a-zA-Z]$/.test(text));
  const isSign = ({ font, text, size }: Glyph) =>
    /^[=+<>]$/.test(text) ||
    size < 0.8 * textSize ||
    (font.family !== 'none' && !(font.family === 'letters' && /^[a-zA-Z]$/.test(text)));
  // several italic letters and nothing else are emphasised prose
  return signs.some(isSign) || (letters.length > 0 && letters.length <= 1) || hasBrackets(glyphs, letters);
}

/** Such as f(x). */
function hasBrackets(glyphs: readonly Glyph[], letters: readonly Glyph[]): boolean {
  return letters.length >= 2 && letters.length <= 4 && glyphs.some(({ text }) => text === '(');
}

/** Displays replace the lines they cover, or are inserted before the first line that begins below them. */
function inOrder(
  lines: readonly Line[],
  gone: ReadonlySet<Line>,
  shown: readonly Line[],
  replaced: ReadonlyMap<Line, Line>,
): Line[] {
  const out = lines.filter((line) => !gone.has(line)).map((line) => replaced.get(line) ?? line);
  for (const display of [...shown].sort((a, b) => a.top - b.top)) {
    const middle = (display.top + display.bottom) / 2;
    const at = out.findIndex(
      (line) =>
        (line.top + line.bottom) / 2 > middle && line.left < display.right && line.right > display.left,
    );
    out.splice(at < 0 ? out.length : at, 0, display);
  }
  return out;
}
