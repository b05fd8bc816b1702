/** Pages that are available before the whole document, painted over the ones they replace. */
import { openPdf, type PDFWorker } from '#web/lib/pdf/pdfjs.ts';
import type { PdfBoard } from './pdf-board.ts';
import type { PdfPages } from './pdf-places.ts';

/** A patch with more pixels than this is not worth its memory. */
const maxPatchPixels = 30_000_000;

/** Paints the visible ones of the pages. @param isCurrent returns false once something newer has arrived */
export async function paintPatches(
  board: PdfBoard,
  pages: PdfPages,
  worker: PDFWorker,
  isCurrent: () => boolean,
): Promise<void> {
  // pdf.js detaches the buffer that it is given
  const task = openPdf(pages.bytes.slice(), worker);
  try {
    const loaded = await task.promise;
    const wanted = board
      .listPagesInSight()
      .filter((one) => one >= pages.firstPage && one <= pages.lastPage && one <= loaded.numPages);
    for (const one of wanted) {
      const view = board.findPage(one);
      if (!view) continue;
      const page = await loaded.getPage(one);
      const ratio = devicePixelRatio;
      const { scale, rotation, width, height } = view.viewport;
      const viewport = page.getViewport({ scale: scale * ratio, rotation });
      const isSameSize =
        Math.abs(viewport.width / ratio - width) < 1 && Math.abs(viewport.height / ratio - height) < 1;
      if (!isSameSize || viewport.width * viewport.height > maxPatchPixels) continue;
      const canvas = document.createElement('canvas');
      canvas.className = 'pdf-patch';
      canvas.width = Math.round(viewport.width);
      canvas.height = Math.round(viewport.height);
      await page.render({ canvas, viewport }).promise;
      if (!isCurrent()) return;
      for (const old of view.div.querySelectorAll('.pdf-patch')) old.remove();
      view.div.querySelector('.canvasWrapper')?.after(canvas);
    }
  } catch {
    // the whole document follows
  } finally {
    void task.destroy();
  }
}

export function clearPatches(host: HTMLElement): void {
  for (const canvas of host.querySelectorAll('.pdf-patch')) canvas.remove();
}
