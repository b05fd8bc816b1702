/** pdf.js, loaded on demand, with our own copies of everything it fetches by name. */
import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { retryImport } from '../retry-import.ts';

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/**
 * A worker to open one PDF after the other with: starting one takes longer than parsing a page. Destroy it at the
 * end. Its file is fetched first, waiting for a connection if necessary: after one failure pdf.js never retries.
 * @throws if there is a connection and the file cannot be fetched
 */
export async function createPdfWorker(): Promise<pdfjs.PDFWorker> {
  await retryImport(async () => {
    const answer = await fetch(workerUrl);
    if (!answer.ok) throw new Error(`${workerUrl} answered ${answer.status}`);
    // read it all, so that it is cached
    await answer.arrayBuffer();
  });
  const worker = new pdfjs.PDFWorker();
  // rejected if it is destroyed before it has started; whoever opens a PDF with it learns of it there
  worker.promise.catch(() => {});
  return worker;
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
    // glyphs as paths: every font that is loaded or released makes the browser lay out everything again
    disableFontFace: true,
    // a giant image in a PDF must not crash the tab (50 megapixels, the upload's own limit)
    maxImageSize: 50_000_000,
  });
}

export type { PageViewport, PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
export { pdfjs };
