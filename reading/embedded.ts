/**
 * The embedded reader: no key, no network. A PDF page with a sound text layer is read from its glyphs; any other page is
 * read as print from its picture, and as handwriting where it turns out to be no print. The surer reading is taken; where
 * neither is any, the page's picture is kept in its place.
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
import { lineConfidence } from './ink/line/confidence.ts';
import type { InkPage, PictureOfInk } from './ink/read-ink.ts';
import type { InkLine } from './ink/read-lines.ts';
import { type InkReader, openInkReader } from './ink/reader.ts';
import { chooseInk, chooseNotes } from './mixed/choose-ink.ts';
import { findSurePrint } from './mixed/find-print.ts';
import { hidePrint, inkShare, showOnly } from './mixed/hide-print.ts';
import { mergeInk } from './mixed/merge-ink.ts';
import { type Bitmap, type PreparedPage, wholePage } from './page.ts';
import { type FormulaReader, openFormulaReader } from './print/formulas/reader.ts';
import { printConfidence, type ReadPage, type ReadWord, readPrint } from './print/read-print.ts';
import { toGrey } from './raster.ts';
import { createTextLayerReader, type TextLayerReader, type TextLayerResult } from './text-layer/reader.ts';
import type {
  TranscribedPage,
  TranscribeHints,
  TranscribeInput,
  Transcriber,
  Transcription,
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
/** A page that may be print is ink from here on, unless its signs are print: of that the ink reader is sure by up to 0.32. */
const inkOverPrint = 0.25;
/** Minimum share of printed lines on a page that is entirely print. */
const printedShare = 0.5;
/**
 * A page with words that look like print is ink all the same when the ink reader is so sure of the whole of it: of pages
 * in neat hands it is by 0.62 or more, of print by 0.32 at most.
 */
const sureOfWholePage = 0.5;
/**
 * A page of which this much is print beyond doubt, in signs, is a printed sheet, however well the ink reader reads it (it
 * comes to 0.76 on large, plain print). Of printed sheets filled in by hand it is 0.86 or more, of a very neat hand 0.68, of
 * photos of handwriting at most 0.22.
 */
const surelyPrinted = 0.77;
/** Less ink than this beside the print of a page (share of all pixels) is dust and the edges of its letters. */
const minInk = 0.0002;
/** A page of ink less sure than this is noise, too. */
const minInkConfidence = 0.05;
/** A page of ink that is surer than this needs no word about it; on photos of paper the reader is below it. */
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
      // what the reader of handwriting had to give up is said, whatever the page then comes from
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
      // the text of a page that somebody had to turn lies the wrong way round, too
      if (source.kind === 'pdf' && !source.turn) {
        const result = await textLayer.read(input);
        if (result.kind === 'transcribed')
          return done(ink ? await withAnnotations(result, input, textLayer, readInk) : result.page);
        signal.throwIfAborted();
        if (result.kind === 'failed') fallbacks.push({ ...textSkippedWarning });
      }
      const picture = await wholePage(await input.picture());
      return done(await readPicture({ print, ink: ink && readInk, formulas }, picture, hints, signal));
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
  const picture = await wholePage(await input.picture());
  const bitmap = showOnly(hidePrint(picture.bitmap, marks.words), marks.strokes);
  if (inkShare(bitmap) < minInk) return page;
  const written = await readInk({ ...picture, bitmap });
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

/**
 * A page that is known by its picture alone. Words that surely are print are hidden from the ink reader, and what it is
 * then sure of is hidden from the print reader: each writes its own regions, and ink goes between the lines of print where
 * it stands on the paper.
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
  const looksPrinted = async (boxes: ShareBox[]): Promise<boolean[]> => {
    if (boxes.length === 0 || !formulas) return [];
    const look = { grey: toGrey(picture.bitmap), boxes: boxes.map((box) => toPixels(box, picture.bitmap)) };
    return (await formulas.look(look, signal, hints.owner)) ?? [];
  };
  const printed = await print(picture, hints, signal, {
    formulas,
    claim: async (words) => {
      const sure = findSurePrint(words);
      if (!ink || sure.length === 0) return [];
      const bitmap = hidePrint(
        picture.bitmap,
        sure.map(({ box }) => box),
      );
      if (inkShare(bitmap) < minInk) return [];
      const isSheet = signsOf(sure) >= surelyPrinted * signsOf(words);
      const rest = await ink({ ...picture, bitmap, isRest: isSheet });
      const chosen = await chooseInk(rest?.lines ?? [], words, sure, looksPrinted);
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
  // a page without any print may still hold writing too faint for print
  const isEmpty = printed.body === '' && printed.figures.length === 0;
  if (printed.confidence >= surePrintConfidence && !isEmpty) return withoutConfidence(printed);
  const isPrint = printed.confidence >= printConfidence && !isEmpty;
  const written = (await ink?.(picture)) ?? null;
  if (isEmpty && (!ink || written?.body === '')) return withoutConfidence(printed);
  if (written && written.confidence >= (isPrint ? inkOverPrint : minInkConfidence) && written.body !== '') {
    const lines = isPrint ? await looksPrinted(written.lines.map(({ box }) => box)) : [];
    if (lines.filter(Boolean).length <= printedShare * lines.length) return fromInk(written);
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

/** @param said of the ink */
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

function fromInk({ lines: _, ...page }: InkPage): TranscribedPage {
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
