/** Runs inside a page process: from a PDF page or a picture to a page that can be read. */

import { Refusal } from '#platform/work/task.ts';
import { findInkLines } from '../ink/layout/find-ink-lines.ts';
import type { PageSource, PreparedPage } from '../page.ts';
import { decodeImage } from './decode/decode-image.ts';
import { encodePreview } from './decode/encode-preview.ts';
import { renderPdfPage } from './decode/pdfium.ts';
import { straighten } from './paper/straighten.ts';

/** Long side of a prepared page, px: 210 dpi on A4 is 2456. */
const maxPageSide = 2600;

/** Long side a picture is decoded to: the sheet is only part of a photo, and should still have its 2600. */
const maxDecodedSide = 3600;

/**
 * @param findsInk tell where its lines of ink are, too
 * @throws Refusal when the page cannot be decoded.
 */
export async function preparePage(source: PageSource, findsInk: boolean): Promise<PreparedPage> {
  const page = await openPage(source);
  return {
    ...page,
    preview: await encodePreview(page.bitmap),
    ...(findsInk ? { inkLines: findInkLines(page.bitmap, page.origin !== 'render') } : {}),
  };
}

async function openPage(source: PageSource): Promise<Omit<PreparedPage, 'preview'>> {
  switch (source.kind) {
    case 'pdf': {
      const render = await renderPdfPage(source.path, source.index, maxPageSide);
      if (!render)
        throw new Refusal('This page of the PDF is damaged. Export the PDF again and send the new file.');
      if (render.isScan) return straighten(render.bitmap, maxPageSide);
      return { bitmap: render.bitmap, origin: 'render', warnings: [] };
    }
    case 'image': {
      const { bitmap, isDamaged } = await decodeImage(source.path, source.index, maxDecodedSide);
      const page = await straighten(bitmap, maxPageSide);
      return { ...page, warnings: isDamaged ? [damagedWarning, ...page.warnings] : page.warnings };
    }
  }
}

const damagedWarning = {
  code: 'PICTURE_DAMAGED',
  message: 'The picture is partly damaged; some of it may read wrongly.',
};
