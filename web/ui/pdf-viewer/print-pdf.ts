/**
 * Prints a PDF with the browser's own viewer, in a hidden frame. Without such a viewer, or if it cannot be told to
 * print, the pages are printed as images.
 */
import type { PDFDocumentProxy } from '#web/lib/pdf/pdfjs.ts';

/** Resolution of the page images, in dots per inch; PDF points are 72 per inch. */
const dotsPerInch = 200;
/** Maximum pixels of one image. */
const maxPixels = 20_000_000;

/** The frame of the last print: it must outlive the print dialogue, whose end browsers do not report reliably. */
let lastFrame: { element: HTMLIFrameElement; addresses: string[] } | null = null;

/** Releases what the last print needed. */
export function forgetPrint(): void {
  lastFrame?.element.remove();
  for (const address of lastFrame?.addresses ?? []) URL.revokeObjectURL(address);
  lastFrame = null;
}

/** @param pdf the same PDF, as opened by pdf.js. Resolves once the browser has been told to print. */
export async function printPdf(blob: Blob, pdf: PDFDocumentProxy): Promise<void> {
  forgetPrint();
  if (navigator.pdfViewerEnabled && (await printFrame(blob))) return;
  forgetPrint();
  await printPictures(pdf);
}

async function printFrame(blob: Blob): Promise<boolean> {
  const address = URL.createObjectURL(blob);
  const element = await openFrame(
    (frame) => {
      frame.src = address;
    },
    [address],
  );
  try {
    element.contentWindow?.focus();
    element.contentWindow?.print();
    return true;
  } catch {
    // a viewer on another origin
    return false;
  }
}

async function printPictures(pdf: PDFDocumentProxy): Promise<void> {
  const addresses: string[] = [];
  let sheets = '';
  let size = '';
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const scale = Math.min(dotsPerInch / 72, Math.sqrt(maxPixels / (width * height)));
    const viewport = page.getViewport({ scale });
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    await page.render({ canvas, viewport, intent: 'print' }).promise;
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    canvas.width = 0;
    canvas.height = 0;
    if (!picture) throw new Error('A page could not be made a picture');
    const address = URL.createObjectURL(picture);
    addresses.push(address);
    size ||= `${width}pt ${height}pt`;
    sheets += `<img src="${address}" alt="Page ${number}">`;
  }
  const style = `@page{size:${size};margin:0}body{margin:0}img{display:block;width:100%;break-after:page}`;
  const element = await openFrame((frame) => {
    frame.srcdoc = `<!doctype html><meta charset="utf-8"><style>${style}</style>${sheets}`;
  }, addresses);
  element.contentWindow?.focus();
  element.contentWindow?.print();
}

async function openFrame(
  fill: (frame: HTMLIFrameElement) => void,
  addresses: string[],
): Promise<HTMLIFrameElement> {
  const element = document.createElement('iframe');
  element.title = 'Print';
  element.tabIndex = -1;
  element.ariaHidden = 'true';
  // hidden, but laid out: an element without layout is not printed
  element.style.cssText = 'position:fixed;right:0;bottom:0;width:1px;height:1px;border:0;visibility:hidden';
  lastFrame = { element, addresses };
  const hasLoaded = new Promise<void>((resolve) =>
    element.addEventListener('load', () => resolve(), { once: true }),
  );
  fill(element);
  document.body.append(element);
  await hasLoaded;
  return element;
}
