/** Runs inside a page process: from a PDF page or a picture to a page that can be read. */
import type { PageSource, PreparedPage } from '../page.ts';
import { decodeImage } from './decode-image.ts';
import { encodePreview } from './encode-preview.ts';
import { Refusal } from './page-task.ts';
import { renderPdfPage } from './pdfium.ts';

/** Long side of a prepared page, px: 210 dpi on A4 is 2456. */
const maxPageSide = 2600;

/** @throws Refusal when the page cannot be decoded. */
export async function preparePage(source: PageSource): Promise<PreparedPage> {
  switch (source.kind) {
    case 'pdf': {
      const render = await renderPdfPage(source.path, source.index, maxPageSide);
      if (!render)
        throw new Refusal('This page of the PDF is damaged. Export the PDF again and send the new file.');
      return {
        bitmap: render.bitmap,
        origin: render.isScan ? 'scan' : 'render',
        preview: await encodePreview(render.bitmap),
        warnings: [],
      };
    }
    case 'image': {
      const { bitmap, isDamaged } = await decodeImage(source.path, source.index, maxPageSide);
      return {
        bitmap,
        origin: 'photo',
        preview: await encodePreview(bitmap),
        warnings: isDamaged
          ? [
              {
                code: 'PICTURE_DAMAGED',
                message: 'The picture is partly damaged; some of it may read wrongly.',
              },
            ]
          : [],
      };
    }
  }
}
