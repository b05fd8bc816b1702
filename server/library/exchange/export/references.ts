/** What all writers share: their input, and pictures. */

import type { ReadDocument } from '#latex/reader/tree.ts';
import type { Asset } from '#typesetting/index.ts';

/** What a writer needs in addition to the tree. */
export interface WriterInput {
  document: ReadDocument;
  title: string;
  figures: readonly Asset[];
}

/** The figure of `\includegraphics{name}`, which may omit the extension. */
export function findFigure(name: string, figures: readonly Asset[]): Asset | null {
  const wanted = ['', '.pdf', '.png', '.jpg', '.jpeg', '.eps'].map(
    (ending) => name.replace(/^(?:\.\/)+/, '') + ending,
  );
  for (const one of wanted) {
    const figure = figures.find((file) => file.name === one);
    if (figure) return figure;
  }
  // also in a folder that the document searches (`\graphicspath`)
  return figures.find((file) => wanted.some((one) => file.name.endsWith(`/${one}`))) ?? null;
}

/** A picture's type by its first bytes, if browsers and office programs can show it; null for PDF and others. */
export function pictureType(bytes: Uint8Array): 'png' | 'jpeg' | 'gif' | null {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  if (bytes[0] === 0x47 && bytes[1] === 0x49) return 'gif';
  return null;
}

/** Width and height in pixels, from the header; null without them. */
export function pictureSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = pictureType(bytes);
  if (type === 'png' && bytes.length >= 24) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (type === 'gif' && bytes.length >= 10)
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (type !== 'jpeg') return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
