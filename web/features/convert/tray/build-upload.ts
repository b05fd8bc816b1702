/**
 * Builds the files that a plan requires: page subsets with pdf-lib (loaded when needed), rotated pictures by canvas.
 */
import { retryImport } from '#web/lib/retry-import.ts';
import type { UploadPlan } from './plan-upload.ts';
import type { Rotation, TraySource } from './tray-state.ts';

/** The files to send, in document order. @throws Error if a PDF cannot be split here */
export async function buildUpload(plan: UploadPlan, sources: TraySource[]): Promise<File[]> {
  const files: File[] = [];
  for (const part of plan.parts) {
    const source = sources.find((candidate) => candidate.id === part.sourceId);
    if (!source) continue;
    switch (part.kind) {
      case 'original':
        files.push(source.file);
        break;
      case 'pdf-pages':
        files.push(await buildPdf(source.file, part.pages));
        break;
      case 'turned-image':
        files.push(await turnImage(source.file, part.rotation));
        break;
    }
  }
  return files;
}

async function buildPdf(file: File, pages: { pageIndex: number; rotation: Rotation }[]): Promise<File> {
  const { PDFDocument, degrees } = await retryImport(() => import('@cantoo/pdf-lib'));
  const original = await PDFDocument.load(await file.arrayBuffer(), { updateMetadata: false });
  const filtered = await PDFDocument.create();
  const copies = await filtered.copyPages(
    original,
    pages.map((page) => page.pageIndex),
  );
  for (const [index, copy] of copies.entries()) {
    const rotation = pages[index]?.rotation ?? 0;
    copy.setRotation(degrees((copy.getRotation().angle + rotation) % 360));
    filtered.addPage(copy);
  }
  const bytes = new Uint8Array(await filtered.save());
  return new File([bytes], file.name, { type: 'application/pdf', lastModified: file.lastModified });
}

/** Re-encodes the picture rotated clockwise. JPEG at 0.92: below that, thin pencil begins to break up. */
async function turnImage(file: File, rotation: Rotation): Promise<File> {
  const bitmap = await createImageBitmap(file);
  const isSideways = rotation === 90 || rotation === 270;
  const canvas = new OffscreenCanvas(
    isSideways ? bitmap.height : bitmap.width,
    isSideways ? bitmap.width : bitmap.height,
  );
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser gives no canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((rotation * Math.PI) / 180);
  context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 });
  return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
}
