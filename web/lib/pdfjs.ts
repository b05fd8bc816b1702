/** pdf.js, loaded on demand and pointed at our own copies of everything it fetches by name. */
import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** A worker to open one PDF after the other with: starting one takes longer than reading a page. Destroy it at the end. */
export function createPdfWorker(): pdfjs.PDFWorker {
  return new pdfjs.PDFWorker();
}

/**
 * Opens a PDF. Scripts in it are never run: nothing here loads the sandbox they would need.
 * @param worker default: one of its own, which ends with the task
 */
export function openPdf(
  data: Uint8Array<ArrayBuffer>,
  worker?: pdfjs.PDFWorker,
): pdfjs.PDFDocumentLoadingTask {
  return pdfjs.getDocument({
    data,
    worker,
    cMapUrl: '/pdfjs/cmaps/',
    cMapPacked: true,
    standardFontDataUrl: '/pdfjs/standard_fonts/',
    wasmUrl: '/pdfjs/wasm/',
    iccUrl: '/pdfjs/iccs/',
    enableXfa: false,
    // a giant picture in a PDF must not take the tab with it (50 megapixels, the upload's own limit)
    maxImageSize: 50_000_000,
  });
}

export type { PageViewport, PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
export { pdfjs };
