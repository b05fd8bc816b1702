/**
 * Reads printed scans: words, paragraphs, headings, lists, plain tables and drawings with Tesseract, formulas with
 * formulas/; without it, formulas come out as doubtful text with a warning. Tesseract's confidence in the whole page
 * indicates whether it was print.
 */
import sharp from 'sharp';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { WorkStarved } from '#platform/work/work-limit.ts';
import type { Warning } from '#shared/api/errors.ts';
import { around, type Box, contains, heightOf, middleOf, widthOf } from '../box.ts';
import { collectGlyphs, measureSide } from '../ink/layout/glyphs.ts';
import type { Bitmap, PreparedPage } from '../page.ts';
import { evenLight } from '../pages/paper/even-light.ts';
import type { KnownLine } from '../positions/align-text.ts';
import { placeByText } from '../positions/place-page.ts';
import { shrink, toGrey, whiten } from '../raster.ts';
import { guessLanguage } from '../text-layer/language.ts';
import type { CroppedFigure, TranscribedPage, TranscribeHints } from '../transcriber.ts';
import { findAlignedTables } from './find-aligned-tables.ts';
import { findBullets } from './find-bullets.ts';
import { findFigures } from './find-figures.ts';
import { type Footnote, findFootnotes, placeFootnotes } from './find-footnotes.ts';
import { findListings } from './find-listings.ts';
import { findTables, type Table } from './find-tables.ts';
import { standInBracket } from './formulas/find-brackets.ts';
import { looksPrinted, type PrintSigns } from './formulas/look-printed.ts';
import type { FormulaReader } from './formulas/reader.ts';
import { joinLines, orderLines } from './join-lines.ts';
import { measureStroke } from './measure-strokes.ts';
import { parseHocr } from './parse-hocr.ts';
import type { PlacedFigure } from './place-parts.ts';
import { confidenceOf, type Line, type PrintedPage } from './printed-page.ts';
import { runTesseract, tesseractLanguages } from './tesseract.ts';
import { writeBody } from './write-body.ts';

export interface ReadPage extends TranscribedPage {
  /**
   * 0 … 1: the reader's confidence in the whole page. On our samples print is above 0.7 and handwriting below 0.5;
   * below `printConfidence` the page is best treated as not read.
   */
  confidence: number;
}

/** A word as it was read, before any interpretation. */
export interface ReadWord {
  text: string;
  /** 0 … 1, Tesseract's own. */
  confidence: number;
  box: ShareBox;
  /** Shared by the words of a line. */
  line: number;
}

export interface PrintOptions {
  /** Called with the page's words; the content of the returned boxes belongs to another reader and is not written. */
  claim?: (words: readonly ReadWord[]) => Promise<readonly ShareBox[]>;
  /** Reads the mathematics in the print; without it, formulas come out as doubtful text. */
  formulas?: FormulaReader | null;
}

/** Boundary between print and handwriting for `ReadPage.confidence`. */
export const printConfidence = 0.6;

/** Tesseract reads letters best at a height of 20 pixels and more; a small picture is doubled in size for it. */
const enlargeBelow = 1100;
/** Long side of A4 in inches: prepared pages are assumed to be about that. */
const pageInches = 11.7;
/** With fewer pieces of ink, the whole page is dust. */
const minGlyphs = 4;

/**
 * Reads a prepared page as print. Does not refuse handwriting: the caller decides by `confidence`.
 * @throws TesseractFailed when Tesseract is missing or fails; the signal's reason.
 */
export async function readPrint(
  picture: PreparedPage,
  hints: TranscribeHints,
  signal: AbortSignal,
  { claim, formulas }: PrintOptions = {},
): Promise<ReadPage> {
  // straightened pages are already evenly lit, and evening them again is not worth the time
  const grey = toGrey(picture.origin === 'render' ? evenLight(picture.bitmap).bitmap : picture.bitmap);
  const glyphs = collectGlyphs(shrink(grey, measureSide));
  if (glyphs.length < minGlyphs) return emptyPage();

  const { page, language } = await recognise(grey, signal, hints.owner);
  for (const line of page.lines) line.stroke = measureStroke(grey, line);
  let judged = page;
  if (formulas && pageConfidence(page, glyphs, grey) < printConfidence)
    judged = await lookAtDoubted(page, (boxes) => formulas.look({ grey, boxes }, signal, hints.owner));
  const confidence = pageConfidence(judged, glyphs, grey);
  const claimed = (await claim?.(listWords(judged))) ?? [];
  const isClaimed = (word: Box) => claimed.some((box) => holds(box, word, page));
  page.lines = page.lines.flatMap((line) => {
    const words = line.words.filter((word) => !isClaimed(word));
    return words.length === line.words.length
      ? [line]
      : words.length
        ? [{ ...line, ...around(words), words }]
        : [];
  });
  page.lines = findBullets(whiten(grey, claimed), orderLines(joinLines(page.lines)));
  const ruled = findTables(page);
  const { listings, rest: text } = findListings(ruled.rest);
  const aligned = findAlignedTables(page, text, (box, size) => !standInBracket(grey, box, size));
  const tables = [...ruled.tables, ...aligned.tables];
  const { rest, footnotes } = findFootnotes(grey, page, aligned.rest);
  const notes = footnotes.flatMap((note) => note.lines);
  const boxes =
    confidence >= printConfidence
      ? findFigures(
          whiten(grey, claimed),
          [...rest, ...notes],
          [...tables, ...listings].map((part) => part.box),
        )
      : [];
  const figures = await Promise.all(
    boxes.map((box, index) => cropFigure(picture.bitmap, box, hints.pageNumber, index + 1)),
  );
  const placed: PlacedFigure[] = boxes.map((box, index) => ({ ...box, name: figures[index]!.name }));
  const outside = rest.flatMap((line) => outsideOf(line, boxes));
  const taken = [...boxes, ...[...tables, ...listings].map((part) => part.box), ...notes];
  const read =
    confidence >= printConfidence
      ? await formulas?.read(
          { grey: whiten(grey, claimed), page, lines: outside, taken, cells: [...cellsOf(tables), ...notes] },
          signal,
          hints.owner,
        )
      : undefined;
  const readNotes = read ? withLines(footnotes, read.cells) : footnotes;
  const lines = placeFootnotes(read?.lines ?? outside, readNotes);
  const readTables = read ? withCells(tables, read.cells) : tables;
  const written = writeBody({
    page,
    lines,
    tables: readTables,
    figures: placed,
    listings,
    isFirstPage: hints.pageNumber === 1,
  });

  const warnings: Warning[] = [];
  if (written.hasFormula)
    warnings.push({
      code: 'FORMULAS_NOT_READ',
      message:
        'Formulas on this scanned page could not be read; their signs are kept as doubtful text. Check them against the picture.',
    });
  const { hasFormula: _, packages, ...body } = written;
  const transcribed = {
    ...body,
    packages: [...packages, ...(read?.packages ?? []).map((name) => ({ name }))],
    preamble: [],
    ...(language ? { layout: { language } } : {}),
    figures,
    warnings,
    confidence,
  };
  return placeByText(
    transcribed,
    page.lines.map((line) => knownLine(line, page)),
  );
}

/** The cells of tables that have words, each as a line. */
function cellsOf(tables: readonly Table[]): Line[] {
  return tables.flatMap(({ rows, size }) =>
    rows
      .flat()
      .flatMap((words) => (words.length ? [{ ...around(words), words, size, paragraph: -1, area: -1 }] : [])),
  );
}

/** Reverses `cellsOf`. */
function withCells(tables: readonly Table[], cells: readonly Line[]): Table[] {
  const left = [...cells];
  return tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => row.map((words) => (words.length ? left.shift()!.words : words))),
  }));
}

/** The notes with their lines as read, which are the last of `lines`. */
function withLines(footnotes: readonly Footnote[], lines: readonly Line[]): Footnote[] {
  const left = [...lines];
  return footnotes
    .toReversed()
    .map((note) => ({ ...note, lines: left.splice(-note.lines.length, note.lines.length) }));
}

function listWords({ lines, width, height }: PrintedPage): ReadWord[] {
  return lines.flatMap(({ words }, line) =>
    words.map(({ text, confidence, left, top, right, bottom }) => ({
      text,
      confidence: confidence / 100,
      box: [left / width, top / height, (right - left) / width, (bottom - top) / height] as ShareBox,
      line,
    })),
  );
}

function holds([left, top, width, height]: ShareBox, word: Box, page: PrintedPage): boolean {
  const { x, y } = middleOf(word);
  const [across, down] = [x / page.width, y / page.height];
  return across > left && across < left + width && down > top && down < top + height;
}

function knownLine(line: Line, page: PrintedPage): KnownLine {
  return {
    text: line.words.map((word) => word.text).join(' '),
    box: [
      line.left / page.width,
      line.top / page.height,
      widthOf(line) / page.width,
      heightOf(line) / page.height,
    ],
  };
}

function emptyPage(): ReadPage {
  return {
    body: '',
    packages: [],
    preamble: [],
    figures: [],
    warnings: [],
    doubtful: [],
    startsParagraph: true,
    endsParagraph: true,
    confidence: 1,
  };
}

/** Reads in English first; if the words indicate another installed language, reads again in that one. */
async function recognise(
  grey: Bitmap,
  signal: AbortSignal,
  owner: string | undefined,
): Promise<{ page: PrintedPage; language: string | null }> {
  const enlarged = Math.max(grey.width, grey.height) < enlargeBelow ? await enlarge(grey) : grey;
  const dpi = Math.round(
    Math.max(150, Math.min(300, Math.max(enlarged.width, enlarged.height) / pageInches)),
  );
  const read = async (tesseractName: string): Promise<PrintedPage> =>
    parseHocr(
      await runTesseract(enlarged, { language: tesseractName, dpi, signal, ...(owner ? { owner } : {}) }),
    );
  const english = await read('eng');
  const textOf = (page: PrintedPage) =>
    page.lines.map((line) => line.words.map((word) => word.text).join(' ')).join('\n');
  const guessed = guessLanguage(textOf(english));
  // a language that Tesseract does not support is more likely a wrong guess from few words
  const language = guessed && tesseractLanguages[guessed] ? guessed : null;
  const keepEnglish = (error: unknown) => {
    if (error instanceof WorkStarved) throw error;
    return english;
  };
  const other = language && language !== 'english' ? tesseractLanguages[language] : undefined;
  const page = other ? await read(other).catch(keepEnglish) : english;
  signal.throwIfAborted();
  return { page: scaleTo(page, grey.width / enlarged.width), language };
}

async function enlarge({ width, height, data }: Bitmap): Promise<Bitmap> {
  const picture = sharp(data, { raw: { width, height, channels: 1 } }).resize({
    width: width * 2,
    kernel: 'cubic',
  });
  const { data: larger, info } = await picture
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 1, data: larger };
}

function scaleTo(page: PrintedPage, scale: number): PrintedPage {
  if (scale === 1) return page;
  const box = <T extends Box>(from: T): T => ({
    ...from,
    left: from.left * scale,
    top: from.top * scale,
    right: from.right * scale,
    bottom: from.bottom * scale,
  });
  return {
    width: page.width * scale,
    height: page.height * scale,
    lines: page.lines.map((line) => ({ ...box(line), size: line.size * scale, words: line.words.map(box) })),
    rules: page.rules.map(box),
  };
}

/** The page with the confidence that signs give to lines that Tesseract doubts: formulas look printed. */
async function lookAtDoubted(
  page: PrintedPage,
  look: (boxes: Box[]) => Promise<PrintSigns[] | null>,
): Promise<PrintedPage> {
  const doubted = page.lines.filter(({ words }) => confidenceOf(words) < printConfidence);
  const seen = (await look(doubted.map(({ words }) => around(words)))) ?? [];
  const lines = page.lines.map((line) => {
    const signs = seen[doubted.indexOf(line)];
    if (!signs || !looksPrinted(signs)) return line;
    const words = line.words.map((word) => ({ ...word, confidence: (100 * signs.sure) / signs.whole }));
    return { ...line, words };
  });
  return { ...page, lines };
}

/** Mean word confidence, lowered by the share of the page's ink that no word covers. */
function pageConfidence(page: PrintedPage, glyphs: readonly Box[], grey: Bitmap): number {
  const words = page.lines.flatMap((line) => line.words);
  const scale = Math.max(1, Math.max(grey.width, grey.height) / 1000);
  const covered = glyphs.filter((glyph) => {
    const { x, y } = middleOf(glyph);
    return page.lines.some((line) => contains(line, { x: x * scale, y: y * scale }));
  });
  return confidenceOf(words) * Math.min(1, covered.length / glyphs.length / 0.8);
}

function outsideOf(line: Line, boxes: readonly Box[]): Line[] {
  const words = line.words.filter((word) => !boxes.some((box) => contains(box, middleOf(word))));
  return words.length ? [{ ...line, words }] : [];
}

async function cropFigure(
  bitmap: Bitmap,
  box: Box,
  pageNumber: number,
  count: number,
): Promise<CroppedFigure> {
  const { width, height, channels, data } = bitmap;
  const bytes = await sharp(data, { raw: { width, height, channels } })
    .extract({
      left: box.left,
      top: box.top,
      width: Math.min(widthOf(box), width - box.left),
      height: Math.min(heightOf(box), height - box.top),
    })
    .png()
    .toBuffer();
  return {
    name: `figure-p${pageNumber}-${count}.png`,
    bytes,
    box: {
      left: box.left / width,
      top: box.top / height,
      width: widthOf(box) / width,
      height: heightOf(box) / height,
    },
  };
}
