/**
 * The embedded reader: no key, no network. A PDF page with a sound text layer is read from its glyphs; any other page
 * is read as print from its picture. Handwriting is not read yet, and a page that is not print says so.
 */
import sharp from 'sharp';
import type { PreparedPage } from '../page.ts';
import { printConfidence, type ReadPage, readPrint } from './print/read-print.ts';
import { createTextLayerReader, type TextLayerReader } from './text-layer/reader.ts';
import type { TranscribedPage, TranscribeHints, Transcriber, Transcription } from './transcriber.ts';

export interface EmbeddedOptions {
  /** Reads a picture as print. */
  print?: (picture: PreparedPage, hints: TranscribeHints, signal: AbortSignal) => Promise<ReadPage>;
  textLayer?: TextLayerReader;
}

/** Under this confidence what Tesseract made of a page is noise, and its picture serves better than its text. */
const pictureConfidence = 0.35;

export const handwritingWarning = {
  code: 'HANDWRITING_NOT_READ',
  message:
    'This page looks handwritten. The embedded reader does not read handwriting yet, so its text is incomplete or missing. A vision model, set with an AI key, reads handwritten text and formulas.',
} as const;

export function createEmbeddedTranscriber(options: EmbeddedOptions = {}): Transcriber {
  const print = options.print ?? readPrint;
  const textLayer = options.textLayer ?? createTextLayerReader();
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
      const page = await print(picture, hints, signal);
      return { kind: 'transcribed', page: await judge(page, picture, hints) };
    },
    close: () => textLayer.close(),
  };
}

/** Print goes on as it is; what is not print carries the warning, or its picture where no text was found. */
async function judge(
  { confidence, ...page }: ReadPage,
  picture: PreparedPage,
  hints: TranscribeHints,
): Promise<TranscribedPage> {
  if (confidence >= printConfidence) return page;
  const warnings = [{ ...handwritingWarning }, ...page.warnings];
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
