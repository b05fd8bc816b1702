/** pdf.js, loaded on demand and pointed at our own copies of everything it fetches by name. */
import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** Opens a PDF. Scripts in it are never run: nothing here loads the sandbox they would need. */
export function openPdf(data: Uint8Array<ArrayBuffer>): pdfjs.PDFDocumentLoadingTask {
  return pdfjs.getDocument({
    data,
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

export type { PDFDocumentProxy } from 'pdfjs-dist';
export { pdfjs };
