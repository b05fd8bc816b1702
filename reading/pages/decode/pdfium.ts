/**
 * PDFium through its C interface: the wrapper's own rendering converts colours twice and ignores boxes. Runs only
 * inside a page process, which limits its memory and can be ended.
 */
import { readFile, stat } from 'node:fs/promises';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { Bitmap } from '../../page.ts';

/** The part of PDFium's C interface that we call. Pointers are numbers into HEAPU8. */
interface Pdfium {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDF_LoadMemDocument(data: number, bytes: number, password: number): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_GetPageSizeByIndex(document: number, index: number, width: number, height: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidth(page: number): number;
  _FPDF_GetPageHeight(page: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(textPage: number): void;
  _FPDFText_CountChars(textPage: number): number;
  _FPDFText_GetText(textPage: number, start: number, count: number, result: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, data: number, stride: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
}

/** FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY of fpdfview.h. */
const passwordErrors = new Set([4, 5]);
/** FPDF_PAGEOBJ_IMAGE of fpdf_edit.h. */
const imageObject = 3;
/** FPDFBitmap_BGRx of fpdfview.h. */
const bgrx = 3;
/** FPDF_ANNOT (ink and notes belong to the page) | FPDF_REVERSE_BYTE_ORDER (RGBx instead of BGRx). */
const renderFlags = 0x01 | 0x10;
/** Of each byte. */
const white = 0xff;

/** Dots per inch of a rendered page: Tesseract read clean pages without fault from 150 to 300. */
const renderDpi = 210;
/** Number of objects inspected to determine the page's kind; a page with more strokes is not a scan. */
const maxObjectsSeen = 2000;
/** Characters of one page that are asked for; a full page of a book has 4,000. */
const maxPageText = 100_000;
/** A page whose pictures cover this share of it, and which has no text, is a scan. */
const scanCoverage = 0.6;

export type PdfOpening = { kind: 'open'; pageCount: number } | { kind: 'encrypted' } | { kind: 'damaged' };

export interface PdfPageRender {
  bitmap: Bitmap;
  /** True when the page is a picture without text: a scan or photo that came as a PDF. */
  isScan: boolean;
  /** Whether it draws text, usable or not. */
  hasText: boolean;
}

interface OpenFile {
  identity: string;
  data: number;
  handle: number;
}

let loading: Promise<Pdfium> | undefined;
let current: OpenFile | undefined;
let canvas = { at: 0, bytes: 0 };

function load(): Promise<Pdfium> {
  // the wrapper's types hide the module that all its methods call
  loading ??= PDFiumLibrary.init().then((library) => (library as unknown as { module: Pdfium }).module);
  return loading;
}

function close(pdfium: Pdfium): void {
  if (!current) return;
  pdfium._FPDF_CloseDocument(current.handle);
  pdfium.wasmExports.free(current.data);
  current = undefined;
}

/** Opens a file, or keeps the one that is open: neighbouring pages of one PDF usually follow each other. */
async function open(file: string): Promise<{ pdfium: Pdfium; handle: number; error: number }> {
  const pdfium = await load();
  const { ino, size, mtimeMs } = await stat(file);
  const identity = `${file}:${ino}:${size}:${mtimeMs}`;
  if (current?.identity === identity) return { pdfium, handle: current.handle, error: 0 };
  close(pdfium);
  const bytes = await readFile(file);
  const data = pdfium.wasmExports.malloc(bytes.byteLength);
  if (!data) throw new Error('no memory for the PDF');
  pdfium.HEAPU8.set(bytes, data);
  const handle = pdfium._FPDF_LoadMemDocument(data, bytes.byteLength, 0);
  if (!handle) {
    const error = pdfium._FPDF_GetLastError();
    pdfium.wasmExports.free(data);
    return { pdfium, handle: 0, error };
  }
  current = { identity, data, handle };
  return { pdfium, handle, error: 0 };
}

/** Looks at a PDF without rendering anything. */
export async function openPdf(file: string): Promise<PdfOpening> {
  const { pdfium, handle, error } = await open(file);
  if (!handle) return passwordErrors.has(error) ? { kind: 'encrypted' } : { kind: 'damaged' };
  const pageCount = pdfium._FPDF_GetPageCount(handle);
  // a page tree may list pages that do not exist (a cyclic one does)
  if (pageCount > 0 && !hasPage(pdfium, handle, 0) && !hasPage(pdfium, handle, pageCount - 1))
    return { kind: 'damaged' };
  return { kind: 'open', pageCount };
}

/** True if the page exists; does not parse its content. */
function hasPage(pdfium: Pdfium, handle: number, index: number): boolean {
  const { malloc, free } = pdfium.wasmExports;
  const size = malloc(16);
  try {
    return pdfium._FPDF_GetPageSizeByIndex(handle, index, size, size + 8) !== 0;
  } finally {
    free(size);
  }
}

/**
 * Renders a page on white at 210 dpi, or less if its long side would exceed `maxSide` pixels, or `drawnSide` if it is
 * no scan. In one channel if nothing on it is coloured, except scans.
 * @returns null when the page cannot be loaded.
 */
export async function renderPdfPage(
  file: string,
  index: number,
  maxSide: number,
  drawnSide: (hasText: boolean) => number,
): Promise<PdfPageRender | null> {
  const { pdfium, handle } = await open(file);
  if (!handle) return null;
  const page = pdfium._FPDF_LoadPage(handle, index);
  if (!page) return null;
  try {
    const widthPt = pdfium._FPDF_GetPageWidth(page);
    const heightPt = pdfium._FPDF_GetPageHeight(page);
    if (!(widthPt > 0 && heightPt > 0)) return null;
    const hasText = drawsText(pdfium, page);
    const isScan = !hasText && isCovered(pdfium, page, widthPt * heightPt);
    const longest = isScan ? maxSide : drawnSide(hasText);
    const scale = Math.min(renderDpi / 72, longest / Math.max(widthPt, heightPt));
    const width = Math.max(1, Math.round(widthPt * scale));
    const height = Math.max(1, Math.round(heightPt * scale));
    return { bitmap: draw(pdfium, page, width, height, !isScan), hasText, isScan };
  } finally {
    pdfium._FPDF_ClosePage(page);
  }
}

function draw(pdfium: Pdfium, page: number, width: number, height: number, mayBeGrey: boolean): Bitmap {
  const buffer = takeCanvas(pdfium, width * height * 4);
  const bitmap = buffer && pdfium._FPDFBitmap_CreateEx(width, height, bgrx, buffer, width * 4);
  if (!bitmap) throw new Error('no memory for the page');
  try {
    pdfium.HEAPU8.fill(white, buffer, buffer + width * height * 4);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderFlags);
    const grey = mayBeGrey
      ? packGrey(new Int32Array(pdfium.HEAPU8.buffer, buffer, width * height), width)
      : null;
    if (grey) return { width, height, channels: 1, data: grey };
    const pixels = new Uint32Array(pdfium.HEAPU8.buffer, buffer, width * height);
    return { width, height, channels: 3, data: packColour(pixels) };
  } finally {
    pdfium._FPDFBitmap_Destroy(bitmap);
  }
}

/**
 * The memory in which pages are rendered, reused because PDFium clears each canvas that it creates before we fill it.
 * WebAssembly's memory would not shrink anyway. Returns 0 if there is none left.
 */
function takeCanvas(pdfium: Pdfium, bytes: number): number {
  const { malloc, free } = pdfium.wasmExports;
  if (canvas.bytes < bytes) {
    if (canvas.at) free(canvas.at);
    canvas = { at: 0, bytes: 0 };
    const at = malloc(bytes);
    if (at) canvas = { at, bytes };
  }
  return canvas.at;
}

/**
 * RGBx to one channel, four pixels at a time; null if a pixel is coloured, which is checked after each row.
 * Little-endian, like WebAssembly.
 */
function packGrey(pixels: Int32Array, width: number): Uint8Array | null {
  const count = pixels.length;
  const packed = new Int32Array(Math.ceil(count / 4));
  let at = 0;
  let to = 0;
  while (at + 4 <= count) {
    const end = Math.min(at + width, count - 3);
    let differing = 0;
    for (; at < end; at += 4, to++) {
      const a = pixels[at]!;
      const b = pixels[at + 1]!;
      const c = pixels[at + 2]!;
      const d = pixels[at + 3]!;
      // most of a page is white
      if ((a & b & c & d) === -1) {
        packed[to] = -1;
        continue;
      }
      differing |= (a ^ (a >> 8)) | (b ^ (b >> 8)) | (c ^ (c >> 8)) | (d ^ (d >> 8));
      packed[to] = (a & 0xff) | ((b & 0xff) << 8) | ((c & 0xff) << 16) | (d << 24);
    }
    if (differing & 0xffff) return null;
  }
  const data = new Uint8Array(packed.buffer, 0, count);
  for (; at < count; at++) {
    const pixel = pixels[at]!;
    if ((pixel ^ (pixel >> 8)) & 0xffff) return null;
    data[at] = pixel;
  }
  return data;
}

/** RGBx to RGB, four pixels at a time: three words for four. Little-endian, like WebAssembly. */
function packColour(pixels: Uint32Array): Uint8Array {
  const count = pixels.length;
  const packed = new Uint32Array(Math.ceil((count * 3) / 4));
  let [at, to] = [0, 0];
  for (; at + 4 <= count; at += 4, to += 3) {
    const [a, b, c, d] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!, pixels[at + 3]!];
    packed[to] = (a & 0xffffff) | (b << 24);
    packed[to + 1] = ((b >>> 8) & 0xffff) | (c << 16);
    packed[to + 2] = ((c >>> 16) & 0xff) | (d << 8);
  }
  const data = new Uint8Array(packed.buffer, 0, count * 3);
  for (; at < count; at++)
    for (let channel = 0; channel < 3; channel++) data[at * 3 + channel] = pixels[at]! >>> (8 * channel);
  return data;
}

/** Text of the first and the last pages of a PDF, one string a page; a page that cannot be loaded has none. */
export async function readTexts(file: string, first: number, last: number): Promise<string[]> {
  const { pdfium, handle } = await open(file);
  if (!handle) return [];
  const count = pdfium._FPDF_GetPageCount(handle);
  const texts: string[] = [];
  for (let index = 0; index < count; index++) {
    if (index >= first && index < count - last) index = count - last;
    const page = pdfium._FPDF_LoadPage(handle, index);
    texts.push(page ? textOf(pdfium, page) : '');
    if (page) pdfium._FPDF_ClosePage(page);
  }
  return texts;
}

function textOf(pdfium: Pdfium, page: number): string {
  const { malloc, free } = pdfium.wasmExports;
  const text = pdfium._FPDFText_LoadPage(page);
  if (!text) return '';
  const count = Math.min(maxPageText, pdfium._FPDFText_CountChars(text));
  // UTF-16, with a zero at the end
  const buffer = count > 0 ? malloc(2 * (count + 1)) : 0;
  try {
    if (!buffer) return '';
    const written = pdfium._FPDFText_GetText(text, 0, count, buffer);
    return Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + 2 * Math.max(0, written - 1))).toString(
      'utf16le',
    );
  } finally {
    if (buffer) free(buffer);
    pdfium._FPDFText_ClosePage(text);
  }
}

function drawsText(pdfium: Pdfium, page: number): boolean {
  const text = pdfium._FPDFText_LoadPage(page);
  const characters = text ? pdfium._FPDFText_CountChars(text) : 0;
  if (text) pdfium._FPDFText_ClosePage(text);
  return characters > 0;
}

function isCovered(pdfium: Pdfium, page: number, pageArea: number): boolean {
  const count = pdfium._FPDFPage_CountObjects(page);
  if (count === 0 || count > maxObjectsSeen) return false;
  const { malloc, free } = pdfium.wasmExports;
  const box = malloc(16);
  try {
    let covered = 0;
    for (let index = 0; index < count; index++) {
      const object = pdfium._FPDFPage_GetObject(page, index);
      if (pdfium._FPDFPageObj_GetType(object) !== imageObject) continue;
      if (!pdfium._FPDFPageObj_GetBounds(object, box, box + 4, box + 8, box + 12)) continue;
      const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(
        pdfium.HEAPU8.buffer.slice(box, box + 16),
      );
      covered += (right - left) * (top - bottom);
    }
    return covered / pageArea >= scanCoverage;
  } finally {
    free(box);
  }
}
