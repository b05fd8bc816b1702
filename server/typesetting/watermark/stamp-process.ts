/**
 * The program that opens a stranger's PDF and stamps it: PDF on stdin, stamp on descriptor 3, scale in argv. It runs
 * in a process of its own with little memory and no rights, and answers with the PDF on stdout or a word on stderr.
 */
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { degrees, EncryptedPDFError, PDFDocument } from '@cantoo/pdf-lib';
import { placeStamp } from './place-stamp.ts';

/** Exit status for each thing that may be wrong with the PDF; create-watermarker.ts has the sentences. */
export const stampExit = { encrypted: 10, broken: 11, empty: 12 } as const;

const opacity = 0.18;
// the parser warns of each oddity in the stranger's file
console.warn = () => {};

async function main(): Promise<number> {
  const unprivilegedId = Number(process.argv[3] ?? 0);
  if (process.getuid?.() === 0 && unprivilegedId > 0) {
    process.setgroups?.([]);
    process.setgid?.(unprivilegedId);
    process.setuid?.(unprivilegedId);
  }
  const [input, stamp] = await Promise.all([buffer(process.stdin), buffer(createReadStream('', { fd: 3 }))]);
  if (!input.subarray(0, 1024).includes('%PDF-')) return stampExit.broken;
  let document: PDFDocument;
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
    const sizeScale = Number(process.argv[2]);
    for (const page of pages) {
      const { x, y, width, height } = page.getCropBox();
      const rotate = ((page.getRotation().angle % 360) + 360) % 360;
      const placed = placeStamp({ x, y, width, height, rotate }, embedded!, sizeScale);
      page.drawPage(embedded!, {
        x: placed.x,
        y: placed.y,
        xScale: placed.scale,
        yScale: placed.scale,
        rotate: degrees(placed.angleDegrees),
        opacity,
      });
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

process.exitCode = await main();
