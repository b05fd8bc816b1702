/** Runs inside a page process: prepares a PDF page or a picture for reading. */

import { Refusal } from '#platform/work/task.ts';
import { findInkLines } from '../ink/layout/find-ink-lines.ts';
import {
  type Bitmap,
  type DrawnPicture,
  type PagePicture,
  type PageSource,
  type PreparedPage,
  wholePage,
} from '../page.ts';
import { greyIfColourless } from '../raster.ts';
import type { DrawnMarks } from '../text-layer/glyphs/find-strokes.ts';
import { decodeImage } from './decode/decode-image.ts';
import { encodeForModel, encodePreview, modelSide, previewSide } from './decode/encode-jpeg.ts';
import { renderPdfPage } from './decode/pdfium.ts';
import { findDrawn } from './find-drawn.ts';
import { turnQuarters } from './paper/geometry.ts';
import { straighten } from './paper/straighten.ts';

/** Long side of a prepared page, px: 210 dpi on A4 is 2456. */
const maxPageSide = 2600;

/** Long side of a decoded picture: the sheet is only part of a photo, and should still have 2600 px. */
const maxDecodedSide = 3600;

/** What a caller needs of a page besides its preview. */
export interface PageParts {
  /**
   * Pixels. `where-dear`: not those of a rendered page, because rendering it again is quicker than transferring and
   * keeping them.
   */
  bitmap: 'always' | 'where-dear' | 'never';
  /** Lines of ink. `where-alone`: not those of a page with its own text, whose positions are mostly known from that. */
  inkLines: 'always' | 'where-alone' | 'never';
  /** The picture for a model. */
  forModel: boolean;
}

/** @throws Refusal when the page cannot be decoded. */
export async function preparePage(source: PageSource, parts: PageParts): Promise<PagePicture> {
  const { bitmap, gentle, hasText, ...page } = await openPage(source, parts);
  const isRender = page.origin === 'render';
  const wantsInk = needsInk(parts, hasText);
  const wantsBitmap = parts.bitmap === 'always' || (parts.bitmap === 'where-dear' && !isRender);
  return {
    ...page,
    preview: await encodePreview(bitmap),
    ...(parts.forModel ? { forModel: await encodeForModel(gentle ?? bitmap) } : {}),
    ...(wantsInk ? { inkLines: findInkLines(bitmap, !isRender) } : {}),
    ...(wantsBitmap ? { bitmap } : {}),
  };
}

const needsInk = ({ inkLines }: PageParts, hasText: boolean) =>
  inkLines === 'always' || (inkLines === 'where-alone' && !hasText);

/** Long side of a page that is drawn, px: that of its largest picture, because to draw it smaller is quicker than to resize it. */
function drawnSide(parts: PageParts, hasText: boolean): number {
  if (parts.bitmap === 'always' || needsInk(parts, hasText)) return maxPageSide;
  return parts.forModel ? modelSide : previewSide;
}

/** A page for tools and benchmarks that read its pixels in this process. @throws Refusal */
export async function preparePixels(source: PageSource): Promise<PreparedPage> {
  return wholePage(await preparePage(source, { bitmap: 'always', inkLines: 'never', forModel: false }));
}

/** @throws Refusal */
export async function prepareDrawn(source: PageSource, marks: DrawnMarks): Promise<DrawnPicture | null> {
  return findDrawn(await openPage(source, { bitmap: 'always', inkLines: 'never', forModel: false }), marks);
}

type OpenedPage = Omit<PreparedPage, 'preview'> & { hasText: boolean; gentle?: Bitmap };

async function openPage(source: PageSource, parts: PageParts): Promise<OpenedPage> {
  const { turn } = source;
  const options = {
    maxSide: maxPageSide,
    wantsGentle: parts.forModel,
    wantsLetters: parts.bitmap !== 'never',
    turn,
  };
  switch (source.kind) {
    case 'pdf': {
      const sideFor = (hasText: boolean) => drawnSide(parts, hasText);
      const render = await renderPdfPage(source.path, source.index, maxPageSide, sideFor);
      if (!render)
        throw new Refusal('This page of the PDF is damaged. Export the PDF again and send the new file.');
      const { bitmap, isScan, hasText } = render;
      if (isScan) return { ...(await straighten(bitmap, options)), hasText };
      const turned = turn ? { turned: turn } : {};
      return { bitmap: turnQuarters(bitmap, turn ?? 0), origin: 'render', warnings: [], hasText, ...turned };
    }
    case 'image': {
      const { bitmap, isDamaged } = await decodeImage(source.path, source.index, maxDecodedSide);
      const page = await straighten(greyIfColourless(bitmap), options);
      const warnings = isDamaged ? [damagedWarning, ...page.warnings] : page.warnings;
      return { ...page, warnings, hasText: false };
    }
  }
}

const damagedWarning = {
  code: 'PICTURE_DAMAGED',
  message: 'The picture is partly damaged; some of it may read wrongly.',
};
