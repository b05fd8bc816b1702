/**
 * The program that opens a stranger's PDF and stamps it: PDF on stdin, stamp on descriptor 3, its scale and
 * number of lines in argv. It runs in a separate process with little memory and no rights, and answers with the
 * PDF on stdout or a word on stderr.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { PDFDocument as Document, PDFPage } from '@cantoo/pdf-lib';
import { findSeenBox, type PageBox, placeStamp } from './place-stamp.ts';

// the library in one file: its hundreds of files take three times as long to start
const library = new URL('../dist/pdf-lib.esm.min.js', import.meta.resolve('@cantoo/pdf-lib')).href;
const {
  concatTransformationMatrix,
  drawObject,
  EncryptedPDFError,
  PDFDocument,
  PDFName,
  popGraphicsState,
  pushGraphicsState,
  setGraphicsState,
} = (await import(library)) as typeof import('@cantoo/pdf-lib');

/** Exit status for each possible fault of the PDF; create-watermarker.ts has the sentences. */
export const stampExit = { encrypted: 10, broken: 11, empty: 12 } as const;

const opacity = 0.25;
// the parser warns of each oddity in the stranger's file
console.warn = () => {};

async function main(): Promise<number> {
  const unprivilegedId = Number(process.argv[4] ?? 0);
  if (process.getuid?.() === 0 && unprivilegedId > 0) {
    process.setgroups?.([]);
    process.setgid?.(unprivilegedId);
    process.setuid?.(unprivilegedId);
  }
  const [input, stamp] = await Promise.all([buffer(process.stdin), buffer(createReadStream('', { fd: 3 }))]);
  if (!input.subarray(0, 1024).includes('%PDF-')) return stampExit.broken;
  let document: Document;
  try {
    document = await PDFDocument.load(input, { updateMetadata: false });
  } catch (error) {
    return error instanceof EncryptedPDFError ? stampExit.encrypted : stampExit.broken;
  }
  if (document.isEncrypted) return stampExit.encrypted;
  try {
    const pages = document.getPages();
    if (pages.length === 0) return stampExit.empty;
    const [embedded] = await document.embedPdf(stamp, [0]);
    const { width, height } = embedded!;
    const [sizeScale, lineCount] = [Number(process.argv[2]), Number(process.argv[3])];
    const { context } = document;
    const faint = context.register(context.obj({ Type: 'ExtGState', ca: opacity, CA: opacity }));
    // the same names on all pages, which may share their resources, but different from an earlier stamp's
    const mark = randomBytes(4).toString('hex');
    const [stampName, faintName] = [PDFName.of(`Stamp${mark}`), PDFName.of(`Faint${mark}`)];
    for (const page of pages) {
      const placed = placeStamp(readBox(page), { width, height, lineCount }, sizeScale);
      const [across, up] = [Math.cos(placed.angle) * placed.scale, Math.sin(placed.angle) * placed.scale];
      page.node.setXObject(stampName, embedded!.ref);
      page.node.setExtGState(faintName, faint);
      page.pushOperators(
        pushGraphicsState(),
        setGraphicsState(faintName),
        concatTransformationMatrix(across, up, -up, across, placed.x, placed.y),
        drawObject(stampName),
        popGraphicsState(),
      );
    }
    const output = await document.save();
    await new Promise<void>((resolve, reject) =>
      process.stdout.write(output, (error) => (error ? reject(error) : resolve())),
    );
    return 0;
  } catch {
    return stampExit.broken;
  }
}

function readBox(page: PDFPage): PageBox {
  const read = (box: 'MediaBox' | 'CropBox') => {
    try {
      return page.node[box]()?.asRectangle() ?? null;
    } catch {
      // missing, or not four numbers
      return null;
    }
  };
  return {
    ...findSeenBox(read('MediaBox'), read('CropBox')),
    rotate: ((page.getRotation().angle % 360) + 360) % 360,
  };
}

process.exitCode = await main();
