/** Opens an added file as far as this browser can: the pages of a PDF, the pixels of a picture. */

import type { PDFDocumentProxy } from '#web/lib/pdf/pdfjs.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import type { Rotation, TraySource } from './tray-state.ts';

export type SourceHandle =
  | { kind: 'pdf'; document: PDFDocumentProxy; close: () => void }
  | { kind: 'image'; bitmap: ImageBitmap; close: () => void };

export type OpenedSource =
  | { kind: 'open'; pageCount: number; handle: SourceHandle }
  /** Sent as it is; `note` says why it is not shown. */
  | { kind: 'sealed'; note: string };

/** For files that are neither a PDF nor a picture, judged by their name and first bytes. */
const unknownNote =
  'Neither a PDF nor a picture. Supported files: PDF, JPEG, PNG, HEIC, WebP, TIFF and AVIF.';
/** Longest side of the preview picture, in pixels. */
const previewPixels = 1800;
/** A PDF's header is within this many bytes (ISO 32000-1, implementation note 13). */
const headerBytes = 1024;

export async function sniffKind(file: File): Promise<TraySource['kind']> {
  const head = new TextDecoder('latin1').decode(await file.slice(0, headerBytes).arrayBuffer());
  if (head.includes('%PDF-')) return 'pdf';
  const isPicture =
    file.type.startsWith('image/') || /\.(heic|heif|tiff?|avif|bmp|webp|gif|png|jpe?g)$/i.test(file.name);
  return isPicture && !/^\s*</.test(head) ? 'image' : 'other';
}

export async function openSource(source: TraySource): Promise<OpenedSource> {
  switch (source.kind) {
    case 'pdf':
      return openPdfSource(source.file);
    case 'image':
      return openImageSource(source.file);
    case 'other':
      return { kind: 'sealed', note: unknownNote };
  }
}

async function openPdfSource(file: File): Promise<OpenedSource> {
  const loaded = await loadPdfParts().catch(() => null);
  if (!loaded) return { kind: 'sealed', note: 'This PDF cannot be shown here.' };
  const { openPdf, pdfjs, worker } = loaded;
  const task = openPdf(new Uint8Array(await file.arrayBuffer()), worker);
  const close = () => void task.destroy().finally(() => worker.destroy());
  try {
    const document = await task.promise;
    if (document.numPages < 1) throw new Error('no pages');
    return { kind: 'open', pageCount: document.numPages, handle: { kind: 'pdf', document, close } };
  } catch (error) {
    close();
    const note =
      error instanceof pdfjs.PasswordException ? 'Password-protected.' : 'This PDF cannot be shown here.';
    return { kind: 'sealed', note };
  }
}

/** Loads what shows PDFs, waiting for a connection if necessary. */
async function loadPdfParts() {
  const { openPdf, pdfjs, createPdfWorker } = await retryImport(() => import('#web/lib/pdf/pdfjs.ts'));
  return { openPdf, pdfjs, worker: await createPdfWorker() };
}

async function openImageSource(file: File): Promise<OpenedSource> {
  try {
    const full = await createImageBitmap(file);
    const scale = Math.min(1, previewPixels / Math.max(full.width, full.height));
    if (scale === 1) return openedImage(full);
    const reduced = await createImageBitmap(full, {
      resizeWidth: Math.max(1, Math.round(full.width * scale)),
      resizeHeight: Math.max(1, Math.round(full.height * scale)),
      resizeQuality: 'high',
    });
    full.close();
    return openedImage(reduced);
  } catch {
    return {
      kind: 'sealed',
      note: 'Your browser cannot show this picture. It appears once the page has been read.',
    };
  }
}

function openedImage(bitmap: ImageBitmap): OpenedSource {
  return { kind: 'open', pageCount: 1, handle: { kind: 'image', bitmap, close: () => bitmap.close() } };
}

interface DrawOptions {
  handle: SourceHandle;
  pageIndex: number;
  rotation: Rotation;
  /** The box to fit into, in device pixels. */
  maxWidth: number;
  maxHeight: number;
  signal: AbortSignal;
}

/** Draws one page on its own canvas, so that a half-drawn one never shows. Null if it was cancelled. */
export async function drawPage(options: DrawOptions): Promise<HTMLCanvasElement | null> {
  const { handle, pageIndex, rotation, maxWidth, maxHeight, signal } = options;
  const canvas = document.createElement('canvas');
  if (handle.kind === 'image') {
    const { bitmap } = handle;
    const isSideways = rotation === 90 || rotation === 270;
    const [width, height] = isSideways ? [bitmap.height, bitmap.width] : [bitmap.width, bitmap.height];
    const scale = Math.min(maxWidth / width, maxHeight / height, 1);
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d');
    if (!context || bitmap.width === 0) return null;
    context.imageSmoothingQuality = 'high';
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.translate(canvas.width / 2, canvas.height / 2);
    context.rotate((rotation * Math.PI) / 180);
    context.scale(scale, scale);
    context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
    return canvas;
  }
  try {
    const page = await handle.document.getPage(pageIndex + 1);
    if (signal.aborted) return null;
    const turned = (page.rotate + rotation) % 360;
    const natural = page.getViewport({ scale: 1, rotation: turned });
    const scale = Math.min(maxWidth / natural.width, maxHeight / natural.height);
    const viewport = page.getViewport({ scale, rotation: turned });
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    const task = page.render({ canvas, viewport });
    signal.addEventListener('abort', () => task.cancel());
    await task.promise;
    return canvas;
  } catch {
    // cancelled, or a page that pdf.js cannot draw: only its name is shown
    return null;
  }
}
