/**
 * Runs inside a page process: identifies an upload and checks that it can be read, by its header, then by opening it.
 */
import { readFile } from 'node:fs/promises';
import { Refusal } from '#platform/work/task.ts';
import { maxFileBytes } from '#shared/api/limits.ts';
import type { ImageFormat, InspectedFile } from '../../page.ts';
import { decodeImage } from './decode-image.ts';
import type { PictureHeader } from './headers/header.ts';
import { readHeifHeader } from './headers/heif.ts';
import { readJpegHeader } from './headers/jpeg.ts';
import { readBmpHeader, readGifHeader, readPngHeader, readWebpHeader } from './headers/raster.ts';
import { readTiffHeader } from './headers/tiff.ts';
import { checkDimensions } from './image-limits.ts';
import { openPdf } from './pdfium.ts';
import { sniffType } from './sniff.ts';

const headerReaders: Record<ImageFormat, (file: Buffer) => PictureHeader> = {
  jpeg: readJpegHeader,
  png: readPngHeader,
  gif: readGifHeader,
  webp: readWebpHeader,
  bmp: readBmpHeader,
  tiff: readTiffHeader,
  heic: readHeifHeader,
  avif: readHeifHeader,
};

const takenTypes = 'Send a PDF or a picture (JPEG, PNG, WebP, TIFF, GIF, BMP, HEIC, AVIF).';
const sniffBytes = 4096;
/** Long side to which a picture is decoded for this check, px: small, so that decoding a JPEG is quick. */
const probeSide = 64;

/** @throws Refusal with a message for the sender. */
export async function identifyFile(path: string, displayName: string): Promise<InspectedFile> {
  const file = await readFile(path);
  if (file.length === 0)
    throw new Refusal(`“${displayName}” is empty. Choose the file again and send it once more.`);
  if (file.length > maxFileBytes)
    throw new Refusal(
      `“${displayName}” is larger than ${maxFileBytes / 1_000_000} MB. Make it smaller and send it again.`,
    );
  const type = await sniffType(file.subarray(0, sniffBytes));
  switch (type.kind) {
    case 'pdf':
      return inspectPdf(path, displayName);
    case 'image':
      return inspectPicture(path, file, type.format, displayName);
    case 'other': {
      if (/\.zip$/i.test(displayName))
        throw new Refusal(
          `“${displayName}” is an archive. If it holds a LaTeX project, import it into your documents; if it holds notes, send them one by one.`,
        );
      const claimsPdf = /\.pdf$/i.test(displayName);
      throw new Refusal(
        claimsPdf
          ? `“${displayName}” is not a PDF but ${type.name}. Open the page it came from, download the PDF itself, and send that.`
          : `“${displayName}” is ${type.name}, which cannot be read here. ${takenTypes}`,
      );
    }
    case 'unknown':
      if (/\.tex$/i.test(displayName))
        throw new Refusal(
          `“${displayName}” is LaTeX already. Import it into your documents to edit and compile it.`,
        );
      throw new Refusal(`“${displayName}” is of a type that cannot be read here. ${takenTypes}`);
  }
}

async function inspectPdf(path: string, displayName: string): Promise<InspectedFile> {
  const opening = await openPdf(path);
  switch (opening.kind) {
    case 'encrypted':
      throw new Refusal(
        `“${displayName}” is protected by a password. Remove the password (print it to a new PDF, for example) and send it again.`,
      );
    case 'damaged':
      throw new Refusal(
        `“${displayName}” is damaged or incomplete. Export or download it again and send the new file.`,
      );
    case 'open': {
      const { pageCount } = opening;
      if (pageCount < 1)
        throw new Refusal(`“${displayName}” has no pages. Export it again and send the new file.`);
      return { kind: 'pdf', pageCount };
    }
  }
}

async function inspectPicture(
  path: string,
  file: Buffer,
  format: ImageFormat,
  displayName: string,
): Promise<InspectedFile> {
  const damaged = `“${displayName}” is damaged. Save the picture again and send the new file.`;
  const header = headerReaders[format](file);
  switch (header.kind) {
    case 'cut':
      throw new Refusal(
        `“${displayName}” is cut off: part of the picture is missing. Copy or download it again and send the whole file.`,
      );
    case 'damaged':
      throw new Refusal(damaged);
    case 'whole': {
      const { width, height, pageCount } = header;
      checkDimensions(displayName, width, height);
      if (!(await opensAnyPage(path, pageCount))) throw new Refusal(damaged);
      return { kind: 'image', format, pageCount, width, height };
    }
  }
}

/**
 * Whether the picture can be decoded: a header may be valid with nothing behind it. One page of a TIFF is enough; the
 * others fail individually, at no cost.
 */
async function opensAnyPage(path: string, pageCount: number): Promise<boolean> {
  for (let index = 0; index < pageCount; index++)
    try {
      await decodeImage(path, index, probeSide);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  return false;
}
