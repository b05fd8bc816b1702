/**
 * The embedded reader: no key, no network. A PDF page with a sound text layer is read from its glyphs; any other page is
 * read as print from its picture, and as handwriting where it turns out to be no print. The surer reading is taken; where
 * neither is any, the page's picture is kept in its place.
 */
import sharp from 'sharp';
import type { PreparedPage } from '../page.ts';
import { handwritingWarning, unreadWarning } from './handwriting-warnings.ts';
import type { InkPage } from './ink/read-ink.ts';
import { type InkReader, openInkReader } from './ink/reader.ts';
import { printConfidence, type ReadPage, readPrint } from './print/read-print.ts';
import { createTextLayerReader, type TextLayerReader } from './text-layer/reader.ts';
import type { TranscribedPage, TranscribeHints, Transcriber, Transcription } from './transcriber.ts';

export interface EmbeddedOptions {
  /** Reads a picture as print. */
  print?: (picture: PreparedPage, hints: TranscribeHints, signal: AbortSignal) => Promise<ReadPage>;
  textLayer?: TextLayerReader;
  /** Null: handwriting is not read. Default: by the weights in `models/`, where they are. */
  ink?: InkReader | null;
}

/** Under this confidence what Tesseract made of a page is noise, and its picture serves better than its text. */
const pictureConfidence = 0.35;
/** Surer print is not asked whether it might be ink. */
const surePrintConfidence = 0.85;
/** A page that may be print is ink from here on: of print, the ink reader is sure by 0.12 at most on our samples. */
const inkOverPrint = 0.25;
/** A page of ink less sure than this is noise, too. */
const leastInkConfidence = 0.05;
/** A page of ink that is surer than this needs no word about it; on photos of paper the reader is below it. */
export const sureInkConfidence = 0.85;

export function createEmbeddedTranscriber(options: EmbeddedOptions = {}): Transcriber {
  const print = options.print ?? readPrint;
  const textLayer = options.textLayer ?? createTextLayerReader();
  const ink = options.ink === undefined ? openInkReader() : options.ink;
  return {
    id: 'embedded',
    async transcribe(input): Promise<Transcription> {
      const { source, hints, signal } = input;
      if (source.kind === 'pdf') {
        const result = await textLayer.read(input);
        if (result.kind === 'transcribed') return { kind: 'transcribed', page: result.page };
        signal.throwIfAborted();
      }
      const picture = await input.picture();
      const printed = await print(picture, hints, signal);
      if (printed.confidence >= surePrintConfidence)
        return { kind: 'transcribed', page: withoutConfidence(printed) };
      const isPrint = printed.confidence >= printConfidence;
      const written = (await ink?.read(picture, hints.pageNumber, signal)) ?? null;
      if (
        written &&
        written.confidence >= (isPrint ? inkOverPrint : leastInkConfidence) &&
        written.body !== ''
      )
        return { kind: 'transcribed', page: fromInk(written) };
      if (isPrint) return { kind: 'transcribed', page: withoutConfidence(printed) };
      return { kind: 'transcribed', page: await unread(printed, picture, hints) };
    },
    async close() {
      await Promise.all([textLayer.close(), ink?.close()]);
    },
  };
}

function withoutConfidence<Page extends TranscribedPage & { confidence: number }>({
  confidence: _,
  ...page
}: Page): TranscribedPage {
  return page;
}

function fromInk(page: InkPage): TranscribedPage {
  const { warnings, ...read } = withoutConfidence(page);
  const isSure = page.confidence >= sureInkConfidence;
  return { ...read, warnings: isSure ? warnings : [{ ...handwritingWarning }, ...warnings] };
}

/** What is neither print nor ink: Tesseract's guess with its doubt, or the picture. */
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
