/**
 * The embedded reader: no key, no network. A PDF page with a sound text layer is read from its glyphs; any other page
 * is read from its picture as print or, if it turns out not to be print, as handwriting. The reading with the higher
 * confidence is used; if neither is usable, the page's picture is kept in its place.
 */
import sharp from 'sharp';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { Warning } from '#shared/api/errors.ts';
import type { Box } from './box.ts';
import {
  handwritingSkippedWarning,
  handwritingWarning,
  textSkippedWarning,
  unreadWarning,
} from './handwriting-warnings.ts';
import { lineConfidence } from './ink/choice/confidence.ts';
import type { InkPage, PictureOfInk } from './ink/read-ink.ts';
import type { InkLine } from './ink/read-lines.ts';
import { type InkReader, openInkReader } from './ink/reader.ts';
import { chooseInk, chooseNotes, formulasFrom } from './mixed/choose-ink.ts';
import { findSurePrint, groupOthers } from './mixed/find-print.ts';
import { mergeInk } from './mixed/merge-ink.ts';
import { type Bitmap, type PreparedPage, wholePage } from './page.ts';
import { findDrawn } from './pages/find-drawn.ts';
import { hidePrint, inkShare, minInk } from './pages/hide-print.ts';
import { layOnPaper } from './pages/paper/lay-on-paper.ts';
import { boxAround } from './positions/align-text.ts';
import { looksPrinted, type PrintSigns } from './print/formulas/look-printed.ts';
import { type FormulaReader, openFormulaReader } from './print/formulas/reader.ts';
import { printConfidence, type ReadPage, type ReadWord, readPrint } from './print/read-print.ts';
import { toGrey } from './raster.ts';
import { createTextLayerReader, type TextLayerReader, type TextLayerResult } from './text-layer/reader.ts';
import {
  movePage,
  type TranscribedPage,
  type TranscribeHints,
  type TranscribeInput,
  type Transcriber,
  type Transcription,
} from './transcriber.ts';

export interface EmbeddedOptions {
  /** Reads a picture as print. */
  print?: typeof readPrint;
  textLayer?: TextLayerReader;
  /** Null: handwriting is not read. Default: uses the weights in `reading/models/`, if present. */
  ink?: InkReader | null;
  /** Null: printed formulas are not read. Default: uses the weights in `reading/models/`, if present. */
  formulas?: FormulaReader | null;
}

/** Below this confidence Tesseract's text is noise; the page's picture is more useful. */
const pictureConfidence = 0.35;
/** Print at or above this confidence is not checked for ink. */
const surePrintConfidence = 0.85;
/**
 * From this confidence of the ink reader on, a page that may be print is handwriting, unless its signs are print. On
 * printed pages its confidence is up to 0.32.
 */
const inkOverPrint = 0.25;
/** Minimum share of printed lines on a page that is entirely print. */
const printedShare = 0.5;
/**
 * A page with words that look like print is still handwriting if the ink reader has this confidence in all of it: 0.62
 * or more on pages in neat hands, at most 0.32 on print.
 */
const sureOfWholePage = 0.5;
/**
 * A page with this share of signs that are certainly print is a printed sheet, whatever the ink reader's confidence
 * (0.76 on large, plain print). The share is 0.86 or more on printed sheets filled in by hand, 0.68 on a very neat
 * hand, and at most 0.22 on photos of handwriting.
 */
const surelyPrinted = 0.77;
/** A page of ink with a higher confidence gets no warning; photos of paper are below it. */
const sureInkConfidence = 0.85;

export function createEmbeddedTranscriber(options: EmbeddedOptions = {}): Transcriber {
  const print = options.print ?? readPrint;
  const textLayer = options.textLayer ?? createTextLayerReader();
  const ink = options.ink === undefined ? openInkReader() : options.ink;
  const formulas = options.formulas === undefined ? openFormulaReader() : options.formulas;
  return {
    id: 'embedded',
    async transcribe(input): Promise<Transcription> {
      const { source, hints, signal } = input;
      // warns if the ink reader gave up, even if another reader then read the page
      const fallbacks: Warning[] = [];
      const readInk: ReadInk = async (picture) => {
        const read = (await ink?.read(picture, hints.pageNumber, signal, hints.owner)) ?? null;
        if (ink && !read) fallbacks.push({ ...handwritingSkippedWarning });
        return read;
      };
      const done = (page: TranscribedPage): Transcription => ({
        kind: 'transcribed',
        page: fallbacks.length > 0 ? { ...page, warnings: [...fallbacks, ...page.warnings] } : page,
      });
      // if somebody had to rotate the page, its text layer is rotated too
      if (source.kind === 'pdf' && !source.turn) {
        const result = await textLayer.read(input);
        if (result.kind === 'transcribed')
          return done(ink ? await withAnnotations(result, input, textLayer, readInk) : result.page);
        signal.throwIfAborted();
        if (result.kind === 'failed') fallbacks.push({ ...textSkippedWarning });
      }
      const picture = await wholePage(await input.picture());
      return done(await readLaid({ print, ink: ink && readInk, formulas }, picture, hints, signal));
    },
    async close() {
      await Promise.all([textLayer.close(), ink?.close(), formulas?.close()]);
    },
  };
}

/** Null if there is no handwriting reader, or the page exceeded its limits. */
type ReadInk = (picture: PictureOfInk) => Promise<InkPage | null>;

/** A page read from its glyphs, plus any drawings on it that turn out to be handwriting. */
async function withAnnotations(
  { page, marks }: Extract<TextLayerResult, { kind: 'transcribed' }>,
  input: TranscribeInput,
  textLayer: TextLayerReader,
  readInk: ReadInk,
): Promise<TranscribedPage> {
  if (!marks) return page;
  const picture = await input.picture();
  const drawn = picture.drawn ? await picture.drawn(marks) : findDrawn(await wholePage(picture), marks);
  if (!drawn) return page;
  const written = await readInk(drawn);
  const notes = chooseNotes(written, marks, page.figures);
  if (notes.length === 0) return page;
  const again = await textLayer.read(
    input,
    notes.map(({ box }) => box),
  );
  if (again.kind !== 'transcribed') return page;
  return fromMixed(mergeInk(again.page, notes), notes, written?.warnings ?? []);
}

interface PictureReaders {
  print: typeof readPrint;
  ink: ReadInk | null;
  formulas: FormulaReader | null;
}

/** Reads a page of which there is only a picture; one taken from too near is laid on paper. */
async function readLaid(
  readers: PictureReaders,
  picture: PreparedPage,
  hints: TranscribeHints,
  signal: AbortSignal,
): Promise<TranscribedPage> {
  const laid = picture.letters ? await layOnPaper(picture.bitmap, picture.letters) : null;
  if (!laid) return readPicture(readers, picture, hints, signal);
  const { bitmap, toPicture } = laid;
  // blank paper around a photo looks as even as a screen
  const { ink } = readers;
  const inkOfPhoto: ReadInk | null =
    ink && picture.origin === 'photo' ? (part) => ink({ ...part, isFromScreen: false }) : ink;
  const read = await readPicture({ ...readers, ink: inkOfPhoto }, { ...picture, bitmap }, hints, signal);
  return movePage(read, toPicture);
}

/**
 * Reads a page of which there is only a picture. Words that are certainly print are hidden from the ink reader, and
 * what that reads with confidence is hidden from the print reader. Each writes its own regions; handwriting is inserted
 * between the lines of print according to its position on the paper.
 */
async function readPicture(
  { print, ink, formulas }: PictureReaders,
  picture: PreparedPage,
  hints: TranscribeHints,
  signal: AbortSignal,
): Promise<TranscribedPage> {
  let inkLines: InkLine[] = [];
  let inkWarnings: Warning[] = [];
  let whole = null as InkPage | null;
  let isSheet = false;
  const lookAt = async (boxes: ShareBox[]): Promise<PrintSigns[]> => {
    if (boxes.length === 0 || !formulas) return [];
    const look = { grey: toGrey(picture.bitmap), boxes: boxes.map((box) => toPixels(box, picture.bitmap)) };
    return (await formulas.look(look, signal, hints.owner)) ?? [];
  };
  const printed = await print(picture, hints, signal, {
    formulas,
    claim: async (words) => {
      const certain = findSurePrint(words);
      if (!ink || certain.length === 0) return [];
      // most of the rest are formulas: their signs are known sooner than they are read as ink
      const others = groupOthers(words, certain);
      const boxes = others.map((group) => boxAround(group.map(({ box }) => box)));
      const seen = await lookAt(boxes);
      const isPrinted = (_: unknown, at: number) => seen[at] !== undefined && looksPrinted(seen[at]);
      const sure = [...certain, ...others.filter(isPrinted).flat()];
      const bitmap = hidePrint(picture.bitmap, [
        ...certain.map(({ box }) => box),
        ...boxes.filter(isPrinted),
      ]);
      if (inkShare(bitmap) < minInk) return [];
      isSheet = signsOf(sure) >= surelyPrinted * signsOf(words);
      const low = formulasFrom(words, certain);
      const rest = await ink({ ...picture, bitmap, isRest: isSheet, formulasFrom: low });
      const chosen = await chooseInk(rest?.lines ?? [], words, certain, lookAt, seen);
      inkLines = chosen.lines;
      inkWarnings = rest?.warnings ?? [];
      if (inkLines.length === 0) return [];
      if (isSheet) return chosen.claimed;
      const all = await ink(picture);
      whole = all && all.confidence >= sureOfWholePage ? all : null;
      return whole ? [] : chosen.claimed;
    },
  });
  if (whole) return fromInk(whole);
  if (inkLines.length > 0)
    return fromMixed(mergeInk(withoutConfidence(printed), inkLines), inkLines, inkWarnings);
  // a page without print may still contain handwriting that is too faint for the print reader
  const isEmpty = printed.body === '' && printed.figures.length === 0;
  const isPrint = printed.confidence >= printConfidence && !isEmpty;
  if (isPrint && (isSheet || printed.confidence >= surePrintConfidence)) return withoutConfidence(printed);
  const written = (await ink?.(picture)) ?? null;
  if (isEmpty && (!ink || written?.body === '')) return withoutConfidence(printed);
  if (written && (isPrint ? written.confidence >= inkOverPrint : written.isWriting) && written.body !== '') {
    const lines = isPrint ? await lookAt(written.lines.map(({ box }) => box)) : [];
    if (lines.filter(looksPrinted).length <= printedShare * lines.length) return fromInk(written);
  }
  return isPrint ? withoutConfidence(printed) : await unread(printed, picture, hints);
}

const toPixels = ([left, top, width, height]: ShareBox, page: Bitmap): Box => ({
  left: left * page.width,
  top: top * page.height,
  right: (left + width) * page.width,
  bottom: (top + height) * page.height,
});

const signsOf = (words: readonly ReadWord[]) => words.reduce((count, { text }) => count + text.length, 0);

function fromMixed(
  page: TranscribedPage,
  lines: readonly InkLine[],
  inkWarnings: readonly Warning[],
): TranscribedPage {
  const length = lines.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const sure = lines.reduce((sum, line) => sum + lineConfidence(line) * line.tokens.length, 0) / length;
  const unsure = sure >= sureInkConfidence ? [] : [{ ...handwritingWarning }];
  return { ...page, warnings: [...unsure, ...inkWarnings, ...page.warnings] };
}

function withoutConfidence<Page extends TranscribedPage & { confidence: number }>({
  confidence: _,
  ...page
}: Page): Omit<Page, 'confidence'> {
  return page;
}

function fromInk({ lines: _, isWriting: __, ...page }: InkPage): TranscribedPage {
  const { warnings, ...read } = withoutConfidence(page);
  const isSure = page.confidence >= sureInkConfidence;
  return { ...read, warnings: isSure ? warnings : [{ ...handwritingWarning }, ...warnings] };
}

/** Neither print nor ink: Tesseract's guess, marked as doubtful, or the picture. */
async function unread(
  { confidence, ...page }: ReadPage,
  picture: PreparedPage,
  hints: TranscribeHints,
): Promise<TranscribedPage> {
  const warnings = [{ ...unreadWarning }, ...page.warnings];
  if (confidence >= pictureConfidence && page.body.trim() !== '') {
    return {
      ...page,
      warnings,
      doubtful: [
        { start: 0, end: page.body.length, confidence, reason: 'handwriting read as print' },
        ...page.doubtful,
      ],
    };
  }
  const name = `figure-p${hints.pageNumber}-1.png`;
  const bytes = new Uint8Array(await sharp(picture.preview).png().toBuffer());
  const body = `\\begin{center}\n  \\includegraphics[width=\\linewidth,height=0.9\\textheight,keepaspectratio]{${name}}\n\\end{center}`;
  return {
    body,
    packages: [{ name: 'graphicx' }],
    preamble: [],
    figures: [{ name, bytes, box: { left: 0, top: 0, width: 1, height: 1 } }],
    warnings,
    doubtful: [],
    places: [{ start: 0, end: body.length, box: [0, 0, 1, 1] }],
    endsParagraph: true,
    startsParagraph: true,
  };
}
