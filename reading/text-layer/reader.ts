/** The text-layer reader: turns a PDF page with readable glyphs into LaTeX. */
import sharp from 'sharp';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { KnownLine } from '../positions/align-text.ts';
import { placeByText } from '../positions/place-page.ts';
import type { CroppedFigure, PackageUse, TranscribedPage, TranscribeInput } from '../transcriber.ts';
import { takeDoubt, withoutMarks } from './doubt.ts';
import type { DrawnMarks } from './glyphs/find-strokes.ts';
import { ReaderPool, type ReaderPoolOptions } from './pool.ts';
import type { PageReading } from './read-page.ts';

export type TextLayerResult =
  | { kind: 'transcribed'; page: TranscribedPage; lines: KnownLine[]; marks: DrawnMarks | null }
  /** The page has no text layer, or an unreliable one: `reason` says which. */
  | { kind: 'no-text-layer'; reason: string }
  | { kind: 'failed'; message: string };

/** LaTeX made of a page's own glyphs, and its lines as printed. */
export interface OwnWords {
  body: string;
  lines: KnownLine[];
}

export interface TextLayerReader {
  /**
   * Reads one PDF page. Never throws for any file content; the picture is requested only when there are figures.
   * @throws WorkStarved; the signal's reason; what the picture's maker throws
   */
  read(
    input: Pick<TranscribeInput, 'source' | 'picture' | 'hints' | 'signal'>,
    /** Drawings in these boxes are left out: another reader has read them. */
    except?: readonly ShareBox[],
  ): Promise<TextLayerResult>;
  /** What the page says, for whoever reads it otherwise: without drawings and places. Null without reliable text. */
  readWords(input: Pick<TranscribeInput, 'source' | 'hints' | 'signal'>): Promise<OwnWords | null>;
  close(): Promise<void>;
}

export function createTextLayerReader(options: ReaderPoolOptions = {}): TextLayerReader {
  const pool = new ReaderPool(options);
  const ask = (
    { source, hints, signal }: Pick<TranscribeInput, 'source' | 'hints' | 'signal'>,
    options: { except?: readonly ShareBox[]; isHint?: boolean },
  ) =>
    pool.read(source.path, source.index, {
      signal,
      isWhole: source.index === hints.pageNumber - 1,
      ...options,
      ...(hints.owner ? { owner: hints.owner } : {}),
    });
  return {
    async read(input, except = []) {
      const { source, picture, hints } = input;
      if (source.kind !== 'pdf') return { kind: 'no-text-layer', reason: 'the page is a picture' };
      const answer = await ask(input, { except });
      if (answer.kind === 'no-text') return { kind: 'no-text-layer', reason: answer.reason };
      if (answer.kind !== 'read')
        return {
          kind: 'failed',
          message: answer.kind === 'failed' ? answer.message : 'The page could not be read.',
        };
      const renamed = numberFigures(answer.reading, hints.pageNumber);
      const figures = renamed.figures.length > 0 ? await cropFigures(renamed, picture) : [];
      return {
        kind: 'transcribed',
        page: toPage(renamed, figures),
        lines: renamed.lines,
        marks: answer.marks,
      };
    },
    async readWords(input) {
      if (input.source.kind !== 'pdf') return null;
      const answer = await ask(input, { isHint: true });
      if (answer.kind !== 'read') return null;
      const { body, lines } = numberFigures(answer.reading, input.hints.pageNumber);
      return { body: takeDoubt(body).body, lines };
    },
    close: () => pool.close(),
  };
}

/** Figures are named by the page's number in the conversion, which may differ from its number in the file. */
function numberFigures(reading: PageReading, pageNumber: number): PageReading {
  let { body } = reading;
  const figures = reading.figures.map((figure, i) => {
    const name = `figure-p${pageNumber}-${i + 1}.png`;
    body = body.replaceAll(`{${figure.name}}`, `{\u0000${name}}`);
    return { ...figure, name };
  });
  return { ...reading, body: body.replaceAll('\u0000', ''), figures };
}

async function cropFigures(
  reading: PageReading,
  picture: TranscribeInput['picture'],
): Promise<CroppedFigure[]> {
  const { preview } = await picture();
  const image = sharp(preview, { limitInputPixels: 50_000_000 });
  const { width = 0, height = 0 } = await image.metadata();
  const out: CroppedFigure[] = [];
  for (const { name, box } of reading.figures) {
    const left = Math.max(0, Math.floor(box.left * width));
    const top = Math.max(0, Math.floor(box.top * height));
    const crop = {
      left,
      top,
      width: Math.max(1, Math.min(width - left, Math.ceil(box.width * width))),
      height: Math.max(1, Math.min(height - top, Math.ceil(box.height * height))),
    };
    out.push({ name, box, bytes: new Uint8Array(await image.clone().extract(crop).png().toBuffer()) });
  }
  return out;
}

/** A title has no offsets to mark a doubt at. */
function clearTitle(title: NonNullable<PageReading['title']>): NonNullable<PageReading['title']> {
  const { author, date } = title;
  return {
    title: withoutMarks(title.title),
    ...(author === undefined ? {} : { author: withoutMarks(author) }),
    ...(date === undefined ? {} : { date: withoutMarks(date) }),
  };
}

function toPage(reading: PageReading, figures: CroppedFigure[]): TranscribedPage {
  const packages: PackageUse[] = [...new Set(['amsmath', 'amssymb', ...reading.packages])].map((name) => ({
    name,
  }));
  const { body, doubtful } = takeDoubt(reading.body);
  const page = {
    body,
    packages: /\\|\$/.test(body) ? packages : packages.filter((p) => !p.name.startsWith('ams')),
    preamble: reading.preamble,
    ...(reading.title ? { title: clearTitle(reading.title) } : {}),
    layout: { columns: reading.columns, ...(reading.language ? { language: reading.language } : {}) },
    figures,
    warnings:
      doubtful.length > 0
        ? [
            {
              code: 'UNSURE_SYMBOLS',
              message: `${doubtful.length === 1 ? 'One place' : `${doubtful.length} places`} on this page could not be read for certain. Please compare with the original.`,
            },
          ]
        : [],
    doubtful,
    endsParagraph: reading.endsParagraph,
    startsParagraph: reading.startsParagraph,
  };
  return placeByText(page, reading.lines);
}
