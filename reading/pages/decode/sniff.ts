/** Identifies a file by its first bytes; file names and media types are not trusted. */
import { fileTypeFromBuffer } from 'file-type';
import type { ImageFormat } from '../../page.ts';

export type SniffedType =
  | { kind: 'pdf' }
  | { kind: 'image'; format: ImageFormat }
  /** Known, but not something we take; `name` for the sentence. */
  | { kind: 'other'; name: string }
  | { kind: 'unknown' };

/** PDF readers accept the mark anywhere in the first kilobyte. */
const pdfMarkWindow = 1024;
/** Brands of ISO 23008-12 (HEIF) and AVIF; `mif1`/`msf1` say only "some picture", the compatible brands say which. */
const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);
const avifBrands = new Set(['avif', 'avis']);
const openBrands = new Set(['mif1', 'msf1', 'miaf', '1pic']);

function sniffHeif(head: Buffer): SniffedType | null {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return null;
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands: string[] = [];
  for (let offset = 8; offset + 4 <= end; offset += 4)
    if (offset !== 12) brands.push(head.toString('latin1', offset, offset + 4));
  if (brands.some((brand) => avifBrands.has(brand))) return { kind: 'image', format: 'avif' };
  if (brands.some((brand) => heicBrands.has(brand) || openBrands.has(brand)))
    return { kind: 'image', format: 'heic' };
  return null;
}

/** @param head the first 4 KB, or the whole file where it is smaller. */
export async function sniffType(head: Buffer): Promise<SniffedType> {
  const starts = (mark: string, at = 0) => head.toString('latin1', at, at + mark.length) === mark;
  if (starts('\xff\xd8\xff')) return { kind: 'image', format: 'jpeg' };
  if (starts('\x89PNG\r\n\x1a\n')) return { kind: 'image', format: 'png' };
  if (starts('RIFF') && starts('WEBP', 8)) return { kind: 'image', format: 'webp' };
  if (starts('GIF87a') || starts('GIF89a')) return { kind: 'image', format: 'gif' };
  if (['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].some((mark) => starts(mark)))
    return { kind: 'image', format: 'tiff' };
  const heif = head.length >= 16 ? sniffHeif(head) : null;
  if (heif) return heif;
  // "BM" alone is too little: the size of the header that follows tells
  if (starts('BM') && head.length >= 26 && [12, 16, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14)))
    return { kind: 'image', format: 'bmp' };
  if (head.subarray(0, pdfMarkWindow).includes('%PDF-')) return { kind: 'pdf' };
  const start = head.toString('latin1', 0, 512).trimStart().toLowerCase();
  if (/^(<!doctype html|<html|<head|<body|<!--)/.test(start))
    return { kind: 'other', name: 'a web page (HTML)' };
  if (/^(<\?xml[^>]*>\s*)?(<!doctype svg|<svg)/.test(start)) return { kind: 'other', name: 'an SVG drawing' };
  if (start.startsWith('%!ps')) return { kind: 'other', name: 'a PostScript file' };
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  return known ? { kind: 'other', name: `a ${known.ext.toUpperCase()} file` } : { kind: 'unknown' };
}
