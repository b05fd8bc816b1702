/** The one interface that every reader implements: a page in, its LaTeX body out. */
import type { PageBody, ShareBox } from '#latex/assemble/page-body.ts';
import type { ReaderId } from '#shared/api/reader.ts';
import type { PagePicture, PageSource, Quarters } from './page.ts';

export interface TranscribeHints {
  /** 1-based place in the document. */
  pageNumber: number;
  pageCount: number;
  /** Drawings become a placeholder with a crop (default) or TikZ. */
  drawings: 'figure' | 'tikz';
  /** The person’s own signs, one a line (`describeNotation`); their definitions are in the document. */
  notation?: string;
  /** The page's document: what is learned about the writer's signs on one page helps to read the next. */
  document?: string;
  /** Owner in the queue, as returned by `queueOwner`. */
  owner?: string;
}

export interface TranscribeInput {
  source: PageSource;
  /** Renders and prepares the picture; computed once, on first call. */
  picture(): Promise<PagePicture>;
  hints: TranscribeHints;
  signal: AbortSignal;
}

export type { PackageUse } from '#latex/assemble/page-body.ts';

/** A drawing cut out of the page. The body includes it by name; the bytes are PNG or JPEG by the name's ending. */
export interface CroppedFigure {
  /** `figure-pN-K.png`, N the page number, K from 1. */
  name: string;
  bytes: Uint8Array;
  /** Place on the prepared page, as fractions of its width and height. */
  box: { left: number; top: number; width: number; height: number };
}

/** A page's body (see PageBody) and the drawings cut out of it. */
export interface TranscribedPage extends PageBody {
  figures: CroppedFigure[];
}

/** A page whose places and figures are moved, such as from a levelled copy of a picture to the picture. */
export function movePage<Page extends TranscribedPage>(
  page: Page,
  toPage: (box: ShareBox) => ShareBox,
): Page {
  return {
    ...page,
    ...(page.places ? { places: page.places.map((one) => ({ ...one, box: toPage(one.box) })) } : {}),
    figures: page.figures.map((figure) => {
      const { left, top, width, height } = figure.box;
      const box = toPage([left, top, width, height]);
      return { ...figure, box: { left: box[0], top: box[1], width: box[2], height: box[3] } };
    }),
  };
}

export type Transcription =
  /** `turned`: set if the page was rotated before it was read, with the rotated picture and its source's new `turn`. */
  | { kind: 'transcribed'; page: TranscribedPage; turned?: { picture: PagePicture; turn: Quarters } }
  /** Publisher's marks in the PDF itself, or reported by the model. */
  | { kind: 'copyrighted'; code: 'COPYRIGHTED_PDF' | 'COPYRIGHT_DETECTED' }
  /**
   * Nothing could be read; `retryable` if another attempt may succeed (vendor down, time-out). `isVendorDown`: the
   * model is unavailable, for the other pages too.
   */
  | { kind: 'failed'; message: string; retryable: boolean; isVendorDown?: true };

export interface Transcriber {
  readonly id: ReaderId;
  /**
   * Prepares a page before a place at the reader is taken, so that the vendor never waits for it. Calling it is
   * optional: `transcribe` reuses what it has prepared for the same source. Never rejects.
   */
  gather?(input: TranscribeInput): Promise<void>;
  transcribe(input: TranscribeInput): Promise<Transcription>;
  close(): Promise<void>;
}
